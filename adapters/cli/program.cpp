#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <new>

#include "command.hpp"
#include "output.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/report/text_table.hpp"

namespace rnnalf::cli {
namespace {

std::string program_help() {
  TextTable names({Align::Left, Align::Left}, {.indent = 2});
  for (const Command& command : commands()) {
    names.row({std::string(command.name), std::string(command.summary)});
  }
  return "rnnalf: automata from recurrent networks\n\n"
         "Usage: rnnalf COMMAND ...\n\n"
         "Commands:\n" +
         names.text() +
         "\nrnnalf COMMAND --help explains a command; rnnalf --version prints the version.\n"
         "Exit codes: 0 done, 1 bad input or another failure, 2 wrong usage, 3 a limit was "
         "reached,\n"
         "130 interrupted.\n\n"
         "Example:\n"
         "  rnnalf extract examples/networks/tomita5_rnn30.onnx\n";
}

/// A message is one line, even when the name of a file contains a line feed.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

Exit run(const Request& request) {
  switch (request.kind) {
    case Request::Kind::Run:
      return request.work();
    case Request::Kind::CommandHelp:
      write_output("-", request.help);
      return Exit::Done;
    case Request::Kind::ProgramHelp:
      write_output("-", program_help());
      return Exit::Done;
    case Request::Kind::Version:
      write_output("-", "rnnalf " RNNALF_VERSION "\n");
      return Exit::Done;
  }
  return Exit::Failure;
}

int report(Exit code, const std::string& message) {
  std::cerr << "rnnalf: " << one_line(message) << '\n';
  return static_cast<int>(code);
}

const Command* find_command(std::string_view name) {
  const auto all = commands();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == all.end() ? nullptr : &*found;
}

int report_usage(std::span<const std::string> arguments, const std::string& message) {
  if (arguments.empty()) {
    std::cerr << program_help();
  } else if (const Command* const command = find_command(arguments[0])) {
    std::cerr << fmt::format("rnnalf {0}: {1}\nrnnalf {0} --help explains its options\n",
                             command->name, one_line(message));
  } else {
    report(Exit::Usage, message);
    std::cerr << "rnnalf --help lists the commands\n";
  }
  return static_cast<int>(Exit::Usage);
}

}  // namespace

std::span<const Command> commands() {
  static const std::array all = {info_command(),     classify_command(), extract_command(),
                                 evaluate_command(), certify_command(),  compare_command(),
                                 convert_command(),  list_command()};
  return all;
}

Request parse_command_line(std::span<const std::string> arguments) {
  using Kind = Request::Kind;
  if (arguments.empty()) throw UsageError("expected a command, found nothing");
  std::string name = arguments[0];
  bool help = false;
  if (name == "--help" || name == "-h" || name == "help") {
    if (arguments.size() == 1) return {};
    name = arguments[1];
    help = true;
  }
  if (name == "--version" || name == "-V" || name == "version") return {.kind = Kind::Version};

  const Command* const command = find_command(name);
  if (command == nullptr) {
    std::vector<std::string_view> names;
    for (const Command& known : commands()) names.push_back(known.name);
    throw UsageError(
        fmt::format("unknown command {}{}", in_quotes(name), suggestion("", name, names)));
  }
  CommandLine line(name);
  Work work = command->declare(line);
  if (help || line.parse(arguments.subspan(1)) == CommandLine::Asked::Help) {
    return {.kind = Kind::CommandHelp, .command = command, .help = line.help()};
  }
  return {.kind = Kind::Run, .command = command, .work = std::move(work)};
}

int run_program(std::span<const std::string> arguments) {
  try {
    return static_cast<int>(run(parse_command_line(arguments)));
  } catch (const UsageError& error) {
    return report_usage(arguments, error.what());
  } catch (const OptionError& error) {
    return report_usage(arguments, error.what());
  } catch (const Error& error) {
    return report(Exit::Failure, error.what());
  } catch (const std::bad_alloc&) {
    return report(Exit::Failure, "out of memory");
  } catch (const std::exception& error) {
    return report(Exit::Failure, fmt::format("internal error, please report it: {}", error.what()));
  }
}

}  // namespace rnnalf::cli
