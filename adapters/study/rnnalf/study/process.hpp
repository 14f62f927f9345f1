#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace rnnalf {

/// What a program wrote and how it ended.
struct ProgramOutput {
  int code = -1;  ///< its exit code; -1: it could not be run, was killed or took too long
  std::string out = {};
  std::string error = {};  ///< the first line of stderr, or why it could not be run

  [[nodiscard]] bool succeeded() const { return code == 0; }
};

/// Runs a program of the PATH with these arguments, without input, and waits; kills it after
/// `most`.
[[nodiscard]] ProgramOutput run_program(const std::vector<std::string>& arguments,
                                        std::chrono::duration<double> most);

}  // namespace rnnalf
