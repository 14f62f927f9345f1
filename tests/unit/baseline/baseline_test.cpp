#include "rnnalf/baseline/baseline.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <tuple>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/baseline/kmeans.hpp"
#include "rnnalf/baseline/quantization.hpp"
#include "support/coded_dfa.hpp"
#include "support/message_of.hpp"
#include "support/random_networks.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

std::string refusal(std::string_view text) {
  return support::message_of<OptionError>([&] { (void)parse_method(text); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(clustering)

BOOST_AUTO_TEST_CASE(kmeans_reaches_the_known_optimum_of_a_small_example) {
  // Two squares with sides 1, far apart: centres in their middles, squared distances of 1/2 each.
  const std::vector<double> points = {0, 0, 0, 1, 1, 0, 1, 1, 10, 10, 10, 11, 11, 10, 11, 11};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Clusters clusters = kmeans({points.data(), 2, 8}, 2, random, kNoLimit);
    BOOST_TEST_REQUIRE(clusters.count() == 2U);
    BOOST_TEST(clusters.sum_of_squares == 4.0, boost::test_tools::tolerance(1e-12));
    const double low[] = {0.2, 0.9}, high[] = {10.7, 10.1};
    BOOST_TEST(clusters.nearest(low) != clusters.nearest(high));
  }
}

BOOST_AUTO_TEST_CASE(the_distances_that_are_spared_change_nothing) {
  // Lloyd's rounds as in the textbook, all distances computed, from the same seeding.
  constexpr std::size_t kSize = 5, kPoints = 400, kClusters = 12;
  for (std::uint64_t world = 1; world <= 20; ++world) {
    Random draw(world);
    std::vector<double> values(kSize * kPoints);
    for (double& value : values) value = draw.unit() + (draw.unit() < 0.3 ? 1 : 0);
    const ConstRStates points{values.data(), kSize, kPoints};
    const KMeansOptions exact{.rounds = 300, .tolerance = 0};
    Random random(world), same(world);
    const Clusters found = kmeans(points, kClusters, random, kNoLimit, exact);
    Clusters lloyd = kmeans(points, kClusters, same, kNoLimit, {.rounds = 0});
    std::vector<std::size_t> cluster(kPoints, kClusters);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < kPoints; ++i) {
        std::size_t best = 0;
        double least = 1e300;
        for (std::size_t c = 0; c < kClusters; ++c) {
          double distance = 0;
          for (std::size_t d = 0; d < kSize; ++d) {
            distance += std::pow(values[i * kSize + d] - lloyd.centres[c * kSize + d], 2);
          }
          if (distance < least) std::tie(least, best) = std::pair(distance, c);
        }
        changed = changed || cluster[i] != best;
        cluster[i] = best;
      }
      for (std::size_t c = 0; c < kClusters; ++c) {
        std::vector<double> sum(kSize, 0);
        const auto members = std::count(cluster.begin(), cluster.end(), c);
        if (members == 0) continue;
        for (std::size_t i = 0; i < kPoints; ++i) {
          for (std::size_t d = 0; d < kSize && cluster[i] == c; ++d) {
            sum[d] += values[i * kSize + d];
          }
        }
        for (std::size_t d = 0; d < kSize; ++d)
          lloyd.centres[c * kSize + d] = sum[d] / static_cast<double>(members);
      }
    }
    for (std::size_t i = 0; i < lloyd.centres.size(); ++i)
      BOOST_TEST(found.centres[i] == lloyd.centres[i], boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(there_are_no_more_clusters_than_distinct_points) {
  const std::vector<double> points = {1, 1, 1, 2, 2};
  Random random(1);
  const Clusters clusters = kmeans({points.data(), 1, 5}, 4, random, kNoLimit);
  BOOST_TEST(clusters.count() == 2U);
  BOOST_TEST(clusters.sum_of_squares == 0.0);
  BOOST_TEST(kmeans({points.data(), 1, 0}, 4, random, kNoLimit).count() == 0U);
}

BOOST_AUTO_TEST_CASE(quantization_tells_intervals_apart_and_puts_outliers_into_the_outer_ones) {
  const PartitionFunction p = quantization({.intervals = 4});
  const auto key = [&](std::vector<double> state) { return p(state); };
  BOOST_TEST((key({-0.9, 0.1}) == key({-0.6, 0.4})));
  BOOST_TEST((key({-0.9, 0.1}) != key({-0.4, 0.1})));
  BOOST_TEST((key({-0.9, 0.1}) != key({-0.9, 0.6})));
  BOOST_TEST((key({-7, 3}) == key({-0.9, 0.9})));
  BOOST_CHECK_THROW(validate(QuantizationOptions{.intervals = 1}), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(quotients)

BOOST_AUTO_TEST_CASE(a_partition_that_tells_all_states_apart_gives_the_networks_language) {
  Random random(4);
  for (int world = 0; world < 30; ++world) {
    const Dfa dfa = support::random_minimal_dfa(8, 2, random);
    const support::CodedDfa acceptor(dfa, 4, 1e-9, 1);
    StateTree tree(acceptor, {});
    // Codes are 1 apart in some dimension, intervals half as wide.
    const PartialDfa automaton =
        quotient(tree, quantization({.intervals = 12, .low = -3, .high = 3}), kNoLimit);
    BOOST_TEST(!automaton.unknown.has_value());
    BOOST_TEST(equivalent(automaton.dfa, dfa));
  }
}

BOOST_AUTO_TEST_CASE(a_limit_leaves_a_partial_dfa_that_is_right_where_it_knows) {
  const Dfa dfa = support::tomita(3);
  const support::CodedDfa acceptor(dfa, 4, 0.3, 1);
  StateTree tree(acceptor, {});
  // Every R-state an A-state of its own: the tree of all words, cut off.
  const PartitionFunction all_apart = [](std::span<const double> state) {
    return std::string(reinterpret_cast<const char*>(state.data()), state.size_bytes());
  };
  const PartialDfa automaton = quotient(tree, all_apart, kNoLimit, 200);
  BOOST_TEST_REQUIRE(automaton.unknown.has_value());
  BOOST_TEST(automaton.a_states >= 200U);
  BOOST_TEST(automaton.covers(Word{}));
  BOOST_TEST(!automaton.covers(Word(40, Symbol{1})));
  std::size_t covered = 0;
  Word word(6, Symbol{0});
  do {
    if (!automaton.covers(word)) continue;
    ++covered;
    BOOST_TEST(automaton.dfa.accepts(word) == dfa.accepts(word));
  } while (next_word(word, 2));
  BOOST_TEST(covered > 0U);
}

BOOST_AUTO_TEST_CASE(kmeans_with_enough_clusters_finds_the_language_and_says_which_k_was_best) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.05, 1);
  StateTree tree(acceptor, {});
  const BaselineResult result = run_baseline(tree, parse_method("kmeans"), {}, kNoLimit);
  BOOST_TEST(equivalent(result.automaton.dfa, support::tomita(5)));
  BOOST_TEST((std::get<Quotient>(result.evidence.front().looked_at).clusters == 2U));
}

BOOST_AUTO_TEST_CASE(coverage_is_reported) {
  const support::CodedDfa acceptor(support::tomita(5), 40, 3, 1);
  StateTree tree(acceptor, {});
  const BaselineResult result =
      run_baseline(tree, parse_method("quantization:q=2"), {.max_states = 300}, kNoLimit);
  BOOST_TEST(result.automaton.unknown.has_value());
  BOOST_TEST(!result.complete);
  BOOST_TEST((std::get<Coverage>(result.evidence.back().looked_at) == result.coverage));
  BOOST_TEST(!result.coverage.complete);
  BOOST_TEST_REQUIRE(result.coverage.by_length.size() == 4U);
  BOOST_TEST(result.coverage.by_length[0].first == 10U);
  BOOST_TEST(result.coverage.by_length[3].second ==
             0.0);  // nothing of 1000 symbols in 300 states of a tree
  BOOST_TEST(result.automaton.a_states <= 301U);
}

BOOST_AUTO_TEST_CASE(the_words_covered_are_a_language_of_their_own) {
  const support::CodedDfa acceptor(support::tomita(5), 40, 3, 1);
  StateTree tree(acceptor, {});
  const PartialDfa automaton = quotient(tree, quantization({.intervals = 2}), kNoLimit, 100);
  const std::optional<Dfa> covered = automaton.covered();
  BOOST_TEST_REQUIRE(covered.has_value());
  for (std::size_t length = 0; length < 12; ++length) {
    Word word(length, Symbol{0});
    do {
      BOOST_TEST(covered->accepts(word) == automaton.covers(word));
    } while (next_word(word, 2) && word.size() == length);
  }
  BOOST_TEST(!quotient(
                  tree, [](auto) { return std::string(); }, kNoLimit)
                  .covered()
                  .has_value());
}

BOOST_AUTO_TEST_CASE(a_limit_between_two_k_is_not_the_end_of_the_method) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.05, 1);
  StateTree tree(acceptor, {});
  Budget spent;
  spent.interrupt();
  const BaselineResult result = run_baseline(tree, parse_method("kmeans"), {}, spent);
  BOOST_TEST(!result.complete);
  BOOST_TEST((result.evidence.back().end == Evidence::End::Stopped));
  BOOST_TEST(run_baseline(tree, parse_method("kmeans"), {}, kNoLimit).complete);
}

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_threads_batch_or_memory) {
  Random random(6);
  const auto acceptor = make_acceptor(support::random_network(
      {.cell = CellKind::Gru, .symbols = 3, .hidden = 8, .layers = 2}, random));
  for (const char* method : {"quantization:q=3", "kmeans", "kmeans:k=7"}) {
    const auto extract = [&](const StateTreeOptions& options) {
      StateTree tree(*acceptor, options);
      return run_baseline(tree, parse_method(method), {.max_states = 2000, .seed = 9}, kNoLimit);
    };
    const BaselineResult plain = extract({});
    BOOST_TEST(plain.automaton.a_states > 1U);
    for (const StateTreeOptions& options :
         {StateTreeOptions{.memory = 0}, StateTreeOptions{.memory = 20000, .batch = 1},
          StateTreeOptions{.batch = 37, .threads = 3}}) {
      const BaselineResult other = extract(options);
      BOOST_TEST((other.automaton.dfa == plain.automaton.dfa));
      BOOST_TEST((other.coverage == plain.coverage));
      BOOST_TEST((other.evidence == plain.evidence));
    }
  }
}

