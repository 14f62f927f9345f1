#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/oracle/pumped_word.hpp"
#include "rnnalf/states/state_tree.hpp"

// Used by the pumping oracle only; not installed.
namespace rnnalf {

/// Compares network and hypothesis on a limited number of words, and on all prefixes of these
/// words, which cost no step. Lives for one equivalence query.
class PumpingTester {
 public:
  /// All three outlive the tester.
  PumpingTester(StateTree& tree, const Dfa& hypothesis, const Budget& budget,
                std::size_t most_words)
      : tree_(tree), hypothesis_(hypothesis), budget_(budget), left_(most_words) {}

  /// Runs the words as one batch; those beyond words_left() are dropped from the end. How far the
  /// scores are from the network's threshold comes back, word by word; nothing when it is over.
  std::vector<double> test(std::vector<PumpedWord>& words);

  /// Of these words the first on which network and hypothesis differ; those beyond words_left() are
  /// not looked at. For whoever has a difference and wants a shorter one: no budget ends it.
  [[nodiscard]] std::optional<std::size_t> first_differing(std::vector<Word> words);

  /// Neither was a difference found nor did the budget end.
  [[nodiscard]] bool going() const { return !difference_ && !spent_; }
  [[nodiscard]] bool spent() const { return spent_; }
  [[nodiscard]] std::size_t words_left() const { return left_; }
  [[nodiscard]] std::size_t words_tested() const { return tested_; }
  /// The shortlex-first word on which the two differ, of the first batch that has one: a word of
  /// that batch or a prefix of one.
  [[nodiscard]] const std::optional<PumpedWord>& difference() const { return difference_; }

 private:
  StateTree& tree_;
  const Dfa& hypothesis_;
  const Budget& budget_;
  std::size_t left_;
  std::size_t tested_ = 0;
  bool spent_ = false;
  std::optional<PumpedWord> difference_;
};

}  // namespace rnnalf
