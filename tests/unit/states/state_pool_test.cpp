#include "rnnalf/states/state_pool.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include "rnnalf/base/random.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kBytes = 16;

/// A budget that holds this many R-states of kBytes: each has eight bytes of bookkeeping.
constexpr std::size_t room_for(std::size_t states) {
  return states * (kBytes + 8);
}

using State = std::array<std::byte, kBytes>;

State state_of(std::size_t number) {
  State state{};
  std::memcpy(state.data(), &number, sizeof number);
  return state;
}

struct Pool {
  explicit Pool(std::size_t budget, std::size_t nodes) : pool(kBytes, budget) {
    pool.grow_to(nodes);
  }
  void store(std::size_t node) { pool.store(static_cast<Node>(node), state_of(node).data()); }
  [[nodiscard]] bool has(std::size_t node) const { return pool.has(static_cast<Node>(node)); }
  [[nodiscard]] bool has_right_state(std::size_t node) {
    return std::memcmp(pool.at(static_cast<Node>(node)), state_of(node).data(), kBytes) == 0;
  }
  [[nodiscard]] std::size_t held(std::size_t nodes) const {
    std::size_t count = 0;
    for (std::size_t node = 0; node < nodes; ++node) count += has(node) ? 1 : 0;
    return count;
  }
  StatePool pool;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(state_pool)

BOOST_AUTO_TEST_CASE(within_the_budget_everything_is_kept) {
  constexpr std::size_t count = 20'000;  // more than one chunk of memory
  Pool pool(room_for(count), count);
  for (std::size_t node = 0; node < count; ++node) {
    BOOST_TEST_REQUIRE(!pool.has(node));
    pool.store(node);
  }
  for (std::size_t node = 0; node < count; ++node) {
    BOOST_TEST_REQUIRE(pool.has(node));
    BOOST_TEST_REQUIRE(pool.has_right_state(node));
  }
}

BOOST_AUTO_TEST_CASE(it_never_holds_more_than_its_budget_and_always_the_first_and_the_last) {
  for (const std::size_t room : {0U, 1U, 2U, 3U, 10U}) {
    Pool pool(room_for(room), 100);
    for (std::size_t node = 0; node < 100; ++node) {
      pool.store(node);
      BOOST_TEST(pool.held(100) == std::min<std::size_t>(node + 1, std::max<std::size_t>(2, room)));
      BOOST_TEST(pool.has(0));
      BOOST_TEST(pool.has(node));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_was_used_since_the_hand_passed_stays) {
  Pool pool(room_for(5), 20);
  for (std::size_t node = 0; node < 6; ++node) pool.store(node);  // 5 pushes out 1
  BOOST_TEST(!pool.has(1));
  BOOST_TEST(pool.has_right_state(2));  // used
  pool.store(6);
  BOOST_TEST(pool.has(2));
  BOOST_TEST(!pool.has(3));
}

BOOST_AUTO_TEST_CASE(whatever_is_held_is_the_state_that_was_stored_last) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Pool pool(room_for(2 + random.below(30)), 60);
    pool.store(0);
    for (int i = 0; i < 500; ++i) {
      const std::size_t node = random.below(60);
      if (random.below(2) == 0) pool.store(node);
      if (pool.has(node)) BOOST_TEST_REQUIRE(pool.has_right_state(node));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
