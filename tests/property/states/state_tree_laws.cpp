// The StateTree gives the network's answers whatever its memory, batch size and threads.

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/states/state_tree.hpp"
#include "support/coded_dfa.hpp"
#include "support/random_networks.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

bool direct_answer(const RnnAcceptor& acceptor, const Word& word) {
  const std::vector<double> state = state_after(acceptor, word);
  double margin = 0;
  acceptor.margins({state.data(), state.size(), 1}, {&margin, 1});
  return margin > 0;
}

/// A mixed load: membership queries, expansions, words tried once, R-states read back.
struct Outcome {
  std::vector<std::uint8_t> answers;
  std::uint64_t steps = 0;
  std::size_t nodes = 0;
};

/// What is wrong, or nothing.
std::string run_load(const RnnAcceptor& acceptor, const StateTreeOptions& options,
                     std::uint64_t seed, Outcome& outcome) {
  StateTree tree(acceptor, options);
  Random random(seed);
  std::vector<Node> nodes;
  for (int round = 0; round < 12; ++round) {
    nodes.clear();
    for (int i = 0; i < 40; ++i) {
      nodes.push_back(
          tree.add(support::random_word(tree.symbol_count(), random.below(12), random)));
    }
    RNNALF_HOLDS(tree.compute(nodes, kNoLimit));
    for (const Node node : nodes) {
      const bool expected = direct_answer(acceptor, tree.word(node));
      RNNALF_HOLDS(tree.accepted(node) == expected);
      outcome.answers.push_back(tree.accepted(node) ? 1 : 0);
    }
    nodes.resize(10);
    RNNALF_HOLDS(tree.expand(nodes, kNoLimit));
    for (const Node node : nodes) {
      for (std::uint32_t a = 0; a < tree.symbol_count(); ++a) {
        const auto child = tree.find(node, Symbol{a});
        RNNALF_HOLDS(child && tree.known(*child));
        RNNALF_HOLDS(tree.accepted(*child) == direct_answer(acceptor, tree.word(*child)));
      }
    }
    std::vector<Word> words;
    for (int i = 0; i < 70; ++i)
      words.push_back(support::random_word(tree.symbol_count(), random.below(20), random));
    words.push_back({});
    words.push_back(words[3]);
    words.push_back(Word(words[4].begin(),
                         words[4].begin() + static_cast<std::ptrdiff_t>(words[4].size() / 2)));
    std::vector<double> margins;
    const auto found = tree.answers(words, kNoLimit, round % 2 == 0 ? &margins : nullptr);
    RNNALF_HOLDS(found.has_value());
    for (std::size_t i = 0; i < words.size(); ++i) {
      RNNALF_HOLDS(((*found)[i] == Answer::Accept) == direct_answer(acceptor, words[i]));
      RNNALF_HOLDS(margins.empty() || (margins[i] > 0) == ((*found)[i] == Answer::Accept));
      outcome.answers.push_back((*found)[i] == Answer::Accept ? 1 : 0);
    }
    // R-states come back exactly, evicted or not.
    nodes.clear();
    for (int i = 0; i < 30; ++i) {
      const auto node = static_cast<Node>(random.below(tree.size()));
      if (tree.known(node)) nodes.push_back(node);
    }
    std::vector<double> states(nodes.size() * tree.state_size());
    RNNALF_HOLDS(
        tree.copy_states(nodes, {states.data(), tree.state_size(), nodes.size()}, kNoLimit));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::vector<double> exact = state_after(acceptor, tree.word(nodes[i]));
      RNNALF_HOLDS(std::equal(exact.begin(), exact.end(),
                              states.begin() + static_cast<std::ptrdiff_t>(i * exact.size())));
    }
  }
  outcome.steps = tree.stats().steps;
  outcome.nodes = tree.size();
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_tree_laws)

