#include "rnnalf/base/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace rnnalf {
namespace {

/// Edits (insert, delete, replace, swap of neighbours) between two names.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string_view> closest(std::string_view name,
                                        std::span<const std::string_view> candidates) {
  // A third of the letters may be wrong; a beginning of a name is as good as one wrong letter.
  std::optional<std::string_view> best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  if (name.size() > 64) return best;
  for (const std::string_view candidate : candidates) {
    const bool beginning = name.size() >= 2 && candidate.starts_with(name);
    const std::size_t edits = beginning ? 1 : distance(name, candidate);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view prefix, std::string_view name,
                       std::span<const std::string_view> candidates) {
  const auto found = closest(name, candidates);
  return found ? fmt::format(", did you mean {}{}?", prefix, *found) : "";
}

}  // namespace rnnalf
