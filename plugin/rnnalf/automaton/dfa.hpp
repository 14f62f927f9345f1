#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// A complete deterministic automaton with an answer in every state: the value type of every
/// hypothesis and target. With two answers it is a DFA, with more a Moore machine.
///
/// States are 0 .. size()-1; it has at least one state, and every transition is defined. Symbols
/// are positions in an alphabet that the automaton does not carry. Plain data: copy it freely.
class Dfa {
 public:
  /// One rejecting state with self loops.
  explicit Dfa(std::size_t symbol_count = 0) : Dfa(symbol_count, 1) {}
  /// `state_count` rejecting states, every transition back to its source; initial state 0.
  /// `answer_count` is at least 2.
  Dfa(std::size_t symbol_count, std::size_t state_count, std::size_t answer_count = 2);

  [[nodiscard]] std::size_t size() const noexcept { return answers_.size(); }
  /// Answers are 0 .. answer_count()-1, whether some state gives them or not.
  [[nodiscard]] std::size_t answer_count() const noexcept { return answer_count_; }
  [[nodiscard]] bool is_moore() const noexcept { return answer_count_ > 2; }
  [[nodiscard]] std::size_t symbol_count() const noexcept { return symbol_count_; }
  [[nodiscard]] LState initial() const noexcept { return initial_; }
  [[nodiscard]] Answer answer(LState state) const { return answers_[index(state)]; }
  [[nodiscard]] bool accepts(LState state) const { return answer(state) == Answer::Accept; }
  [[nodiscard]] LState next(LState state, Symbol symbol) const {
    return transitions_[index(state) * symbol_count_ + index(symbol)];
  }

  void set_initial(LState state);
  void set_answer(LState state, Answer answer);
  void set_accepting(LState state, bool accepting) { set_answer(state, accept_if(accepting)); }
  void set_next(LState state, Symbol symbol, LState target);
  LState add_state(Answer answer);
  LState add_state(bool accepting) { return add_state(accept_if(accepting)); }

  [[nodiscard]] LState run(WordView word) const { return run(initial_, word); }
  [[nodiscard]] LState run(LState from, WordView word) const;
  [[nodiscard]] Answer answer(WordView word) const { return answer(run(word)); }
  [[nodiscard]] bool accepts(WordView word) const { return accepts(run(word)); }

  bool operator==(const Dfa&) const = default;

 private:
  std::size_t symbol_count_;
  std::size_t answer_count_;
  LState initial_{};
  std::vector<Answer> answers_;
  std::vector<LState> transitions_;  // state-major
};

/// No automaton and no network here has more classes.
inline constexpr std::size_t kMostAnswers = 0xffff;

/// The reachable part, numbered breadth first, symbols in order: equal automata become equal
/// values.
[[nodiscard]] Dfa canonical(const Dfa& dfa);

/// The same automaton with more answers than its states give. Throws std::invalid_argument when a
/// state gives another one than 0 .. answer_count-1.
[[nodiscard]] Dfa with_answers(const Dfa& dfa, std::size_t answer_count);

/// The minimal automaton of the same language, in canonical numbering (Hopcroft, n k log n).
[[nodiscard]] Dfa minimise(const Dfa& dfa);

/// The shortlex-first word on which the two differ, none when they are equivalent.
/// Throws std::invalid_argument when the symbol counts differ.
[[nodiscard]] std::optional<Word> separating_word(const Dfa& a, const Dfa& b);
[[nodiscard]] inline bool equivalent(const Dfa& a, const Dfa& b) {
  return !separating_word(a, b).has_value();
}

/// The shortlex-first access word of every state; none for unreachable ones.
[[nodiscard]] std::vector<std::optional<Word>> access_words(const Dfa& dfa);

/// Shortest words that tell states of one automaton apart.
///
/// Built once per hypothesis by partition refinement from the back (Moore's rounds), so a pair
/// costs its suffix length, not a search. Immutable.
class Distinguisher {
 public:
  explicit Distinguisher(const Dfa& dfa);
  /// The shortlex-first shortest suffix to which they give different answers; none if equivalent.
  [[nodiscard]] std::optional<Word> suffix(LState p, LState q) const;
  /// Suffixes that together tell every pair of inequivalent states apart (a characterising set),
  /// shortest first.
  [[nodiscard]] std::vector<Word> characterising_set() const;

 private:
  Dfa dfa_;
  // block_[r][q]: q's block after round r; p and q are told apart by a word of length <= r iff the
  // blocks differ.
  std::vector<std::vector<std::uint32_t>> block_;
};

}  // namespace rnnalf
