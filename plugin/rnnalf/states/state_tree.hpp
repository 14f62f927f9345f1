#pragma once

#include <cmath>
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
#include "rnnalf/states/word_tree.hpp"

namespace rnnalf {

class StatePool;
class Workers;

struct StateTreeOptions {
  std::size_t memory = std::size_t{1} << 30U;  ///< bytes for stored R-states
  std::size_t batch = 256;                     ///< columns per call of the acceptor; > 0
  unsigned threads = 1;                        ///< > 0
  std::optional<Answer> empty_word =
      std::nullopt;   ///< answer for the empty word; none: the network's own
  double unsure = 0;  ///< answers with a smaller margin than this count as none; >= 0
};
void validate(const StateTreeOptions& options);  // throws OptionError naming the field

struct StateTreeStats {
  std::uint64_t steps = 0;       ///< transitions computed for the first time
  std::uint64_t recomputed = 0;  ///< transitions computed again: their R-state was evicted
  double seconds = 0;            ///< wall time inside the acceptor
};

/// The network read as a lazily unrolled deterministic automaton: every word asked about is a node,
/// every prefix is computed once.
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
  [[nodiscard]] std::size_t answer_count() const { return acceptor_.answer_count(); }

  // ------------------------------------------------------------ words

  [[nodiscard]] static constexpr Node root() { return WordTree::root(); }  ///< the empty word
  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] Node parent(Node node) const { return words_.parent(node); }
  [[nodiscard]] Symbol label(Node node) const { return words_.label(node); }
  [[nodiscard]] std::size_t length(Node node) const { return words_.length(node); }
  [[nodiscard]] Word word(Node node) const { return words_.word(node); }

  /// The node of a word, added if it is new. Adding computes nothing.
  Node add(WordView word) { return add(root(), word); }
  Node add(Node from, WordView suffix);
  /// The node of from's word and one symbol more, if it was added.
  [[nodiscard]] std::optional<Node> find(Node from, Symbol symbol) const {
    return words_.find(from, symbol);
  }

  // ------------------------------------------------------------ answers

  /// Makes the answers of these nodes known, in batches. False when the budget ended first; what
  /// was computed until then stays.
  [[nodiscard]] bool compute(std::span<const Node> nodes, const Budget& budget);
  /// Adds all successors of these nodes and makes their answers known.
  [[nodiscard]] bool expand(std::span<const Node> nodes, const Budget& budget);

  [[nodiscard]] bool known(Node node) const { return answer_[index(node)] != kUnknown; }
  /// The network's answer for a known node; None where it says nothing.
  [[nodiscard]] Answer answer(Node node) const { return answer_[index(node)]; }
  [[nodiscard]] bool accepted(Node node) const { return answer(node) == Answer::Accept; }
  /// Whether the network says something of a known node.
  [[nodiscard]] bool answered(Node node) const { return answer(node) != Answer::None; }
  /// The shortest word seen, with all its prefixes, of which the network says nothing.
  [[nodiscard]] std::optional<Word> unanswered() const;

  /// Copies R-states, one per column, computing again those that were not kept. Nodes must be
  /// known. False when the budget ended first.
  [[nodiscard]] bool copy_states(std::span<const Node> nodes, RStates states, const Budget& budget);

  // ------------------------------------------------------------ words tried once

  /// This many words, in dictionary order, are read in lockstep. Of longer lists, prefixes that the
  /// first words of a lot share with the last ones of the lot before are computed again.
  static constexpr std::size_t kWordsAtOnce = 1024;
  /// Answers of words that are not worth remembering, such as random ones: prefixes they share with
  /// each other or with nodes of the tree are computed once, nothing is added. With `margins`, also
  /// how clear each answer is. Nothing when the budget ended first.
  [[nodiscard]] std::optional<std::vector<Answer>> answers(std::span<const Word> words,
                                                           const Budget& budget,
                                                           std::vector<double>* margins = nullptr) {
    return answers(words, budget, margins, nullptr);
  }
  /// The answer for the prefix of `length` > 0 of words[word].
  using PrefixAnswered = std::function<void(std::size_t word, std::size_t length, Answer answer)>;
  /// As above. Also tells the answer of every distinct prefix, with one of the words that have it:
  /// the network is run through them anyway, so that costs no step.
  [[nodiscard]] std::optional<std::vector<Answer>> answers(std::span<const Word> words,
                                                           const Budget& budget,
                                                           std::vector<double>* margins,
                                                           const PrefixAnswered& told);

  [[nodiscard]] const StateTreeStats& stats() const { return stats_; }
  /// Steps are counted there too, where another thread can read them; it outlives the tree.
  void watch(Progress& progress) { progress_ = &progress; }
  /// Steps computed for the first time are what this budget has spent; it outlives the tree. Calls
  /// that are given another budget spend them too.
  void charge(Budget& budget) { charged_ = &budget; }
  /// Says there what the tree is used for now: a name in static storage.
  void announce(const char* activity) {
    if (progress_ != nullptr) progress_->activity.store(activity, std::memory_order_relaxed);
  }

 private:
  static constexpr Answer kUnknown{0xffff};

  class WordsTriedOnce;
  struct Scratch;

  void grow();  // to the number of words
  void set_answer(Node node, Answer answer);
  /// Whether the network is less sure of an answer than the options ask.
  [[nodiscard]] bool is_unsure(const Judgement& judged) const {
    return std::abs(judged.margin) < options_.unsure;
  }
  /// Remembers a word without an answer.
  void note_unanswered(WordView word);
  void count_steps(std::size_t fresh, std::size_t again);
  /// Steps of the network behind one transition and the answer in the R-state it leads to.
  [[nodiscard]] std::size_t steps_with_answer(std::size_t length) const {
    return 1 + acceptor_.steps_per_answer(length);
  }
  /// As RnnAcceptor::follow, in batches over the threads; `judged` may be null.
  void follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
              std::byte* next, Judgement* judged);
  /// As RnnAcceptor::judge, in batches over the threads.
  void judge(ConstRStates states, std::span<Judgement> judged);

  /// Adds all successors of these nodes, which have none, and makes their answers known.
  bool expand_leaves(std::span<const Node> leaves, const Budget& budget);

  /// Called with an R-state that was just computed.
  using Made = std::function<void(Node, const std::byte*)>;
  /// Computes the R-states of `wanted` and of what they need; `made` sees each as it is computed.
  bool make_states(std::span<const Node> wanted, const Budget& budget, const Made& made = nullptr);
  /// The nodes that must be computed for `wanted`, by length; they are columns of this call.
  std::vector<Node> missing_states(std::span<const Node> wanted);
  /// Copies the stored R-states from which these nodes are reached, so that eviction in between
  /// cannot take them away.
  void load_origins(std::span<const Node> missing);
  /// Computes nodes of one length, whose parents are stored or were the level before.
  void make_level(std::span<const Node> level, const Made& made);

  using Fetched = std::function<void(std::size_t i, const std::byte* state)>;
  /// Shows the R-state of each of these known nodes, in any order, computing again what was not
  /// kept.
  bool fetch(std::span<const Node> nodes, const Budget& budget, const Fetched& fetched);
  /// The R-states of these known nodes, one after the other.
  bool load(std::span<const Node> nodes, std::byte* states, const Budget& budget);

  const RnnAcceptor& acceptor_;
  StateTreeOptions options_;
  std::size_t symbols_;
  std::size_t state_size_;
  std::size_t state_bytes_;  // of an R-state as the acceptor keeps it

  WordTree words_;
  std::vector<Answer> answer_;  // by node
  std::unique_ptr<StatePool> pool_;
  std::unique_ptr<Workers> workers_;

  // Columns of the call under way: node n has one iff call_[n] == calls_. Large arrays live as long
  // as the tree: allocating them afresh costs more than a step.
  std::vector<std::uint32_t> call_;
  std::vector<std::uint32_t> column_;
  std::uint32_t calls_ = 0;
  std::unique_ptr<Scratch> scratch_;

  std::optional<Word> unanswered_;  // shortlex-first; its prefixes were not all looked at
  StateTreeStats stats_;
  Progress* progress_ = nullptr;
  Budget* charged_ = nullptr;
};

}  // namespace rnnalf
