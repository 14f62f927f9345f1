#include "open_dfa.hpp"

#include <iostream>

namespace rnnalf::cli {

DfaFile open_dfa(const std::string& path, DfaFormat format) {
  DfaFile file = read_dfa_file(path, format);
  if (const std::string note = note_on(file); !note.empty()) {
    std::cerr << "rnnalf: " << note << '\n';
  }
  return file;
}

DfaFile open_dfa(const std::string& path) {
  return open_dfa(path, dfa_format_of(path));
}

}  // namespace rnnalf::cli
