#include "rnnalf/evaluate/principal_plane.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "rnnalf/base/random.hpp"

namespace rnnalf {
namespace {

/// Points on two known orthogonal axes, with spreads 3 and 1, in `size` dimensions.
struct Cloud {
  std::vector<double> data;
  std::vector<std::array<double, 2>> along;
  std::size_t size;

  Cloud(std::size_t dimensions, std::size_t count) : size(dimensions) {
    Random random(3);
    data.resize(size * count);
    for (std::size_t i = 0; i < count; ++i) {
      const double a = 6 * (random.unit() - 0.5);
      const double b = 2 * (random.unit() - 0.5);
      along.push_back({a, b});
      for (std::size_t d = 0; d < size; ++d) {
        // The first axis is (1, 1, 0, ...) / sqrt 2, the second (1, -1, 0, ...) / sqrt 2.
        const double part = d == 0 ? a + b : d == 1 ? a - b : 0;
        data[i * size + d] = 7 + part / std::sqrt(2.0);
      }
    }
  }
};

BOOST_AUTO_TEST_SUITE(principal_plane_of)

BOOST_AUTO_TEST_CASE(the_axes_of_largest_variance_are_found) {
  const Cloud cloud(20, 400);
  const PlanarProjection plane = principal_plane(cloud.data, cloud.size);
  BOOST_TEST(plane.variance[0] + plane.variance[1] == 1.0, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(plane.variance[0] > 0.85);  // 9 : 1, up to chance
  // Distances in a plane that holds everything are the true ones.
  const auto distance = [](const auto& p, const auto& q) {
    return std::hypot(p[0] - q[0], p[1] - q[1]);
  };
  for (std::size_t i = 1; i < 400; ++i) {
    BOOST_TEST(
        distance(plane.points[0], plane.points[i]) == distance(cloud.along[0], cloud.along[i]),
        boost::test_tools::tolerance(1e-6));
  }
}

BOOST_AUTO_TEST_CASE(signs_do_not_depend_on_chance) {
  const Cloud cloud(2, 50);
  const PlanarProjection plane = principal_plane(cloud.data, cloud.size);
  BOOST_TEST((plane.points == principal_plane(cloud.data, cloud.size).points));
  // The first axis is close to (1, 1): what lies far along it in the cloud does so in the plane.
  for (std::size_t i = 0; i < 50; ++i) {
    if (std::abs(cloud.along[i][0]) > 1.5) {
      BOOST_TEST((plane.points[i][0] > 0) == (cloud.along[i][0] > 0));
    }
  }
}

BOOST_AUTO_TEST_CASE(degenerate_clouds_are_projected_too) {
  BOOST_TEST(principal_plane({}, 5).points.empty());
  const std::vector<double> same(30, 1.5);
  for (const auto& point : principal_plane(same, 5).points) {
    BOOST_TEST(point[0] == 0.0);
    BOOST_TEST(point[1] == 0.0);
  }
  const std::vector<double> line = {1, 2, 3, 4};  // one dimension
  const PlanarProjection plane = principal_plane(line, 1);
  BOOST_TEST(plane.variance[0] == 1.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(plane.points[3][0] - plane.points[0][0] == 3.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(plane.points[3][1] == 0.0);
}

BOOST_AUTO_TEST_CASE(half_an_r_state_is_refused) {
  const std::vector<double> numbers(7, 0.0);
  BOOST_CHECK_THROW((void)principal_plane(numbers, 5), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
