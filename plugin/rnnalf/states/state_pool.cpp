#include "rnnalf/states/state_pool.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rnnalf {

StatePool::StatePool(std::size_t state_bytes, std::size_t budget)
    : state_bytes_(state_bytes),
      // A hundredth of the budget, between 64 kB and 4 MB.
      per_chunk_(std::max<std::size_t>(
          1, std::clamp<std::size_t>(budget / 100, std::size_t{1} << 16U, std::size_t{4} << 20U) /
                 state_bytes)),
      capacity_(std::max<std::size_t>(2, budget / (state_bytes + sizeof(Slot)))) {}

const std::byte* StatePool::at(Node node) {
  const std::uint32_t slot = slot_of_[index(node)];
  slots_[slot].used = true;
  return place(slot);
}

void StatePool::store(Node node, const std::byte* state) {
  std::uint32_t& slot = slot_of_[index(node)];
  if (slot == kNoSlot) slot = free_slot();
  slots_[slot] = {node, true};
  std::memcpy(place(slot), state, state_bytes_);
}

std::byte* StatePool::place(std::size_t slot) {
  return chunks_[slot / per_chunk_].get() + slot % per_chunk_ * state_bytes_;
}

std::uint32_t StatePool::free_slot() {
  if (slots_.size() < capacity_) {
    if (slots_.size() == chunks_.size() * per_chunk_) {
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(per_chunk_ * state_bytes_));
    }
    slots_.push_back({});
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  while (true) {
    hand_ = hand_ + 1 < slots_.size() ? hand_ + 1 : 1;  // slot 0 is the empty word's and stays
    if (!std::exchange(slots_[hand_].used, false)) break;
  }
  slot_of_[index(slots_[hand_].owner)] = kNoSlot;
  return static_cast<std::uint32_t>(hand_);
}

}  // namespace rnnalf