BOOST_AUTO_TEST_CASE(answers_steps_and_nodes_do_not_depend_on_memory_batch_or_threads) {
  support::SeededRandom random(7);
  for (std::uint64_t world = 0; world < 6; ++world) {
    const auto spec = support::random_network({.cell = static_cast<CellKind>(world % 5),
                                               .symbols = 1 + world % 4,
                                               .hidden = 11,
                                               .layers = 2},
                                              random);
    support::check_law(spec, [&](const NetworkSpec& candidate) -> std::string {
      const auto acceptor =
          make_acceptor(candidate, world % 2 == 0 ? Precision::Float : Precision::Double);
      Outcome plain;
      if (const auto wrong = run_load(*acceptor, {}, world, plain); !wrong.empty()) return wrong;
      const StateTreeOptions variants[] = {{.memory = 0},
                                           {.memory = 5000, .batch = 1},
                                           {.memory = 20000, .batch = 7, .threads = 3},
                                           {.batch = 64, .threads = 2},
                                           {.threads = 4}};
      for (const StateTreeOptions& options : variants) {
        Outcome other;
        const std::string wrong = run_load(*acceptor, options, world, other);
        if (!wrong.empty()) return wrong;
        RNNALF_HOLDS(other.answers == plain.answers);
        RNNALF_HOLDS(other.steps == plain.steps);
        RNNALF_HOLDS(other.nodes == plain.nodes);
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(answers_that_are_put_off_are_the_same) {
  support::SeededRandom random(9);
  for (std::uint64_t world = 0; world < 6; ++world) {
    const Dfa dfa = support::random_minimal_dfa(8, 1 + world % 3, random);
    Outcome at_once, put_off;
    const support::CodedDfa cheap(dfa, 4, 0.2, world, 0), dear(dfa, 4, 0.2, world, 16);
    BOOST_TEST(run_load(cheap, {}, world, at_once) == "");
    BOOST_TEST(run_load(dear, {}, world, put_off) == "");
    BOOST_TEST(put_off.answers == at_once.answers, boost::test_tools::per_element());
    BOOST_TEST(put_off.steps == at_once.steps);
    BOOST_TEST(put_off.nodes == at_once.nodes);
  }
}

BOOST_AUTO_TEST_CASE(words_tried_once_are_answered_as_when_run_alone) {
  support::SeededRandom random(8);
  for (int world = 0; world < 100; ++world) {
    const std::size_t symbols = 1 + random.below(3);
    const support::CodedDfa acceptor(support::random_minimal_dfa(8, symbols, random), 4, 0.2, 1);
    std::vector<Word> words, known;
    for (std::size_t i = random.below(50); i-- > 0;)
      words.push_back(support::random_word(symbols, random.below(12), random));
    for (std::size_t i = random.below(10); i-- > 0;)
      known.push_back(support::random_word(symbols, random.below(8), random));
    support::check_law(words, [&](const std::vector<Word>& asked) -> std::string {
      StateTree tree(acceptor, {.memory = 0});
      std::vector<Node> nodes;
      for (const Word& word : known) nodes.push_back(tree.add(word));
      if (!tree.compute(nodes, kNoLimit)) return "a budget without limits ended";
      std::map<Word, bool> prefixes;
      bool told_twice = false;
      const auto found = tree.answers(
          asked, kNoLimit, nullptr, [&](std::size_t word, std::size_t length, Answer answer) {
            const WordView prefix = WordView(asked[word]).first(length);
            told_twice |= !prefixes.emplace(concat(prefix, {}), answer == Answer::Accept).second;
          });
      if (told_twice) return "a prefix was told twice";
      std::set<Word> expected;
      for (const Word& word : asked) {
        for (std::size_t n = 1; n <= word.size(); ++n)
          expected.insert(concat(WordView(word).first(n), {}));
      }
      if (expected.size() != prefixes.size()) return "a prefix was not told";
      for (const auto& [prefix, accepted] : prefixes) {
        if (accepted != acceptor.dfa().accepts(prefix)) return "a prefix is answered wrongly";
      }
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if ((*found)[i] != acceptor.dfa().answer(asked[i]))
          return "word " + std::to_string(i) + " is answered wrongly";
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(no_prefix_is_computed_twice_while_memory_lasts) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  const std::vector<Word> words = {
      {Symbol{0}, Symbol{1}, Symbol{1}}, {Symbol{0}, Symbol{1}}, {Symbol{0}, Symbol{0}}};
  std::vector<Node> nodes;
  for (const Word& word : words) nodes.push_back(tree.add(word));
  BOOST_TEST_REQUIRE(tree.compute(nodes, kNoLimit));
  BOOST_TEST(tree.stats().steps == 4U);  // 0, 01, 011, 00
  BOOST_TEST_REQUIRE(tree.compute(nodes, kNoLimit));
  BOOST_TEST_REQUIRE(tree.answers(words, kNoLimit).has_value());
  BOOST_TEST(tree.stats().steps == 4U);
  BOOST_TEST(tree.stats().recomputed == 0U);
}

BOOST_AUTO_TEST_CASE(a_word_that_forks_from_another_costs_its_own_steps_alone) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.2, 1);
  for (std::size_t fork = 0; fork < 40; ++fork) {
    StateTree tree(acceptor, {});
    const Node path = tree.add(Word(40, Symbol{0}));
    BOOST_TEST_REQUIRE(tree.compute({&path, 1}, kNoLimit));
    Word other(fork, Symbol{0});
    other.push_back(Symbol{1});
    const Node forked = tree.add(other);
    BOOST_TEST_REQUIRE(tree.compute({&forked, 1}, kNoLimit));
    BOOST_TEST(tree.stats().steps == 41U);
    BOOST_TEST(tree.stats().recomputed == 0U);
  }
}

BOOST_AUTO_TEST_CASE(words_tried_once_share_their_prefixes_and_are_not_kept) {
  const support::CodedDfa acceptor(support::tomita(4), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  const Symbol o{0}, i{1};
  const std::vector<Word> words = {{o, i, o, o}, {o, i}, {i}, {o, i, o, i}, {o, i, o, i}};
  BOOST_TEST_REQUIRE(tree.answers(words, kNoLimit).has_value());
  BOOST_TEST(tree.stats().steps == 6U);  // 0, 01, 010, 0100, 0101, 1
  BOOST_TEST(tree.size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_empty_word_can_be_answered_by_the_user) {
  const support::CodedDfa acceptor(support::tomita(1), 4, 0.2, 1);
  BOOST_TEST(StateTree(acceptor, {}).accepted(StateTree::root()));
  StateTree tree(acceptor, {.empty_word = Answer::Reject});
  BOOST_TEST(!tree.accepted(StateTree::root()));
  const std::vector<Word> words = {{}, {Symbol{1}}};
  const auto found = tree.answers(words, kNoLimit);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(((*found)[0] == Answer::Reject));
  BOOST_TEST(((*found)[1] == Answer::Accept));
}

BOOST_AUTO_TEST_CASE(a_spent_budget_stops_the_work_and_keeps_what_is_known) {
  const support::CodedDfa acceptor(support::tomita(7), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  Budget spent;
  spent.interrupt();
  const Node node = tree.add(Word(5, Symbol{1}));
  BOOST_TEST(!tree.compute({&node, 1}, spent));
  BOOST_TEST(!tree.known(node));
  BOOST_TEST(tree.compute({&node, 1}, kNoLimit));
  BOOST_TEST(tree.accepted(node));
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
