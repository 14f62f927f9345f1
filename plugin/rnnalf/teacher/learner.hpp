#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/teacher/teacher.hpp"

namespace rnnalf {

/// An active learner, seen from its teacher. The learning loop knows learners as this alone;
/// `libalf_learners()` makes libalf's.
class Learner {
 public:
  virtual ~Learner() = default;

  /// The next hypothesis, minimal and in canonical numbering. None: it needs answers first, has
  /// nothing to propose yet, or the budget ended.
  [[nodiscard]] virtual std::optional<Dfa> advance(const Budget& budget) = 0;
  /// How many membership queries wait for an answer.
  [[nodiscard]] virtual std::uint64_t pending() = 0;
  /// Lets the teacher answer all of them in one batch. False when the budget ended first.
  [[nodiscard]] virtual bool answer_pending(Teacher& teacher, const Budget& budget) = 0;
  /// A word on which the network and the last hypothesis differ. False when the learner refuses it.
  [[nodiscard]] virtual bool add_counterexample(const Word& word) = 0;
};

/// A library of learners: what an extraction asks it for. Stateless; outlives the extraction.
class Learners {
 public:
  virtual ~Learners() = default;

  /// The learner of that name, fresh. Throws OptionError with the names there are when there is no
  /// such learner, or when it does not learn automata with this many answers.
  [[nodiscard]] virtual std::unique_ptr<Learner> make(std::string_view name, std::size_t symbols,
                                                      std::size_t answers) const = 0;

  /// A DFA that agrees with all of these words, from accept and reject alone, by merging states.
  /// None when the budget ended first.
  [[nodiscard]] virtual std::optional<Dfa> merged(const AnsweredWords& words, std::size_t symbols,
                                                  const Budget& budget) const = 0;
  /// The same with the fewest states.
  [[nodiscard]] virtual std::optional<Dfa> smallest(const AnsweredWords& words, std::size_t symbols,
                                                    const Budget& budget) const = 0;
};

}  // namespace rnnalf
