#include "rnnalf/language_model/fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rnnalf/language_model/contexts.hpp"

namespace rnnalf {
namespace {

const double kDecade = std::log(10.0);
constexpr double kImpossible = -30;         // the logarithm of 0 where transitions are compared
constexpr std::size_t kMostCompared = 400;  // words that choose a transition
constexpr std::size_t kFirstCompared = 24;  // after which hopeless successors are given up
constexpr double kLeastSplit = 20;          // words for which a state is split
constexpr double kLeastRead = 1e-9;         // probability, in a logarithm
constexpr double kHopeless = 8;             // decades in all, by then

/// The words that the network thinks possible, as the fit needs them.
struct FitData {
  struct Place {
    std::uint32_t read;  ///< symbol, or the end
    float wanted;        ///< logarithm of the network's probability
  };
  std::size_t row_size = 0;
  std::vector<Place> places = {};
  std::vector<std::size_t> first{0};
  std::vector<std::size_t> rows = {};  ///< by place: number of the model words' row

  explicit FitData(const ModelWords& words) : row_size(words.row_size()) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!std::isfinite(words.log_probability(i))) continue;
      for (std::size_t length = 0; length <= words.word(i).size(); ++length) {
        const std::size_t number = words.first(i) + length;
        const std::size_t read = words.read_after(i, length);
        places.push_back({static_cast<std::uint32_t>(read), std::log(words.row(number)[read])});
        rows.push_back(number);
      }
      first.push_back(places.size());
    }
  }
  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  [[nodiscard]] std::size_t symbol_count() const { return row_size - 1; }
};

/// States that words pass through: by place.
std::vector<std::uint32_t> paths(const Pdfa& pdfa, const FitData& data) {
  std::vector<std::uint32_t> path(data.places.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    LState state = pdfa.initial();
    for (std::size_t at = data.first[i]; at < data.first[i + 1]; ++at) {
      path[at] = static_cast<std::uint32_t>(index(state));
      const std::uint32_t read = data.places[at].read;
      if (read < data.symbol_count()) state = pdfa.next(state, static_cast<Symbol>(read));
    }
  }
  return path;
}

/// The states that no word reaches become the successors of those transitions whose words differ
/// most from the others that reach the same state: a state is split where the error is.
void split_where_error_is(Pdfa& pdfa, const ModelWords& words, const FitData& data) {
  const std::size_t k = pdfa.symbol_count();
  const std::size_t size = data.row_size;
  const std::vector<std::uint32_t> path = paths(pdfa, data);
  std::vector<double> visits(pdfa.size(), 0), taken(pdfa.size() * k, 0);
  std::vector<double> logs(pdfa.size() * size, 0), taken_logs(taken.size() * size, 0);
  std::vector<double> read(pdfa.size() * size, 0);
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (std::size_t at = data.first[i]; at < data.first[i + 1]; ++at) {
      const auto row = words.row(data.rows[at]);
      const bool is_first = at == data.first[i];
      const std::size_t by = is_first ? 0 : path[at - 1] * k + data.places[at - 1].read;
      visits[path[at]] += 1;
      read[path[at] * size + data.places[at].read] += 1;
      if (!is_first) taken[by] += 1;
      for (std::size_t b = 0; b < size; ++b) {
        const double log = std::log(std::max<double>(row[b], kLeastRead));
        logs[path[at] * size + b] += log;
        if (!is_first) taken_logs[by * size + b] += log;
      }
    }
  }
  std::vector<std::pair<double, std::size_t>> gains;
  for (std::size_t by = 0; by < taken.size(); ++by) {
    if (taken[by] < kLeastSplit) continue;
    const std::size_t to =
        index(pdfa.next(static_cast<LState>(by / k), static_cast<Symbol>(by % k)));
    if (taken[by] == visits[to]) continue;
    double gain = 0;
    for (std::size_t b = 0; b < size; ++b) {
      const double difference =
          taken_logs[by * size + b] / taken[by] - logs[to * size + b] / visits[to];
      gain += read[to * size + b] / visits[to] * difference * difference;
    }
    gains.emplace_back(gain * taken[by], by);
  }
  std::stable_sort(gains.begin(), gains.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::size_t next = 0;
  for (std::size_t q = 0; q < pdfa.size() && next < gains.size(); ++q) {
    if (visits[q] > 0) continue;
    const std::size_t by = gains[next++].second;
    const auto from = static_cast<LState>(by / k);
    const auto symbol = static_cast<Symbol>(by % k);
    const auto fresh = static_cast<LState>(q);
    const LState old = pdfa.next(from, symbol);
    for (std::size_t a = 0; a < k; ++a) {
      pdfa.set_next(fresh, static_cast<Symbol>(a), pdfa.next(old, static_cast<Symbol>(a)));
    }
    pdfa.set_row(fresh, std::vector<double>(pdfa.row(old).begin(), pdfa.row(old).end()));
    pdfa.set_next(from, symbol, fresh);
  }
  set_mean_rows(pdfa, words);
}

