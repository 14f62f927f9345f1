#include "rnnalf/language_model/model_words.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "rnnalf/states/workers.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kWordsTogether = 1024;  // in lockstep
constexpr std::size_t kColumns = 128;         // per call of the acceptor
constexpr std::size_t kWordsInAnyCase = 16;
constexpr std::size_t kShort = 20;

/// A word on its way.
struct Walk {
  Word word = {};
  std::vector<float> rows = {};
  std::vector<float> states = {};
};

/// What word i reads next: a symbol, or the number of symbols for the end.
using Choose =
    std::function<std::size_t(std::size_t i, const Word& prefix, std::span<const double> row)>;

/// Runs words in lockstep until all have ended.
class Lockstep {
 public:
  Lockstep(const LanguageModel& model, unsigned threads, std::size_t state_numbers)
      : model_(model), workers_(threads), state_numbers_(state_numbers) {
    const std::size_t size = model.acceptor->state_size();
    if (state_numbers_ >= size) return;
    Random random(1);
    for (std::size_t i = 0; i < state_numbers_ * size; ++i) {
      signs_.push_back(random.below(2) == 0 ? 1.0F : -1.0F);
    }
  }

  /// Adds `count` words; none, and false, when the budget ended first.
  bool run(std::size_t count, const Choose& choose, const Budget& budget, Progress* progress,
           ModelWords& words) {
    const RnnAcceptor& acceptor = *model_.acceptor;
    const std::size_t size = acceptor.state_size();
    const std::size_t k = model_.symbol_count();
    std::vector<Walk> walks(count);
    std::vector<std::size_t> open(count);
    for (std::size_t i = 0; i < count; ++i) open[i] = i;
    const std::vector<double> initial = acceptor.initial_state();
    std::vector<double> states;
    for (std::size_t i = 0; i < count; ++i) {
      states.insert(states.end(), initial.begin(), initial.end());
    }
    std::vector<double> next, rows;
    std::vector<Symbol> symbols;
    bool complete = true;
    while (!open.empty()) {
      if (budget.spent()) {
        complete = false;
        break;
      }
      rows.resize(open.size() * model_.row_size());
      workers_.split(open.size(), kColumns, [&](std::size_t first, std::size_t columns) {
        distributions(model_, {states.data() + first * size, size, columns},
                      {rows.data() + first * model_.row_size(), columns * model_.row_size()});
      });
      symbols.clear();
      std::size_t kept = 0;
      for (std::size_t j = 0; j < open.size(); ++j) {
        Walk& walk = walks[open[j]];
        const std::span<const double> row(rows.data() + j * model_.row_size(), model_.row_size());
        for (const double p : row) walk.rows.push_back(static_cast<float>(p));
        keep_state({states.data() + j * size, size}, walk.states);
        const std::size_t chosen = choose(open[j], walk.word, row);
        if (chosen >= k) continue;
        walk.word.push_back(static_cast<Symbol>(chosen));
        symbols.push_back(walk.word.back());
        std::copy_n(states.begin() + static_cast<std::ptrdiff_t>(j * size), size,
                    states.begin() + static_cast<std::ptrdiff_t>(kept * size));
        open[kept++] = open[j];
      }
      open.resize(kept);
      next.resize(kept * size);
      workers_.split(kept, kColumns, [&](std::size_t first, std::size_t columns) {
        acceptor.step({states.data() + first * size, size, columns},
                      {symbols.data() + first, columns},
                      {next.data() + first * size, size, columns});
      });
      if (progress != nullptr) progress->steps.fetch_add(kept, std::memory_order_relaxed);
      states.swap(next);
    }
    if (!complete) return false;  // those that have ended are shorter than the others
    for (Walk& walk : walks) words.add(std::move(walk.word), walk.rows, walk.states);
    return true;
  }

 private:
  void keep_state(std::span<const double> state, std::vector<float>& kept) const {
    if (state_numbers_ == 0) return;
    if (signs_.empty()) {
      for (const double value : state) kept.push_back(static_cast<float>(value));
      return;
    }
    for (std::size_t n = 0; n < state_numbers_; ++n) {
      const float* const signs = signs_.data() + n * state.size();
      double sum = 0;
      for (std::size_t d = 0; d < state.size(); ++d) sum += signs[d] * state[d];
      kept.push_back(static_cast<float>(sum));
    }
  }

