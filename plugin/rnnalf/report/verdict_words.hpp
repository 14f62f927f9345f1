#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// The verdict in one sentence, such as "No counterexample found."
[[nodiscard]] std::string verdict_sentence(const Run& run);

/// What that means for the result: what is and what is not known about it.
[[nodiscard]] std::string verdict_meaning(const Run& run);

/// What to try next, most promising first; empty when nothing needs to be.
[[nodiscard]] std::vector<std::string> suggestions(const Run& run);

/// What the run was about and what it cost: names with a line of text each. Words in them take at
/// most `width` columns.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> facts(const Run& run,
                                                                     std::size_t width, bool utf8);

}  // namespace rnnalf