BOOST_AUTO_TEST_CASE(methods_are_read_and_unknown_ones_refused) {
  BOOST_TEST(parse_method("quantization:q=3").intervals == 3U);
  BOOST_TEST(parse_method("quantization").text() == "quantization:q=2");
  BOOST_TEST(parse_method("kmeans:k=10").text() == "kmeans:k=10");
  BOOST_TEST(parse_method("abstraction-refinement").text() == "abstraction-refinement");
  BOOST_TEST(
      refusal("magic") ==
      "method: expected abstraction-refinement, quantization, kmeans, rpni, biermann, or for "
      "language models ngram or quant, found 'magic'");
  BOOST_TEST(parse_method("ngram:n=3").text() == "ngram:n=3");
  BOOST_TEST(parse_method("quant").text() == "quant:q=10");
  BOOST_TEST(parse_method("rpni:words=20").text() == "rpni:words=20");
  BOOST_TEST(parse_method("biermann").text() == "biermann");
  BOOST_TEST(refusal("biermann:words=0") ==
             "method: biermann: words: expected a whole number from 1 to 1000000000, found '0'");
  BOOST_TEST(refusal("rpni:words=99999999999999") ==
             "method: rpni: words: expected a whole number from 1 to 1000000000, found "
             "'99999999999999'");
  BOOST_TEST(refusal("rpni:k=2") == "method: rpni: expected words=NUMBER, found 'k=2'");
  BOOST_TEST(refusal("quantization:k=2") == "method: quantization: expected q=NUMBER, found 'k=2'");
  BOOST_TEST(refusal("quantization:q=1") ==
             "method: quantization: q: expected a whole number from 2 to 256, found '1'");
  BOOST_TEST(refusal("quantization:q=1000") ==
             "method: quantization: q: expected a whole number from 2 to 256, found '1000'");
  BOOST_TEST(refusal("kmeans:k=x") ==
             "method: kmeans: k: expected a whole number from 1 to 1000000000, found 'x'");
  BOOST_TEST(refusal("abstraction-refinement:x=1") ==
             "method: abstraction-refinement: expected no parameter, found 'x=1'");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
