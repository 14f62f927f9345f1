#pragma once

#include <libalf/alf.h>

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"

/// A teacher that knows the target: answers every query and finds every difference. Header only, because
/// it is compiled against each provider of <libalf/...>.
namespace rnnalf::support {

inline std::list<int> to_list(WordView word) {
  std::list<int> letters;
  for (Symbol symbol : word) letters.push_back(static_cast<int>(index(symbol)));
  return letters;
}

/// The subset construction: a conjecture may be nondeterministic and partial. No epsilon moves.
inline Dfa determinise(const libalf::finite_automaton& automaton) {
  const auto letters = static_cast<std::size_t>(automaton.input_alphabet_size);
  std::map<std::set<int>, LState> known;
  std::vector<std::set<int>> subsets;
  Dfa dfa(letters);
  const auto state_of = [&](const std::set<int>& subset) {
    const auto [at, fresh] = known.emplace(subset, static_cast<LState>(subsets.size()));
    if (fresh) {
      bool accepting = false;
      for (int s : subset) accepting = accepting || automaton.output_mapping.at(s);
      if (subsets.empty()) {
        dfa.set_accepting(LState{0}, accepting);
      } else {
        dfa.add_state(accepting);
      }
      subsets.push_back(subset);
    }
    return at->second;
  };
  state_of(automaton.initial_states);
  for (std::size_t i = 0; i < subsets.size(); ++i) {
    for (std::size_t letter = 0; letter < letters; ++letter) {
      std::set<int> next;
      for (int s : subsets[i]) {
        const auto by_letter = automaton.transitions.find(s);
        if (by_letter == automaton.transitions.end()) continue;
        const auto targets = by_letter->second.find(static_cast<int>(letter));
        if (targets != by_letter->second.end()) {
          next.insert(targets->second.begin(), targets->second.end());
        }
      }
      dfa.set_next(static_cast<LState>(i), static_cast<Symbol>(letter), state_of(next));
    }
  }
  return dfa;
}

/// Copies a deterministic complete conjecture; any other goes through the subset construction.
inline Dfa to_dfa(const libalf::finite_automaton& automaton) {
  if (!automaton.is_deterministic || automaton.initial_states.size() != 1) {
    return determinise(automaton);
  }
  const auto letters = static_cast<std::size_t>(automaton.input_alphabet_size);
  const auto states = static_cast<std::size_t>(automaton.state_count);
  Dfa dfa(letters, states);
  dfa.set_initial(static_cast<LState>(*automaton.initial_states.begin()));
  for (const auto& [state, accepting] : automaton.output_mapping) {
    dfa.set_accepting(static_cast<LState>(state), accepting);
  }
  std::size_t count = 0;
  for (const auto& [source, by_letter] : automaton.transitions) {
    for (const auto& [letter, targets] : by_letter) {
      if (targets.size() != 1) return determinise(automaton);
      dfa.set_next(static_cast<LState>(source), static_cast<Symbol>(letter),
                   static_cast<LState>(*targets.begin()));
      ++count;
    }
  }
  return count == states * letters ? dfa : determinise(automaton);
}

class PerfectTeacher {
 public:
  explicit PerfectTeacher(Dfa target) : target_(std::move(target)) {}

  const Dfa& target() const { return target_; }

  template <class Letters>
  bool accepts(const Letters& word) const {
    LState state = target_.initial();
    for (int letter : word) state = target_.next(state, static_cast<Symbol>(letter));
    return target_.accepts(state);
  }

  /// Answers all pending queries, the way libalf's own glue does; returns how many.
  template <class Answer>
  int answer(libalf::knowledgebase<Answer>& knowledge) const {
    int count = 0;
#ifdef LIBALF_TOOLKIT
    std::vector<int> word;
    for (; !knowledge.is_answered(); ++count) {
      auto query = knowledge.qbegin();
      query->get_word(word);
      query->set_answer(accepts(word));
    }
#else
    for (; !knowledge.is_answered(); ++count) {
      auto query = knowledge.qbegin();
      query->set_answer(accepts(query->get_word()));
    }
#endif
    return count;
  }

  /// The shortest counterexample.
  std::optional<std::list<int>> refute(const Dfa& hypothesis) const {
    const auto word = separating_word(target_, hypothesis);
    if (!word) return std::nullopt;
    return to_list(*word);
  }

 private:
  Dfa target_;
};

}  // namespace rnnalf::support
