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
/// Fewer when the budget ends.
void seed_centres(ConstRStates points, std::size_t k, Random& random, const Budget& budget,
                  Clusters& clusters) {
  const auto add = [&](std::size_t i) {
    const auto point = points.col(i);
    clusters.centres.insert(clusters.centres.end(), point.begin(), point.end());
  };
  add(random.below(points.count));
  std::vector<double> distance(points.count, HUGE_VAL);
  while (clusters.count() < k && !budget.spent()) {
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

/// The nearest centre of a point, and how far that and the next one are.
struct Nearest {
  std::size_t centre = 0;
  double distance = HUGE_VAL;
  double second = HUGE_VAL;
};

Nearest two_nearest(const Clusters& clusters, std::span<const double> point) {
  Nearest found;
  for (std::size_t c = 0; c < clusters.count(); ++c) {
    const double distance = squared_distance(point, clusters.centre(c));
    if (distance < found.distance) {
      found = {c, distance, found.distance};
    } else {
      found.second = std::min(found.second, distance);
    }
  }
  return {found.centre, std::sqrt(found.distance), std::sqrt(found.second)};
}

/// Where the points belong, with bounds that tell for most of them without a look at the centres
/// that nothing has changed: a point stays while its own centre is nearer than any other can be.
class Assignment {
 public:
  Assignment(ConstRStates points, const Clusters& clusters) {
    for (std::size_t i = 0; i < points.count; ++i) {
      const Nearest nearest = two_nearest(clusters, points.col(i));
      cluster_.push_back(nearest.centre);
      at_most_.push_back(nearest.distance);
      others_at_least_.push_back(nearest.second);
    }
  }

  [[nodiscard]] std::size_t cluster(std::size_t i) const { return cluster_[i]; }

  /// After the centres moved by `moved`. Returns whether a point changed its cluster.
  bool update(ConstRStates points, const Clusters& clusters, const std::vector<double>& moved) {
    const double furthest = *std::max_element(moved.begin(), moved.end());
    const std::vector<double> half = half_distances(clusters);
    bool changed = false;
    for (std::size_t i = 0; i < points.count; ++i) {
      at_most_[i] += moved[cluster_[i]];
      others_at_least_[i] -= furthest;
      const double safe = std::max(half[cluster_[i]], others_at_least_[i]);
      if (at_most_[i] < safe) continue;
      at_most_[i] = std::sqrt(squared_distance(points.col(i), clusters.centre(cluster_[i])));
      if (at_most_[i] < safe) continue;
      const Nearest nearest = two_nearest(clusters, points.col(i));
      changed = changed || nearest.centre != cluster_[i];
      cluster_[i] = nearest.centre;
      at_most_[i] = nearest.distance;
      others_at_least_[i] = nearest.second;
    }
    return changed;
  }

 private:
  /// Of each centre to the nearest other one: what is nearer belongs to it.
  static std::vector<double> half_distances(const Clusters& clusters) {
    std::vector<double> half(clusters.count(), HUGE_VAL);
    for (std::size_t c = 0; c < clusters.count(); ++c) {
      for (std::size_t d = 0; d < c; ++d) {
        const double distance =
            std::sqrt(squared_distance(clusters.centre(c), clusters.centre(d))) / 2;
        half[c] = std::min(half[c], distance);
        half[d] = std::min(half[d], distance);
      }
    }
    return half;
  }

  std::vector<std::size_t> cluster_;
  std::vector<double> at_most_;          // distance to the centre
  std::vector<double> others_at_least_;  // distance to any other
};

/// Moves every centre to the middle of its points; returns how far each went.
std::vector<double> move_centres(ConstRStates points, const Assignment& assignment,
                                 Clusters& clusters) {
  std::vector<double> sum(clusters.centres.size(), 0);
  std::vector<std::size_t> members(clusters.count(), 0);
  for (std::size_t i = 0; i < points.count; ++i) {
    const std::size_t c = assignment.cluster(i);
    const auto point = points.col(i);
    ++members[c];
    for (std::size_t d = 0; d < points.size; ++d) sum[c * points.size + d] += point[d];
  }
  std::vector<double> moved(clusters.count(), 0);
  for (std::size_t c = 0; c < clusters.count(); ++c) {
    if (members[c] == 0) continue;  // a centre that lost its points stays where it is
    const std::span<double> to = std::span(sum).subspan(c * points.size, points.size);
    for (double& value : to) value /= static_cast<double>(members[c]);
    moved[c] = std::sqrt(squared_distance(clusters.centre(c), to));
    std::copy(to.begin(), to.end(),
              clusters.centres.begin() + static_cast<std::ptrdiff_t>(c * points.size));
  }
  return moved;
}

double sum_of_squares(ConstRStates points, const Assignment& assignment, const Clusters& clusters) {
  double sum = 0;
  for (std::size_t i = 0; i < points.count; ++i) {
    sum += squared_distance(points.col(i), clusters.centre(assignment.cluster(i)));
  }
  return sum;
}

}  // namespace

std::size_t Clusters::nearest(std::span<const double> point) const {
  return two_nearest(*this, point).centre;
}

Clusters kmeans(ConstRStates points, std::size_t k, Random& random, const Budget& budget,
                const KMeansOptions& options) {
  Clusters clusters;
  clusters.size = points.size;
  if (points.count == 0 || k == 0) return clusters;
  seed_centres(points, k, random, budget, clusters);
  Assignment assignment(points, clusters);
  clusters.sum_of_squares = sum_of_squares(points, assignment, clusters);
  for (std::size_t round = 0; round < options.rounds && !budget.spent(); ++round) {
    const std::vector<double> moved = move_centres(points, assignment, clusters);
    const bool changed = assignment.update(points, clusters, moved);
    const double before =
        std::exchange(clusters.sum_of_squares, sum_of_squares(points, assignment, clusters));
    if (!changed || before - clusters.sum_of_squares <= options.tolerance * before) break;
  }
  return clusters;
}

PartitionFunction nearest_centre(Clusters clusters) {
  return [clusters = std::move(clusters)](std::span<const double> state) {
    return std::to_string(clusters.nearest(state));
  };
}

}  // namespace rnnalf
