// Laws of the choice among hypotheses, on networks of exactly known language, with random automata
// for hypotheses and random words given.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/evaluate/ladder.hpp"
#include "support/coded_dfa.hpp"
#include "support/seeded_random.hpp"

namespace rnnalf {
namespace {

struct ChoiceWorld {
  explicit ChoiceWorld(Random& random)
      : symbols(1 + random.below(4)),
        language(support::random_minimal_dfa(1 + random.below(12), symbols, random)),
        acceptor(language, 5, 0.2, 1),
        tree(acceptor, {}) {
    for (std::uint64_t i = random.below(120); i > 0; --i) {
      given.push_back(uniform_word(symbols, 1 + random.below(9), random));
    }
    for (int i = 0; i < 8; ++i) {
      hypotheses.push_back(support::random_minimal_dfa(1 + random.below(12), symbols, random));
    }
    hypotheses.insert(hypotheses.begin() + static_cast<std::ptrdiff_t>(random.below(9)), language);
  }

  [[nodiscard]] Ladder ladder() {
    Ladder ladder(*Yardstick::make(tree, {.given = given}, Budget()), {});
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      ladder.add(i, hypotheses[i]);
      BOOST_TEST(ladder.draw_along(hypotheses[i], tree, Budget()));
      ladder.confirm(i);
    }
    return ladder;
  }
  /// On how many of the given words it gives the network's answer.
  [[nodiscard]] std::size_t agreed(const Dfa& dfa) const {
    return static_cast<std::size_t>(
        std::count_if(given.begin(), given.end(),
                      [&](const Word& word) { return dfa.answer(word) == language.answer(word); }));
  }

  std::size_t symbols;
  Dfa language;
  support::CodedDfa acceptor;
  StateTree tree;
  std::vector<Word> given;
  std::vector<Dfa> hypotheses;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(choice_laws)

BOOST_AUTO_TEST_CASE(the_result_is_not_worse_on_given_words_than_a_smaller_rung_or_a_constant) {
  support::SeededRandom random(41);
  for (int i = 0; i < 60; ++i) {
    ChoiceWorld world(random);
    const Ladder ladder = world.ladder();
    const Dfa& result = world.hypotheses[ladder.result().hypothesis];
    std::vector<std::size_t> each(2, 0);
    for (const Word& word : world.given) ++each[index(world.language.answer(word))];
    // Where the answers are too few the edits of given words judge in their place.
    if (*std::min_element(each.begin(), each.end()) < kFewWords) continue;
    BOOST_TEST(ladder.explains_given());  // the language is among the rungs
    BOOST_TEST(world.agreed(result) >= *std::max_element(each.begin(), each.end()));
    for (const Rung& rung : ladder.front()) {
      if (rung.states >= result.size()) continue;
      BOOST_TEST(world.agreed(result) >= world.agreed(world.hypotheses[rung.hypothesis]));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_result_has_no_more_errors_than_the_rungs_it_replaces) {
  support::SeededRandom random(42);
  for (int i = 0; i < 60; ++i) {
    ChoiceWorld world(random);
    world.given.clear();
    const Ladder ladder = world.ladder();
    const Rung result = ladder.result();
    for (const Rung& rung : ladder.front()) {
      if (rung.states < result.states) BOOST_TEST(rung.error >= result.error);
      // The language is never wrong, so nothing larger than it is the result.
      if (rung.error == 0)
        BOOST_TEST(result.states <= std::max(rung.states, world.language.size()));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_same_words_and_hypotheses_lead_to_the_same_result) {
  support::SeededRandom random(43);
  for (int i = 0; i < 20; ++i) {
    ChoiceWorld world(random);
    const Ladder once = world.ladder(), again = world.ladder();
    BOOST_TEST(once.result().hypothesis == again.result().hypothesis);
    BOOST_TEST(once.unstable() == again.unstable(), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