/// Gradient descent (Adam) on the logits of all rows:
///   mean over words of |e|, e = log10 p - log10 p*, plus weight * KL(p* row, row) per word.
class RowFit {
 public:
  RowFit(const Pdfa& pdfa, const ModelWords& words, const FitData& data, double weight)
      : data_(data),
        row_size_(data.row_size),
        states_(pdfa.size()),
        path_(paths(pdfa, data)),
        weight_(weight),
        logits_(states_ * row_size_),
        possible_(states_ * row_size_),
        meant_(states_ * row_size_, 0),
        visits_(states_, 0) {
    for (std::size_t q = 0; q < states_; ++q) {
      const auto row = pdfa.row(static_cast<LState>(q));
      for (std::size_t b = 0; b < row_size_; ++b) {
        possible_[q * row_size_ + b] = row[b] > 0;
        logits_[q * row_size_ + b] = row[b] > 0 ? std::log(row[b]) : 0;
      }
    }
    for (std::size_t at = 0; at < data.places.size(); ++at) {
      const auto row = words.row(data.rows[at]);
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      for (std::size_t b = 0; b < row_size_; ++b) {
        meant_[path_[at] * row_size_ + b] += row[b] / sum;
      }
      visits_[path_[at]] += 1;
    }
  }

  void descend(std::size_t steps, const Budget& budget) {
    std::vector<double> first(logits_.size(), 0), second(logits_.size(), 0), slope(logits_.size());
    for (std::size_t step = 0; step < steps && !budget.spent(); ++step) {
      const double done = static_cast<double>(step) / static_cast<double>(steps);
      normalise();
      gradient(std::max(0.02, 0.3 * (1 - done / 0.8)), slope);
      const double rate = 0.05 * (done < 0.5 ? 1 : 2 * (1 - done) + 0.02);
      const double fade_first = 1 - std::pow(0.9, static_cast<double>(step + 1));
      const double fade_second = 1 - std::pow(0.99, static_cast<double>(step + 1));
      for (std::size_t i = 0; i < logits_.size(); ++i) {
        first[i] = 0.9 * first[i] + 0.1 * slope[i];
        second[i] = 0.99 * second[i] + 0.01 * slope[i] * slope[i];
        logits_[i] -= rate * (first[i] / fade_first) / (std::sqrt(second[i] / fade_second) + 1e-5);
      }
    }
    normalise();
  }

  void write(Pdfa& pdfa) const {
    std::vector<double> row(row_size_);
    for (std::size_t q = 0; q < states_; ++q) {
      if (visits_[q] == 0) continue;  // nothing is known of it: as it was
      for (std::size_t b = 0; b < row_size_; ++b) {
        const std::size_t i = q * row_size_ + b;
        row[b] = possible_[i] ? std::exp(logits_[i]) : 0;
      }
      pdfa.set_row(static_cast<LState>(q), row);
    }
  }

 private:
  /// The possible entries of every row become logarithms of probabilities that sum to 1.
  void normalise() {
    for (std::size_t q = 0; q < states_; ++q) {
      double* const row = logits_.data() + q * row_size_;
      double most = -HUGE_VAL;
      for (std::size_t b = 0; b < row_size_; ++b) {
        if (possible_[q * row_size_ + b]) most = std::max(most, row[b]);
      }
      double sum = 0;
      for (std::size_t b = 0; b < row_size_; ++b) {
        if (possible_[q * row_size_ + b]) sum += std::exp(row[b] - most);
      }
      const double log_sum = most + std::log(sum);
      for (std::size_t b = 0; b < row_size_; ++b) row[b] -= log_sum;
    }
  }

  /// `width`: |e| is taken as sqrt(e^2 + width^2).
  void gradient(double width, std::vector<double>& slope) const {
    std::fill(slope.begin(), slope.end(), 0.0);
    std::vector<double> of_state(states_, 0);
    const auto words = static_cast<double>(data_.size());
    for (std::size_t i = 0; i < data_.size(); ++i) {
      double error = 0;
      for (std::size_t at = data_.first[i]; at < data_.first[i + 1]; ++at) {
        error += logits_[path_[at] * row_size_ + data_.places[at].read] - data_.places[at].wanted;
      }
      error /= kDecade;
      const double sign = error / std::sqrt(error * error + width * width) / words;
      for (std::size_t at = data_.first[i]; at < data_.first[i + 1]; ++at) {
        slope[path_[at] * row_size_ + data_.places[at].read] += sign;
        of_state[path_[at]] += sign;
      }
    }
    for (std::size_t q = 0; q < states_; ++q) {
      for (std::size_t b = 0; b < row_size_; ++b) {
        const std::size_t i = q * row_size_ + b;
        if (!possible_[i]) {
          slope[i] = 0;
          continue;
        }
        const double p = std::exp(logits_[i]);
        slope[i] += weight_ * (visits_[q] * p - meant_[i]) / words - of_state[q] * p;
      }
    }
  }

