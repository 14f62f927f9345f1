#include "rnnalf/certify/short_words.hpp"

#include <algorithm>

namespace rnnalf::certify {

ShortWords::ShortWords(const RnnAcceptor& acceptor, const Dfa& dfa)
    : acceptor_(acceptor), dfa_(dfa), states_(acceptor.initial_state()), at_{dfa.initial()} {}

Word ShortWords::word(std::size_t position) const {
  Word word;
  std::size_t shorter = at_.size();
  for (std::size_t i = 0; i <= length_; ++i) {
    word.push_back(Symbol(position / shorter));
    position %= shorter;
    shorter /= dfa_.symbol_count();
  }
  std::reverse(word.begin(), word.end());
  return word;
}

std::optional<Word> ShortWords::run(std::size_t most, const Budget& budget) {
  constexpr std::size_t lot = 256;  // R-states stepped between two looks at the budget
  const std::size_t size = acceptor_.state_size();
  while (at_.size() * dfa_.symbol_count() <= most) {
    std::vector<double> next(states_.size() * dfa_.symbol_count()), margins(lot);
    std::vector<LState> after;
    for (std::size_t a = 0; a < dfa_.symbol_count(); ++a) {
      const std::vector<Symbol> symbols(lot, Symbol(a));
      for (std::size_t first = 0; first < at_.size(); first += lot) {
        if (budget.spent()) return std::nullopt;
        const std::size_t count = std::min(lot, at_.size() - first);
        const RStates images{next.data() + after.size() * size, size, count};
        acceptor_.step({states_.data() + first * size, size, count}, {symbols.data(), count},
                       images);
        acceptor_.margins(images, {margins.data(), count});
        for (std::size_t i = 0; i < count; ++i) {
          after.push_back(dfa_.next(at_[first + i], Symbol(a)));
          if ((margins[i] > 0) != dfa_.accepts(after.back())) return word(after.size() - 1);
        }
      }
    }
    states_.swap(next);
    at_.swap(after);
    ++length_;
  }
  return std::nullopt;
}

}  // namespace rnnalf::certify
