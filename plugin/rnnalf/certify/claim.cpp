#include "rnnalf/certify/claim.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace rnnalf::certify {
namespace {

/// The state of "which words" after one more symbol: length * runs + run, where run is 0 before the
/// first symbol, else 1 + symbol * max_run + (length of the last run - 1).
std::size_t next_monitor(const Claim& claim, std::size_t symbols, std::size_t state,
                         std::size_t symbol) {
  const std::size_t runs = 1 + symbols * claim.max_run;
  std::size_t length = state / runs, run = state % runs;
  if (claim.symbols && std::find(claim.symbols->begin(), claim.symbols->end(), Symbol(symbol)) ==
                           claim.symbols->end()) {
    return BaseAutomaton::kNone;
  }
  if (claim.max_length > 0 && ++length > claim.max_length) return BaseAutomaton::kNone;
  if (claim.max_run > 0) {
    const bool same = run > 0 && (run - 1) / claim.max_run == symbol;
    const std::size_t before = same ? (run - 1) % claim.max_run + 1 : 0;
    if (before == claim.max_run) return BaseAutomaton::kNone;
    run = 1 + symbol * claim.max_run + before;
  }
  return length * runs + run;
}

/// From which states words lead to a demand.
std::vector<bool> live(Property property, const Dfa& dfa) {
  std::vector<bool> live(dfa.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      if (live[q]) continue;
      bool leads = demand(property, dfa, LState(q)).has_value();
      for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
        leads = leads || live[index(dfa.next(LState(q), Symbol(a)))];
      }
      live[q] = leads;
      changed = changed || leads;
    }
  }
  return live;
}

}  // namespace

std::string_view name(Property property) noexcept {
  if (property == Property::Equal) return "equal";
  return property == Property::Never ? "never" : "always";
}

std::optional<bool> demand(Property property, const Dfa& dfa, LState state) {
  if (property == Property::Equal) return dfa.accepts(state);
  if (!dfa.accepts(state)) return std::nullopt;
  return property == Property::Always;
}

BaseAutomaton::BaseAutomaton(const Dfa& dfa, const Claim& claim)
    : symbols_(dfa.symbol_count()), property_(claim.property) {
  const std::vector<bool> is_live = live(claim.property, dfa);
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
    for (std::size_t a = 0; a < symbols_; ++a) {
      const std::size_t monitor = next_monitor(claim, symbols_, pairs_[at].monitor, a);
      const LState next = dfa.next(pairs_[at].dfa, Symbol(a));
      if (monitor == BaseAutomaton::kNone || !is_live[index(next)]) {
        next_.push_back(BaseAutomaton::kNone);
        continue;
      }
      Word access = access_[at];
      access.push_back(Symbol(a));
      next_.push_back(number(next, monitor, std::move(access)));
    }
  }
  into_.resize(size());
  for (std::size_t at = 0; at < size(); ++at) {
    demands_.push_back(certify::demand(claim.property, dfa, pairs_[at].dfa));
    for (std::size_t a = 0; a < symbols_; ++a) {
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
    auto& [state, symbol] = stack.back();
    if (symbol == symbols_) {
      left.push_back(state);
      stack.pop_back();
      continue;
    }
    const std::size_t to = next(state, symbol++);
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
