#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/evaluate/agreement.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/rare_words.hpp"

namespace rnnalf {

struct YardstickOptions {
  std::size_t walks = 1000;         ///< random words of `walk_length`, with all prefixes; > 0
  std::size_t walk_length = 28;     ///< symbols; > 0
  std::size_t long_walks = 300;     ///< of them, how many continue to `long_length`
  std::size_t long_length = 100;    ///< symbols; at least walk_length
  std::size_t pumped = 300;         ///< words p u^k s
  std::size_t pumped_length = 200;  ///< most symbols of those
  std::vector<Word> given = {};     ///< the user's words, those that judge the result
  RareWords found = {};             ///< that a search found
  std::uint64_t seed = 1;
};
void validate(const YardstickOptions& options);  // throws OptionError naming the field

/// How an automaton does on the words of a yardstick, by kind and answer. Every second word counts
/// for one of two halves: if they lead to different choices, so do other words.
class Tally {
 public:
  enum class Part : std::uint8_t { First, Second, All };

  void count(WordKind kind, std::size_t word, Answer network, bool agreed);
  /// By kind, then answer; those that have words.
  [[nodiscard]] std::vector<AnswerAgreement> answers(Part part) const;

 private:
  friend class Yardstick;
  std::array<std::vector<AnswerAgreement>, 2> halves_;
  std::array<std::size_t, kWordKinds> counted_ = {};  // words of each kind
};

/// Words with the network's answers, which measure all hypotheses of a run alike:
///
/// - uniform words: all prefixes of random walks, so that every length costs one step a word;
/// - words of the hypotheses' languages and complements, and their edits: almost every uniform word
///   over an e-mail alphabet is rejected, whatever the automaton;
/// - words of rare answers that a search found;
/// - pumped words p u^k s, p, u and s taken from the uniform words;
/// - the user's own words, and edits of them.
///
/// `draw_along` draws words of few hypotheses, most of them early ones, and of 14 lengths at most:
/// a longer run must not move the yardstick far, or it would prefer what it learned last.
class Yardstick {
 public:
  /// None when the budget ended first.
  [[nodiscard]] static std::optional<Yardstick> make(StateTree& tree,
                                                     const YardstickOptions& options,
                                                     const Budget& budget);

  /// Draws words with each answer of the automaton, as many of each length from the shortest on,
  /// uniform among the words and among the paths that they take, and edits of them. False when the
  /// budget ended.
  bool draw_along(const Dfa& dfa, StateTree& tree, const Budget& budget);

  /// Counts the words that were not counted yet.
  void count(const Dfa& dfa, Tally& tally) const;
  /// All but the tally.
  [[nodiscard]] Agreement measure(const Dfa& dfa) const;
  /// Words on which the DFA is wrong, of every kind, shortlex order, at most `most`.
  [[nodiscard]] std::vector<Word> exceptions(const Dfa& dfa, std::size_t most) const;
  [[nodiscard]] std::size_t words() const;
  [[nodiscard]] std::size_t given() const { return words_of(WordKind::Given).size(); }
  /// How many the network has.
  [[nodiscard]] std::size_t answers() const { return answers_; }
  /// By answer: an automaton can only be right about what was seen.
  [[nodiscard]] std::vector<AnswerMet> met() const;

 private:
  /// A random word with the network's answers after each of its symbols.
  struct Walk {
    Word word;
    std::vector<Answer> answers;
  };
  explicit Yardstick(const YardstickOptions& options, std::size_t answers)
      : random_(options.seed), answers_(answers) {}
  [[nodiscard]] AnsweredWords& words_of(WordKind kind) {
    return words_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] const AnsweredWords& words_of(WordKind kind) const {
    return words_[static_cast<std::size_t>(kind)];
  }
  /// Words in lists: all but the uniform ones.
  template <class Action>
  void for_each_list(const Action& action) const {
    for (const AnsweredWords& words : words_) action(words);
    action(pumped_);
  }

  Random random_;
  std::size_t answers_;
  std::vector<Walk> walks_;
  std::array<AnsweredWords, kWordKinds> words_;  // by kind; of Uniform, the walks
  AnsweredWords pumped_;
  std::vector<Answer> searched_;  // whose words a search looked for
};

}  // namespace rnnalf
