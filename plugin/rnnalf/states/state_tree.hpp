#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/base/word.hpp"

namespace rnnalf {

class Workers;

/// A word the network was asked about: its place in the StateTree. Valid as long as the tree.
enum class Node : std::uint32_t {};

struct StateTreeOptions {
  std::size_t memory = std::size_t{1} << 30U;  ///< bytes for stored R-states
  std::size_t batch = 256;                     ///< columns per call of the acceptor; > 0
  unsigned threads = 1;                        ///< > 0
  std::optional<bool> empty_word =
      std::nullopt;  ///< answer for the empty word; none: the network's own
};
void validate(const StateTreeOptions& options);  // throws OptionError naming the field

struct StateTreeStats {
  std::uint64_t steps = 0;       ///< transitions computed for the first time
  std::uint64_t recomputed = 0;  ///< transitions computed again: their R-state was evicted
  double seconds = 0;            ///< wall time inside the acceptor
  std::size_t bytes = 0;         ///< held now, R-states and words
};

/// The network read as a lazily unrolled deterministic automaton: every word asked about is a node,
/// every prefix is computed once, whoever asked first.
///
/// Answers are kept for ever, R-states within a byte budget. One that was evicted is computed again
/// when it is needed, which costs time and changes nothing else: answers, node numbers and `steps`
/// do not depend on memory, batch size or threads.
///
/// Thread rule: one caller at a time; the work inside is spread over the threads of the options.
class StateTree {
 public:
  /// The acceptor outlives the tree.
  StateTree(const RnnAcceptor& acceptor, const StateTreeOptions& options);
  ~StateTree();
  StateTree(const StateTree&) = delete;
  StateTree& operator=(const StateTree&) = delete;

  [[nodiscard]] const RnnAcceptor& acceptor() const { return acceptor_; }
  [[nodiscard]] const StateTreeOptions& options() const { return options_; }
  [[nodiscard]] std::size_t symbol_count() const { return symbols_; }
  [[nodiscard]] std::size_t state_size() const { return state_size_; }

  // ------------------------------------------------------------ words

  [[nodiscard]] static constexpr Node root() { return Node{0}; }  ///< the empty word
  [[nodiscard]] std::size_t size() const { return edge_.size(); }
  [[nodiscard]] Node parent(Node node) const { return edge_[index(node)].parent; }
  [[nodiscard]] Symbol label(Node node) const { return edge_[index(node)].label; }
  [[nodiscard]] std::size_t length(Node node) const { return length_[index(node)]; }
  [[nodiscard]] Word word(Node node) const;

  /// The node of a word, added if it is new. Adding computes nothing.
  Node add(WordView word) { return add(root(), word); }
  Node add(Node from, WordView suffix);
  /// The node of from's word and one symbol more, if it was added.
  [[nodiscard]] std::optional<Node> find(Node from, Symbol symbol) const;

  // ------------------------------------------------------------ answers

  /// Makes the answers of these nodes known, in batches. False when the budget ended first; what
  /// was computed until then stays.
  [[nodiscard]] bool compute(std::span<const Node> nodes, const Budget& budget);
  /// Adds all successors of these nodes and makes their answers known.
  [[nodiscard]] bool expand(std::span<const Node> nodes, const Budget& budget);

  [[nodiscard]] bool known(Node node) const { return answer_[index(node)] != kUnknown; }
  /// The network's answer for a known node.
  [[nodiscard]] bool accepted(Node node) const { return answer_[index(node)] == kAccepted; }

  /// Copies R-states, one per column, computing again those that were not kept. Nodes must be
  /// known. False when the budget ended first.
  [[nodiscard]] bool copy_states(std::span<const Node> nodes, RStates states, const Budget& budget);

  // ------------------------------------------------------------ words tried once

  /// Answers of words that are not worth remembering, such as random ones: prefixes they share with
  /// each other or with nodes of the tree are computed once, nothing is added. With `margins`, also
  /// how clear each answer is. Nothing when the budget ended first.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> answers(
      std::span<const Word> words, const Budget& budget, std::vector<double>* margins = nullptr);

  [[nodiscard]] StateTreeStats stats() const;
  /// Steps are counted there too, for whoever watches from another thread; it outlives the tree.
  void watch(Progress& progress) { progress_ = &progress; }
  /// Tells whoever watches what the tree is used for now: a name in static storage.
  void announce(const char* activity) {
    if (progress_ != nullptr) progress_->activity.store(activity, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint8_t kUnknown = 2;
  static constexpr std::uint8_t kAccepted = 1;
  static constexpr std::uint32_t kNone = 0xffffffffU;

  class Pool;  // stored R-states

  Node add_node(Node parent, Symbol symbol);
  [[nodiscard]] std::uint32_t hashed_child(Node parent, Symbol symbol) const;
  void hash_child(Node child);
  void count_steps(std::size_t fresh, std::size_t again);
  /// Where column i starts, an R-state as the acceptor keeps it, and what it reads.
  using Transition = std::function<std::pair<const std::byte*, Symbol>(std::size_t i)>;
  /// Makes transitions into `next` and, unless null, `margins`, in batches over the threads.
  void follow(std::size_t columns, const Transition& transition, std::byte* next, double* margins);
  void sort_by_length(std::vector<Node>& nodes) const;
  /// Whether the R-state of a node that was just computed for the first time is stored.
  using Made = std::function<void(Node, const std::byte*)>;
  /// Computes the R-states of `wanted` and of what they need; `made` sees each as it is computed.
  bool make_states(std::span<const Node> wanted, const Budget& budget, const Made& made = nullptr);
  using Fetched = std::function<void(std::size_t i, const std::byte* state)>;
  /// Shows the R-state of each of these known nodes, in any order, computing again what was not
  /// kept.
  bool fetch(std::span<const Node> nodes, const Budget& budget, const Fetched& fetched);
  bool answer_sorted(std::span<const Word* const> words, const Budget& budget,
                     std::span<std::uint8_t> answers, double* margins);

  const RnnAcceptor& acceptor_;
  StateTreeOptions options_;
  std::size_t symbols_;
  std::size_t state_size_;
  std::size_t state_bytes_;  // of an R-state as the acceptor keeps it

  /// How a node's children are found.
  enum class Children : std::uint8_t {
    None,
    One,     ///< child_ is the only one
    Hashed,  ///< in the table
    All      ///< expanded at once: child_ + symbol
  };

  // One entry per node.
  struct Edge {
    Node parent;
    Symbol label;
  };
  std::vector<Edge> edge_;  // into the node
  std::vector<std::uint32_t> length_;
  std::vector<std::uint32_t> child_;
  std::vector<Children> children_;
  std::vector<std::uint8_t> answer_;
  std::vector<std::uint32_t> table_;  // open addressing, power of two
  std::size_t hashed_ = 0;

  // Columns of the call under way: node n has one iff call_[n] == calls_. Large arrays live as long
  // as the tree: allocating them afresh costs more than a step.
  std::vector<std::uint32_t> call_;
  std::vector<std::uint32_t> column_;
  std::uint32_t calls_ = 0;
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;

  std::unique_ptr<Pool> pool_;
  std::unique_ptr<Workers> workers_;
  StateTreeStats stats_;
  Progress* progress_ = nullptr;
};

}  // namespace rnnalf
