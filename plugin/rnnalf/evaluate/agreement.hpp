#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rnnalf/base/ids.hpp"

// How an automaton compares with a network on words, as values: what reports are written from.
namespace rnnalf {

/// On how many words of one length two sides gave the same answer.
struct LengthAgreement {
  std::size_t length = 0;
  std::uint64_t words = 0;
  std::uint64_t agreed = 0;

  /// 1 when there were no words.
  [[nodiscard]] double share() const {
    return words == 0 ? 1 : static_cast<double>(agreed) / static_cast<double>(words);
  }
};

/// The same over all lengths together.
[[nodiscard]] inline double overall_share(const std::vector<LengthAgreement>& by_length) {
  LengthAgreement sum;
  for (const LengthAgreement& part : by_length) {
    sum.words += part.words;
    sum.agreed += part.agreed;
  }
  return sum.share();
}

/// What the words of a measurement are.
enum class WordKind : std::uint8_t {
  Uniform,   ///< of up to 14 symbols
  Automata,  ///< of the hypotheses' languages and of their complements, and edits of these
  Found,     ///< with a rare answer, found by a search in the network
  Given,     ///< that the user gave; where some were held back, these alone
  Near       ///< edits of the words that the user gave
};
inline constexpr std::size_t kWordKinds = 5;
/// `uniform`, `automata`, `found`, `given`, `near`.
[[nodiscard]] std::string_view name(WordKind kind) noexcept;

/// On how many words of one kind that get one answer from the network the automaton is right.
struct AnswerAgreement {
  WordKind kind{};
  Answer answer{};  ///< the network's
  std::uint64_t words = 0;
  std::uint64_t agreed = 0;

  /// The share of the words that the automaton has wrong; 0 when there were no words.
  [[nodiscard]] double error() const {
    return words == 0 ? 0 : static_cast<double>(words - agreed) / static_cast<double>(words);
  }
};

/// How an automaton and the network compare on the words of a yardstick.
struct Agreement {
  std::vector<LengthAgreement> uniform = {};   ///< by length, from 1
  std::vector<LengthAgreement> language = {};  ///< Automata and Found, by length, from 1
  LengthAgreement pumped = {};
  std::optional<LengthAgreement> given = {};  ///< Given
  std::vector<AnswerAgreement> answers = {};  ///< by kind, then answer; those that have words
};

/// The words of a yardstick that the network gives one answer.
struct AnswerMet {
  std::uint64_t words = 0;
  std::size_t shortest = 0;  ///< symbols; 0 without words
  std::size_t longest = 0;
  /// How many a search for rare words found; none: the answer is not rare, or nobody searched.
  std::optional<std::uint64_t> found = {};
};

inline constexpr double kAssurance = 0.99;

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
  /// By what the choice judges it: the share of the words that it has wrong, of the kind and the
  /// answer that it knows worst.
  double error = 0;
  std::optional<std::size_t> shortest_refutation = {};  ///< symbols
};

/// How the words that the user gave were used.
struct GivenWords {
  std::size_t words = 0;
  /// Of them, how many the learner did not see, so that they can judge the result; 0: it saw all.
  std::size_t held_back = 0;
  /// What an automaton with one state could be right about: of the words that judge (those held
  /// back, and edits where too few of these have an answer) the share with the most frequent
  /// answer; 0 where all have the same.
  double constant = 0;
  /// The result is right on more of them than that.
  bool explained = false;
};

/// Agreement at the given length, uniform words and words of the language alike; the lower of the
/// two shares. None where there were too few words to say.
[[nodiscard]] std::optional<LengthAgreement> weakest_at(const Agreement& agreement,
                                                        std::size_t length);

/// Fewer words say little about a share.
inline constexpr std::size_t kFewWords = 20;

}  // namespace rnnalf
