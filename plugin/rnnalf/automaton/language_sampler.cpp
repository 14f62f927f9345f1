#include "rnnalf/automaton/language_sampler.hpp"

#include <algorithm>

namespace rnnalf {
namespace {

Symbol random_symbol(std::size_t symbols, Random& random) {
  return static_cast<Symbol>(random.below(symbols));
}

}  // namespace

LanguageSampler::LanguageSampler(const Dfa& dfa, std::size_t max_length, Uniform uniform)
    : initial_(dfa.initial()), uniform_(uniform), edges_(dfa.size()), count_(dfa.answer_count()) {
  std::vector<std::size_t> edge_to(dfa.size(), 0);  // its position in a state's edges, plus one
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const LState to = dfa.next(static_cast<LState>(q), static_cast<Symbol>(a));
      if (edge_to[index(to)] == 0) {
        edges_[q].push_back({to, {}});
        edge_to[index(to)] = edges_[q].size();
      }
      edges_[q][edge_to[index(to)] - 1].symbols.push_back(static_cast<Symbol>(a));
    }
    for (const Edge& edge : edges_[q]) edge_to[index(edge.to)] = 0;
  }
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    auto& count = count_[index(dfa.answer(static_cast<LState>(q)))];
    if (count.empty()) count.assign(max_length + 1, std::vector<long double>(dfa.size(), 0));
    count[0][q] = 1;
  }
  for (std::size_t a = 0; a < count_.size(); ++a) {
    auto& count = count_[a];
    if (count.empty()) continue;
    const auto answer = static_cast<Answer>(a);
    for (std::size_t length = 1; length <= max_length; ++length) {
      long double largest = 0;
      for (std::size_t q = 0; q < dfa.size(); ++q) {
        for (const Edge& edge : edges_[q]) count[length][q] += weight(edge, length - 1, answer);
        largest = std::max(largest, count[length][q]);
      }
      if (largest > 0) {
        for (long double& value : count[length]) value /= largest;
      }
    }
  }
}

long double LanguageSampler::weight(const Edge& edge, std::size_t left, Answer answer) const {
  const long double after = count_[index(answer)][left][index(edge.to)];
  return uniform_ == Uniform::Words ? after * static_cast<long double>(edge.symbols.size()) : after;
}

std::optional<Word> LanguageSampler::draw(std::size_t length, Answer answer, Random& random) const {
  LState state = initial_;
  const auto& count = count_[index(answer)];
  if (count.empty() || !(count[length][index(state)] > 0)) return std::nullopt;
  Word word;
  word.reserve(length);
  for (std::size_t left = length; left-- > 0;) {
    long double sum = 0;
    for (const Edge& edge : edges_[index(state)]) sum += weight(edge, left, answer);
    long double at = static_cast<long double>(random.unit()) * sum;
    // Rounding may leave `at` just above the last share: the last possible edge is taken then.
    const Edge* chosen = nullptr;
    for (const Edge& edge : edges_[index(state)]) {
      const long double part = weight(edge, left, answer);
      if (!(part > 0)) continue;
      chosen = &edge;
      at -= part;
      if (at < 0) break;
    }
    if (chosen == nullptr) return std::nullopt;
    word.push_back(chosen->symbols[random.below(chosen->symbols.size())]);
    state = chosen->to;
  }
  return word;
}

Word uniform_word(std::size_t symbols, std::size_t length, Random& random) {
  Word word(length);
  for (Symbol& symbol : word) symbol = random_symbol(symbols, random);
  return word;
}

Word edited(Word word, std::size_t symbols, Random& random) {
  constexpr std::size_t kLongestRepeat = 4;
  const auto at = [&](std::size_t position) {
    return word.begin() + static_cast<std::ptrdiff_t>(position);
  };
  if (word.empty()) return {random_symbol(symbols, random)};
  const std::size_t position = random.below(word.size());
  switch (random.below(5)) {
    case 0:
      word[position] = random_symbol(symbols, random);
      break;
    case 1:
      word.insert(at(random.below(word.size() + 1)), random_symbol(symbols, random));
      break;
    case 2:
      word.erase(at(position));
      break;
    case 3:
      std::swap(word[position], word[random.below(word.size())]);
      break;
    default: {
      const std::size_t count = 1 + random.below(std::min(kLongestRepeat, word.size() - position));
      const Word part(at(position), at(position + count));
      word.insert(at(position), part.begin(), part.end());
    }
  }
  return word;
}

}  // namespace rnnalf
