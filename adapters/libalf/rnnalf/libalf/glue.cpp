#include "rnnalf/libalf/glue.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace rnnalf {
namespace {

/// Upstream gives a word as a list, an allocation per letter; the toolkit has a cheaper way.
template <class QueryNode, class Use>
void for_each_letter(QueryNode& node, Use use) {
  if constexpr (requires(std::vector<int> & into) { node.get_word(into); }) {
    thread_local std::vector<int> word;
    node.get_word(word);
    for (const int letter : word) use(letter);
  } else {
    for (const int letter : node.get_word()) use(letter);
  }
}

/// Subset construction. The empty set is the sink of a partial automaton. None when the budget
/// ended first.
std::optional<Dfa> determinised(const libalf::finite_automaton& automaton, const Budget& budget) {
  const auto symbols = static_cast<std::size_t>(automaton.input_alphabet_size);
  std::map<std::set<int>, LState> numbers;
  std::vector<std::set<int>> sets;
  Dfa dfa(symbols, 1);
  const auto accepting = [&](const std::set<int>& states) {
    return std::any_of(states.begin(), states.end(), [&](int state) {
      const auto found = automaton.output_mapping.find(state);
      return found != automaton.output_mapping.end() && found->second;
    });
  };
  const auto number = [&](const std::set<int>& states) {
    const auto [found, added] = numbers.emplace(states, static_cast<LState>(sets.size()));
    if (added) {
      sets.push_back(states);
      if (sets.size() > 1) dfa.add_state(false);
      dfa.set_accepting(found->second, accepting(states));
    }
    return found->second;
  };
  number(automaton.initial_states);
  for (std::size_t at = 0; at < sets.size(); ++at) {
    if (budget.spent()) return std::nullopt;
    std::vector<std::set<int>> targets(symbols);
    for (const int state : sets[at]) {
      const auto row = automaton.transitions.find(state);
      if (row == automaton.transitions.end()) continue;
      for (const auto& [letter, reached] : row->second) {
        if (letter < 0 || static_cast<std::size_t>(letter) >= symbols) continue;
        targets[static_cast<std::size_t>(letter)].insert(reached.begin(), reached.end());
      }
    }
    for (std::size_t a = 0; a < symbols; ++a) {
      const LState target = number(targets[a]);
      dfa.set_next(static_cast<LState>(at), static_cast<Symbol>(a), target);
    }
  }
  return dfa;
}

/// The automaton itself if no more than one state is ever reached, as most learners have it: no
/// sets to compare.
template <class Output>
std::optional<Dfa> deterministic(const libalf::moore_machine<Output>& automaton,
                                 std::size_t answers) {
  const auto symbols = static_cast<std::size_t>(automaton.input_alphabet_size);
  const auto states = static_cast<std::size_t>(automaton.state_count);
  const auto numbered = [&](int number, std::size_t count) {
    return number >= 0 && static_cast<std::size_t>(number) < count;
  };
  if (automaton.initial_states.size() != 1 || !numbered(*automaton.initial_states.begin(), states))
    return std::nullopt;
  Dfa dfa(symbols, states + 1, answers);
  const auto sink = static_cast<LState>(states);
  for (std::size_t state = 0; state <= states; ++state) {
    for (std::size_t a = 0; a < symbols; ++a)
      dfa.set_next(static_cast<LState>(state), static_cast<Symbol>(a), sink);
  }
  for (const auto& [state, row] : automaton.transitions) {
    if (!numbered(state, states)) return std::nullopt;
    for (const auto& [letter, reached] : row) {
      if (!numbered(letter, symbols) || reached.empty()) continue;
      if (reached.size() > 1 || !numbered(*reached.begin(), states)) return std::nullopt;
      dfa.set_next(static_cast<LState>(state), static_cast<Symbol>(letter),
                   static_cast<LState>(*reached.begin()));
    }
  }
  for (const auto& [state, output] : automaton.output_mapping) {
    if (!numbered(state, states) || !numbered(static_cast<int>(output), answers)) {
      return std::nullopt;
    }
    dfa.set_answer(static_cast<LState>(state), static_cast<Answer>(output));
  }
  dfa.set_initial(static_cast<LState>(*automaton.initial_states.begin()));
  return dfa;
}

}  // namespace

std::list<int> to_libalf(WordView word) {
  std::list<int> letters;
  for (const Symbol symbol : word) letters.push_back(static_cast<int>(index(symbol)));
  return letters;
}

Word from_libalf(const std::list<int>& word) {
  Word symbols;
  symbols.reserve(word.size());
  for (const int letter : word) symbols.push_back(static_cast<Symbol>(letter));
  return symbols;
}

Dfa to_dfa(const libalf::conjecture& conjecture, std::size_t answers) {
  const Budget no_limit;
  return to_dfa(conjecture, answers, no_limit).value();
}

