#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rnnalf/automaton/named_dfa.hpp"

// For sources of this library that put automata into larger JSON documents; not installed, because
// users need not have nlohmann-json.
namespace rnnalf {

/// {"alphabet": [...], "initial": 0, "accepting": [...], "transitions": [[...]...]}
[[nodiscard]] nlohmann::ordered_json to_json(const NamedDfa& automaton);

}  // namespace rnnalf
