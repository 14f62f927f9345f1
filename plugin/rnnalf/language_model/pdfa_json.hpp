#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rnnalf/language_model/pdfa.hpp"

// For sources of this library that put automata into larger JSON documents; not installed, because
// users need not have nlohmann-json.
namespace rnnalf {

/// {"alphabet": [...], "initial": 0, "transitions": [[...]...], "probabilities": [[...]...]}
[[nodiscard]] nlohmann::ordered_json to_json(const NamedPdfa& automaton);

}  // namespace rnnalf
