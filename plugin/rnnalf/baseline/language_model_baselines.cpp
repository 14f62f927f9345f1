#include "rnnalf/baseline/language_model_baselines.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rnnalf/base/random.hpp"
#include "rnnalf/baseline/kmeans.hpp"
#include "rnnalf/language_model/contexts.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kMostClustered = 20'000;  // R-states, evenly among all

/// The automaton of a clustering: row r of the words is in cluster of[r].
Pdfa majority_automaton(const ModelWords& words, const std::vector<std::size_t>& of,
                        std::size_t clusters) {
  const std::size_t k = words.symbol_count();
  std::vector<std::uint32_t> counts(clusters * k * clusters, 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t length = 0; length < words.word(i).size(); ++length) {
      const std::size_t row = words.first(i) + length;
      const std::size_t taken = of[row] * k + index(words.word(i)[length]);
      ++counts[taken * clusters + of[row + 1]];
    }
  }
  Pdfa pdfa(k, clusters);
  pdfa.set_initial(static_cast<LState>(of[0]));
  for (std::size_t taken = 0; taken < clusters * k; ++taken) {
    const auto from = counts.begin() + static_cast<std::ptrdiff_t>(taken * clusters);
    const auto most = std::max_element(from, from + static_cast<std::ptrdiff_t>(clusters));
    if (*most == 0) continue;  // never seen: stays where it is
    pdfa.set_next(static_cast<LState>(taken / k), static_cast<Symbol>(taken % k),
                  static_cast<LState>(most - from));
  }
  set_mean_rows(pdfa, words);
  return pdfa;
}

}  // namespace

Pdfa kmeans_automaton(const ModelWords& words, std::size_t clusters, std::uint64_t seed,
                      const Budget& budget) {
  const std::size_t size = words.state(0).size();
  const std::size_t step = std::max<std::size_t>(1, words.row_count() / kMostClustered);
  std::vector<double> points;
  for (std::size_t row = 0; row < words.row_count(); row += step) {
    const auto state = words.state(row);
    points.insert(points.end(), state.begin(), state.end());
  }
  Random random(seed);
  const Clusters found =
      kmeans({points.data(), size, points.size() / size}, clusters, random, budget);
  std::vector<std::size_t> of(words.row_count());
  for (std::size_t row = 0; row < of.size(); ++row) {
    const auto state = words.state(row);
    of[row] = found.nearest(std::vector<double>(state.begin(), state.end()));
  }
  return majority_automaton(words, of, found.count());
}

}  // namespace rnnalf
