#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/evaluate/yardstick.hpp"

namespace rnnalf {

inline constexpr Number kShares{.least = 0, .most = 1};
inline constexpr Number kPrices{.least = 0};

struct LadderOptions {
  /// Share of the words on which an automaton may be wrong and still be said to agree; 0 .. 1.
  double tolerance = 0.001;
  /// Per cent of the words on which an automaton of twice the states must be right in addition; 0:
  /// any gain is enough.
  double price = 1;
};
void validate(const LadderOptions& options);  // throws OptionError naming the field

/// The hypotheses of a run that are worth looking at, by size, and which of them is the result.
///
/// **Twice the states must be right on one word in a hundred more, or be refuted only by words
/// twice as long.** The words are those near the language (of the hypotheses, their complements,
/// and edits), and what counts is the share of the answer, of the network, that the automaton knows
/// worst: a constant that rejects everything has all accepted words wrong and explains nothing. The
/// shortest word known to refute an automaton counts from 10 to 40 symbols.
///
/// Words that the user gave count instead of these, each answer by itself, edits of them where they
/// have too few of an answer. They are what people ask, without the oddities of words nearby, so
/// here it is enough if twice the states halve the errors. And the result is never worse on them
/// than a smaller rung or than the best constant answer, unless all rungs are.
///
/// A hypothesis that no oracle was asked about is not the result, unless there is no other.
/// Everything is decided by counts of words and by the words that refuted hypotheses, never by a
/// clock.
class Ladder {
 public:
  Ladder(Yardstick yardstick, const LadderOptions& options);

  /// Measures a hypothesis. Of those with as many states the better one stays.
  void add(std::size_t hypothesis, const Dfa& dfa);
  /// Measures all rungs on more words, drawn along this automaton. False when the budget ended.
  bool draw_along(const Dfa& dfa, StateTree& tree, const Budget& budget);
  /// The same along the rungs, as long as two halves of the words lead to different results, up to
  /// three times.
  void draw_until_stable(StateTree& tree, const Budget& budget);

  /// A word on which this hypothesis is wrong; it counts for all others that are wrong on it, too.
  void refute(std::size_t hypothesis, const Word& word, Answer answer);
  /// No oracle refutes this hypothesis.
  void confirm(std::size_t hypothesis);

  /// After the first `add`.
  [[nodiscard]] Rung result() const { return rung(rungs_.at(result_)); }
  /// Those worth a look: each is wrong on a smaller share of the words than every smaller one; the
  /// result and the largest in any case.
  [[nodiscard]] std::vector<Rung> front() const;
  [[nodiscard]] const Yardstick& yardstick() const { return yardstick_; }
  /// Sizes of the results that the halves of the words lead to; none: both lead to the result, or
  /// the words are given, so that there are no others.
  [[nodiscard]] std::vector<std::size_t> unstable() const;
  /// What one state could be right about: of the words that judge where the user gave some, the
  /// share with the most frequent answer; 0 where all have the same.
  [[nodiscard]] double best_constant() const;
  /// The result is right on more of them.
  [[nodiscard]] bool explains_given() const;

  /// Whether larger hypotheses than this are not worth learning: they have four times the states at
  /// which even one without errors would not be the result.
  [[nodiscard]] bool settled(std::size_t states) const;
  /// Whether learning from a counterexample of this length to this hypothesis is not worth it: the
  /// hypothesis is the result and explains all that is measured, and the word is longer than that.
  /// Explaining it may take as many states as it has symbols.
  [[nodiscard]] bool settled_by(std::size_t hypothesis, std::size_t length) const;

 private:
  /// What is known of a rung.
  struct Measured {
    std::size_t hypothesis = 0;
    Dfa dfa;
    Tally tally = {};
    std::optional<std::size_t> shortest_refutation = {};
    bool asked = false;                 ///< an oracle was
    std::array<double, 3> errors = {};  ///< by part: of the answer that it knows worst
    double on_given = 1;                ///< the share of `on_given` on which it is right

    [[nodiscard]] double error(Tally::Part part) const {
      return errors[static_cast<std::size_t>(part)];
    }
    void note(const Word& word, Answer answer);
  };
  [[nodiscard]] Rung rung(const Measured& measured) const;
  /// The words of the user that it is judged by, or has at least to be right about.
  [[nodiscard]] std::vector<AnswerAgreement> on_given(const Measured& measured) const;
  /// Counts the words that were not counted yet.
  void count(Measured& measured) const;
  /// Whether there are enough given words.
  [[nodiscard]] bool given_judge() const;
  /// How often an error on given words must be halved until it does not count: to the tolerance.
  [[nodiscard]] double halvings(double error) const;
  /// What it costs: its errors, and its states at their price. The lowest is the result.
  [[nodiscard]] double cost(const Measured& measured, Tally::Part part) const;
  [[nodiscard]] std::size_t chosen(Tally::Part part) const;

  Yardstick yardstick_;
  LadderOptions options_;
  std::vector<Measured> rungs_;                       // smallest first
  std::vector<std::pair<Word, Answer>> refutations_;  // with the network's answer
  std::size_t result_ = 0;
};

}  // namespace rnnalf
