#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rnnalf/automaton/named_dfa.hpp"

// For sources of this library that put automata into larger JSON documents; not installed, because
// users need not have nlohmann-json.
namespace rnnalf {

/// {"alphabet": [...], "initial": 0, "accepting": [...], "transitions": [[...]...]}; of a Moore
/// machine "accepting" is null, and "outputs": [class per state], "classes": k follow it, and where
/// classes have names "class_names": [...].
[[nodiscard]] nlohmann::ordered_json to_json(const NamedDfa& automaton);

}  // namespace rnnalf
