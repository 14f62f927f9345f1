// Enclosures against execution: whatever R-states are in a set, what the network makes of them is
// in the image; for the checker's enclosures and for those of the search.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "check/check.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/certify/ellipsoid.hpp"
#include "rnnalf/certify/image.hpp"
#include "support/random_networks.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace {

using namespace rnnalf;

struct World {
  NetworkSpec spec;
  certify::Box box;
  Word word;
};

World random_world(Random& random) {
  support::Shape shape;
  const CellKind cells[] = {CellKind::ElmanTanh, CellKind::ElmanRelu, CellKind::Gru,
                            CellKind::GruResetBefore, CellKind::Lstm};
  shape.cell = cells[random.below(5)];
  shape.symbols = 1 + random.below(3);
  shape.hidden = 1 + random.below(6);
  shape.layers = 1 + random.below(2);
  shape.embedding = random.below(3);
  shape.outputs = 1 + random.below(3);
  shape.head_layers = 1 + random.below(2);
  shape.initial_states = random.below(2) == 0;
  World world{support::random_network(shape, random), {}, {}};
  if (shape.outputs > 2) world.spec.accept_class = random.below(shape.outputs);
  const double width = std::exp2(-static_cast<double>(random.below(20)));
  for (std::size_t i = 0; i < world.spec.state_size(); ++i) {
    const double low = 2 * random.unit() - 1;
    world.box.low.push_back(low);
    world.box.high.push_back(low + width * random.unit());
  }
  for (std::size_t i = 1 + random.below(4); i > 0; --i) {
    world.word.push_back(static_cast<Symbol>(random.below(shape.symbols)));
  }
  return world;
}

check::Array array(const std::vector<double>& from) {
  return Eigen::Map<const check::Array>(from.data(), static_cast<Eigen::Index>(from.size()));
}

/// As the checker has them.
check::Region region_of(const certify::Ellipsoid& ellipsoid) {
  const auto size = static_cast<Eigen::Index>(ellipsoid.middle().size());
  return check::ellipsoid(array(ellipsoid.middle()),
                          Eigen::Map<const check::MatrixXd>(ellipsoid.shape().data(), size, size));
}
check::Region region_of(const certify::Box& box) {
  return check::box(array(box.low), array(box.high));
}

/// An ellipsoid within the box's bounds, slanted at random.
certify::Ellipsoid ellipsoid_in(const certify::Box& box, Random& random) {
  const std::size_t size = box.low.size();
  std::vector<double> middle, shape(size * size);
  for (std::size_t r = 0; r < size; ++r) {
    middle.push_back(0.5 * (box.low[r] + box.high[r]));
    const double half = 0.5 * (box.high[r] - box.low[r]) / static_cast<double>(size) + 0x1p-30;
    for (std::size_t c = 0; c < r; ++c) shape[c * size + r] = half * (2 * random.unit() - 1);
    shape[r * size + r] = half;
  }
  return {std::move(middle), std::move(shape)};
}

/// How far out a point is: 1 on the boundary. By substitution.
double reach_of(const certify::Ellipsoid& ellipsoid, const std::vector<double>& point) {
  const std::size_t size = point.size();
  std::vector<double> e;
  double squares = 0;
  for (std::size_t r = 0; r < size; ++r) {
    double rest = point[r] - ellipsoid.middle()[r];
    for (std::size_t c = 0; c < r; ++c) rest -= ellipsoid.shape()[c * size + r] * e[c];
    e.push_back(rest / ellipsoid.shape()[r * size + r]);
    squares += e.back() * e.back();
  }
  return std::sqrt(squares);
}

/// R-states of the ellipsoid, most of them on its boundary; those that rounding moved out are left
/// out.
std::vector<std::vector<double>> points_of(const certify::Ellipsoid& ellipsoid, Random& random,
                                           Precision precision) {
  const std::size_t size = ellipsoid.middle().size();
  std::vector<std::vector<double>> points;
  for (int i = 0; i < 20; ++i) {
    std::vector<double> e(size), point = ellipsoid.middle();
    double squares = 0;
    for (double& value : e) {
      value = 2 * random.unit() - 1;
      squares += value * value;
    }
    const double length = random.below(3) > 0 ? 1 - 1e-6 : random.unit();
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t c = 0; c <= r; ++c) {
        point[r] += ellipsoid.shape()[c * size + r] * e[c] * length / std::sqrt(squares);
      }
      if (precision == Precision::Float) point[r] = static_cast<float>(point[r]);
    }
    if (reach_of(ellipsoid, point) <= 1) points.push_back(std::move(point));
  }
  return points;
}

