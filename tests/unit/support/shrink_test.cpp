#include "support/shrink.hpp"
#include "support/layers.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "support/random_networks.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::shrink;

BOOST_AUTO_TEST_SUITE(shrinking)

BOOST_AUTO_TEST_CASE(words_shrink_to_what_the_failure_needs) {
  Random random(1);
  std::vector<Word> words;
  for (int i = 0; i < 30; ++i) words.push_back(support::random_word(4, random.below(12), random));
  words.push_back({Symbol{3}, Symbol{2}, Symbol{3}});
  const auto has_two_threes = [](const std::vector<Word>& list) {
    return std::any_of(list.begin(), list.end(), [](const Word& word) {
      return std::count(word.begin(), word.end(), Symbol{3}) >= 2;
    });
  };
  BOOST_TEST_REQUIRE(has_two_threes(words));
  const std::vector<Word> expected = {{Symbol{3}, Symbol{3}}};
  BOOST_TEST((shrink(words, has_two_threes) == expected));
}

BOOST_AUTO_TEST_CASE(an_automaton_shrinks_to_what_the_failure_needs) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    Dfa dfa = support::random_dfa(6, 2, random);
    const auto accepts_one_of_length_one = [](const Dfa& candidate) {
      const Word word = {Symbol{1}};
      return candidate.accepts(word) && !candidate.accepts(Word{});
    };
    dfa.set_accepting(dfa.initial(), false);
    const LState reached = dfa.next(dfa.initial(), Symbol{1});
    if (reached == dfa.initial()) continue;
    dfa.set_accepting(reached, true);
    const Dfa least = shrink(dfa, accepts_one_of_length_one);
    BOOST_TEST(accepts_one_of_length_one(least));
    BOOST_TEST(least.size() == 2U, support::shown(least));
  }
}

BOOST_AUTO_TEST_CASE(a_network_shrinks_to_the_numbers_that_the_failure_needs) {
  Random random(3);
  const NetworkSpec spec = support::random_network({.hidden = 5, .layers = 2}, random);
  const auto has_bias = [](const NetworkSpec& candidate) {
    return support::layers(candidate).layers[1].input_bias[7] != 0;
  };
  const NetworkSpec least = shrink(spec, has_bias);
  BOOST_TEST(has_bias(least));
  const std::string text = support::shown(least);
  BOOST_TEST(std::count(text.begin(), text.end(), '=') == 1);
  BOOST_TEST(text.find(" bias [7] = ") != std::string::npos);
  BOOST_CHECK_NO_THROW(validate(least));
}

BOOST_AUTO_TEST_CASE(a_text_shrinks_to_what_the_failure_needs) {
  const std::string text = "digraph { a -> b [label = \"x\"]; }";
  const auto has_an_arrow = [](const std::string& candidate) {
    return candidate.find("->") != std::string::npos;
  };
  BOOST_TEST(shrink(text, has_an_arrow) == "->");
}

BOOST_AUTO_TEST_CASE(of_two_things_each_shrinks_to_what_the_failure_needs) {
  Random random(5);
  std::vector<Word> words;
  for (int i = 0; i < 10; ++i)
    words.push_back(support::random_word(2, 1 + random.below(6), random));
  Dfa dfa = support::random_dfa(5, 2, random);
  dfa.set_accepting(dfa.initial(), true);
  const auto fails = [](const std::pair<Dfa, std::vector<Word>>& world) {
    return world.first.accepts(Word{}) && !world.second.empty();
  };
  const auto [least, left] = shrink(std::pair(dfa, words), fails);
  BOOST_TEST(least.size() == 1U);
  BOOST_TEST((left == std::vector<Word>{{}}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
