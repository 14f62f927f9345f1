#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "command_line.hpp"

namespace rnnalf::cli {

/// Exit codes, part of the contract with other people's scripts.
enum class Exit : int { Done = 0, Failure = 1, Usage = 2, LimitReached = 3, Interrupted = 130 };

/// A command with its arguments, ready to be run. Throws UsageError, or an Error about the input.
using Work = std::function<Exit()>;

/// One command of the program.
struct Command {
  std::string_view name;     ///< one word, or two: `study run`
  std::string_view summary;  ///< one line, for the list of commands
  /// Declares the options; what it returns uses the values that the line has parsed by then.
  std::function<Work(CommandLine&)> declare;
  bool hidden = false;  ///< not for people: in no list
};

/// A command whose options fill one struct.
template <class Arguments>
[[nodiscard]] Command make_command(std::string_view name, std::string_view summary,
                                   void (*declare)(CommandLine&, Arguments&),
                                   Exit (*run)(const Arguments&)) {
  return {name, summary, [declare, run](CommandLine& line) -> Work {
            // Shared, because std::function copies what it calls.
            const auto arguments = std::make_shared<Arguments>();
            declare(line, *arguments);
            return [arguments, run] { return run(*arguments); };
          }};
}

// One per file NAME_command.cpp; those of studies in study_run_command.cpp and study_commands.cpp.
[[nodiscard]] Command info_command();
[[nodiscard]] Command classify_command();
[[nodiscard]] Command convert_command();
[[nodiscard]] Command draw_command();
[[nodiscard]] Command extract_command();
[[nodiscard]] Command evaluate_command();
[[nodiscard]] Command certify_command();
[[nodiscard]] Command compare_command();
[[nodiscard]] Command list_command();
[[nodiscard]] Command study_check_command();
[[nodiscard]] Command study_keys_command();
[[nodiscard]] Command study_run_command();
[[nodiscard]] Command study_job_command();
[[nodiscard]] Command study_status_command();
[[nodiscard]] Command study_table_command();
[[nodiscard]] Command study_plot_command();
[[nodiscard]] Command study_report_command();
[[nodiscard]] Command study_bundle_command();
[[nodiscard]] Command study_diff_command();
[[nodiscard]] Command shell_files_command();

/// All of them, in the order of `rnnalf --help`.
[[nodiscard]] std::span<const Command> commands();

/// What a command line asks for.
struct Request {
  enum class Kind : std::uint8_t { Run, CommandHelp, ProgramHelp, Version };
  Kind kind = Kind::ProgramHelp;
  const Command* command = nullptr;  ///< engaged for Run, and for CommandHelp about one command
  std::string help = {};             ///< of the command, for CommandHelp
  Work work = {};                    ///< for Run
};

/// Understands a whole command line, without the program's name. Throws UsageError. Opens no file,
/// prints nothing.
[[nodiscard]] Request parse_command_line(std::span<const std::string> arguments);

/// The program: understands, runs, reports errors on stderr, returns the exit code.
[[nodiscard]] int run_program(std::span<const std::string> arguments);

}  // namespace rnnalf::cli
