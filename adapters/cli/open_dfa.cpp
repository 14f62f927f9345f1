#include "open_dfa.hpp"

#include <fmt/core.h>

#include "rnnalf/automaton/regex.hpp"
#include "rnnalf/base/errors.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {

DfaFile open_dfa(const std::string& path, DfaFormat format) {
  DfaFile file = read_dfa_file(path, format);
  if (const std::string note = note_on(file); !note.empty()) {
    say("rnnalf: " + note + "\n");
  }
  return file;
}

DfaFile open_dfa(const std::string& path) {
  return open_dfa(path, dfa_format_of(path));
}

Dfa open_dfa_for(const NetworkSummary& network, const std::string& path) {
  if (!path.starts_with(kRegex)) {
    return over_alphabet(open_dfa(path), network.alphabet, network.answers, network.classes);
  }
  if (network.answers > 2) {
    throw OptionError(fmt::format(
        "{}: expected a file, as the network has {} classes, found a regular expression", path,
        network.answers));
  }
  return parse_regex(path.substr(kRegex.size()), network.alphabet);
}

}  // namespace rnnalf::cli
