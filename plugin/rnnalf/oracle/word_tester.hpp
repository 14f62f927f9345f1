#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rnnalf/oracle/oracle.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

/// Compares network and hypothesis on words, many at a time: what every testing oracle does with
/// the words it makes up.
///
/// Words are run in batches whose sizes are fixed here (small ones first, so that an easy
/// counterexample is cheap), never by the user's batch option. The shortlex-first difference of the
/// first batch that has one is the result. Lives for one equivalence query.
class WordTester {
 public:
  /// All three outlive the tester.
  WordTester(StateTree& tree, const Dfa& hypothesis, const Budget& budget)
      : tree_(tree), hypothesis_(hypothesis), budget_(budget) {}

  /// Queues a word. False: stop making up words, a difference was found or the budget ended.
  [[nodiscard]] bool test(Word word);
  /// Queues every prefix of the word from length `shortest` on; they cost one step each.
  [[nodiscard]] bool test_prefixes(const Word& word, std::size_t shortest);
  /// Runs what is queued.
  [[nodiscard]] bool flush();

  /// A word on which the two differ, not checked yet.
  [[nodiscard]] const std::optional<Word>& difference() const { return difference_; }
  /// Whether the budget ended before all queued words were compared.
  [[nodiscard]] bool spent() const { return spent_; }
  [[nodiscard]] std::uint64_t words_tested() const { return words_tested_; }

  /// The answer of an oracle that tested these words: flushes, then a counterexample if there is
  /// one. `looked_at` says what the words were.
  [[nodiscard]] EquivalenceAnswer answer(std::string_view oracle, const WordsCompared& looked_at);

 private:
  StateTree& tree_;
  const Dfa& hypothesis_;
  const Budget& budget_;
  std::vector<Word> words_;
  std::size_t batch_ = 128;
  std::optional<Word> difference_;
  bool spent_ = false;
  std::uint64_t words_tested_ = 0;
};

/// The word as a counterexample to the hypothesis, after one more run of the network on this word
/// alone, symbol by symbol, without the tree. Every search that found one ends with this.
/// The word is then added to the tree, since the learner will ask about it. A word on which the two
/// do not differ is a bug (RNNALF_CHECK).
[[nodiscard]] Counterexample checked_counterexample(StateTree& tree, const Dfa& hypothesis,
                                                    Word word, std::string_view oracle);

/// The answer that this counterexample refutes the hypothesis.
[[nodiscard]] EquivalenceAnswer refuted(Counterexample counterexample, Evidence evidence);

/// The answer of a search that found nothing, or that a limit stopped.
[[nodiscard]] EquivalenceAnswer none_found(Evidence evidence);
[[nodiscard]] EquivalenceAnswer stopped(Evidence evidence);

}  // namespace rnnalf
