#pragma once

#include <list>
#include <optional>

#include <libalf/alf.h>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/teacher/teacher.hpp"

/// A network in the place of the model in libalf's glue code: a program written with
/// `amore_alf_glue` changes the namespace and the model.
namespace rnn_alf_glue {

/// The network's answer. Throws std::invalid_argument for a letter outside the alphabet.
bool membership_query(rnnalf::Teacher& teacher, const std::list<int>& word);

/// Answers all pending queries in one batch; returns how many.
int answer_knowledgebase(rnnalf::Teacher& teacher, libalf::knowledgebase<bool>& knowledge);

/// True: no oracle found a difference (which proves nothing). False: `counterexample` is a word on
/// which network and conjecture differ. Throws std::invalid_argument for a conjecture that is no
/// finite automaton.
bool equivalence_query(rnnalf::Teacher& teacher, const libalf::conjecture* conjecture,
                       std::list<int>& counterexample);

}  // namespace rnn_alf_glue

namespace rnnalf {

/// The language of a conjecture of any learner as a minimal automaton in canonical numbering:
/// nondeterministic and partial ones are determinised and completed. With more than two answers, of
/// a deterministic moore_machine<int>. Throws std::invalid_argument when it is neither.
[[nodiscard]] Dfa to_dfa(const libalf::conjecture& conjecture, std::size_t answers = 2);
/// The same; none when the budget ended first. The DFA of a nondeterministic conjecture may be
/// exponentially larger.
[[nodiscard]] std::optional<Dfa> to_dfa(const libalf::conjecture& conjecture, std::size_t answers,
                                        const Budget& budget);

/// libalf's form of a word and back.
[[nodiscard]] std::list<int> to_libalf(WordView word);
[[nodiscard]] Word from_libalf(const std::list<int>& word);

/// Answers all pending queries in large batches. Returns how many, none when the budget ended
/// first; the queries of the last batch are then still pending.
template <class answer>
[[nodiscard]] std::optional<int> answer_pending(Teacher& teacher,
                                                libalf::knowledgebase<answer>& knowledge,
                                                const Budget& budget);
extern template std::optional<int> answer_pending(Teacher&, libalf::knowledgebase<bool>&,
                                                  const Budget&);
extern template std::optional<int> answer_pending(Teacher&, libalf::knowledgebase<int>&,
                                                  const Budget&);

}  // namespace rnnalf
