#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "rnnalf/run/options.hpp"

namespace rnnalf::cli {

/// Options that say something about learners and oracles alone; baselines have neither.
inline constexpr std::array<std::string_view, 6> kForLearners = {
    "preset", "learner", "oracle", "oracle-mode", "max-queries", "max-rounds"};

/// The options of an extraction, from their table, followed by `more`.
[[nodiscard]] std::vector<Option> with_extraction_options(std::vector<Option> more);

/// What `--preset paper` decides: all, as `extract` has it, or all but a learner and oracles that
/// are given, so that `compare` can put others into the place of the paper's.
enum class PresetDecides : std::uint8_t { All, AllButLearnerAndOracles };

/// Throws UsageError or OptionError. Samples are not among them: their words need an alphabet.
[[nodiscard]] ExtractionOptions extraction_options(const Arguments& arguments,
                                                   PresetDecides preset = PresetDecides::All);

}  // namespace rnnalf::cli
