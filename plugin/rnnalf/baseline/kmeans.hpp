#pragma once

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
  /// The nearest centre, the first of those equally near.
  [[nodiscard]] std::size_t nearest(std::span<const double> point) const;
};

/// k-means++ seeding (Arthur and Vassilvitskii 2007), then Lloyd's rounds until no point changes
/// its cluster, at most `rounds` of them. Fewer clusters when there are fewer distinct points. A
/// small one of ours: what Debian has comes with large numeric frameworks.
[[nodiscard]] Clusters kmeans(ConstRStates points, std::size_t k, Random& random,
                              const Budget& budget, std::size_t rounds = 100);

/// The partition into Voronoi cells of the centres.
[[nodiscard]] PartitionFunction nearest_centre(Clusters clusters);

}  // namespace rnnalf
