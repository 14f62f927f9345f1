#pragma once

#include <string>
#include <vector>

#include "rnnalf/report/run.hpp"

namespace rnnalf {

/// The verdict in one sentence, such as "No counterexample found."
[[nodiscard]] std::string verdict_sentence(const Run& run);

/// What that means for the result: what is and what is not known about it.
[[nodiscard]] std::string verdict_meaning(const Run& run);

/// What to try next, most promising first; empty when nothing needs to be.
[[nodiscard]] std::vector<std::string> suggestions(const Run& run);

/// How the result relates to the target, such as "equivalent to the target", with the first word on
/// which they differ (in at most `width` columns); empty without a target.
[[nodiscard]] std::string target_sentence(const Run& run, std::size_t width, bool utf8);

/// The command line that does the run again.
[[nodiscard]] std::string reproducing_command(const Run& run);

}  // namespace rnnalf
