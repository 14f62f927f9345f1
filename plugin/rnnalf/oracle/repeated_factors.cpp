#include "rnnalf/oracle/repeated_factors.hpp"

#include <algorithm>

namespace rnnalf {
namespace {

/// The shortest known words of the rarer answer.
std::vector<Node> rare_words(const StateTree& tree, std::size_t count) {
  std::size_t accepted = 0, rejected = 0;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = static_cast<Node>(i);
    if (tree.known(node)) ++(tree.accepted(node) ? accepted : rejected);
  }
  const bool rarer = accepted <= rejected;
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = static_cast<Node>(i);
    if (tree.known(node) && tree.accepted(node) == rarer && tree.length(node) > 0)
      nodes.push_back(node);
  }
  const auto shorter = [&](Node a, Node b) {
    return tree.length(a) != tree.length(b) ? tree.length(a) < tree.length(b) : a < b;
  };
  const auto kept = nodes.begin() + static_cast<std::ptrdiff_t>(std::min(count, nodes.size()));
  std::partial_sort(nodes.begin(), kept, nodes.end(), shorter);
  nodes.erase(kept, nodes.end());
  return nodes;
}

}  // namespace

std::vector<Word> repeated_factors(const StateTree& tree, std::size_t seeds,
                                   std::size_t longest_factor, std::size_t most) {
  std::vector<Word> words;
  for (const Node node : rare_words(tree, seeds)) {
    const Word seed = tree.word(node);
    const auto part = [&](std::size_t from, std::size_t to) {
      return WordView(seed).subspan(from, to - from);
    };
    for (std::size_t first = 0; first < seed.size(); ++first) {
      for (std::size_t last = first + 1; last <= std::min(seed.size(), first + longest_factor);
           ++last) {
        for (const std::size_t times : {0U, 2U, 3U, 10U}) {
          Word word = concat(part(0, first), {});
          for (std::size_t k = 0; k < times; ++k) word = concat(word, part(first, last));
          words.push_back(concat(word, part(last, seed.size())));
        }
      }
    }
  }
  std::sort(words.begin(), words.end(), ShortlexLess{});
  words.erase(std::unique(words.begin(), words.end()), words.end());
  if (words.size() > most) words.resize(most);
  return words;
}

}  // namespace rnnalf
