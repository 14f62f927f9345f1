#include "rnnalf/baseline/language_model_baselines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "rnnalf/base/random.hpp"
#include "rnnalf/baseline/kmeans.hpp"
#include "rnnalf/language_model/contexts.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kMostClustered = 20'000;  // R-states, evenly among all
constexpr std::size_t kFewClustered = 8'000;    // where the fit follows

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

/// Numbers that stand for a row; written to the end of the list.
using Features = std::function<void(std::size_t row, std::vector<double>& to)>;

Pdfa clustered(const ModelWords& words, std::size_t clusters, const Features& features,
               Random random, std::size_t most, const Budget& budget) {
  std::vector<double> points;
  features(0, points);
  const std::size_t size = points.size();
  points.clear();
  const std::size_t step = std::max<std::size_t>(1, words.row_count() / most);
  for (std::size_t row = 0; row < words.row_count(); row += step) features(row, points);
  const Clusters found =
      kmeans({points.data(), size, points.size() / size}, clusters, random, budget);
  std::vector<std::size_t> of(words.row_count());
  std::vector<double> point;
  for (std::size_t row = 0; row < of.size(); ++row) {
    point.clear();
    features(row, point);
    of[row] = found.nearest(point);
  }
  return majority_automaton(words, of, found.count());
}

double log_of(float p) {
  return std::log(std::max<double>(p, 1e-6));
}

/// The sum of the variances of all numbers, of some of the rows.
template <class Numbers>
double variance(const ModelWords& words, Numbers numbers) {
  std::vector<double> sum, squares;
  double count = 0;
  for (std::size_t row = 0; row < words.row_count(); row += 1 + words.row_count() / 5000) {
    const std::vector<double> of = numbers(row);
    sum.resize(of.size());
    squares.resize(of.size());
    for (std::size_t d = 0; d < of.size(); ++d) {
      sum[d] += of[d];
      squares[d] += of[d] * of[d];
    }
    count += 1;
  }
  double total = 1e-12;
  for (std::size_t d = 0; d < sum.size(); ++d) {
    total += squares[d] / count - (sum[d] / count) * (sum[d] / count);
  }
  return total;
}

}  // namespace

Pdfa kmeans_automaton(const ModelWords& words, std::size_t clusters, std::uint64_t seed,
                      const Budget& budget) {
  const Features features = [&](std::size_t row, std::vector<double>& to) {
    const auto state = words.state(row);
    to.insert(to.end(), state.begin(), state.end());
  };
  return clustered(words, clusters, features, Random(seed), kMostClustered, budget);
}

Pdfa clustered_automaton(const ModelWords& words, std::size_t clusters, std::uint64_t seed,
                         const Budget& budget) {
  const auto state = [&](std::size_t row) {
    return std::vector<double>(words.state(row).begin(), words.state(row).end());
  };
  const auto logs = [&](std::size_t row) {
    std::vector<double> all;
    for (const float p : words.row(row)) all.push_back(log_of(p));
    return all;
  };
  const double of_state = 1 / std::sqrt(variance(words, state));
  const double of_logs = 1 / std::sqrt(variance(words, logs));
  const Features features = [&](std::size_t row, std::vector<double>& to) {
    for (const float value : words.state(row)) to.push_back(value * of_state);
    for (const float p : words.row(row)) to.push_back(log_of(p) * of_logs);
  };
  return clustered(words, clusters, features, Random(seed), kFewClustered, budget);
}

}  // namespace rnnalf
