#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>

#include "command.hpp"
#include "output.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/text_table.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

/// A line for each command whose name begins so.
std::string command_lines(std::string_view beginning) {
  TextTable names({Align::Left, Align::Left}, {.indent = 2});
  for (const Command& command : commands()) {
    if (command.hidden || !command.name.starts_with(beginning)) continue;
    names.row({std::string(command.name), std::string(command.summary)});
  }
  return names.text();
}

std::string program_help() {
  return "rnnalf: automata from recurrent networks\n\n"
         "Usage: rnnalf COMMAND ...\n\n"
         "Commands:\n" +
         command_lines("") +
         "\nrnnalf COMMAND --help explains a command; rnnalf --version prints the version.\n"
         "Exit codes: 0 done, 1 bad input or another failure, 2 wrong usage, 3 a limit was "
         "reached,\n"
         "130 interrupted.\n\n"
         "Example:\n"
         "  rnnalf extract examples/networks/tomita5_rnn30.onnx\n";
}

Exit run(const Request& request) {
  switch (request.kind) {
    case Request::Kind::Run:
      return request.work();
    case Request::Kind::CommandHelp:
      print(request.help);
      return Exit::Done;
    case Request::Kind::ProgramHelp:
      print(program_help());
      return Exit::Done;
    case Request::Kind::Version:
      print("rnnalf " RNNALF_VERSION "\n");
      return Exit::Done;
  }
  return Exit::Failure;
}

int report(Exit code, const std::string& message) {
  say("rnnalf: " + printable(message, true) + "\n");
  return static_cast<int>(code);
}

std::size_t words_of(const Command& command) {
  return command.name.find(' ') == std::string_view::npos ? 1 : 2;
}

/// The command that the arguments begin with. Some have names of two words, each an argument.
const Command* find_command(std::span<const std::string> arguments) {
  for (const Command& command : commands()) {
    const std::size_t words = words_of(command);
    if (words > arguments.size()) continue;
    if (command.name == (words == 1 ? arguments[0] : arguments[0] + " " + arguments[1])) {
      return &command;
    }
  }
  return nullptr;
}

/// Whether commands have names of two words that begin with this one.
bool is_first_word(std::string_view word) {
  const auto all = commands();
  return std::any_of(all.begin(), all.end(), [&](const Command& command) {
    return command.name.starts_with(fmt::format("{} ", word));
  });
}

/// What to say when there is no such command.
[[noreturn]] void refuse_command(std::span<const std::string> arguments) {
  const bool second = is_first_word(arguments[0]);
  const std::string before = second ? arguments[0] + " " : "";
  std::vector<std::string_view> names;
  for (const Command& known : commands()) {
    if (known.hidden || !known.name.starts_with(before)) continue;
    names.push_back(known.name.substr(before.size()));
  }
  if (second && arguments.size() == 1) {
    throw UsageError(
        fmt::format("expected {} {}, found nothing", arguments[0], fmt::join(names, "|")));
  }
  const std::string& word = arguments[second ? 1 : 0];
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    throw UsageError(fmt::format("unknown command {}. Give its words as two arguments: rnnalf {}",
                                 in_quotes(word), word));
  }
  throw UsageError(fmt::format("unknown command {}{}", in_quotes(before + word),
                               suggestion(before, word, names)));
}

int report_usage(std::span<const std::string> arguments, const std::string& message) {
  if (arguments.empty()) {
    say(program_help());
  } else if (const Command* const command = find_command(arguments)) {
    say(fmt::format("rnnalf {0}: {1}\nrnnalf {0} --help explains its options\n", command->name,
                    printable(message, true)));
  } else {
    report(Exit::Usage, message);
    say("rnnalf --help lists the commands\n");
  }
  return static_cast<int>(Exit::Usage);
}

std::vector<std::string> option_names(const Command& command) {
  CommandLine line{std::string(command.name)};
  static_cast<void>(command.declare(line));
  return line.option_names();
}

/// A message of the library as the users of this command write options.
std::string shown(const Error& error, std::span<const std::string> arguments) {
  const Command* const command = arguments.empty() ? nullptr : find_command(arguments);
  if (command == nullptr) return error.what();
  if (command->name.starts_with("study ")) return with_option_names(error.what(), Spelling::Study);
  const bool about_option = dynamic_cast<const OptionError*>(&error) != nullptr;
  return on_command_line(error.what(),
                         about_option ? option_names(*command) : std::vector<std::string>());
}

}  // namespace

std::span<const Command> commands() {
  static const std::array all = {
      info_command(),         classify_command(),    extract_command(),    evaluate_command(),
      certify_command(),      compare_command(),     convert_command(),    draw_command(),
      list_command(),         study_check_command(), study_keys_command(), study_run_command(),
      study_status_command(), study_table_command(), study_plot_command(), study_report_command(),
      study_bundle_command(), study_diff_command(),  study_job_command(),  shell_files_command()};
  return all;
}

Request parse_command_line(std::span<const std::string> arguments) {
  using Kind = Request::Kind;
  if (arguments.empty()) throw UsageError("expected a command, found nothing");
  const auto asks_for_help = [](std::string_view word) {
    return word == "--help" || word == "-h" || word == "help";
  };
  const bool help = asks_for_help(arguments[0]);
  if (help) {
    if (arguments.size() == 1) return {};
    arguments = arguments.subspan(1);
  }
  const std::string& name = arguments[0];
  if (name == "--version" || name == "-V" || name == "version") return {.kind = Kind::Version};

  const Command* const command = find_command(arguments);
  if (command == nullptr && is_first_word(name) &&
      (arguments.size() > 1 ? asks_for_help(arguments[1]) : help)) {
    return {.kind = Kind::CommandHelp,
            .command = nullptr,
            .help = "Usage: rnnalf " + name + " COMMAND ...\n\nCommands:\n" +
                    command_lines(name + " ") + "\nrnnalf " + name +
                    " COMMAND --help explains a command.\n"};
  }
  if (command == nullptr) refuse_command(arguments);
  CommandLine line{std::string(command->name)};
  Work work = command->declare(line);
  if (help || line.parse(arguments.subspan(words_of(*command))) == CommandLine::Asked::Help) {
    return {.kind = Kind::CommandHelp, .command = command, .help = line.help()};
  }
  return {.kind = Kind::Run, .command = command, .work = std::move(work)};
}

namespace {

int run_and_report(std::span<const std::string> arguments) {
  try {
    return static_cast<int>(run(parse_command_line(arguments)));
  } catch (const UsageError& error) {
    return report_usage(arguments, error.what());
  } catch (const OptionError& error) {
    return report_usage(arguments, shown(error, arguments));
  } catch (const Error& error) {
    return report(Exit::Failure, shown(error, arguments));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return report(Exit::Failure, fmt::format("internal error, please report it: {}", error.what()));
  }
}

}  // namespace

int run_program(std::span<const std::string> arguments) {
  try {
    return run_and_report(arguments);
  } catch (const std::bad_alloc&) {
    // Also from a report that got no memory: this one takes none.
    constexpr std::string_view message = "rnnalf: out of memory\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
    return static_cast<int>(Exit::Failure);
  }
}

}  // namespace rnnalf::cli
