#include <boost/test/unit_test.hpp>
#include <chrono>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/partition/partition.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

struct Points {
  std::size_t size;
  std::vector<double> values;
  [[nodiscard]] ConstRStates view() const { return {values.data(), size, values.size() / size}; }
};

Points random_points(std::size_t size, std::size_t count, Random& random) {
  Points points{size, {}};
  for (std::size_t i = 0; i < size * count; ++i) points.values.push_back(4 * random.unit() - 2);
  return points;
}

std::vector<Partition::VertexId> located(const Partition& partition, ConstRStates states) {
  std::vector<Partition::VertexId> vertices(states.count, Partition::top());
  partition.locate(states, vertices);
  return vertices;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(partition)

BOOST_AUTO_TEST_CASE(starts_with_one_a_state_for_everything) {
  const Partition partition(3, {});
  BOOST_TEST(partition.size() == 1U);
  Random random(1);
  const Points points = random_points(3, 20, random);
  for (const auto vertex : located(partition, points.view()))
    BOOST_TEST((partition.a_state(vertex) == AState{0}));
}

BOOST_AUTO_TEST_CASE(the_first_refinement_cuts_the_largest_gaps_at_their_middle) {
  Partition partition(3, {.initial_split_depth = 2});
  const std::vector<double> conflicting = {1.0, 5.0, -2.0};
  const Points others{3, {0.9, 1.0, 2.0, 1.1, 3.0, 2.0}};  // mean 1, 2, 2: gaps 0, 3, 4
  BOOST_TEST((partition.refine(Partition::top(), conflicting, others.view(), kNoLimit) ==
              Partition::Outcome::Cut));
  BOOST_TEST(partition.size() == 4U);
  // Dimension 1 is cut at 3.5, dimension 2 at 0; dimension 0 does not matter.
  const Points probes{3, {9, 3.4, 0.1, -9, 3.4, 0.1, 0, 3.6, 0.1, 0, 3.4, -0.1, 0, 3.6, -0.1}};
  const auto vertices = located(partition, probes.view());
  BOOST_TEST((vertices[0] == vertices[1]));
  BOOST_TEST((vertices[0] != vertices[2]));
  BOOST_TEST((vertices[0] != vertices[3]));
  BOOST_TEST((vertices[2] != vertices[3]));
  BOOST_TEST((vertices[4] == located(partition, {conflicting.data(), 3, 1})[0]));
  // The side of the mean keeps the old A-state.
  BOOST_TEST((partition.a_state(vertices[0]) == AState{0}));
}

BOOST_AUTO_TEST_CASE(later_refinements_add_one_a_state_and_touch_no_other_leaf) {
  Random random(2);
  const std::size_t size = 6;
  Partition partition(size, {.initial_split_depth = 2});
  const Points world = random_points(size, 300, random);
  const auto refine_leaf_of = [&](std::size_t column) {
    const auto vertices = located(partition, world.view());
    Points others{size, {}};
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (i == column || vertices[i] != vertices[column]) continue;
      const auto state = world.view().col(i);
      others.values.insert(others.values.end(), state.begin(), state.end());
    }
    return others.values.empty() ? Partition::Outcome::NothingSeparated
                                 : partition.refine(vertices[column], world.view().col(column),
                                                    others.view(), kNoLimit);
  };
  BOOST_TEST((refine_leaf_of(0) == Partition::Outcome::Cut));
  for (std::size_t column = 1; column < 40; ++column) {
    const auto before = located(partition, world.view());
    const std::size_t size_before = partition.size();
    if (refine_leaf_of(column) != Partition::Outcome::Split) continue;
    BOOST_TEST(partition.size() == size_before + 1);
    const auto after = located(partition, world.view());
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] != before[column]) BOOST_TEST((after[i] == before[i]));
    }
    // The conflicting R-state is apart from all others that shared its leaf: C is large, so the
    // split is clean.
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (i != column && before[i] == before[column]) BOOST_TEST((after[i] != after[column]));
    }
  }
  BOOST_TEST(partition.size() > 20U);
}

BOOST_AUTO_TEST_CASE(locating_goes_on_from_an_old_vertex_as_from_the_top) {
  Random random(3);
  Partition partition(4, {.initial_split_depth = 1});
  const Points world = random_points(4, 100, random);
  auto old = located(partition, world.view());
  for (std::size_t round = 0; round < 10; ++round) {
    const auto column = random.below(100);
    Points others{4, {}};
    for (std::size_t i = 0; i < 100; ++i) {
      if (i == column || old[i] != old[column]) continue;
      others.values.insert(others.values.end(), world.view().col(i).begin(),
                           world.view().col(i).end());
    }
    if (others.values.empty()) continue;
    static_cast<void>(
        partition.refine(old[column], world.view().col(column), others.view(), kNoLimit));
    partition.locate(world.view(), old);
    BOOST_TEST((old == located(partition, world.view())));
    // One at a time gives what the batch gives.
    for (std::size_t i = 0; i < 100; ++i) {
      auto vertex = Partition::top();
      partition.locate({world.view().col(i).data(), 4, 1}, {&vertex, 1});
      BOOST_TEST((vertex == old[i]));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_split_that_separates_nothing_is_an_outcome_and_changes_nothing) {
  Partition partition(2, {.initial_split_depth = 0});
  const std::vector<double> conflicting = {0.5, 0.5};
  const Points others{2, {0.5, 0.5, 0.5, 0.5}};
  BOOST_TEST((partition.refine(Partition::top(), conflicting, others.view(), kNoLimit) ==
              Partition::Outcome::NothingSeparated));
  BOOST_TEST(partition.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_spent_budget_stops_training_and_changes_nothing) {
  Random random(4);
  Partition partition(40, {.initial_split_depth = 0, .svm_cost = 1e12, .svm_gamma = 1e-7});
  // Far more than fits into two milliseconds: many points that are all but inseparable.
  const Points others = random_points(40, 3000, random);
  const std::vector<double> conflicting(40, 0.0);
  const Budget short_time{std::chrono::duration<double>(0.002)};
  BOOST_TEST((partition.refine(Partition::top(), conflicting, others.view(), short_time) ==
              Partition::Outcome::BudgetSpent));
  BOOST_TEST(partition.size() == 1U);
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused_by_name) {
  BOOST_CHECK_EXCEPTION(
      Partition(3, {.initial_split_depth = 21}), OptionError, [](const OptionError& e) {
        return std::string(e.what()).starts_with("depth: expected a whole number from 0 to 20");
      });
  BOOST_CHECK_EXCEPTION(Partition(3, {.svm_cost = 0}), OptionError, [](const OptionError& e) {
    return std::string(e.what()).starts_with("svm-cost");
  });
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
