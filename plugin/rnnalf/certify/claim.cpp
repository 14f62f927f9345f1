#include "rnnalf/certify/claim.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace rnnalf::certify {
namespace {

/// The state of "which words" after one more letter: length * runs + run, where run is 0 before the
/// first letter, else 1 + letter * max_run + (length of the last run - 1).
std::size_t next_monitor(const Claim& claim, std::size_t letters, std::size_t state,
                         std::size_t letter) {
  const std::size_t runs = 1 + letters * claim.max_run;
  std::size_t length = state / runs, run = state % runs;
  if (claim.letters && std::find(claim.letters->begin(), claim.letters->end(), Symbol(letter)) ==
                           claim.letters->end()) {
    return BaseAutomaton::kNone;
  }
  if (claim.max_length > 0 && ++length > claim.max_length) return BaseAutomaton::kNone;
  if (claim.max_run > 0) {
    const bool same = run > 0 && (run - 1) / claim.max_run == letter;
    const std::size_t before = same ? (run - 1) % claim.max_run + 1 : 0;
    if (before == claim.max_run) return BaseAutomaton::kNone;
    run = 1 + letter * claim.max_run + before;
  }
  return length * runs + run;
}

}  // namespace

BaseAutomaton::BaseAutomaton(const Dfa& dfa, const Claim& claim) : letters_(dfa.symbol_count()) {
  std::map<std::pair<LState, std::size_t>, std::size_t> numbers;
  const auto number = [&](LState state, std::size_t monitor, Word access) {
    const auto [found, fresh] = numbers.try_emplace({state, monitor}, pairs_.size());
    if (fresh) {
      pairs_.push_back({state, monitor});
      access_.push_back(std::move(access));
    }
    return found->second;
  };
  number(dfa.initial(), 0, {});
  for (std::size_t at = 0; at < pairs_.size(); ++at) {
    for (std::size_t a = 0; a < letters_; ++a) {
      const std::size_t monitor = next_monitor(claim, letters_, pairs_[at].monitor, a);
      if (monitor == BaseAutomaton::kNone) {
        next_.push_back(BaseAutomaton::kNone);
        continue;
      }
      Word access = access_[at];
      access.push_back(Symbol(a));
      next_.push_back(number(dfa.next(pairs_[at].dfa, Symbol(a)), monitor, std::move(access)));
    }
  }
  into_.resize(size());
  for (std::size_t at = 0; at < size(); ++at) {
    accepts_.push_back(dfa.accepts(pairs_[at].dfa));
    for (std::size_t a = 0; a < letters_; ++a) {
      if (next(at, a) != BaseAutomaton::kNone) into_[next(at, a)].push_back({at, a});
    }
  }
  find_components();
}

/// Kosaraju: the order in which a walk forward leaves states, then walks backward.
void BaseAutomaton::find_components() {
  std::vector<std::size_t> left;
  std::vector<bool> seen(size(), false);
  std::vector<std::pair<std::size_t, std::size_t>> stack = {{initial(), 0}};
  seen[initial()] = true;
  while (!stack.empty()) {
    auto& [state, letter] = stack.back();
    if (letter == letters_) {
      left.push_back(state);
      stack.pop_back();
      continue;
    }
    const std::size_t to = next(state, letter++);
    if (to != BaseAutomaton::kNone && !seen[to]) {
      seen[to] = true;
      stack.emplace_back(to, 0);
    }
  }
  component_.assign(size(), BaseAutomaton::kNone);
  std::size_t components = 0;
  for (auto root = left.rbegin(); root != left.rend(); ++root) {
    if (component_[*root] != BaseAutomaton::kNone) continue;
    std::vector<std::size_t> open = {*root};
    component_[*root] = components;
    while (!open.empty()) {
      const std::size_t state = open.back();
      open.pop_back();
      for (const Edge& edge : into_[state]) {
        if (component_[edge.from] != BaseAutomaton::kNone) continue;
        component_[edge.from] = components;
        open.push_back(edge.from);
      }
    }
    ++components;
  }
}

}  // namespace rnnalf::certify
