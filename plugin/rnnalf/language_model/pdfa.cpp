#include "rnnalf/language_model/pdfa.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <queue>
#include <stdexcept>
#include <utility>

namespace rnnalf {
namespace {

/// Words that are looked at for the most probable ones, at most.
constexpr std::size_t kMostSearched = 200'000;

}  // namespace

Pdfa::Pdfa(std::size_t symbol_count, std::size_t state_count)
    : symbol_count_(symbol_count),
      size_(state_count),
      transitions_(state_count * symbol_count),
      probabilities_(state_count * (symbol_count + 1),
                     1.0 / static_cast<double>(symbol_count + 1)) {
  if (state_count == 0) throw std::invalid_argument("Pdfa: expected at least one state, found 0");
  for (std::size_t i = 0; i < transitions_.size(); ++i) {
    transitions_[i] = static_cast<LState>(i / symbol_count);
  }
}

void Pdfa::set_row(LState state, std::span<const double> row) {
  double sum = 0;
  for (const double p : row) {
    if (!(p >= 0)) throw std::invalid_argument("Pdfa::set_row: expected probabilities");
    sum += p;
  }
  if (row.size() != row_size() || !(sum > 0) || !std::isfinite(sum)) {
    throw std::invalid_argument("Pdfa::set_row: expected a distribution over symbols and end");
  }
  // What adds up already keeps its bits, so that a file can be read and written again.
  if (std::abs(sum - 1) < 1e-12) sum = 1;
  for (std::size_t b = 0; b < row.size(); ++b) {
    probabilities_[index(state) * row_size() + b] = row[b] / sum;
  }
}

LState Pdfa::run(WordView word) const {
  LState state = initial_;
  for (const Symbol symbol : word) state = next(state, symbol);
  return state;
}

double Pdfa::log_probability(WordView word) const {
  LState state = initial_;
  double sum = 0;
  for (const Symbol symbol : word) {
    sum += std::log(probability(state, symbol));
    state = next(state, symbol);
  }
  return sum + std::log(end(state));
}

double Pdfa::probability(WordView word) const {
  return std::exp(log_probability(word));
}

Word Pdfa::sample(Random& random, std::size_t longest) const {
  Word word;
  LState state = initial_;
  while (word.size() < longest) {
    double left = random.unit();
    const std::span<const double> of = row(state);
    std::size_t b = 0;
    // Rounding may leave a rest: it belongs to the last entry that is possible.
    std::size_t last = 0;
    for (; b < of.size(); ++b) {
      if (of[b] > 0) last = b;
      left -= of[b];
      if (left < 0) break;
    }
    if (b == of.size()) b = last;
    if (b == symbol_count_) break;
    word.push_back(static_cast<Symbol>(b));
    state = next(state, word.back());
  }
  return word;
}

Pdfa canonical(const Pdfa& pdfa) {
  std::vector<std::size_t> number(pdfa.size(), pdfa.size());
  std::vector<LState> order{pdfa.initial()};
  number[index(pdfa.initial())] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
      const LState to = pdfa.next(order[i], static_cast<Symbol>(a));
      if (number[index(to)] < pdfa.size()) continue;
      number[index(to)] = order.size();
      order.push_back(to);
    }
  }
  Pdfa result(pdfa.symbol_count(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto state = static_cast<LState>(i);
    result.set_row(state, pdfa.row(order[i]));
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      result.set_next(state, symbol,
                      static_cast<LState>(number[index(pdfa.next(order[i], symbol))]));
    }
  }
  return result;
}

Pdfa minimise(const Pdfa& given, double tolerance) {
  const Pdfa pdfa = canonical(given);
  const std::size_t n = pdfa.size();
  const std::size_t k = pdfa.symbol_count();
  // Moore's rounds. The first blocks: rows, rounded to the tolerance.
  std::vector<std::size_t> block(n);
  std::size_t blocks = 0;
  {
    std::map<std::vector<std::int64_t>, std::size_t> found;
    for (std::size_t q = 0; q < n; ++q) {
      std::vector<std::int64_t> key;
      for (const double p : pdfa.row(static_cast<LState>(q))) {
        key.push_back(std::llround(p / tolerance));
      }
      block[q] = found.emplace(std::move(key), found.size()).first->second;
    }
    blocks = found.size();
  }
  while (true) {
    std::map<std::vector<std::size_t>, std::size_t> found;
    std::vector<std::size_t> refined(n);
    for (std::size_t q = 0; q < n; ++q) {
      std::vector<std::size_t> key{block[q]};
      for (std::size_t a = 0; a < k; ++a) {
        key.push_back(block[index(pdfa.next(static_cast<LState>(q), static_cast<Symbol>(a)))]);
      }
      refined[q] = found.emplace(std::move(key), found.size()).first->second;
    }
    block = std::move(refined);
    if (found.size() == blocks) break;
    blocks = found.size();
  }
  Pdfa merged(k, blocks);
  merged.set_initial(static_cast<LState>(block[index(pdfa.initial())]));
  for (std::size_t q = n; q-- > 0;) {  // of each block, the first state has the last word
    const auto state = static_cast<LState>(block[q]);
    merged.set_row(state, pdfa.row(static_cast<LState>(q)));
    for (std::size_t a = 0; a < k; ++a) {
      const auto symbol = static_cast<Symbol>(a);
      merged.set_next(state, symbol,
                      static_cast<LState>(block[index(pdfa.next(static_cast<LState>(q), symbol))]));
    }
  }
  return canonical(merged);
}

double perplexity(const Pdfa& pdfa, std::span<const Word> words) {
  double sum = 0;
  std::size_t symbols = 0;
  for (const Word& word : words) {
    sum += pdfa.log_probability(word);
    symbols += word.size() + 1;
  }
  return symbols == 0 ? 1 : std::exp(-sum / static_cast<double>(symbols));
}

std::vector<ProbableWord> most_probable_words(const Pdfa& pdfa, std::size_t count, double least) {
  // Best first over prefixes: the probability of a prefix bounds that of its continuations.
  struct Open {
    double probability;
    Word word;
    LState state;
    bool ended;
  };
  const auto later = [](const Open& a, const Open& b) {
    if (a.probability != b.probability) return a.probability < b.probability;
    if (a.word != b.word) return shortlex_less(b.word, a.word);
    return a.ended < b.ended;
  };
  std::priority_queue<Open, std::vector<Open>, decltype(later)> open(later);
  open.push({1, {}, pdfa.initial(), false});
  std::vector<ProbableWord> found;
  for (std::size_t looked = 0; looked < kMostSearched && !open.empty(); ++looked) {
    if (found.size() == count) break;
    const Open best = open.top();
    open.pop();
    if (best.ended) {
      found.push_back({best.word, best.probability});
      continue;
    }
    const double ends = best.probability * pdfa.end(best.state);
    if (ends >= least) open.push({ends, best.word, best.state, true});
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      const double p = best.probability * pdfa.probability(best.state, symbol);
      if (p < least) continue;
      Word longer = best.word;
      longer.push_back(symbol);
      open.push({p, std::move(longer), pdfa.next(best.state, symbol), false});
    }
  }
  return found;
}

}  // namespace rnnalf
