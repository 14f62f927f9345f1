#include "rnnalf/oracle/pumped_word.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "rnnalf/base/power_text.hpp"
#include "rnnalf/oracle/cover.hpp"

namespace rnnalf {
namespace {

/// Simple cycles of the hypothesis at `home`, short ones first. Parallel edges stand for each other
/// in cycles of two and more symbols, so that large alphabets do not drown the rest.
std::vector<Word> simple_cycles(const Dfa& hypothesis, LState home, std::size_t max_length) {
  constexpr std::size_t kMostPaths = 1000;  // looked at per state
  constexpr std::size_t kMostParallel = 2;
  struct Path {
    Word word;
    std::vector<LState> states;  // after each symbol
  };
  std::vector<Word> cycles;
  std::vector<Path> paths{{}};
  std::vector<std::size_t> parallel(hypothesis.size());
  for (std::size_t head = 0; head < paths.size() && head < kMostPaths; ++head) {
    const Path path = paths[head];
    const LState from = path.states.empty() ? home : path.states.back();
    std::fill(parallel.begin(), parallel.end(), 0);
    for (std::size_t a = 0; a < hypothesis.symbol_count(); ++a) {
      const LState to = hypothesis.next(from, static_cast<Symbol>(a));
      Word word = path.word;
      word.push_back(static_cast<Symbol>(a));
      if (to == home) {
        if (from == home || ++parallel[index(to)] <= kMostParallel)
          cycles.push_back(std::move(word));
        continue;
      }
      if (word.size() == max_length || paths.size() >= kMostPaths) continue;
      if (std::find(path.states.begin(), path.states.end(), to) != path.states.end()) continue;
      if (++parallel[index(to)] > kMostParallel) continue;
      Path longer{std::move(word), path.states};
      longer.states.push_back(to);
      paths.push_back(std::move(longer));
    }
  }
  return cycles;
}

/// Every state, and every way into it.
std::vector<Word> short_prefixes(const Dfa& hypothesis, std::size_t most) {
  std::vector<Word> prefixes = state_cover(hypothesis);
  const std::vector<Word> others = other_transitions(hypothesis);
  prefixes.insert(prefixes.end(), others.begin(), others.end());
  std::sort(prefixes.begin(), prefixes.end(), ShortlexLess{});
  if (prefixes.size() > most) prefixes.resize(most);
  return prefixes;
}

}  // namespace

std::vector<PumpedLoop> short_loops(const Dfa& hypothesis, std::size_t max_loop, std::size_t most) {
  // Cycle i at the end of a prefix has rank |prefix| + |cycle| + i; the lowest ranks are wanted,
  // then the first prefixes. A large hypothesis has millions of such pairs, so they are taken from
  // a queue as they are needed: of each prefix the next one, which has a higher rank than those
  // before it.
  struct Next {
    std::size_t rank;
    std::size_t prefix;
    std::size_t cycle;  // counted from 1; 0: the cycles are not looked at yet, the rank is a bound

    bool operator>(const Next& other) const {
      return std::tie(rank, prefix, cycle) > std::tie(other.rank, other.prefix, other.cycle);
    }
  };
  const std::vector<Word> prefixes = short_prefixes(hypothesis, most);
  std::vector<std::optional<std::vector<Word>>> cycles_at(hypothesis.size());
  std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
  for (std::size_t p = 0; p < prefixes.size(); ++p) queue.push({prefixes[p].size() + 1, p, 0});
  std::vector<PumpedLoop> loops;
  while (loops.size() < most && !queue.empty()) {
    const Next next = queue.top();
    queue.pop();
    const Word& prefix = prefixes[next.prefix];
    const LState home = hypothesis.run(prefix);
    auto& cycles = cycles_at[index(home)];
    if (!cycles) cycles = simple_cycles(hypothesis, home, max_loop);
    if (next.cycle > 0) loops.push_back({prefix, (*cycles)[next.cycle - 1]});
    if (next.cycle == cycles->size()) continue;
    queue.push(
        {prefix.size() + (*cycles)[next.cycle].size() + next.cycle, next.prefix, next.cycle + 1});
  }
  return loops;
}

Word PumpedWord::word() const {
  Word result;
  result.reserve(length());
  result.insert(result.end(), prefix.begin(), prefix.end());
  for (std::size_t i = 0; i < times; ++i) result.insert(result.end(), loop.begin(), loop.end());
  result.insert(result.end(), suffix.begin(), suffix.end());
  return result;
}

PumpedWord PumpedWord::prefix_of_length(std::size_t length) const {
  const std::size_t in_loops = length <= prefix.size() || loop.empty() ? 0 : length - prefix.size();
  const std::size_t whole_loops = loop.empty() ? 0 : std::min(times, in_loops / loop.size());
  const Word all = word();
  const std::size_t before = std::min(length, prefix.size());
  const std::size_t rest = std::min(length, prefix.size() + whole_loops * loop.size());
  return {concat(WordView(all).first(before), {}), loop, whole_loops,
          concat(WordView(all).subspan(rest, length - rest), {})};
}

std::string PumpedWord::text(const Alphabet& alphabet) const {
  return times > 0 ? pumped_text(alphabet, prefix, loop, fmt::format("{}", times), suffix)
                   : alphabet.format(concat(prefix, suffix));
}

}  // namespace rnnalf
