// `pumping:words=6000` reported 6,220 words: repeated factors of known words and the words tried to
// shorten a counterexample came on top. Later it reported 6,000 and ran up to a thousand more,
// those tried to shorten a counterexample.

#include <boost/test/unit_test.hpp>

#include "rnnalf/oracle/search_oracles.hpp"
#include "support/coded_dfa.hpp"
#include "support/recorded_words.hpp"
#include "support/seeded_random.hpp"
#include "support/words.hpp"

using namespace rnnalf;

BOOST_AUTO_TEST_SUITE(pumping_tested_more_words_than_asked)

BOOST_AUTO_TEST_CASE(at_most_so_many_words_are_run_and_reported_whatever_is_known_and_found) {
  const Budget no_limit;
  support::SeededRandom random(1);
  std::size_t refuted = 0, pumped = 0;
  for (int world = 0; world < 100; ++world) {
    const Dfa language = support::random_minimal_dfa(6, 2, random);
    const support::RecordedWords acceptor(language);
    // One in two hypotheses is right: then every word is tested.
    const Dfa hypothesis = world % 2 == 0 ? language : support::random_minimal_dfa(6, 2, random);
    for (const std::size_t words : {1U, 2U, 7U, 100U, 1000U}) {
      StateTree tree(acceptor, {});
      std::vector<Node> known;
      for (const Word& word : support::all_words(2, 5)) known.push_back(tree.add(word));
      BOOST_TEST_REQUIRE(tree.compute(known, no_limit));
      PumpingOracle oracle(tree, {.words = words, .max_length = 60});
      acceptor.forget();
      const EquivalenceAnswer answer = oracle.find(hypothesis, no_limit);
      BOOST_TEST(answer.evidence.at(0).words_tested <= words);
      BOOST_TEST(acceptor.words_run() <= answer.evidence.at(0).words_tested);
      if (answer.verdict == Verdict::Counterexample) {
        ++refuted;
        pumped += answer.counterexample->pumped ? 1 : 0;
      } else if (world % 2 == 0) {
        BOOST_TEST(answer.evidence.at(0).words_tested == words);
      }
    }
  }
  BOOST_TEST(refuted > 100U);
  BOOST_TEST(pumped > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
