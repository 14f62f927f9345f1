#pragma once

#include <string>

#include "rnnalf/automaton/dfa_file.hpp"

namespace rnnalf::cli {

/// Reads an automaton file, and says on stderr when it left transitions out.
[[nodiscard]] DfaFile open_dfa(const std::string& path, DfaFormat format);
/// The format follows the extension.
[[nodiscard]] DfaFile open_dfa(const std::string& path);

}  // namespace rnnalf::cli
