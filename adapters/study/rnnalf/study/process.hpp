#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {

/// What a program wrote and how it ended.
struct ProgramOutput {
  static constexpr int kNotFound = 127;

  int code = -1;  ///< its exit code; -1: it could not be run, was killed or took too long
  std::string out = {};
  std::string error = {};  ///< the first line of stderr, or why it could not be run

  [[nodiscard]] bool succeeded() const { return code == 0; }
};

/// Runs a program of the PATH with these arguments and this input, without a shell, and waits;
/// kills it after `most`.
[[nodiscard]] ProgramOutput run_program(const std::vector<std::string>& arguments,
                                        std::chrono::duration<double> most,
                                        std::string_view input = {});

/// A program is not there, failed or took too long.
class ProgramError : public Error {
 public:
  using Error::Error;
};

/// What a program that succeeds writes. Throws ProgramError, which names the Debian package of a
/// program that is not there.
[[nodiscard]] std::string output_of(const std::vector<std::string>& arguments,
                                    const std::string& package, std::string_view input,
                                    std::chrono::duration<double> most);

}  // namespace rnnalf
