// A network that is shown its words with tokens answers as the network itself does for the words
// with these tokens written out, to the last bit.

#include <boost/test/unit_test.hpp>

#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/states/state_tree.hpp"
#include "support/random_networks.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

struct World {
  Presentation presentation;
  std::unique_ptr<RnnAcceptor> network;
  std::unique_ptr<RnnAcceptor> presented;
  std::vector<Word> words;  // over the symbols of the presentation

  /// As the network reads them.
  [[nodiscard]] std::vector<Word> written_out(const std::vector<Word>& shown) const {
    std::vector<Word> all;
    for (const Word& word : shown) {
      all.push_back(presentation.begin);
      for (const Symbol symbol : word) all.back().push_back(presentation.over[index(symbol)]);
      all.back().insert(all.back().end(), presentation.end.begin(), presentation.end.end());
    }
    return all;
  }
};

World random_world(std::size_t round, Random& random) {
  const NetworkSpec spec =
      support::random_network({.cell = static_cast<CellKind>(round % 5),
                               .symbols = 2 + random.below(6),
                               .hidden = 1 + random.below(20),
                               .layers = 1 + random.below(2),
                               .embedding = random.below(2) * 3,
                               .outputs = 1 + random.below(3),
                               .initial_states = random.below(2) == 1,
                               .head_from = static_cast<HeadFrom>(random.below(4))},
                              random);
  const std::size_t symbols = spec.symbol_count();
  World world;
  Presentation& shown = world.presentation;
  shown.begin = support::random_word(symbols, random.below(3), random);
  shown.end = support::random_word(symbols, random.below(4), random);
  for (std::size_t a = 0; a < symbols; ++a) {
    if (a == 0 || random.below(2) == 0) {
      shown.over.insert(
          shown.over.begin() + static_cast<std::ptrdiff_t>(random.below(shown.over.size() + 1)),
          static_cast<Symbol>(a));
    }
  }
  shown.alphabet = Alphabet::numbered(shown.over.size());
  const Precision precision = round % 2 == 0 ? Precision::Float : Precision::Double;
  world.network = make_acceptor(spec, precision);
  world.presented = make_presented_acceptor(make_acceptor(spec, precision), shown);
  for (int i = 0; i < 60; ++i) {
    world.words.push_back(support::random_word(shown.over.size(), random.below(12), random));
  }
  return world;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(presentation_laws)

BOOST_AUTO_TEST_CASE(answers_are_those_of_the_words_with_tokens_written_out) {
  support::SeededRandom random(31);
  for (std::size_t round = 0; round < 60; ++round) {
    const World world = random_world(round, random);
    support::check_law(world.words, [&](const std::vector<Word>& words) -> std::string {
      const auto found = classify(*world.presented, words);
      const auto expected = classify(*world.network, world.written_out(words));
      for (std::size_t i = 0; i < found.size(); ++i) {
        RNNALF_HOLDS(found[i].accepted() == expected[i].accepted());
        RNNALF_HOLDS(found[i].probability == expected[i].probability);
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(a_tree_of_words_has_these_answers_whatever_memory_batch_and_threads) {
  support::SeededRandom random(32);
  for (std::size_t round = 0; round < 30; ++round) {
    const World world = random_world(round, random);
    support::check_law(world.words, [&](const std::vector<Word>& words) -> std::string {
      const auto expected = classify(*world.network, world.written_out(words));
      std::uint64_t steps = 0;
      for (const StateTreeOptions& options :
           {StateTreeOptions{}, StateTreeOptions{.memory = 1}, StateTreeOptions{.batch = 1},
            StateTreeOptions{.memory = 2000, .batch = 7, .threads = 3}}) {
        StateTree tree(*world.presented, options);
        std::vector<Node> nodes;
        for (std::size_t i = 0; i < std::min<std::size_t>(20, words.size()); ++i) {
          nodes.push_back(tree.add(words[i]));
        }
        RNNALF_HOLDS(tree.compute(nodes, kNoLimit));
        RNNALF_HOLDS(tree.expand({nodes.data(), std::min<std::size_t>(5, nodes.size())}, kNoLimit));
        std::vector<double> margins;
        const auto once = tree.answers(words, kNoLimit, &margins);
        RNNALF_HOLDS(once.has_value());
        for (std::size_t i = 0; i < words.size(); ++i) {
          RNNALF_HOLDS(i >= nodes.size() || tree.accepted(nodes[i]) == expected[i].accepted());
          RNNALF_HOLDS(((*once)[i] == Answer::Accept) == expected[i].accepted());
          RNNALF_HOLDS((margins[i] > 0) == expected[i].accepted());
        }
        if (steps == 0) steps = tree.stats().steps;
        RNNALF_HOLDS(tree.stats().steps == steps);
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(steps_behind_an_answer_are_counted) {
  support::SeededRandom random(33);
  const NetworkSpec spec = support::random_network({.symbols = 3}, random);
  const auto steps_of = [&](const Word& end) {
    Presentation shown{
        .end = end, .over = {Symbol{0}, Symbol{1}, Symbol{2}}, .alphabet = Alphabet::numbered(3)};
    const auto acceptor = make_presented_acceptor(make_acceptor(spec), shown);
    StateTree tree(*acceptor, {});
    const Node node = tree.add({Word{Symbol{0}, Symbol{1}}});
    BOOST_TEST_REQUIRE(tree.compute({&node, 1}, kNoLimit));
    return tree.stats().steps;
  };
  // Two transitions and three answers: of the empty word and of both prefixes.
  BOOST_TEST(steps_of({}) == 2U);
  BOOST_TEST(steps_of({Symbol{2}}) == 5U);
  BOOST_TEST(steps_of({Symbol{2}, Symbol{2}}) == 8U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
