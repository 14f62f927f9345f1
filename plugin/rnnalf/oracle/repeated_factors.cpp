#include "rnnalf/oracle/repeated_factors.hpp"

#include <algorithm>
#include <span>

namespace rnnalf {
namespace {

/// The shortest known words of all answers but the most common one.
std::vector<Node> rare_words(const StateTree& tree, std::size_t count) {
  std::vector<std::size_t> words(tree.answer_count(), 0);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = static_cast<Node>(i);
    if (tree.known(node) && tree.answered(node)) ++words[index(tree.answer(node))];
  }
  const auto common =
      static_cast<Answer>(std::max_element(words.begin(), words.end()) - words.begin());
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = static_cast<Node>(i);
    if (tree.known(node) && contradicts(tree.answer(node), common) && tree.length(node) > 0)
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

/// A seed with the factor from `first` to `last` as often as `times`.
struct Repeated {
  std::size_t seed, first, last, times;

  [[nodiscard]] std::size_t length(std::span<const Word> seeds) const {
    return seeds[seed].size() - (last - first) + times * (last - first);
  }
  [[nodiscard]] Word word(std::span<const Word> seeds) const {
    const WordView whole = seeds[seed];
    Word word;
    word.reserve(length(seeds));
    const auto append = [&](WordView part) { word.insert(word.end(), part.begin(), part.end()); };
    append(whole.first(first));
    for (std::size_t k = 0; k < times; ++k) append(whole.subspan(first, last - first));
    append(whole.subspan(last));
    return word;
  }
};

/// All of them, by their length.
std::vector<std::vector<Repeated>> all_repeated(std::span<const Word> seeds,
                                                std::size_t longest_factor) {
  std::vector<std::vector<Repeated>> by_length;
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    const Word& seed = seeds[s];
    for (std::size_t first = 0; first < seed.size(); ++first) {
      for (std::size_t last = first + 1; last <= std::min(seed.size(), first + longest_factor);
           ++last) {
        // The factor that begins one symbol earlier gives the same words.
        if (first > 0 && seed[first - 1] == seed[last - 1]) continue;
        for (const std::size_t times : {0U, 2U, 3U, 10U}) {
          const Repeated one{s, first, last, times};
          const std::size_t length = one.length(seeds);
          if (by_length.size() <= length) by_length.resize(length + 1);
          by_length[length].push_back(one);
        }
      }
    }
  }
  return by_length;
}

}  // namespace

std::vector<Word> repeated_factors(const StateTree& tree, std::size_t seeds,
                                   std::size_t longest_factor, std::size_t most) {
  std::vector<Word> rare;
  for (const Node node : rare_words(tree, seeds)) rare.push_back(tree.word(node));
  std::vector<Word> words;
  for (const std::vector<Repeated>& of_length : all_repeated(rare, longest_factor)) {
    if (words.size() >= most) break;
    const auto first = static_cast<std::ptrdiff_t>(words.size());
    for (const Repeated& one : of_length) words.push_back(one.word(rare));
    std::sort(words.begin() + first, words.end(), ShortlexLess{});
    words.erase(std::unique(words.begin() + first, words.end()), words.end());
  }
  if (words.size() > most) words.resize(most);
  return words;
}

}  // namespace rnnalf
