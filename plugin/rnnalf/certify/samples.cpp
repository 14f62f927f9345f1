#include "rnnalf/certify/samples.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <utility>

namespace rnnalf::certify {

Samples take_samples(const RnnAcceptor& acceptor, const BaseAutomaton& base, Random& random,
                     const Budget& budget) {
  constexpr std::size_t short_words = 300, most = 96, walks = 12, length = 64, settled = 4,
                        entries = 12;
  const std::size_t size = acceptor.state_size();
  Samples samples{size, std::vector<std::vector<double>>(base.size())};
  std::vector<std::uint64_t> seen(base.size());
  // A reservoir for each base state, so that no phase of the walks is favoured.
  const auto keep = [&](std::size_t state, const std::vector<double>& r) {
    std::vector<double>& kept = samples.states[state];
    if (++seen[state] <= most) {
      kept.insert(kept.end(), r.begin(), r.end());
      return;
    }
    const std::uint64_t at = random.below(seen[state]);
    if (at < most) {
      std::copy(r.begin(), r.end(), kept.begin() + static_cast<std::ptrdiff_t>(at * size));
    }
  };
  const auto step = [&](std::vector<double>& r, std::size_t number) {
    std::vector<double> next(size);
    const auto symbol = static_cast<Symbol>(number);
    acceptor.step({r.data(), size, 1}, {&symbol, 1}, {next.data(), size, 1});
    r.swap(next);
  };

  struct Reached {
    std::size_t state;
    std::vector<double> r;
  };
  std::vector<Reached> early;
  std::deque<Reached> open = {{BaseAutomaton::initial(), acceptor.initial_state()}};
  for (std::size_t words = 0; words < short_words && !open.empty() && !budget.spent(); ++words) {
    const Reached at = std::move(open.front());
    open.pop_front();
    early.push_back(at);
    for (std::size_t a = 0; a < base.symbols(); ++a) {
      const std::size_t next = base.next(at.state, a);
      if (next == BaseAutomaton::kNone) continue;
      Reached further{next, at.r};
      step(further.r, a);
      open.push_back(std::move(further));
    }
  }
  for (std::size_t q = 0; q < base.size(); ++q) {
    for (std::size_t walk = 0; walk < walks && !budget.spent(); ++walk) {
      std::vector<double> r = acceptor.initial_state();
      for (const Symbol symbol : base.access(q)) step(r, index(symbol));
      std::size_t state = q, last = BaseAutomaton::kNone, turn = 0;
      std::vector<std::size_t> loop;
      if (walk % 3 == 2) {
        for (std::size_t i = random.below(4) + 1; i > 0; --i) {
          loop.push_back(random.below(base.symbols()));
        }
      }
      for (std::size_t t = 0; t < length; ++t) {
        if (t >= settled) keep(state, r);
        const auto stays = [&](std::size_t symbol) {
          const std::size_t next = base.next(state, symbol);
          return next != BaseAutomaton::kNone && base.component(next) == base.component(q);
        };
        std::size_t symbol = random.below(base.symbols());
        if (walk % 3 == 1 && last != BaseAutomaton::kNone && random.below(10) < 7) symbol = last;
        if (!loop.empty()) symbol = loop[turn++ % loop.size()];
        for (std::size_t tries = 0; tries < 3 * base.symbols() && !stays(symbol); ++tries) {
          symbol = random.below(base.symbols());
        }
        if (!stays(symbol)) break;
        step(r, symbol);
        state = base.next(state, symbol);
        last = symbol;
      }
    }
  }
  std::vector<bool> none(base.size());
  for (std::size_t q = 0; q < base.size(); ++q) none[q] = samples.states[q].empty();
  for (const Reached& at : early) {
    if (none[at.state]) keep(at.state, at.r);
  }
  // How components are entered: a symbol after the R-states before them, and a few symbols on.
  // Components are numbered such that those before have their samples.
  std::vector<std::size_t> order(base.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) {
    return base.component(p) < base.component(q);
  });
  for (const std::size_t q : order) {
    if (budget.spent()) break;
    for (const BaseAutomaton::Edge& edge : base.into(q)) {
      if (base.component(edge.from) == base.component(q)) continue;
      const std::vector<double> before = samples.states[edge.from];
      const std::size_t count = before.size() / size;
      for (std::size_t i = 0; i < std::min(count, entries); ++i) {
        const std::size_t at = i * count / std::min(count, entries) * size;
        std::vector<double> r(before.begin() + static_cast<std::ptrdiff_t>(at),
                              before.begin() + static_cast<std::ptrdiff_t>(at + size));
        std::size_t state = edge.from, symbol = edge.symbol;
        for (std::size_t t = 0; t < settled; ++t) {
          step(r, symbol);
          state = base.next(state, symbol);
          samples.states[state].insert(samples.states[state].end(), r.begin(), r.end());
          symbol = random.below(base.symbols());
          const std::size_t next = base.next(state, symbol);
          if (next == BaseAutomaton::kNone || base.component(next) != base.component(q)) break;
        }
      }
    }
  }
  return samples;
}

}  // namespace rnnalf::certify
