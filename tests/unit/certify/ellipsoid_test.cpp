#include "rnnalf/certify/ellipsoid.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "check/check.hpp"
#include "rnnalf/certify/search.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "support/certified_networks.hpp"

namespace {

using namespace rnnalf;
using namespace rnnalf::certify;

Image point(std::vector<double> at) {
  const std::size_t size = at.size();
  return {at, std::vector<double>(size), {at, at}, 0, 0, {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ellipsoids)

BOOST_AUTO_TEST_CASE(samples_are_inside_and_room_is_wide_where_differences_are_not_felt) {
  const std::vector<double> samples = {0.1, 0.1, 0.2, 0.3, -0.1, 0.2, 0.15, -0.2};
  const Ellipsoid equal = Ellipsoid::around(samples, {1, 0, 0, 1});
  const Ellipsoid second = Ellipsoid::around(samples, {1, 0, 0, 1e4});
  for (std::size_t i = 0; i < samples.size(); i += 2) {
    BOOST_TEST(equal.holds(point({samples[i], samples[i + 1]})));
    BOOST_TEST(second.holds(point({samples[i], samples[i + 1]})));
  }
  const auto ratio = [](const Ellipsoid& one) {
    return (one.bounds().high[1] - one.bounds().low[1]) /
           (one.bounds().high[0] - one.bounds().low[0]);
  };
  BOOST_TEST(ratio(second) < ratio(equal));
}

BOOST_AUTO_TEST_CASE(reach_is_the_length_in_the_ellipsoids_own_coordinates) {
  // Middle (1, 2), half axes 2 and 1/2.
  const Ellipsoid one({1, 2}, {2, 0, 0, 0.5});
  BOOST_TEST(one.reach(point({2, 2}), 10) == 0.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(one.reach(point({1, 3}), 10) == 2.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(one.reach(one.image(), 10) >= 1.0);
  // The longest of two equal axes is found by powers: not exactly.
  BOOST_TEST(one.reach(one.image(), 10) < 1.05);
  BOOST_TEST(!one.holds(one.image()));
  BOOST_TEST(one.reach(point({9, 2}), 2) > 2);
}

BOOST_AUTO_TEST_CASE(what_was_inside_stays_inside_when_it_is_widened) {
  Ellipsoid one({0, 0}, {1, 0.25, 0, 0.5});
  const double before = one.reach(point({0.5, 0.5}), 10);
  one.widen(1.5);
  BOOST_TEST(one.reach(point({0.5, 0.5}), 10) == before / 1.5, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(differences_along_the_memory_of_a_network_are_felt) {
  const NetworkSpec network = support::last_letter_network();
  const auto acceptor = make_acceptor(network, Precision::Float);
  const BaseAutomaton base(support::last_letter_dfa(), {});
  Random random(1);
  const Samples samples = take_samples(*acceptor, base, random, Budget{});
  for (const std::vector<double>& P :
       felt_differences(*acceptor, base, samples, random, Budget{})) {
    BOOST_REQUIRE(P.size() == 1U);
    // h' = tanh(+-2 + h/2) with h near +-0.95: one letter shrinks a difference to a tenth or less.
    BOOST_TEST(P[0] > 1.0);
    BOOST_TEST(P[0] < 1.1);
  }
}

BOOST_AUTO_TEST_CASE(a_search_with_ellipsoids_makes_a_proof_that_the_checker_accepts) {
  const NetworkSpec network = support::last_letter_network(CellKind::Gru, 0.8);
  const Dfa dfa = support::last_letter_dfa();
  const auto acceptor = make_acceptor(network, Precision::Float);
  const BaseAutomaton base(dfa, {});
  Random random(1);
  const Samples samples = take_samples(*acceptor, base, random, Budget{});
  const auto felt = felt_differences(*acceptor, base, samples, random, Budget{});
  Workers workers(1);
  SearchResult found = search(*acceptor, Imager(network, {Precision::Float, 1e-6, 8}), base,
                              samples, felt, {.round = true}, workers, Budget{});
  BOOST_REQUIRE(found.closed);
  Certificate certificate;
  certificate.network = fingerprint(network);
  certificate.alphabet = network.alphabet;
  certificate.dfa = dfa;
  certificate.generators = 8;
  certificate.start = std::move(found.start);
  certificate.sets = std::move(found.sets);
  const std::string text = format_certificate(certificate);
  BOOST_TEST(text.find("rnnalf certificate 2") != std::string::npos);
  BOOST_TEST(check::check(network, dfa, text).sets == certificate.sets.size());
}

BOOST_AUTO_TEST_SUITE_END()
