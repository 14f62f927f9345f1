#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rnnalf/base/option_names.hpp"
#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// The finding in one sentence, about the result: "4 states explain the network on words of up to
/// 19 symbols: 100 %; 78 % at 25, 77 % at 100." Where the network gives no answer on some words,
/// also that.
[[nodiscard]] std::string verdict_sentence(const Run& run);

/// What else a person wants to know, a sentence or two each: where the network leaves the result,
/// whether larger automata do better, on which words it was checked completely, how the run ended,
/// what the empty word costs. Words in them take at most `width` columns.
[[nodiscard]] std::vector<std::string> findings(const Run& run, std::size_t width, bool utf8,
                                                Spelling spelling);

/// Whether the result was checked, to the end, and nothing refutes it. Only then it is shown in
/// green.
[[nodiscard]] bool is_unrefuted(const Run& run);

/// The rule behind some exceptions: "after [, (S,)^3 and more, then ]: the network accepts".
[[nodiscard]] std::string family_sentence(const Run& run, const Family& family, std::size_t width,
                                          bool utf8);

/// What to try next, most promising first; empty when there is nothing to try.
[[nodiscard]] std::vector<std::string> suggestions(const Run& run, Spelling spelling);

/// What the run was about and what it cost: names with a line of text each. Words in them take at
/// most `width` columns.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> facts(const Run& run,
                                                                     std::size_t width, bool utf8);

}  // namespace rnnalf
