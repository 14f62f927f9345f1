#include "rnnalf/oracle/cover.hpp"

#include <algorithm>
#include <unordered_set>

namespace rnnalf {

std::vector<Word> state_cover(const Dfa& hypothesis) {
  std::vector<Word> cover;
  for (const auto& word : access_words(hypothesis)) {
    if (word) cover.push_back(*word);
  }
  std::sort(cover.begin(), cover.end(), ShortlexLess{});
  return cover;
}

std::vector<Word> other_transitions(const Dfa& hypothesis) {
  const std::vector<Word> cover = state_cover(hypothesis);
  const std::unordered_set<Word, WordHash> access(cover.begin(), cover.end());
  std::vector<Word> others;
  for (const Word& word : cover) {  // in shortlex order, so the results are, too
    for (std::size_t a = 0; a < hypothesis.symbol_count(); ++a) {
      Word longer = word;
      longer.push_back(static_cast<Symbol>(a));
      if (!access.contains(longer)) others.push_back(std::move(longer));
    }
  }
  return others;
}

std::vector<Word> telling_suffixes(const Dfa& hypothesis) {
  std::vector<Word> suffixes = Distinguisher(hypothesis).characterising_set();
  if (suffixes.empty() || !suffixes.front().empty()) suffixes.insert(suffixes.begin(), Word{});
  return suffixes;
}

}  // namespace rnnalf
