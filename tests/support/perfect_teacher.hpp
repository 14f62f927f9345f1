#pragma once

#include <libalf/alf.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>
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
  using Subset = std::vector<std::uint64_t>;  // bit s: state s is in it
  const auto letters = static_cast<std::size_t>(automaton.input_alphabet_size);
  const auto states = static_cast<std::size_t>(automaton.state_count);
  const auto add = [](Subset& subset, int state) {
    const auto s = static_cast<std::size_t>(state);
    subset[s / 64] |= std::uint64_t{1} << (s % 64);
  };
  const Subset empty((states + 63) / 64);
  std::vector<Subset> targets(states * letters, empty);
  for (const auto& [source, by_letter] : automaton.transitions) {
    for (const auto& [letter, into] : by_letter) {
      Subset& subset =
          targets[static_cast<std::size_t>(source) * letters + static_cast<std::size_t>(letter)];
      for (int target : into) add(subset, target);
    }
  }
  Subset accepting = empty;
  for (const auto& [state, accepts] : automaton.output_mapping) {
    if (accepts) add(accepting, state);
  }

  std::map<Subset, LState> known;
  std::vector<Subset> subsets;
  Dfa dfa(letters);
  const auto state_of = [&](const Subset& subset) {
    const auto [at, fresh] = known.emplace(subset, static_cast<LState>(subsets.size()));
    if (!fresh) return at->second;
    bool accepts = false;
    for (std::size_t w = 0; w < subset.size(); ++w) accepts = accepts || (subset[w] & accepting[w]);
    if (subsets.empty()) {
      dfa.set_accepting(LState{0}, accepts);
    } else {
      dfa.add_state(accepts);
    }
    subsets.push_back(subset);
    return at->second;
  };
  Subset initial = empty;
  for (int state : automaton.initial_states) add(initial, state);
  state_of(initial);
  for (std::size_t i = 0; i < subsets.size(); ++i) {
    std::vector<Subset> next(letters, empty);
    for (std::size_t s = 0; s < states; ++s) {
      if (!(subsets[i][s / 64] >> (s % 64) & 1)) continue;
      for (std::size_t letter = 0; letter < letters; ++letter) {
        const Subset& more = targets[s * letters + letter];
        for (std::size_t w = 0; w < more.size(); ++w) next[letter][w] |= more[w];
      }
    }
    for (std::size_t letter = 0; letter < letters; ++letter) {
      const LState target = state_of(next[letter]);
      dfa.set_next(static_cast<LState>(i), static_cast<Symbol>(letter), target);
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
