#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/comparison/plan.hpp"
#include "rnnalf/comparison/store.hpp"

namespace rnnalf {

/// Is told what a comparison does; for progress on a screen. Does nothing itself.
class ComparisonObserver {
 public:
  virtual ~ComparisonObserver() = default;

  /// Before the first extraction: how many there are, and how many of them the store has already.
  virtual void planned(std::size_t /*total*/, std::size_t /*stored*/) {}
  /// An extraction begins; the first has number 1. Returns where its progress is kept until `end`;
  /// null: nobody watches it.
  virtual Progress* begin(std::size_t /*number*/, const PlannedExtraction& /*extraction*/) {
    return nullptr;
  }
  /// It was completed, or stopped by the budget of the comparison.
  virtual void end(std::chrono::duration<double> /*time*/) {}
};

/// The use case: runs every extraction of the plan that the store does not have, measures its
/// result on the words that all results of the network are measured on, and adds it to the store.
///
/// Returns the cells of all completed extractions in the order of the plan: fewer than the plan has
/// when the budget ended, because what was stopped by it is no result.
[[nodiscard]] std::vector<ComparisonCell> compare(const ComparisonPlan& plan,
                                                  ComparisonStore& store,
                                                  const Budget& budget = Budget(),
                                                  ComparisonObserver* observer = nullptr);

/// The same from options, with nothing stored.
[[nodiscard]] std::vector<ComparisonCell> compare(const ComparisonOptions& options,
                                                  const Budget& budget = Budget());

}  // namespace rnnalf
