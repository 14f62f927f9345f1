#pragma once

#include <amore++/finite_automaton.h>
#include <amore++/nondeterministic_finite_automaton.h>
#include <libalf/conjecture.h>
#include <libalf/knowledgebase.h>

#include <iostream>
#include <list>
#include <memory>
#include <set>

/// An automaton of libAMoRE++ as the teacher of a learner. libAMoRE++ is not part of the toolkit:
/// include this where it is installed.
namespace amore_alf_glue {

/// On the heap: the caller deletes it.
inline amore::finite_automaton* automaton_libalf2amore(libalf::finite_automaton& automaton) {
  std::set<int> final = automaton.get_final_states();
  return amore::construct_amore_automaton(automaton.is_deterministic, automaton.input_alphabet_size,
                                          automaton.state_count, automaton.initial_states, final,
                                          automaton.transitions);
}

/// On the heap: the caller deletes it; NULL if it has no serialised form.
inline libalf::finite_automaton* automaton_amore2libalf(amore::finite_automaton& automaton) {
  std::basic_string<std::int32_t> data = automaton.serialize();
  serial_stretch serial(data);
  auto result = std::make_unique<libalf::finite_automaton>();
  return result->deserialize(serial) ? result.release() : nullptr;
}

// Equivalence queries. False: the counterexample is a word that one of the two accepts.

inline bool automaton_antichain_equivalence_query(amore::finite_automaton& model,
                                                  amore::finite_automaton& hypothesis,
                                                  std::list<int>& counterexample) {
  return model.antichain__is_superset_of(hypothesis, counterexample) &&
         hypothesis.antichain__is_superset_of(model, counterexample);
}

inline bool automaton_classic_equivalence_query(amore::finite_automaton& model,
                                                amore::finite_automaton& hypothesis,
                                                std::list<int>& counterexample) {
  const auto includes = [&](amore::finite_automaton& larger, amore::finite_automaton& smaller) {
    const std::unique_ptr<amore::finite_automaton> rest(smaller.lang_difference(larger));
    bool is_empty = true;
    counterexample = rest->get_sample_word(is_empty);
    return is_empty;
  };
  return includes(hypothesis, model) && includes(model, hypothesis);
}

/// Antichains where one of the two is a nondeterministic automaton of eight states or more.
inline bool automaton_equivalence_query(amore::finite_automaton& model,
                                        amore::finite_automaton& hypothesis,
                                        std::list<int>& counterexample) {
  const auto is_large_nfa = [](amore::finite_automaton& automaton) {
    return dynamic_cast<amore::nondeterministic_finite_automaton*>(&automaton) &&
           automaton.get_state_count() >= 8;
  };
  return is_large_nfa(model) || is_large_nfa(hypothesis)
             ? automaton_antichain_equivalence_query(model, hypothesis, counterexample)
             : automaton_classic_equivalence_query(model, hypothesis, counterexample);
}

namespace detail {

template <class Query>
bool query_conjecture(Query query, libalf::conjecture* conjecture, std::list<int>& counterexample) {
  counterexample.clear();
  auto* automaton = dynamic_cast<libalf::finite_automaton*>(conjecture);
  if (!automaton) {
    std::cerr << "equivalence query: hypothesis is not an automaton!\n";
    return false;
  }
  const std::unique_ptr<amore::finite_automaton> hypothesis(automaton_libalf2amore(*automaton));
  return query(*hypothesis);
}

}  // namespace detail

inline bool automaton_classic_equivalence_query(amore::finite_automaton& model,
                                                libalf::conjecture* conjecture,
                                                std::list<int>& counterexample) {
  return detail::query_conjecture(
      [&](amore::finite_automaton& hypothesis) {
        return automaton_classic_equivalence_query(model, hypothesis, counterexample);
      },
      conjecture, counterexample);
}

inline bool automaton_antichain_equivalence_query(amore::finite_automaton& model,
                                                  libalf::conjecture* conjecture,
                                                  std::list<int>& counterexample) {
  return detail::query_conjecture(
      [&](amore::finite_automaton& hypothesis) {
        return automaton_antichain_equivalence_query(model, hypothesis, counterexample);
      },
      conjecture, counterexample);
}

inline bool automaton_equivalence_query(amore::finite_automaton& model,
                                        libalf::conjecture* conjecture,
                                        std::list<int>& counterexample) {
  return detail::query_conjecture(
      [&](amore::finite_automaton& hypothesis) {
        return automaton_equivalence_query(model, hypothesis, counterexample);
      },
      conjecture, counterexample);
}

// Membership queries.

inline bool automaton_membership_query(amore::finite_automaton& model, std::list<int>& word) {
  return model.contains(word);
}

/// Answers all pending queries; returns how many there were.
template <class answer>
int automaton_answer_knowledgebase(amore::finite_automaton& model,
                                   libalf::knowledgebase<answer>& base) {
  int count = 0;
  for (; !base.is_answered(); ++count) {
    auto query = base.qbegin();
    std::list<int> word = query->get_word();
    query->set_answer(static_cast<answer>(automaton_membership_query(model, word)));
  }
  return count;
}

}  // namespace amore_alf_glue
