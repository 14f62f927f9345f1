#include "open_dfa.hpp"

#include <iostream>

namespace rnnalf::cli {

DfaFile open_dfa(const std::string& path, DfaFormat format) {
  DfaFile file = read_dfa_file(path, format);
  if (file.missing_transitions > 0) {
    std::cerr << "rnnalf: " << path << ": note: " << file.missing_transitions
              << " transitions are missing (first: " << file.first_missing
              << "); they now lead to a rejecting state\n";
  }
  return file;
}

DfaFile open_dfa(const std::string& path) {
  return open_dfa(path, dfa_format_of(path));
}

}  // namespace rnnalf::cli