  const LanguageModel& model_;
  Workers workers_;
  std::size_t state_numbers_;
  std::vector<float> signs_;  ///< of random projections; empty: R-states are kept as they are
};

/// A symbol by its probability to a power, or the end by its own probability.
std::size_t drawn(std::span<const double> row, double power, Random& random) {
  const std::size_t k = row.size() - 1;
  double sum = 0;
  for (const double p : row) sum += p;
  if (sum <= 0 || random.unit() * sum < row[k]) return k;
  double most = 0;
  for (std::size_t b = 0; b < k; ++b) most = std::max(most, row[b]);
  if (most <= 0) return k;
  const auto weight = [&](std::size_t b) {
    return row[b] > 0 ? std::pow(row[b] / most, power) : 0.0;
  };
  double all = 0;
  for (std::size_t b = 0; b < k; ++b) all += weight(b);
  double left = random.unit() * all;
  std::size_t last = 0;
  for (std::size_t b = 0; b < k; ++b) {
    if (weight(b) <= 0) continue;
    last = b;
    left -= weight(b);
    if (left < 0) break;
  }
  return last;
}

}  // namespace

double ModelWords::log_probability(std::size_t i) const {
  double sum = 0;
  for (std::size_t length = 0; length <= words_[i].size(); ++length) {
    sum += std::log(static_cast<double>(row(first_[i] + length)[read_after(i, length)]));
  }
  return sum;
}

void ModelWords::add(Word word, std::span<const float> rows, std::span<const float> states) {
  words_.push_back(std::move(word));
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  states_.insert(states_.end(), states.begin(), states.end());
  const std::size_t count = rows.size() / row_size_;
  if (!states.empty()) state_size_ = states.size() / count;
  first_.push_back(first_.back() + count);
}

ModelWords sample_words(const LanguageModel& model, const ModelSampling& sampling,
                        const Budget& budget, Progress* progress) {
  ModelWords words(model.row_size());
  Lockstep lockstep(model, sampling.threads, sampling.state_numbers);
  Random seeds(sampling.seed);
  while (words.size() < sampling.words && words.row_count() < sampling.most_rows) {
    const std::size_t count = std::min(kWordsTogether, sampling.words - words.size());
    std::vector<Random> random;
    std::vector<double> power;
    for (std::size_t i = 0; i < count; ++i) {
      random.emplace_back(seeds.bits());
      power.push_back(sampling.powers[random.back().below(sampling.powers.size())]);
    }
    const bool complete = lockstep.run(
        count,
        [&](std::size_t i, const Word& prefix, std::span<const double> row) {
          if (prefix.size() >= sampling.longest) return row.size() - 1;
          return drawn(row, power[i], random[i]);
        },
        budget, progress, words);
    if (!complete) break;
  }
  if (words.empty()) {  // a budget that was spent at once: a few short words are always cheap
    const Budget no_limit;
    static_cast<void>(lockstep.run(
        kWordsInAnyCase,
        [&](std::size_t, const Word& prefix, std::span<const double> row) {
          return prefix.size() >= kShort ? row.size() - 1 : drawn(row, 1, seeds);
        },
        no_limit, progress, words));
  }
  return words;
}

ModelWords read_words(const LanguageModel& model, std::span<const Word> given, unsigned threads,
                      const Budget& budget) {
  ModelWords words(model.row_size());
  Lockstep lockstep(model, threads, 0);
  for (std::size_t first = 0; first < given.size(); first += kWordsTogether) {
    const std::size_t count = std::min(kWordsTogether, given.size() - first);
    const bool complete = lockstep.run(
        count,
        [&](std::size_t i, const Word& prefix, std::span<const double> row) {
          const Word& word = given[first + i];
          return prefix.size() < word.size() ? index(word[prefix.size()]) : row.size() - 1;
        },
        budget, nullptr, words);
    if (!complete) break;
  }
  return words;
}

}  // namespace rnnalf