  const FitData& data_;
  std::size_t row_size_;
  std::size_t states_;
  std::vector<std::uint32_t> path_;
  double weight_;
  std::vector<double> logits_;
  std::vector<bool> possible_;
  std::vector<double> meant_;   ///< the network's rows, summed over the visits of a state
  std::vector<double> visits_;  ///< of a state
};

/// Chooses transitions one after the other, those most taken first.
class TransitionFit {
 public:
  TransitionFit(Pdfa& pdfa, const FitData& data, double symbol_weight, std::uint64_t seed)
      : pdfa_(pdfa),
        data_(data),
        symbol_weight_(symbol_weight),
        random_(seed),
        path_(paths(pdfa, data)),
        error_(data.size()),
        logs_(pdfa.size() * data.row_size) {
    for (std::size_t q = 0; q < pdfa.size(); ++q) {
      const auto row = pdfa.row(static_cast<LState>(q));
      for (std::size_t b = 0; b < row.size(); ++b) {
        logs_[q * data.row_size + b] = row[b] > 0 ? std::log(row[b]) : kImpossible;
      }
    }
    for (std::size_t i = 0; i < data.size(); ++i) error_[i] = error_of(i);
  }

  /// How many were changed.
  std::size_t sweep(const Budget& budget) {
    const std::size_t k = pdfa_.symbol_count();
    std::vector<std::vector<Taken>> taken(pdfa_.size() * k);
    for (std::size_t i = 0; i < data_.size(); ++i) {
      for (std::size_t at = data_.first[i]; at + 1 < data_.first[i + 1]; ++at) {
        std::vector<Taken>& all = taken[path_[at] * k + data_.places[at].read];
        if (all.empty() || all.back().word != i) all.push_back({i, at});  // the first in its word
      }
    }
    std::vector<std::size_t> order(taken.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return taken[a].size() > taken[b].size();
    });
    std::size_t changed = 0;
    for (const std::size_t transition : order) {
      if (taken[transition].empty() || budget.spent()) break;
      const std::uint32_t from = static_cast<std::uint32_t>(transition / k);
      std::vector<Taken> still;  // what was changed before may lead words elsewhere
      for (const Taken& one : taken[transition]) {
        if (path_[one.at] == from) still.push_back(one);
      }
      if (still.empty()) continue;
      if (choose(static_cast<LState>(from), static_cast<Symbol>(transition % k), still)) {
        ++changed;
        for (const Taken& one : taken[transition]) run(one.word);
      }
    }
    return changed;
  }

 private:
  /// A transition is taken in a word, for the first time behind this place.
  struct Taken {
    std::size_t word;
    std::size_t at;
  };

  [[nodiscard]] double error_at(std::uint32_t state, std::size_t at) const {
    const FitData::Place& place = data_.places[at];
    return (logs_[state * data_.row_size + place.read] - place.wanted) / kDecade;
  }

  [[nodiscard]] double error_of(std::size_t word) const {
    double sum = 0;
    for (std::size_t at = data_.first[word]; at < data_.first[word + 1]; ++at) {
      sum += error_at(path_[at], at);
    }
    return sum;
  }

  void run(std::size_t word) {
    LState state = pdfa_.initial();
    for (std::size_t at = data_.first[word]; at < data_.first[word + 1]; ++at) {
      path_[at] = static_cast<std::uint32_t>(index(state));
      const std::uint32_t read = data_.places[at].read;
      if (read < data_.symbol_count()) state = pdfa_.next(state, static_cast<Symbol>(read));
    }
    error_[word] = error_of(word);
  }

  /// What it would cost these words to be in `state` behind their places, more than as it is. Ends
  /// where the two ways meet.
  [[nodiscard]] double cost(const std::vector<Taken>& taken, LState state, double best) const {
    double sum = 0;
    for (std::size_t n = 0; n < taken.size(); ++n) {
      const auto [word, place] = taken[n];
      auto q = static_cast<std::uint32_t>(index(state));
      double change = 0;
      double squares = 0;
      for (std::size_t at = place + 1; at < data_.first[word + 1] && q != path_[at]; ++at) {
        const double now = error_at(q, at);
        const double before = error_at(path_[at], at);
        change += now - before;
        squares += now * now - before * before;
        const std::uint32_t read = data_.places[at].read;
        if (read < data_.symbol_count()) {
          q = static_cast<std::uint32_t>(
              index(pdfa_.next(static_cast<LState>(q), static_cast<Symbol>(read))));
        }
      }
      sum += std::abs(error_[word] + change) - std::abs(error_[word]) + symbol_weight_ * squares;
      if (n == kFirstCompared && sum > best + kHopeless) break;
    }
    return sum;
  }

  bool choose(LState from, Symbol symbol, std::vector<Taken>& taken) {
    if (taken.size() > kMostCompared) {
      for (std::size_t n = 0; n < kMostCompared; ++n) {
        std::swap(taken[n], taken[n + random_.below(taken.size() - n)]);
      }
      taken.resize(kMostCompared);
    }
    const LState old = pdfa_.next(from, symbol);
    LState chosen = old;
    double best = -1e-9;
    for (std::size_t q = 0; q < pdfa_.size(); ++q) {
      const auto state = static_cast<LState>(q);
      if (state == old) continue;
      pdfa_.set_next(from, symbol, state);
      const double found = cost(taken, state, best);
      if (found < best) {
        best = found;
        chosen = state;
      }
    }
    pdfa_.set_next(from, symbol, chosen);
    return chosen != old;
  }

  Pdfa& pdfa_;
  const FitData& data_;
  double symbol_weight_;
  Random random_;
  std::vector<std::uint32_t> path_;
  std::vector<double> error_;  ///< of each word, in decades, with its sign
  std::vector<double> logs_;
};

}  // namespace

