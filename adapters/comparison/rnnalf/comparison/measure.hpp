#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/comparison/plan.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/report/comparison.hpp"
#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// Words with the network's answers: the same for all results of a network.
struct ComparisonWords {
  std::vector<std::pair<std::size_t, AnsweredWords>> by_length;  ///< uniform words
  std::optional<AnsweredWords> given;                            ///< those of files
};

/// None: the budget ended. The words of a length do not depend on the other lengths.
[[nodiscard]] std::optional<ComparisonWords> make_comparison_words(
    const ComparedNetwork& network, const std::vector<std::size_t>& lengths, std::size_t per_length,
    unsigned threads, const Budget& budget);

/// The planned cell with what came out of its run. Steps and seconds are those of learning, for
/// every method alike (RunStatistics).
[[nodiscard]] ComparisonCell measured_cell(ComparisonCell planned, const Run& run,
                                           const ComparedNetwork& network,
                                           const ComparisonWords& words);

}  // namespace rnnalf
