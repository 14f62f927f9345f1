#include "rnnalf/language_model/distribution_classes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/language_model/model_words.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kMostCells = 60'000;

using Cell = std::vector<std::int32_t>;

struct CellHash {
  std::size_t operator()(const Cell& cell) const noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::int32_t part : cell) {
      hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x100000001b3U;
    }
    return hash;
  }
};

class ClassedAcceptor final : public RnnAcceptor {
 public:
  ClassedAcceptor(const LanguageModel& model, double width) : model_(model), width_(width) {}

  [[nodiscard]] std::size_t state_size() const override { return model_.acceptor->state_size(); }
  [[nodiscard]] std::size_t symbol_count() const override { return model_.symbol_count(); }
  [[nodiscard]] std::size_t answer_count() const override { return kMostCells; }
  [[nodiscard]] Precision precision() const override { return model_.acceptor->precision(); }
  [[nodiscard]] std::size_t columns_worth_a_call() const override {
    return model_.acceptor->columns_worth_a_call();
  }
  [[nodiscard]] std::vector<double> initial_state() const override {
    return model_.acceptor->initial_state();
  }
  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    model_.acceptor->step(states, symbols, next);
  }
  void margins(ConstRStates states, std::span<double> margins) const override {
    std::vector<Judgement> judged(states.count);
    judge(states, judged);
    for (std::size_t i = 0; i < judged.size(); ++i) margins[i] = judged[i].margin;
  }
  /// The margin: how far the nearest border of the cell is.
  void judge(ConstRStates states, std::span<Judgement> judged) const override {
    const std::size_t size = model_.row_size();
    std::vector<double> rows(states.count * size);
    distributions(model_, states, rows);
    const std::lock_guard lock(mutex_);
    Cell cell(size);
    for (std::size_t i = 0; i < states.count; ++i) {
      double margin = 1;
      for (std::size_t b = 0; b < size; ++b) {
        const double at = rows[i * size + b] / width_;
        cell[b] = static_cast<std::int32_t>(std::floor(at));
        margin = std::min({margin, at - cell[b], cell[b] + 1 - at});
      }
      judged[i] = {number(cell), margin * width_};
    }
  }
  void probabilities(ConstRStates states, std::span<double> probabilities) const override {
    static_cast<void>(states);
    for (double& p : probabilities) p = 1;  // a cell is certain
  }

 private:
  /// Under the lock.
  [[nodiscard]] Answer number(const Cell& cell) const {
    const auto [at, is_new] = cells_.try_emplace(cell, static_cast<Answer>(cells_.size()));
    if (is_new && cells_.size() > kMostCells) {
      throw NetworkFileError(model_.summary.file,
                             "language model: expected at most 60000 classes of distributions, "
                             "found more. Use wider classes");
    }
    return at->second;
  }

  LanguageModel model_;
  double width_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<Cell, Answer, CellHash> cells_;
};

}  // namespace

std::unique_ptr<RnnAcceptor> with_distribution_classes(const LanguageModel& model, double width) {
  return std::make_unique<ClassedAcceptor>(model, width);
}

Pdfa with_distributions(const Dfa& machine, const LanguageModel& model) {
  Pdfa pdfa(machine.symbol_count(), machine.size());
  pdfa.set_initial(machine.initial());
  const RnnAcceptor& acceptor = *model.acceptor;
  const std::size_t size = acceptor.state_size();
  // Breadth first over the machine, each state with the R-state it is reached with first.
  std::vector<bool> seen(machine.size(), false);
  std::vector<LState> level{machine.initial()};
  std::vector<double> states = acceptor.initial_state();
  seen[index(machine.initial())] = true;
  while (!level.empty()) {
    std::vector<double> rows(level.size() * model.row_size());
    distributions(model, {states.data(), size, level.size()}, rows);
    std::vector<LState> reached;
    std::vector<double> from;
    std::vector<Symbol> symbols;
    for (std::size_t i = 0; i < level.size(); ++i) {
      pdfa.set_row(level[i], {rows.data() + i * model.row_size(), model.row_size()});
      for (std::size_t a = 0; a < machine.symbol_count(); ++a) {
        const auto symbol = static_cast<Symbol>(a);
        const LState to = machine.next(level[i], symbol);
        pdfa.set_next(level[i], symbol, to);
        if (seen[index(to)]) continue;
        seen[index(to)] = true;
        reached.push_back(to);
        symbols.push_back(symbol);
        from.insert(from.end(), states.begin() + static_cast<std::ptrdiff_t>(i * size),
                    states.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
      }
    }
    states.resize(from.size());
    if (!reached.empty()) {
      acceptor.step({from.data(), size, reached.size()}, symbols,
                    {states.data(), size, reached.size()});
    }
    level = std::move(reached);
  }
  return canonical(pdfa);
}

}  // namespace rnnalf