double decades(const Pdfa& pdfa, const ModelWords& words) {
  double sum = 0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double error = pdfa.log_probability(words.word(i)) - words.log_probability(i);
    if (!std::isfinite(error)) continue;
    sum += std::abs(error) / kDecade;
    ++counted;
  }
  return counted == 0 ? 0 : sum / static_cast<double>(counted);
}

Pdfa with_states(const Pdfa& pdfa, std::size_t states) {
  Pdfa larger(pdfa.symbol_count(), std::max(states, pdfa.size()));
  larger.set_initial(pdfa.initial());
  for (std::size_t q = 0; q < pdfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    larger.set_row(state, pdfa.row(state));
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      larger.set_next(state, symbol, pdfa.next(state, symbol));
    }
  }
  return larger;
}

void fit_rows(Pdfa& pdfa, const ModelWords& words, const FitOptions& options,
              const Budget& budget) {
  const FitData data(words);
  if (data.size() == 0) return;
  RowFit rows(pdfa, words, data, options.divergence_weight);
  rows.descend(options.row_steps, budget);
  rows.write(pdfa);
}

Pdfa fit(Pdfa pdfa, const ModelWords& words, const ModelWords& held_out, const FitOptions& options,
         const Budget& budget, Progress* progress) {
  const FitData data(words);
  if (data.size() == 0) return pdfa;
  Pdfa best = pdfa;
  double fewest = decades(best, held_out);
  const auto keep_if_better = [&] {
    const double found = decades(pdfa, held_out);
    if (found >= fewest) return false;
    fewest = found;
    best = pdfa;
    return true;
  };
  split_where_error_is(pdfa, words, data);
  fit_rows(pdfa, words, options, budget);
  static_cast<void>(keep_if_better());
  std::size_t worse = 0;
  for (std::size_t round = 0; round < options.rounds && !budget.spent(); ++round) {
    if (progress != nullptr) progress->rounds.fetch_add(1, std::memory_order_relaxed);
    split_where_error_is(pdfa, words, data);
    const std::size_t changed =
        TransitionFit(pdfa, data, options.symbol_weight, options.seed + round).sweep(budget);
    // A state may now be reached by other words, also by some that read what was impossible there.
    set_mean_rows(pdfa, words);
    fit_rows(pdfa, words, options, budget);
    worse = keep_if_better() ? 0 : worse + 1;
    if (changed == 0 || worse == 3) break;
  }
  // With the structure found, less or more freedom of the rows may do better.
  for (const double factor : {0.3, 3.0}) {
    if (budget.spent()) break;
    pdfa = canonical(best);
    set_mean_rows(pdfa, words);
    FitOptions other = options;
    other.divergence_weight *= factor;
    fit_rows(pdfa, words, other, budget);
    static_cast<void>(keep_if_better());
  }
  return canonical(best);
}

}  // namespace rnnalf
