#include <algorithm>
#include <array>
#include <iostream>
#include <new>

#include "command.hpp"
#include "output.hpp"

namespace rnnalf::cli {
namespace {

std::string program_help() {
  std::string text =
      "rnnalf: automata from recurrent networks\n\n"
      "Usage: rnnalf COMMAND ...\n\n"
      "Commands:\n";
  for (const Command& command : commands()) {
    std::string left = "  " + std::string(command.syntax.name);
    left.resize(14, ' ');
    text += left + std::string(command.syntax.summary) + "\n";
  }
  return text +
         "\nrnnalf COMMAND --help explains a command; rnnalf --version prints the version.\n"
         "Exit codes: 0 done, 1 bad input or another failure, 2 wrong usage, 3 a limit was "
         "reached,\n"
         "130 interrupted.\n\n"
         "Example:\n"
         "  rnnalf extract examples/networks/tomita5_rnn30.onnx\n";
}

/// Messages are one line, whatever a file's name or content has in it.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

Exit run(const Request& request) {
  switch (request.kind) {
    case Request::Kind::Run:
      return request.command->run(request.arguments);
    case Request::Kind::CommandHelp:
      write_output("-", help_text(request.command->syntax));
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
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Command& command) { return command.syntax.name == name; });
  return found == all.end() ? nullptr : &*found;
}

int report_usage(std::span<const std::string> arguments, const std::string& message) {
  if (arguments.empty()) {
    std::cerr << program_help();
  } else if (const Command* const command = find_command(arguments[0])) {
    const std::string name(command->syntax.name);
    std::cerr << "rnnalf " << name << ": " << one_line(message) << '\n'
              << "rnnalf " << name << " --help explains its options\n";
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
    if (arguments.size() == 1) return {Kind::ProgramHelp, nullptr, {}};
    name = arguments[1];
    help = true;
  }
  if (name == "--version" || name == "-V" || name == "version") return {Kind::Version, nullptr, {}};

  const Command* const command = find_command(name);
  if (command == nullptr) {
    std::vector<std::string_view> names;
    for (const Command& known : commands()) names.push_back(known.syntax.name);
    throw UsageError("unknown command '" + name + "'" + suggestion("", name, names));
  }
  if (help) return {Kind::CommandHelp, command, {}};
  Arguments parsed = parse_arguments(command->syntax, arguments.subspan(1));
  const Kind kind = parsed.help ? Kind::CommandHelp : Kind::Run;
  return {kind, command, std::move(parsed)};
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
    return report(Exit::Failure, std::string("internal error, please report it: ") + error.what());
  }
}

}  // namespace rnnalf::cli
