#include "rnnalf/certify/short_words.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace rnnalf::certify {

ShortWords::ShortWords(const RnnAcceptor& acceptor, const BaseAutomaton& base)
    : acceptor_(acceptor),
      base_(base),
      states_(acceptor.initial_state()),
      margins_(1),
      at_{BaseAutomaton::initial()} {}

Word ShortWords::word(std::size_t position) const {
  Word word;
  for (auto length = words_.rbegin(); length != words_.rend(); ++length) {
    word.push_back((*length)[position].symbol);
    position = (*length)[position].before;
  }
  std::reverse(word.begin(), word.end());
  return word;
}

double ShortWords::wrongness(std::size_t position) const {
  const bool accept = base_.demand(at_[position]).value_or(base_.property() == Property::Always);
  return accept ? -margins_[position] : margins_[position];
}

std::size_t ShortWords::successors() const {
  std::size_t count = 0;
  for (const std::size_t state : at_) {
    for (std::size_t a = 0; a < base_.symbols(); ++a) {
      if (base_.next(state, a) != BaseAutomaton::kNone) ++count;
    }
  }
  return count;
}

bool ShortWords::extend(const Budget& budget, std::optional<Word>& found) {
  constexpr std::size_t lot = 256;  // R-states stepped between two looks at the budget
  const std::size_t size = acceptor_.state_size(), count = successors();
  std::vector<Extension> words;
  std::vector<std::size_t> after;
  for (std::size_t a = 0; a < base_.symbols(); ++a) {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const std::size_t next = base_.next(at_[i], a);
      if (next == BaseAutomaton::kNone) continue;
      words.push_back({i, Symbol(a)});
      after.push_back(next);
    }
  }
  std::vector<double> next(count * size), margins(count), from(lot * size);
  std::vector<Symbol> symbols(lot);
  for (std::size_t first = 0; first < count; first += lot) {
    if (budget.spent()) return false;
    const std::size_t some = std::min(lot, count - first);
    for (std::size_t i = 0; i < some; ++i) {
      symbols[i] = words[first + i].symbol;
      std::copy_n(states_.data() + words[first + i].before * size, size, from.data() + i * size);
    }
    const RStates images{next.data() + first * size, size, some};
    acceptor_.step({from.data(), size, some}, {symbols.data(), some}, images);
    acceptor_.margins(images, {margins.data() + first, some});
  }
  words_.push_back(std::move(words));
  states_.swap(next);
  margins_.swap(margins);
  at_.swap(after);
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<bool> accept = base_.demand(at_[i]);
    if (accept && (margins_[i] > 0) != *accept) {
      found = word(i);
      break;
    }
  }
  return true;
}

std::optional<Word> ShortWords::run_all(std::size_t most, const Budget& budget) {
  constexpr std::size_t longest = 200;  // where few words are long ones: of one symbol, say
  std::optional<Word> found;
  while (words_.size() < longest && !found) {
    const std::size_t count = successors();
    if (count == 0 || count > most || !extend(budget, found)) break;
    if (!found) checked_ = words_.size();
  }
  return found;
}

void ShortWords::keep_suspects(std::size_t width) {
  std::map<std::size_t, std::vector<std::size_t>> by_state;
  for (std::size_t i = 0; i < at_.size(); ++i) by_state[at_[i]].push_back(i);
  std::vector<std::size_t> kept;
  for (auto& [state, words] : by_state) {
    std::stable_sort(words.begin(), words.end(),
                     [&](std::size_t a, std::size_t b) { return wrongness(a) > wrongness(b); });
    const std::size_t nearest = std::min(width / 2, words.size());
    kept.insert(kept.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(nearest));
    const std::size_t others = words.size() - nearest, spread = std::min(width - width / 2, others);
    for (std::size_t i = 0; i < spread; ++i) kept.push_back(words[nearest + i * others / spread]);
  }
  const std::size_t size = acceptor_.state_size();
  std::vector<double> states, margins;
  std::vector<std::size_t> at;
  std::vector<Extension> words;
  for (const std::size_t i : kept) {
    const auto first = states_.begin() + static_cast<std::ptrdiff_t>(i * size);
    states.insert(states.end(), first, first + static_cast<std::ptrdiff_t>(size));
    margins.push_back(margins_[i]);
    at.push_back(at_[i]);
    if (!words_.empty()) words.push_back(words_.back()[i]);
  }
  if (!words_.empty()) words_.back().swap(words);
  states_.swap(states);
  margins_.swap(margins);
  at_.swap(at);
}

std::optional<Word> ShortWords::run_suspects(std::size_t width, std::size_t length,
                                             const Budget& budget) {
  std::optional<Word> found;
  while (words_.size() < length && !at_.empty()) {
    keep_suspects(width);
    if (!extend(budget, found) || found) break;
  }
  return found;
}

}  // namespace rnnalf::certify
