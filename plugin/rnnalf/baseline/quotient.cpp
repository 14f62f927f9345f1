#include "rnnalf/baseline/quotient.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace rnnalf {

std::optional<Dfa> PartialDfa::covered() const {
  if (!unknown) return std::nullopt;
  Dfa words(dfa.symbol_count(), dfa.size());
  words.set_initial(dfa.initial());
  for (std::size_t q = 0; q < words.size(); ++q) {
    const auto state = static_cast<LState>(q);
    words.set_accepting(state, state != *unknown);
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      words.set_next(state, symbol, dfa.next(state, symbol));
    }
  }
  return minimise(words);
}

PartialDfa quotient(StateTree& tree, const PartitionFunction& partition, const Budget& budget,
                    std::size_t max_states) {
  constexpr std::size_t kWave = 256;  // A-states expanded at once
  const std::size_t symbols = tree.symbol_count();
  PartialDfa result{Dfa(symbols, 1, tree.answer_count()), std::nullopt, 0, 0};
  std::unordered_map<std::string, LState> a_state;  // by what the partition says
  std::vector<Node> representative;                 // by A-state

  const auto add = [&](Node node, std::string key) {
    const auto number = static_cast<LState>(representative.size());
    a_state.emplace(std::move(key), number);
    representative.push_back(node);
    if (index(number) > 0) result.dfa.add_state(false);
    result.dfa.set_answer(number, tree.answered(node) ? tree.answer(node) : Answer::Reject);
    return number;
  };
  // R-states of which the network says nothing are one A-state: their numbers are not finite.
  const auto key_of = [&](Node node, std::span<const double> state) {
    return tree.answered(node) ? partition(state) : std::string("no answer");
  };
  std::vector<double> states(tree.state_size());
  const Node root = StateTree::root();
  const Budget no_limit;
  (void)tree.copy_states({&root, 1}, {states.data(), states.size(), 1}, no_limit);
  add(root, key_of(root, states));

  while (result.expanded < representative.size() && symbols > 0 &&
         representative.size() < max_states) {
    // At once only as many as have room for their successors.
    const std::size_t room =
        std::max<std::size_t>(1, (max_states - representative.size()) / symbols);
    const std::size_t count = std::min({kWave, room, representative.size() - result.expanded});
    const std::vector<Node> wave(
        representative.begin() + static_cast<std::ptrdiff_t>(result.expanded),
        representative.begin() + static_cast<std::ptrdiff_t>(result.expanded + count));
    if (!tree.expand(wave, budget)) break;
    std::vector<Node> children;
    for (const Node node : wave) {
      for (std::size_t a = 0; a < symbols; ++a) {
        children.push_back(*tree.find(node, static_cast<Symbol>(a)));
      }
    }
    states.resize(children.size() * tree.state_size());
    if (!tree.copy_states(children, {states.data(), tree.state_size(), children.size()}, budget)) {
      break;
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
      std::string key =
          key_of(children[i], std::span(states).subspan(i * tree.state_size(), tree.state_size()));
      const auto found = a_state.find(key);
      const LState to = found != a_state.end() ? found->second : add(children[i], std::move(key));
      result.dfa.set_next(static_cast<LState>(result.expanded + i / symbols),
                          static_cast<Symbol>(i % symbols), to);
    }
    result.expanded += count;
  }

  result.a_states = representative.size();
  if (result.expanded < result.a_states && symbols > 0) {
    result.unknown = result.dfa.add_state(false);
    for (std::size_t q = result.expanded; q < result.a_states; ++q) {
      for (std::size_t a = 0; a < symbols; ++a) {
        result.dfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a), *result.unknown);
      }
    }
  }
  return result;
}

}  // namespace rnnalf
