#pragma once

#include <string>

namespace rnnalf {

/// Which program this is, told at build time (cmake/ProgramIdentity.cmake).
struct ProgramIdentity {
  std::string version;
  std::string commit;  ///< that it was built from, `-dirty` when files differed; empty: not known
  /// Hash of the sources that results depend on, of the compiler and of its flags: programs with
  /// the same bits compute the same. 16 hexadecimal digits.
  std::string bits;

  /// `rnnalf 0.1.0 bits 0123456789abcdef`: the program of a stored result.
  [[nodiscard]] std::string text() const { return "rnnalf " + version + " bits " + bits; }
};

[[nodiscard]] const ProgramIdentity& program_identity();

}  // namespace rnnalf
