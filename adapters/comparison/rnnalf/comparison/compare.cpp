#include "rnnalf/comparison/compare.hpp"

#include <algorithm>
#include <optional>

#include "rnnalf/comparison/measure.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

/// The words of one network at a time: extractions of a network follow each other in a plan.
class MeasuringWords {
 public:
  MeasuringWords(const ComparisonPlan& plan, const Budget& budget) : plan_(plan), budget_(budget) {}

  /// Null: the budget ended.
  const ComparisonWords* of(const PlannedExtraction& extraction) {
    if (network_ != extraction.network) {
      const auto threads =
          static_cast<unsigned>(std::max<std::uint64_t>(1, extraction.options.threads));
      current_ = make_comparison_words(plan_.networks[extraction.network], plan_.lengths,
                                       plan_.per_length, threads, budget_);
      network_ = extraction.network;
    }
    return current_ ? &*current_ : nullptr;
  }

 private:
  const ComparisonPlan& plan_;  // outlives this, as does the budget
  const Budget& budget_;
  std::optional<std::size_t> network_;
  std::optional<ComparisonWords> current_;
};

}  // namespace

std::vector<ComparisonCell> compare(const ComparisonPlan& plan, ComparisonStore& store,
                                    const Budget& budget, ComparisonObserver* observer) {
  ComparisonObserver nobody;
  ComparisonObserver& told = observer != nullptr ? *observer : nobody;
  std::vector<const ComparisonCell*> stored;
  for (const PlannedExtraction& extraction : plan.extractions) {
    stored.push_back(store.find(extraction.cell));
  }
  const auto missing = std::count(stored.begin(), stored.end(), nullptr);
  told.planned(plan.extractions.size(),
               plan.extractions.size() - static_cast<std::size_t>(missing));

  MeasuringWords words(plan, budget);
  std::vector<ComparisonCell> cells;
  for (std::size_t i = 0; i < plan.extractions.size(); ++i) {
    if (stored[i] != nullptr) {
      cells.push_back(*stored[i]);
      continue;
    }
    if (budget.spent()) continue;  // later ones may be in the store
    const PlannedExtraction& extraction = plan.extractions[i];
    const ComparedNetwork& network = plan.networks[extraction.network];
    const auto began = Clock::now();
    Progress* const progress = told.begin(i + 1, extraction);
    if (const ComparisonWords* const answered = words.of(extraction)) {
      const Run run =
          Extraction(network.network, libalf_learners(), extraction.options, network.target)
              .run(budget, progress);
      if (!budget.spent()) {
        cells.push_back(measured_cell(extraction.cell, run, network, *answered));
        store.add(cells.back());
      }
    }
    told.end(Clock::now() - began);
  }
  return cells;
}

std::vector<ComparisonCell> compare(const ComparisonOptions& options, const Budget& budget) {
  ComparisonStore nothing_stored("");
  return compare(plan_comparison(options), nothing_stored, budget);
}

}  // namespace rnnalf
