#include "rnnalf/automaton/language_sampler.hpp"

#include <algorithm>

namespace rnnalf {
namespace {

Symbol random_symbol(std::size_t symbols, Random& random) {
  return static_cast<Symbol>(random.below(symbols));
}

}  // namespace

LanguageSampler::LanguageSampler(const Dfa& dfa, std::size_t max_length) : dfa_(dfa) {
  const std::size_t symbols = dfa.symbol_count();
  for (const bool accepted : {true, false}) {
    auto& share = share_[accepted ? 0 : 1];
    share.assign(max_length + 1, std::vector<long double>(dfa.size(), 0));
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      share[0][q] = dfa.accepts(static_cast<LState>(q)) == accepted ? 1 : 0;
    }
    for (std::size_t length = 1; length <= max_length && symbols > 0; ++length) {
      long double largest = 0;
      for (std::size_t q = 0; q < dfa.size(); ++q) {
        long double sum = 0;
        for (std::size_t a = 0; a < symbols; ++a) {
          sum += share[length - 1][index(dfa.next(static_cast<LState>(q), static_cast<Symbol>(a)))];
        }
        share[length][q] = sum;
        largest = std::max(largest, sum);
      }
      if (largest > 0) {
        for (long double& value : share[length]) value /= largest;
      }
    }
  }
}

long double LanguageSampler::weight(std::size_t length, LState state, bool accepted) const {
  return share_[accepted ? 0 : 1][length][index(state)];
}

std::optional<Word> LanguageSampler::draw(std::size_t length, bool accepted, Random& random) const {
  LState state = dfa_.initial();
  if (!(weight(length, state, accepted) > 0)) return std::nullopt;
  Word word;
  word.reserve(length);
  for (std::size_t left = length; left-- > 0;) {
    long double sum = 0;
    for (std::size_t a = 0; a < dfa_.symbol_count(); ++a) {
      sum += weight(left, dfa_.next(state, static_cast<Symbol>(a)), accepted);
    }
    long double at = static_cast<long double>(random.unit()) * sum;
    // Rounding may leave `at` just above the last share: the last possible symbol is taken then.
    std::optional<Symbol> chosen;
    for (std::size_t a = 0; a < dfa_.symbol_count(); ++a) {
      const long double part = weight(left, dfa_.next(state, static_cast<Symbol>(a)), accepted);
      if (!(part > 0)) continue;
      chosen = static_cast<Symbol>(a);
      at -= part;
      if (at < 0) break;
    }
    if (!chosen) return std::nullopt;
    word.push_back(*chosen);
    state = dfa_.next(state, *chosen);
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
