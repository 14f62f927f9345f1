#include "support/coded_dfa.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace rnnalf::support {

CodedDfa::CodedDfa(Dfa dfa, std::size_t dimensions, double noise, std::uint64_t seed,
                   std::size_t columns_worth_a_call)
    : dfa_(std::move(dfa)),
      dimensions_(dimensions),
      noise_(noise),
      columns_worth_a_call_(columns_worth_a_call) {
  Random random(seed);
  const auto far_from_others = [&](std::size_t state) {
    for (std::size_t other = 0; other < state; ++other) {
      double gap = 0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        gap = std::max(gap,
                       std::abs(codes_[state * dimensions + d] - codes_[other * dimensions + d]));
      }
      if (gap < 1) return false;
    }
    return true;
  };
  for (std::size_t state = 0; state < dfa_.size(); ++state) {
    codes_.resize((state + 1) * dimensions);
    do {
      for (std::size_t d = 0; d < dimensions; ++d)
        codes_[state * dimensions + d] = 6 * random.unit() - 3;
    } while (!far_from_others(state));
  }
}

std::vector<double> CodedDfa::initial_state() const {
  const auto* const code = codes_.data() + index(dfa_.initial()) * dimensions_;
  return {code, code + dimensions_};
}

LState CodedDfa::decode(std::span<const double> state) const {
  std::size_t nearest = 0;
  double least = HUGE_VAL;
  for (std::size_t q = 0; q < dfa_.size(); ++q) {
    double gap = 0;
    for (std::size_t d = 0; d < dimensions_; ++d)
      gap = std::max(gap, std::abs(state[d] - codes_[q * dimensions_ + d]));
    if (gap < least) {
      least = gap;
      nearest = q;
    }
  }
  return static_cast<LState>(nearest);
}

void CodedDfa::step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const {
  for (std::size_t i = 0; i < states.count; ++i) {
    std::uint64_t history = index(symbols[i]);
    for (const double value : states.col(i))
      history = (history ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
    Random random(history);
    const LState target = dfa_.next(decode(states.col(i)), symbols[i]);
    for (std::size_t d = 0; d < dimensions_; ++d) {
      next.col(i)[d] = codes_[index(target) * dimensions_ + d] + noise_ * (2 * random.unit() - 1);
    }
  }
}

void CodedDfa::margins(ConstRStates states, std::span<double> margins) const {
  for (std::size_t i = 0; i < states.count; ++i)
    margins[i] = dfa_.is_moore() || dfa_.accepts(decode(states.col(i))) ? 1 : -1;
}

void CodedDfa::judge(ConstRStates states, std::span<Judgement> judged) const {
  for (std::size_t i = 0; i < states.count; ++i) {
    const Answer answer = dfa_.answer(decode(states.col(i)));
    judged[i] = {answer, dfa_.is_moore() || answer == Answer::Accept ? 1.0 : -1.0};
  }
}

Dfa random_minimal_dfa(std::size_t states, std::size_t symbols, Random& random,
                       std::size_t answers) {
  Dfa dfa(symbols, states, answers);
  for (std::size_t q = 0; q < states; ++q) {
    dfa.set_answer(static_cast<LState>(q), static_cast<Answer>(random.below(answers)));
    for (std::size_t a = 0; a < symbols; ++a) {
      dfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a),
                   static_cast<LState>(random.below(states)));
    }
  }
  return minimise(dfa);
}

Dfa tomita(int number) {
  struct Row {
    int on_zero, on_one;
    bool accepting;
  };
  static const std::vector<std::vector<Row>> tables = {
      {{1, 0, true}, {1, 1, false}},
      {{2, 1, true}, {0, 2, false}, {2, 2, false}},
      // 0: even run of 1s so far, 1: odd run of 1s, 2: after it an odd run of 0s, 3: even run, 4:
      // dead (an odd run of 0s was completed), 5: after an odd run of 1s and an even run of 0s,
      // again 1s.
      {{0, 1, true}, {2, 0, true}, {3, 4, false}, {2, 5, true}, {4, 4, false}, {2, 5, true}},
      {{1, 0, true}, {2, 0, true}, {3, 0, true}, {3, 3, false}},
      {{1, 2, true}, {0, 3, false}, {3, 0, false}, {2, 1, false}},
      {{1, 2, true}, {2, 0, false}, {0, 1, false}},
      {{0, 1, true}, {2, 1, true}, {2, 3, true}, {4, 3, true}, {4, 4, false}}};
  const auto& rows = tables.at(static_cast<std::size_t>(number - 1));
  Dfa dfa(2, rows.size());
  for (std::size_t q = 0; q < rows.size(); ++q) {
    const auto state = static_cast<LState>(q);
    dfa.set_accepting(state, rows[q].accepting);
    dfa.set_next(state, Symbol{0}, static_cast<LState>(rows[q].on_zero));
    dfa.set_next(state, Symbol{1}, static_cast<LState>(rows[q].on_one));
  }
  return minimise(dfa);
}

}  // namespace rnnalf::support
