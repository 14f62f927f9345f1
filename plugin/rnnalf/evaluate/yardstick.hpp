#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/evaluate/agreement.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/rare_words.hpp"

namespace rnnalf {

struct YardstickOptions {
  std::size_t walks = 1000;  ///< random words of `short_length` symbols, with all prefixes; > 0
  std::size_t short_length = 28;    ///< symbols; > 0
  std::size_t long_walks = 300;     ///< of them, how many go on to `long_length`
  std::size_t long_length = 100;    ///< symbols
  std::size_t edits = 2500;         ///< words of the edit walk in the network's language
  std::size_t edit_length = 40;     ///< most symbols of those
  std::size_t pumped = 600;         ///< words p u^k s
  std::size_t pumped_length = 200;  ///< most symbols of those
  std::vector<Word> given = {};     ///< the user's words
  RareWords found = {};             ///< where the edit walk begins besides
  std::uint64_t seed = 1;
};
void validate(const YardstickOptions& options);  // throws OptionError naming the field

/// How a DFA and the network compare on the words of a yardstick.
struct Agreement {
  std::vector<LengthAgreement> uniform = {};   ///< by length, from 1
  std::vector<LengthAgreement> language = {};  ///< by length, where there are such words
  LengthAgreement pumped = {};
  std::optional<LengthAgreement> given = {};
};

/// The words of a yardstick that the network gives one answer.
struct AnswerMet {
  std::uint64_t words = 0;
  std::size_t shortest = 0;  ///< symbols; 0 without words
  std::size_t longest = 0;
  /// How many a search for rare words found; none: the answer is not rare, or nobody searched.
  std::optional<std::uint64_t> found = {};
};

/// Words with the network's answers: they measure all hypotheses of a run alike.
///
/// The words depend on the network, the options and the seed, never on a hypothesis: a longer run
/// must not move the yardstick, or it would prefer what it learned last. Four kinds:
///
/// - uniform words: all prefixes of random walks, so that every length costs one step a word;
/// - where one answer is rare, words of the network's own language: a walk by random edits that
///   stays among the words with the rarer answer, with the neighbours it tried (near misses), begun
///   at the shortest such word, the user's, and those that a search found; of more than two
///   answers, a walk for each rare one;
///   Almost every uniform word over an e-mail alphabet is rejected, whatever the automaton;
/// - pumped words p u^k s, p, u and s taken from the words above;
/// - the user's own words.
class Yardstick {
 public:
  /// None when the budget ended first.
  [[nodiscard]] static std::optional<Yardstick> make(StateTree& tree,
                                                     const YardstickOptions& options,
                                                     const Budget& budget);

  [[nodiscard]] Agreement measure(const Dfa& dfa) const;
  /// Words on which the DFA is wrong, of every kind, shortlex order, at most `most`.
  [[nodiscard]] std::vector<Word> exceptions(const Dfa& dfa, std::size_t most) const;
  [[nodiscard]] std::size_t words() const;
  /// By answer: an automaton can only be right about what was seen.
  [[nodiscard]] const std::vector<AnswerMet>& met() const { return met_; }

 private:
  /// A random word with the network's answers after each of its symbols.
  struct Walk {
    Word word;
    std::vector<Answer> answers;
  };
  void count_answers(std::size_t answers);

  std::vector<Walk> walks_;
  AnsweredWords language_;
  AnsweredWords pumped_;
  AnsweredWords given_;
  std::vector<AnswerMet> met_;
};

}  // namespace rnnalf
