#pragma once

#include <string>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/network/summary.hpp"

namespace rnnalf::cli {

/// Reads an automaton file, and says on stderr when it left transitions out.
[[nodiscard]] DfaFile open_dfa(const std::string& path, DfaFormat format);
/// The format follows the extension.
[[nodiscard]] DfaFile open_dfa(const std::string& path);

/// One that is to be compared with a network: with its symbols and classes. The text is the name of
/// a file, or `regex:` and a regular expression.
[[nodiscard]] Dfa open_dfa_for(const NetworkSummary& network, const std::string& path);

}  // namespace rnnalf::cli