/// R-states of the box, most of them on its boundary, as numbers of the arithmetic.
std::vector<double> point_of(const certify::Box& box, Random& random, Precision precision) {
  std::vector<double> point;
  for (std::size_t i = 0; i < box.low.size(); ++i) {
    double share = random.unit();
    if (random.below(3) > 0) share = static_cast<double>(random.below(2));
    double x = box.low[i] + share * (box.high[i] - box.low[i]);
    if (precision == Precision::Float) x = static_cast<float>(x);
    if (x < box.low[i] || x > box.high[i]) x = std::nan("");
    point.push_back(x);
  }
  return point;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(enclosure_laws)

BOOST_AUTO_TEST_CASE(what_the_network_computes_lies_in_both_images) {
  support::SeededRandom random(1);
  std::size_t compared = 0;
  for (std::size_t round = 1; round <= 400; ++round) {
    const World world = random_world(random);
    const Precision precision = round % 4 == 0 ? Precision::Double : Precision::Float;
    const std::size_t size = world.spec.state_size();
    const std::size_t columns = round % 2 == 0 ? 3 * size : 1 + round % 3;
    const bool round_set = round % 3 == 0;
    const certify::Ellipsoid ellipsoid = ellipsoid_in(world.box, random);
    std::vector<std::vector<double>> drawn;
    if (round_set) drawn = points_of(ellipsoid, random, precision);
    for (int i = 0; i < 20 && !round_set; ++i) {
      std::vector<double> point = point_of(world.box, random, precision);
      if (std::none_of(point.begin(), point.end(), [](double x) { return std::isnan(x); })) {
        drawn.push_back(std::move(point));
      }
    }
    support::check_law(world.spec, [&](const NetworkSpec& spec) -> std::string {
      const auto acceptor = make_acceptor(spec, precision);
      const check::Enclosure checker(
          spec, precision == Precision::Float ? check::kFloat32 : check::kFloat64, 0, columns);
      const certify::Imager imager(spec, {precision, 0, columns});
      check::Form form = round_set ? region_of(ellipsoid).form : region_of(world.box).form;
      certify::Image image = round_set ? ellipsoid.image() : imager.of(world.box);
      std::vector<std::vector<double>> points = drawn;
      for (const Symbol symbol : world.word) {
        form = checker.step(checker.prepare(form), index(symbol));
        certify::Image next;
        RNNALF_HOLDS(certify::Successors(imager, image).step(index(symbol), next));
        image = next;
        const auto [lowest, highest] = checker.margin(form);
        const certify::MarginRange searched = imager.margin(image);
        for (std::vector<double>& point : points) {
          std::vector<double> moved(size);
          acceptor->step({point.data(), size, 1}, {&symbol, 1}, {moved.data(), size, 1});
          point = moved;
          double margin = 0;
          acceptor->margins({point.data(), size, 1}, {&margin, 1});
          for (std::size_t i = 0; i < size; ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            RNNALF_HOLDS(form.low[row] <= point[i] && point[i] <= form.high[row]);
            RNNALF_HOLDS(image.box.low[i] - 1e-9 <= point[i]);
            RNNALF_HOLDS(point[i] <= image.box.high[i] + 1e-9);
          }
          RNNALF_HOLDS(lowest <= margin && margin <= highest);
          RNNALF_HOLDS(searched.low - 1e-9 <= margin && margin <= searched.high + 1e-9);
          ++compared;
        }
        // What the search closes, the checker accepts: its images are not larger, but for rounding.
        for (std::size_t i = 0; i < size; ++i) {
          const auto row = static_cast<Eigen::Index>(i);
          RNNALF_HOLDS(form.low[row] >= image.box.low[i] - 1e-9);
          RNNALF_HOLDS(form.high[row] <= image.box.high[i] + 1e-9);
        }
      }
      return "";
    });
  }
  BOOST_TEST(compared > 5000U);
}

BOOST_AUTO_TEST_CASE(an_image_that_is_in_an_ellipsoid_has_all_its_r_states_there) {
  support::SeededRandom random(2);
  std::size_t inside = 0, outside = 0;
  for (std::size_t round = 1; round <= 300; ++round) {
    const World world = random_world(random);
    const std::size_t size = world.spec.state_size();
    const auto acceptor = make_acceptor(world.spec, Precision::Float);
    const check::Enclosure checker(world.spec, check::kFloat32, 0, 3 * size);
    const certify::Imager imager(world.spec, {Precision::Float, 0, 3 * size});
    const certify::Ellipsoid from = ellipsoid_in(world.box, random);
    const Symbol symbol = world.word.front();
    const check::Form form = checker.step(checker.prepare(region_of(from).form), index(symbol));
    certify::Image image;
    BOOST_REQUIRE(certify::Successors(imager, from.image()).step(index(symbol), image));
    // About the size of the image, so that both answers come up.
    certify::Box around = image.box;
    const double room = 4 * static_cast<double>(size) * random.unit();
    for (std::size_t i = 0; i < size; ++i) {
      const double width = around.high[i] - around.low[i] + 1e-6;
      around.low[i] -= room * width;
      around.high[i] += room * width;
    }
    const certify::Ellipsoid target = ellipsoid_in(around, random);
    const bool contains = region_of(target).contains(form);
    BOOST_TEST(
        (contains || !target.holds(image)));  // what the search sees inside, the checker does
    (contains ? inside : outside) += 1;
    for (std::vector<double>& point : points_of(from, random, Precision::Float)) {
      std::vector<double> moved(size);
      acceptor->step({point.data(), size, 1}, {&symbol, 1}, {moved.data(), size, 1});
      if (contains) BOOST_TEST(reach_of(target, moved) <= 1 + 1e-12);
    }
  }
  BOOST_TEST(inside > 50U);
  BOOST_TEST(outside > 50U);
}

BOOST_AUTO_TEST_SUITE_END()
