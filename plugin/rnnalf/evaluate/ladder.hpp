#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/evaluate/yardstick.hpp"

namespace rnnalf {

inline constexpr Number kShares{.least = 0, .most = 1};
inline constexpr Number kPrices{.least = 0};

inline constexpr double kAssurance = 0.99;

struct LadderOptions {
  /// Share of the words of a length on which an automaton may be wrong and still be said to agree
  /// there; 0 .. 1.
  double tolerance = 0.001;
  /// A larger automaton must reach further than a smaller one by the ratio of their states to this
  /// power; 0: any gain is worth it.
  double price = 1;
  /// Beyond the length where the best automaton agrees on less than this share, the network is not
  /// described by any of them; 0 .. 1.
  double lawful = 0.95;
};
void validate(const LadderOptions& options);  // throws OptionError naming the field

/// An automaton of a run that is worth looking at, with how far it explains the network.
struct Rung {
  std::size_t hypothesis = 0;  ///< position in the run
  std::size_t states = 0;
  Agreement agreement = {};
  /// The length up to which it agrees with the network on all but the tolerance of the words of
  /// every length; 0: not even on words of one symbol. The longest length measured when it never
  /// fails.
  std::size_t horizon = 0;
  /// Of the words of every single length up to the horizon, the share on which the two agree, at
  /// least, with the confidence `kAssurance`: the lowest of the Clopper-Pearson bounds, which few
  /// words make low even if all agree. Of uniform words, the only ones drawn independently.
  double assured = 0;
  /// How far it counts as an explanation: the length up to which no other rung does better by more
  /// than the tolerance, as far as the network is lawful.
  std::size_t reach = 0;
  std::optional<std::size_t> shortest_refutation = {};  ///< symbols
};

/// The hypotheses of a run that are worth looking at, by size, and which of them is the result.
///
/// Real networks are right on short words and odd on long ones, and a learner that chases the
/// oddities builds larger and larger automata that explain little more. So more states must pay for
/// themselves: a rung replaces a smaller one as the result when it reaches further by at least the
/// ratio of their states (twice the states: twice the length; half the price for getting beyond 10
/// symbols); or when it reaches as far, and the
/// shortest word known to refute it is longer by that ratio. Beyond the length where no rung agrees
/// with the network, none can win. Where the user gave words, a rung that is worse on them
/// than the best by more than the tolerance is not the result, and neither is a hypothesis that no
/// oracle was asked about, unless there is no other.
///
/// Everything is decided by counts of words of a fixed yardstick and by the words that refuted
/// hypotheses, never by a clock.
class Ladder {
 public:
  Ladder(Yardstick yardstick, const LadderOptions& options);

  /// Measures a hypothesis. Those with as many states as another one stay if they are better.
  void add(std::size_t hypothesis, const Dfa& dfa);

  /// A word on which this hypothesis is wrong; it counts for all others that are wrong on it, too.
  void refute(std::size_t hypothesis, const Word& word, Answer answer);

  /// After the first `add`.
  [[nodiscard]] const Rung& result() const { return rungs_.at(result_).rung; }
  /// Those worth a look: each explains the network further, or agrees with it more, than every
  /// smaller one; the result and the largest in any case.
  [[nodiscard]] std::vector<Rung> front() const;
  [[nodiscard]] const Yardstick& yardstick() const { return yardstick_; }

  /// Whether larger hypotheses than this are no longer worth it: the result explains the network
  /// as far as it is lawful, and the learner has grown far beyond it since.
  [[nodiscard]] bool settled(std::size_t states) const;
  /// Whether learning from a counterexample of this length to this hypothesis does not pay: the
  /// hypothesis is the result and explains all that is measured, and the word is longer than that.
  /// Explaining it may take as many states as it has symbols.
  [[nodiscard]] bool settled_by(std::size_t hypothesis, std::size_t length) const;

  /// Makes a hypothesis that no oracle refutes the result, unless it has more than 4 times the
  /// states of a result so far that explains words of 10 symbols and more.
  void prefer(std::size_t hypothesis);

 private:
  /// A rung with its automaton.
  struct Measured {
    Rung rung;
    Dfa dfa;
    bool asked = false;  ///< an oracle was
  };
  void choose();

  Yardstick yardstick_;
  LadderOptions options_;
  std::vector<Measured> rungs_;                       // smallest first
  std::vector<std::pair<Word, Answer>> refutations_;  // with the network's answer
  std::size_t result_ = 0;
};

/// Agreement at the given length, uniform words and words of the language alike; the lower of the
/// two shares. None where there were too few words to say.
[[nodiscard]] std::optional<LengthAgreement> weakest_at(const Agreement& agreement,
                                                        std::size_t length);

}  // namespace rnnalf
