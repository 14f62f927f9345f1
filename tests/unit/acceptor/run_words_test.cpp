#include "rnnalf/acceptor/run_words.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support/coded_dfa.hpp"
#include "support/random_networks.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::random_word;
using support::word;

std::vector<Word> words_of_many_lengths(std::size_t count, Random& random) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(random_word(2, random.below(30), random));
  return words;
}

BOOST_AUTO_TEST_SUITE(run_words)

BOOST_AUTO_TEST_CASE(together_words_have_the_answers_they_have_alone_bit_for_bit) {
  Random random(11);
  const NetworkSpec spec = support::random_network({.hidden = 20, .layers = 2}, random);
  const auto acceptor = make_acceptor(spec);
  const std::vector<Word> words = words_of_many_lengths(700, random);
  const auto together = classify(*acceptor, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Classification alone = classify(*acceptor, {&words[i], 1}).front();
    BOOST_TEST_REQUIRE(together[i].probability == alone.probability);
    BOOST_TEST_REQUIRE(together[i].accepted() == alone.accepted());
  }
}

BOOST_AUTO_TEST_CASE(answers_are_those_of_the_formulas) {
  Random random(12);
  const NetworkSpec spec = support::random_network({.hidden = 6, .outputs = 2}, random);
  const auto acceptor = make_acceptor(spec, Precision::Double);
  const std::vector<Word> words = words_of_many_lengths(100, random);
  const auto answers = classify(*acceptor, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double margin = support::reference_margin(spec, words[i]);
    BOOST_TEST(answers[i].accepted() == (margin > 0));
    BOOST_TEST(std::abs(answers[i].probability - 1 / (1 + std::exp(-margin))) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(the_state_after_a_word_is_that_of_its_steps) {
  Random random(13);
  const auto acceptor = make_acceptor(support::random_network({.hidden = 5}, random));
  BOOST_TEST((state_after(*acceptor, {}) == acceptor->initial_state()));
  const Symbol symbol{1};
  const std::vector<double> before = state_after(*acceptor, word("01"));
  std::vector<double> next(before.size());
  acceptor->step({before.data(), before.size(), 1}, {&symbol, 1}, {next.data(), next.size(), 1});
  BOOST_TEST((state_after(*acceptor, word("011")) == next));
}

BOOST_AUTO_TEST_CASE(answers_are_those_of_the_language) {
  Random random(13);
  const support::CodedDfa network(support::tomita(5), 8, 0.1, 3);
  const std::vector<Word> words = words_of_many_lengths(1000, random);
  const auto answers = classify(network, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    BOOST_TEST(answers[i].accepted() == network.dfa().accepts(words[i]));
  }
}

BOOST_AUTO_TEST_CASE(the_empty_words_answer_can_be_given) {
  const support::CodedDfa network(support::tomita(1), 4, 0, 1);  // accepts the empty word
  const std::vector<Word> words = {word(""), word("0"), word("")};
  BOOST_TEST(classify(network, words)[0].accepted());
  const auto rejected = classify(network, words, Answer::Reject);
  BOOST_TEST(!rejected[0].accepted());
  BOOST_TEST(rejected[0].probability == 0.0);
  BOOST_TEST(!rejected[2].accepted());
  BOOST_TEST(rejected[1].probability == classify(network, words)[1].probability);
  BOOST_TEST(classify(network, words, Answer::Accept)[2].probability == 1.0);
}

BOOST_AUTO_TEST_CASE(no_words_have_no_answers_and_unknown_symbols_are_refused) {
  const support::CodedDfa network(support::tomita(1), 4, 0, 1);
  BOOST_TEST(classify(network, {}).empty());
  const std::vector<Word> words = {word("2")};
  BOOST_CHECK_THROW((void)classify(network, words), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
