#pragma once

#include <span>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/baseline/quotient.hpp"

namespace rnnalf {

/// Centres of clusters, one per column.
struct Clusters {
  std::size_t size = 0;         ///< numbers of one centre
  std::vector<double> centres;  ///< k of them
  double sum_of_squares = 0;    ///< of the distances of all points to their centres

  [[nodiscard]] std::size_t count() const { return size == 0 ? 0 : centres.size() / size; }
  [[nodiscard]] std::span<const double> centre(std::size_t c) const {
    return std::span(centres).subspan(c * size, size);
  }
  /// The nearest centre, the first of those equally near.
  [[nodiscard]] std::size_t nearest(std::span<const double> point) const;
};

struct KMeansOptions {
  std::size_t rounds = 100;  ///< at most; 0: the seeding alone
  double tolerance = 1e-4;   ///< ends when a round gains no more than this share of the sum; >= 0
};

/// k-means++ seeding (Arthur and Vassilvitskii 2007), then Lloyd's rounds until no point changes
/// its cluster, or little is gained. Bounds (Hamerly 2010) spare most distances: the result is that
/// of computing all. Fewer clusters when there are fewer distinct points. A small one of ours: what
/// Debian has comes with large numeric frameworks.
[[nodiscard]] Clusters kmeans(ConstRStates points, std::size_t k, Random& random,
                              const Budget& budget, const KMeansOptions& options = {});

/// The partition into Voronoi cells of the centres.
[[nodiscard]] PartitionFunction nearest_centre(Clusters clusters);

}  // namespace rnnalf
