// `pumping:words=6000` reported 6,220 words: repeated factors of known words and the words tried to
// shorten a counterexample came on top.

#include <boost/test/unit_test.hpp>

#include "rnnalf/oracle/pumping_oracle.hpp"
#include "support/coded_dfa.hpp"
#include "support/seeded_random.hpp"
#include "support/words.hpp"

using namespace rnnalf;

BOOST_AUTO_TEST_SUITE(pumping_tested_more_words_than_asked)

BOOST_AUTO_TEST_CASE(at_most_so_many_words_are_tested_whatever_is_known_and_found) {
  const Budget no_limit;
  support::SeededRandom random(1);
  std::size_t refuted = 0;
  for (int world = 0; world < 100; ++world) {
    const support::CodedDfa acceptor(support::random_minimal_dfa(6, 2, random), 4, 0.2, 1);
    StateTree tree(acceptor, {});
    std::vector<Node> known;
    for (const Word& word : support::all_words(2, 5)) known.push_back(tree.add(word));
    BOOST_TEST_REQUIRE(tree.compute(known, no_limit));
    // One in two hypotheses is right: then every word is tested.
    const Dfa hypothesis =
        world % 2 == 0 ? acceptor.dfa() : support::random_minimal_dfa(6, 2, random);
    for (const std::size_t words : {1U, 2U, 7U, 100U, 1000U}) {
      PumpingOracle oracle(tree, {.words = words, .max_length = 60});
      const EquivalenceAnswer answer = oracle.find(hypothesis, no_limit);
      BOOST_TEST(answer.evidence.at(0).words_tested <= words);
      if (answer.verdict == Verdict::Counterexample) {
        ++refuted;
      } else if (world % 2 == 0) {
        BOOST_TEST(answer.evidence.at(0).words_tested == words);
      }
    }
  }
  BOOST_TEST(refuted > 100U);
}

BOOST_AUTO_TEST_SUITE_END()