std::optional<Dfa> to_dfa(const libalf::conjecture& conjecture, std::size_t answers,
                          const Budget& budget) {
  if (const auto* const machine = dynamic_cast<const libalf::moore_machine<int>*>(&conjecture)) {
    const std::optional<Dfa> moore = deterministic(*machine, answers);
    if (!moore) {
      throw std::invalid_argument(fmt::format(
          "expected a deterministic Moore machine with outputs below {}, found another one",
          answers));
    }
    return minimise(*moore);
  }
  const auto* const automaton = dynamic_cast<const libalf::finite_automaton*>(&conjecture);
  if (automaton == nullptr) {
    throw std::invalid_argument(
        "expected a conjecture that is a finite automaton, found another kind");
  }
  std::optional<Dfa> dfa = deterministic(*automaton, 2);
  if (!dfa) dfa = determinised(*automaton, budget);
  if (!dfa) return std::nullopt;
  return minimise(*dfa);
}

namespace {

/// Answers pending queries, first in first out, until they have about this many symbols together:
/// enough for full batches, few enough for any memory limit. Returns how many; none when the budget
/// ended first.
template <class answer>
std::optional<std::size_t> answer_some(Teacher& teacher, libalf::knowledgebase<answer>& knowledge,
                                       const Budget& budget) {
  constexpr std::size_t kSymbols = std::size_t{1} << 20U;
  const auto letters = static_cast<int>(teacher.alphabet().size());
  const auto pending = static_cast<std::size_t>(knowledge.count_queries());
  // All words in one array: an allocation for each costs as much as its answer.
  std::vector<Symbol> symbols;
  std::vector<std::size_t> ends;
  auto query = knowledge.qbegin();
  while (ends.size() < pending && symbols.size() < kSymbols) {
    for_each_letter(*query, [&](int letter) {
      if (letter < 0 || letter >= letters) {
        throw std::invalid_argument(
            fmt::format("query with letter {}: expected 0 to {}", letter, letters - 1));
      }
      symbols.push_back(static_cast<Symbol>(letter));
    });
    ends.push_back(symbols.size());
    if (ends.size() < pending) ++query;
  }
  std::vector<WordView> words;
  words.reserve(ends.size());
  for (std::size_t first = 0; const std::size_t end : ends) {
    words.emplace_back(symbols.data() + first, end - first);
    first = end;
  }
  std::vector<Node> nodes;
  if (!teacher.membership(words, nodes, budget)) return std::nullopt;
  // Answered one takes a query off the list; the list is in the order in which it was read above.
  for (const Node node : nodes) {
    knowledge.qbegin()->set_answer(static_cast<answer>(teacher.taught(node)));
  }
  return words.size();
}

}  // namespace

template <class answer>
std::optional<int> answer_pending(Teacher& teacher, libalf::knowledgebase<answer>& knowledge,
                                  const Budget& budget) {
  std::size_t answered = 0;
  while (!knowledge.is_answered()) {
    const std::optional<std::size_t> some = answer_some(teacher, knowledge, budget);
    if (!some) return std::nullopt;
    answered += *some;
  }
  return static_cast<int>(answered);
}

template std::optional<int> answer_pending(Teacher&, libalf::knowledgebase<bool>&, const Budget&);
template std::optional<int> answer_pending(Teacher&, libalf::knowledgebase<int>&, const Budget&);

}  // namespace rnnalf

namespace rnn_alf_glue {

bool membership_query(rnnalf::Teacher& teacher, const std::list<int>& word) {
  for (const int letter : word) {
    if (letter < 0 || static_cast<std::size_t>(letter) >= teacher.alphabet().size()) {
      throw std::invalid_argument(fmt::format("membership query with letter {}: expected 0 to {}",
                                              letter, teacher.alphabet().size() - 1));
    }
  }
  return teacher.membership(rnnalf::from_libalf(word));
}

int answer_knowledgebase(rnnalf::Teacher& teacher, libalf::knowledgebase<bool>& knowledge) {
  const rnnalf::Budget no_limit;
  return rnnalf::answer_pending(teacher, knowledge, no_limit).value();
}

bool equivalence_query(rnnalf::Teacher& teacher, const libalf::conjecture* conjecture,
                       std::list<int>& counterexample) {
  counterexample.clear();
  if (conjecture == nullptr)
    throw std::invalid_argument("equivalence query: expected a conjecture, found none");
  const rnnalf::Budget no_limit;
  const auto answer = teacher.equivalence(rnnalf::to_dfa(*conjecture), no_limit);
  if (!answer.counterexample) return true;
  counterexample = rnnalf::to_libalf(answer.counterexample->word);
  return false;
}

}  // namespace rnn_alf_glue
