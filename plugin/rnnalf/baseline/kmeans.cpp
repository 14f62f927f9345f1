#include "rnnalf/baseline/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rnnalf {
namespace {

/// Eight sums side by side, added up in a fixed order: one after the other would have each addition
/// wait for the last.
double squared_distance(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t kSums = 8;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= a.size(); i += kSums) {
    for (std::size_t s = 0; s < kSums; ++s) {
      const double difference = a[i + s] - b[i + s];
      sums[s] += difference * difference;
    }
  }
  for (std::size_t s = 0; i < a.size(); ++i, ++s) sums[s] += (a[i] - b[i]) * (a[i] - b[i]);
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

/// The first centre is any point; every other one a point drawn by its squared distance from the
/// centres so far.
void seed_centres(ConstRStates points, std::size_t k, Random& random, Clusters& clusters) {
  const auto add = [&](std::size_t i) {
    const auto point = points.col(i);
    clusters.centres.insert(clusters.centres.end(), point.begin(), point.end());
  };
  add(random.below(points.count));
  std::vector<double> distance(points.count, HUGE_VAL);
  while (clusters.count() < k) {
    const std::span<const double> last(
        clusters.centres.data() + clusters.centres.size() - points.size, points.size);
    double sum = 0;
    for (std::size_t i = 0; i < points.count; ++i) {
      distance[i] = std::min(distance[i], squared_distance(points.col(i), last));
      sum += distance[i];
    }
    if (!(sum > 0)) return;  // every point is a centre
    double at = random.unit() * sum;
    std::size_t chosen = points.count;
    for (std::size_t i = 0; i < points.count; ++i) {
      if (!(distance[i] > 0)) continue;
      chosen = i;
      at -= distance[i];
      if (at < 0) break;
    }
    add(chosen);
  }
}

}  // namespace

std::size_t Clusters::nearest(std::span<const double> point) const {
  std::size_t best = 0;
  double least = HUGE_VAL;
  for (std::size_t c = 0; c < count(); ++c) {
    const double distance = squared_distance(point, std::span(centres).subspan(c * size, size));
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

Clusters kmeans(ConstRStates points, std::size_t k, Random& random, const Budget& budget,
                std::size_t rounds) {
  Clusters clusters;
  clusters.size = points.size;
  if (points.count == 0 || k == 0) return clusters;
  seed_centres(points, k, random, clusters);
  std::vector<std::size_t> cluster(points.count, clusters.count());
  for (std::size_t round = 0; round < rounds && !budget.spent(); ++round) {
    bool changed = false;
    std::vector<double> sum(clusters.centres.size(), 0);
    std::vector<std::size_t> members(clusters.count(), 0);
    for (std::size_t i = 0; i < points.count; ++i) {
      const auto point = points.col(i);
      const std::size_t nearest = clusters.nearest(point);
      changed = changed || nearest != cluster[i];
      cluster[i] = nearest;
      ++members[nearest];
      for (std::size_t d = 0; d < points.size; ++d) sum[nearest * points.size + d] += point[d];
    }
    if (!changed) break;
    for (std::size_t c = 0; c < clusters.count(); ++c) {
      if (members[c] == 0) continue;  // a centre that lost its points stays where it is
      for (std::size_t d = 0; d < points.size; ++d) {
        clusters.centres[c * points.size + d] =
            sum[c * points.size + d] / static_cast<double>(members[c]);
      }
    }
  }
  for (std::size_t i = 0; i < points.count; ++i) {
    const std::size_t c = clusters.nearest(points.col(i));
    clusters.sum_of_squares += squared_distance(
        points.col(i), std::span(clusters.centres).subspan(c * points.size, points.size));
  }
  return clusters;
}

PartitionFunction nearest_centre(Clusters clusters) {
  return [clusters = std::move(clusters)](std::span<const double> state) {
    return std::to_string(clusters.nearest(state));
  };
}

}  // namespace rnnalf
