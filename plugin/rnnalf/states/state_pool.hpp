#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rnnalf/states/word_tree.hpp"

namespace rnnalf {

/// R-states of nodes, as the acceptor keeps them, within a byte budget.
///
/// When the budget is full, the R-state that was not used for longest (one round of a clock) makes
/// room. The first one stored, the empty word's, stays for ever. One caller at a time.
class StatePool {
 public:
  /// Room for at least two R-states of `state_bytes`, and as many as fit `budget` bytes.
  StatePool(std::size_t state_bytes, std::size_t budget);

  /// Nodes with smaller numbers than this may be asked for and stored.
  void grow_to(std::size_t nodes) { slot_of_.resize(nodes, kNoSlot); }

  [[nodiscard]] bool has(Node node) const { return slot_of_[index(node)] != kNoSlot; }
  /// The R-state of a node that the pool has. Valid until the next `store`.
  [[nodiscard]] const std::byte* at(Node node);
  void store(Node node, const std::byte* state);

 private:
  static constexpr std::uint32_t kNoSlot = 0xffffffffU;
  struct Slot {
    Node owner;
    bool used;
  };

  [[nodiscard]] std::byte* place(std::size_t slot);
  [[nodiscard]] std::uint32_t free_slot();

  std::size_t state_bytes_;
  std::size_t per_chunk_;
  std::size_t capacity_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> slot_of_;  // by node
  std::size_t hand_ = 0;
};

}  // namespace rnnalf
