#include "rnnalf/states/word_tree.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

#include "rnnalf/base/random.hpp"
#include "support/random_networks.hpp"

namespace rnnalf {
namespace {

using Children = WordTree::Children;
const Symbol a{0}, b{1}, c{2};

}  // namespace

BOOST_AUTO_TEST_SUITE(word_tree)

BOOST_AUTO_TEST_CASE(a_new_tree_has_the_empty_word_alone) {
  const WordTree tree;
  BOOST_TEST(tree.size() == 1U);
  BOOST_TEST(tree.word(WordTree::root()).empty());
  BOOST_TEST((tree.children(WordTree::root()) == Children::None));
  BOOST_TEST(!tree.find(WordTree::root(), a).has_value());
}

BOOST_AUTO_TEST_CASE(a_word_is_added_with_its_prefixes_and_once) {
  WordTree tree;
  const Word word = {b, a, c};
  const Node node = tree.add(WordTree::root(), word);
  BOOST_TEST(tree.size() == 4U);
  BOOST_TEST((tree.word(node) == word));
  BOOST_TEST(tree.length(node) == 3U);
  BOOST_TEST((tree.label(node) == c));
  BOOST_TEST((tree.word(tree.parent(node)) == Word{b, a}));
  BOOST_TEST((tree.add(WordTree::root(), word) == node));
  BOOST_TEST((tree.add(tree.parent(node), {&c, 1}) == node));
  BOOST_TEST(tree.size() == 4U);
}

BOOST_AUTO_TEST_CASE(successors_added_at_once_are_consecutive_and_found) {
  WordTree tree;
  const Node parent = tree.add(WordTree::root(), {&b, 1});
  const Node first = tree.add_all(parent, 3);
  BOOST_TEST((tree.children(parent) == Children::All));
  for (std::uint32_t s = 0; s < 3; ++s) {
    const auto child = tree.find(parent, Symbol{s});
    BOOST_TEST_REQUIRE(child.has_value());
    BOOST_TEST(index(*child) == index(first) + s);
    BOOST_TEST((tree.word(*child) == Word{b, Symbol{s}}));
  }
}

BOOST_AUTO_TEST_CASE(a_node_with_some_successors_says_so) {
  WordTree tree;
  for (const Symbol symbol : {a, c}) {
    tree.add(WordTree::root(), {&symbol, 1});
    BOOST_TEST((tree.children(WordTree::root()) == Children::Some));
  }
  BOOST_TEST(!tree.find(WordTree::root(), b).has_value());
}

BOOST_AUTO_TEST_CASE(sorting_by_length_keeps_the_order_within_a_length) {
  WordTree tree;
  const auto add = [&](Word word) { return tree.add(WordTree::root(), word); };
  std::vector<Node> nodes = {add({b, b}), add({a}), add({b, a}), add({}), add({c}), add({a, a})};
  const std::vector<Node> sorted = {nodes[3], nodes[1], nodes[4], nodes[0], nodes[2], nodes[5]};
  tree.sort_by_length(nodes);
  BOOST_TEST((nodes == sorted));
}

BOOST_AUTO_TEST_CASE(it_is_a_map_from_words_to_numbers_in_order_of_adding) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::size_t symbols = 1 + random.below(40);
    WordTree tree;
    std::map<Word, Node> model = {{{}, WordTree::root()}};
    // Enough words that the table of successors grows.
    for (int i = 0; i < 300; ++i) {
      const Word word = support::random_word(symbols, random.below(9), random);
      if (i % 7 == 0 && tree.children(tree.add(WordTree::root(), word)) == Children::None) {
        const Node parent = tree.add(WordTree::root(), word);
        tree.add_all(parent, symbols);
      }
      tree.add(WordTree::root(), word);
    }
    for (std::size_t n = 1; n < tree.size(); ++n) {
      const auto node = static_cast<Node>(n);
      BOOST_TEST_REQUIRE(model.emplace(tree.word(node), node).second);  // no word twice
      BOOST_TEST_REQUIRE(index(tree.parent(node)) < n);
    }
    for (const auto& [word, node] : model) {
      for (std::uint32_t s = 0; s < symbols; ++s) {
        const auto longer = model.find(concat(word, std::vector{Symbol{s}}));
        const auto found = tree.find(node, Symbol{s});
        BOOST_TEST_REQUIRE((longer != model.end()) == found.has_value());
        if (found) BOOST_TEST_REQUIRE((longer->second == *found));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
