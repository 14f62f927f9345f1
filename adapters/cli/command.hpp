#pragma once

#include <span>
#include <string>
#include <string_view>

#include "arguments.hpp"

namespace rnnalf::cli {

/// Exit codes, part of the contract with other people's scripts.
enum class Exit : int { Done = 0, Failure = 1, Usage = 2, LimitReached = 3, Interrupted = 130 };

/// One command of the program: what it accepts, and what it does with it.
struct Command {
  Syntax syntax;
  /// Throws UsageError, or an Error about the input.
  Exit (*run)(const Arguments& arguments);
};

// One per file NAME_command.cpp.
[[nodiscard]] Command info_command();
[[nodiscard]] Command classify_command();
[[nodiscard]] Command convert_command();
[[nodiscard]] Command extract_command();
[[nodiscard]] Command evaluate_command();
[[nodiscard]] Command certify_command();
[[nodiscard]] Command compare_command();
[[nodiscard]] Command list_command();

/// All of them, in the order of `rnnalf --help`.
[[nodiscard]] std::span<const Command> commands();

/// What a command line asks for.
struct Request {
  enum class Kind { Run, CommandHelp, ProgramHelp, Version };
  Kind kind = Kind::ProgramHelp;
  const Command* command = nullptr;  ///< engaged for Run and CommandHelp
  Arguments arguments;
};

/// Understands a whole command line, without the program's name. Throws UsageError. Opens no file,
/// prints nothing.
[[nodiscard]] Request parse_command_line(std::span<const std::string> arguments);

/// The program: understands, runs, reports errors on stderr, returns the exit code.
[[nodiscard]] int run_program(std::span<const std::string> arguments);

}  // namespace rnnalf::cli
