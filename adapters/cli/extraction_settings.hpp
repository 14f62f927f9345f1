#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "network_options.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/oracle/registry.hpp"
#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/run.hpp"

namespace rnnalf::cli {

/// Options that say something about learners and oracles alone; baselines have neither.
inline constexpr std::array<std::string_view, 6> kForLearners = {
    "preset", "learner", "oracle", "oracle-mode", "max-queries", "max-rounds"};

/// How to extract: what `extract` and `compare` have in common.
struct ExtractionSettings {
  MethodSpec method;
  std::string learner;
  std::string oracles;
  OracleMode mode = OracleMode::First;
  bool paper = false;  ///< the published method and nothing else
  std::chrono::duration<double> time_limit{60};
  std::uint64_t max_states = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_queries = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_rounds = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t memory_limit = std::uint64_t{4} << 30U;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  double tolerance = 0.001;
  bool exact = false;  ///< the last hypothesis is the result
};

/// The options of `extract` that settings are read from, followed by `more`.
[[nodiscard]] std::vector<Option> with_extraction_options(std::vector<Option> more);

/// What `--preset paper` decides: all, as `extract` has it, or all but a learner and oracles that
/// are given, so that `compare` can put others into the place of the paper's.
enum class Preset : std::uint8_t { DecidesAll, LearnerAndOraclesMayDiffer };

/// Throws UsageError or OptionError.
[[nodiscard]] ExtractionSettings extraction_settings(const Arguments& arguments,
                                                     Preset preset = Preset::DecidesAll);

/// The options as they are used, defaults included.
[[nodiscard]] std::vector<UsedOption> used_options(const ExtractionSettings& settings,
                                                   const Network& network,
                                                   const std::vector<Word>& samples,
                                                   const std::string& oracles);

/// Sets the limits of the settings on a budget that starts now.
void restrict(Budget& budget, const ExtractionSettings& settings);

/// One extraction, with target answers, recommendation and exceptions filled in. The budget bears
/// the limits. With `plot`, also where the network keeps its states.
[[nodiscard]] Run run_extraction(const Network& network, const ExtractionSettings& settings,
                                 const std::vector<Word>& samples, const std::optional<Dfa>& target,
                                 const Budget& budget, Progress* progress,
                                 RStatePlot* plot = nullptr);

}  // namespace rnnalf::cli
