// What an installation gives to shells and to `man`, made from the same tables as the help:
// completions for bash and zsh, and a page of the manual for the program and for each of its
// commands. The Debian package and `cmake --install` hold the files.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "command.hpp"
#include "output.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"

namespace rnnalf::cli {
namespace {

struct NamedText {
  std::string name;  ///< `extract`, `study run`
  std::string summary;
  CommandText text;
};

std::vector<NamedText> texts() {
  std::vector<NamedText> all;
  for (const Command& command : commands()) {
    if (command.hidden) continue;
    CommandLine line{std::string(command.name)};
    static_cast<void>(command.declare(line));
    all.push_back({std::string(command.name), std::string(command.summary), line.text()});
  }
  return all;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The values that a shell can offer for an option; none: files.
std::vector<std::string> choices_of(const OptionText& option) {
  std::vector<std::string> choices;
  if (option.name == "learner") {
    for (const LearnerInfo& one : learners()) choices.emplace_back(one.name);
  } else if (option.name == "oracle") {
    for (const OracleKind& one : oracle_kinds()) choices.emplace_back(one.name);
  } else if (option.value.find('|') != std::string::npos) {
    for (std::size_t begin = 0; begin <= option.value.size();) {
      const std::size_t end = std::min(option.value.find('|', begin), option.value.size());
      choices.push_back(option.value.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  // A word of capital letters stands for any value.
  std::erase_if(choices, [](const std::string& one) {
    return one.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  });
  return choices;
}

/// `study` -> run, table, ...; and the names of one word.
std::map<std::string, std::vector<std::string>> second_words(const std::vector<NamedText>& all) {
  std::map<std::string, std::vector<std::string>> words;
  for (const NamedText& one : all) {
    const std::size_t space = one.name.find(' ');
    std::vector<std::string>& seconds = words[one.name.substr(0, space)];
    if (space != std::string::npos) seconds.push_back(one.name.substr(space + 1));
  }
  return words;
}

std::string bash_completion(const std::vector<NamedText>& all) {
  const auto words = second_words(all);
  std::vector<std::string> first;
  std::string seconds;
  for (const auto& [word, followers] : words) {
    first.push_back(word);
    if (followers.empty()) continue;
    seconds += fmt::format(
        "  if [ \"$command\" = {0} ]; then\n"
        "    if [ \"$COMP_CWORD\" -eq 2 ]; then COMPREPLY=($(compgen -W '{1}' -- \"$current\")); "
        "return; fi\n"
        "    command=\"{0} ${{COMP_WORDS[2]}}\"\n"
        "  fi\n",
        word, fmt::join(followers, " "));
  }
  std::string options;
  std::map<std::string, std::vector<std::string>> values;  // patterns of options, by their choices
  for (const NamedText& one : all) {
    std::vector<std::string> names;
    for (const OptionText& option : one.text.options) {
      names.push_back("--" + option.name);
      const std::vector<std::string> choices = choices_of(option);
      if (choices.empty()) continue;
      std::vector<std::string>& patterns = values[fmt::format("{}", fmt::join(choices, " "))];
      const std::string pattern = fmt::format("'{} --{}'", one.name, option.name);
      if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end()) {
        patterns.push_back(pattern);
      }
    }
    options += fmt::format("    '{}') options='{}' ;;\n", one.name, fmt::join(names, " "));
  }
  std::string choices;
  for (const auto& [words_of_option, patterns] : values) {
    choices += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n",
                           fmt::join(patterns, " | "), words_of_option);
  }
  return fmt::format(
      "# Completion of rnnalf for bash, made by rnnalf {}.\n"
      "_rnnalf() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} "
      "command=${{COMP_WORDS[1]}} options=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W '{} --help --version' -- "
      "\"$current\")); return; fi\n"
      "{}"
      "  case \"$command $previous\" in\n{}  esac\n"
      "  case $command in\n{}  esac\n"
      "  case $current in -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;; esac\n"
      "}}\n"
      "complete -o default -F _rnnalf rnnalf\n",
      RNNALF_VERSION, fmt::join(first, " "), seconds, choices, options);
}

/// In a specification of _arguments, between single quotes.
std::string zsh_text(std::string text) {
  text = replaced(std::move(text), "\\", "\\\\");
  for (const char* const one : {"[", "]", ":"}) {
    text = replaced(std::move(text), one, std::string("\\") + one);
  }
  return replaced(std::move(text), "'", "'\\''");
}

std::string zsh_options(const CommandText& text) {
  std::string lines;
  for (const OptionText& option : text.options) {
    lines += fmt::format("'--{}[{}]", option.name, zsh_text(option.help));
    if (!option.value.empty()) {
      const std::vector<std::string> choices = choices_of(option);
      lines +=
          fmt::format(":{}:{}", zsh_text(option.value),
                      choices.empty() ? "_files" : fmt::format("({})", fmt::join(choices, " ")));
    }
    lines += "' ";
  }
  return lines + "'*:file:_files'";
}

std::string zsh_commands(const std::vector<NamedText>& all, const std::string& before) {
  std::string lines;
  std::string last;
  for (const NamedText& one : all) {
    if (!one.name.starts_with(before)) continue;
    const std::string word =
        one.name.substr(before.size(), one.name.find(' ', before.size()) - before.size());
    if (word == last) continue;
    last = word;
    const bool whole = one.name == before + word;
    lines += fmt::format(" '{}:{}'", word, zsh_text(whole ? one.summary : "comparison studies"));
  }
  return lines;
}

std::string zsh_completion(const std::vector<NamedText>& all) {
  std::string cases;
  std::string inner;
  std::string group;
  for (const NamedText& one : all) {
    const std::size_t space = one.name.find(' ');
    if (space == std::string::npos) {
      cases += fmt::format("    {}) _arguments {} ;;\n", one.name, zsh_options(one.text));
    } else {
      group = one.name.substr(0, space);
      inner += fmt::format("        {}) _arguments {} ;;\n", one.name.substr(space + 1),
                           zsh_options(one.text));
    }
  }
  if (!group.empty()) {
    cases += fmt::format(
        "    {0})\n"
        "      if (( CURRENT == 2 )); then\n"
        "        commands=({1})\n"
        "        _describe command commands\n"
        "        return\n"
        "      fi\n"
        "      shift words\n"
        "      (( CURRENT-- ))\n"
        "      case $words[1] in\n{2}      esac ;;\n",
        group, zsh_commands(all, group + " "), inner);
  }
  return fmt::format(
      "#compdef rnnalf\n"
      "# Completion of rnnalf for zsh, made by rnnalf {}.\n"
      "_rnnalf() {{\n"
      "  local -a commands\n"
      "  if (( CURRENT == 2 )); then\n"
      "    commands=({})\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $words[1] in\n{}  esac\n"
      "}}\n"
      "_rnnalf \"$@\"\n",
      RNNALF_VERSION, zsh_commands(all, ""), cases);
}

// ---------------------------------------------------------------- pages of the manual

/// Text in a page: a backslash and a dash are themselves, and no line is a request.
std::string roff(std::string text) {
  text = replaced(std::move(text), "\\", "\\e");
  text = replaced(std::move(text), "-", "\\-");
  text = replaced(std::move(text), "\n.", "\n\\&.");
  text = replaced(std::move(text), "\n'", "\n\\&'");
  return text.starts_with('.') || text.starts_with('\'') ? "\\&" + text : text;
}

/// The file name of a command's page without ".1": rnnalf-study-run.
std::string page_name(const std::string& command) {
  return "rnnalf-" + replaced(command, " ", "-");
}

std::string page_head(std::string name, const std::string& summary) {
  std::string title = name;
  for (char& one : title) one = one >= 'a' && one <= 'z' ? static_cast<char>(one - 'a' + 'A') : one;
  return fmt::format(".TH \"{}\" 1 \"\" \"rnnalf {}\" \"rnnalf manual\"\n.SH NAME\n{} \\- {}\n",
                     roff(title), RNNALF_VERSION, roff(std::move(name)), roff(summary));
}

constexpr std::string_view kExitCodes =
    ".SH \"EXIT STATUS\"\n"
    ".TP\n.B 0\ndone\n"
    ".TP\n.B 1\nbad input or another failure; one line on standard error says what and where\n"
    ".TP\n.B 2\nwrong usage\n"
    ".TP\n.B 3\na limit was reached; the best result so far was written\n"
    ".TP\n.B 130\ninterrupted; the best result so far was written\n";

std::string command_page(const NamedText& command) {
  std::string page = page_head(page_name(command.name), command.summary);
  page += fmt::format(".SH SYNOPSIS\n.B rnnalf {}\n.SH DESCRIPTION\n{}\n.SH OPTIONS\n",
                      roff(command.text.usage), roff(command.text.description));
  for (const OptionText& option : command.text.options) {
    page += fmt::format(".TP\n\\fB\\-\\-{}\\fR", roff(option.name));
    if (!option.value.empty()) page += fmt::format(" \\fI{}\\fR", roff(option.value));
    page += fmt::format("\n{}\n", roff(whole_help(option)));
  }
  if (!command.text.examples.empty()) {
    page += fmt::format(".SH EXAMPLES\n.nf\n{}.fi\n", roff(command.text.examples));
  }
  return page + std::string(kExitCodes) + ".SH \"SEE ALSO\"\n.BR rnnalf (1)\n";
}

std::string program_page(const std::vector<NamedText>& all) {
  std::string page = page_head("rnnalf", "automata from recurrent networks");
  page +=
      ".SH SYNOPSIS\n.B rnnalf\n.I COMMAND\n.RI [ options ]\n.SH DESCRIPTION\n"
      "rnnalf reads a trained recurrent network and returns a small automaton that shows what the "
      "network has learned.\n.SH COMMANDS\n";
  for (const NamedText& one : all) {
    page += fmt::format(".TP\n\\fB{}\\fR\n{}; see\n.BR {} (1)\n", roff(one.name), roff(one.summary),
                        roff(page_name(one.name)));
  }
  return page + std::string(kExitCodes);
}

struct ShellFilesArguments {
  std::string folder;
};

void declare(CommandLine& line, ShellFilesArguments& arguments) {
  line.describe(
      "Writes what an installation gives to shells and to man: rnnalf.bash, _rnnalf for zsh, and a "
      "page for each command.",
      "  rnnalf shell-files build/shell\n");
  line.operand("FOLDER", arguments.folder);
}

Exit run(const ShellFilesArguments& arguments) {
  const std::vector<NamedText> all = texts();
  const std::filesystem::path folder = arguments.folder;
  std::error_code failed;  // write_output says which file
  std::filesystem::create_directories(folder / "man1", failed);
  write_output(folder / "rnnalf.bash", bash_completion(all));
  write_output(folder / "_rnnalf", zsh_completion(all));
  write_output(folder / "man1" / "rnnalf.1", program_page(all));
  for (const NamedText& one : all) {
    write_output(folder / "man1" / (page_name(one.name) + ".1"), command_page(one));
  }
  return Exit::Done;
}

}  // namespace

Command shell_files_command() {
  Command command =
      make_command<ShellFilesArguments>("shell-files", "completions and man pages", declare, run);
  command.hidden = true;
  return command;
}

}  // namespace rnnalf::cli
