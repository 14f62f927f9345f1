#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "rnnalf/base/text.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/text_table.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kHelpWidth = 96;

/// CLI11 reads `--name=` as `--name` with the next argument as its value. With this character
/// behind it the value is not empty; no argument of a real command line contains it.
constexpr char kEmptyValue = '\0';

std::vector<std::string> with_marked_empty_values(std::span<const std::string> arguments) {
  std::vector<std::string> marked(arguments.begin(), arguments.end());
  for (std::string& argument : marked) {
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      argument += kEmptyValue;
    }
  }
  return marked;
}

std::string without_mark(std::string value) {
  if (value.ends_with(kEmptyValue)) value.pop_back();
  return value;
}

std::vector<std::string> without_marks(const std::vector<std::string>& values) {
  std::vector<std::string> result;
  for (const std::string& value : values) result.push_back(without_mark(value));
  return result;
}

bool looks_like_option(std::string_view argument) {
  return argument.size() > 1 && argument.starts_with('-');
}

}  // namespace

std::string whole_help(const OptionText& text) {
  std::vector<std::string> notes;
  if (!text.range.empty()) notes.push_back(text.range);
  if (!text.default_value.empty()) notes.push_back("default: " + text.default_value);
  return notes.empty() ? text.help : fmt::format("{} ({})", text.help, fmt::join(notes, "; "));
}

std::string on_command_line(std::string_view message, const std::vector<std::string>& options) {
  const bool begins_with_one = std::any_of(options.begin(), options.end(), [&](const auto& name) {
    return message.starts_with(name + ":");
  });
  return (begins_with_one ? "--" : "") + with_option_names(message, Spelling::CommandLine);
}

struct CommandLine::Parts {
  struct Declared {
    OptionText text;
    CLI::Option* option;  // of the app
    std::function<void(std::string_view)> read;
    Repeat repeat;

    [[nodiscard]] bool is_flag() const { return option->get_items_expected_max() == 0; }
  };
  struct Operand {
    std::string name;
    std::size_t least;
    std::string* one;                // either this
    std::vector<std::string>* many;  // or this

    [[nodiscard]] std::string usage() const {
      if (one != nullptr) return name;
      return least == 0 ? fmt::format("[{}...]", name) : name + "...";
    }
  };

  explicit Parts(const std::string& name) : app("", name) {
    app.set_help_flag("-h,--help", "this text");
    app.allow_extras();  // operands, and options that do not exist
  }

  [[nodiscard]] std::string usage() const {
    std::vector<std::string> names;
    for (const Operand& operand : operands) names.push_back(operand.usage());
    return fmt::format("{}", fmt::join(names, " "));
  }

  [[noreturn]] void refuse_option(std::string argument) const {
    argument = argument.substr(0, argument.find('='));
    std::vector<std::string_view> names{"help"};
    for (const Declared& one : declared) names.emplace_back(one.text.name);
    const std::string name =
        argument.substr(std::min(argument.find_first_not_of('-'), argument.size()));
    const std::string hint = suggestion("--", name, names);
    throw UsageError(
        fmt::format("unknown option {}{}", in_quotes(argument),
                    hint.empty() ? ", put words that begin with a dash after --" : hint));
  }

  CLI::App app;
  std::string description;
  std::string examples;
  std::vector<Declared> declared;
  std::vector<Operand> operands;
  std::vector<std::string> found;  // operands
  std::vector<std::function<void()>> conditions;
};

CommandLine::CommandLine(const std::string& name) : parts_(std::make_unique<Parts>(name)) {}

CommandLine::~CommandLine() = default;

void CommandLine::describe(std::string description, std::string examples) {
  parts_->description = std::move(description);
  parts_->examples = std::move(examples);
}

void CommandLine::operand(const std::string& name, std::string& to) {
  parts_->operands.push_back({name, 1, &to, nullptr});
}

void CommandLine::operands(const std::string& name, std::size_t least,
                           std::vector<std::string>& to) {
  parts_->operands.push_back({name, least, nullptr, &to});
}

void CommandLine::option(OptionText text, Reader read, Repeat repeat) {
  CLI::Option* const option = parts_->app.add_option("--" + text.name);
  option->type_name(text.value);
  // How often an option may be given is checked by us; brackets and commas of a value stay.
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  parts_->declared.push_back({std::move(text), option, std::move(read), repeat});
}

void CommandLine::option(const std::string& name, const std::string& value, const std::string& help,
                         std::optional<std::string>& to) {
  option({name, value, help}, [&to](std::string_view text) { to = text; });
}

void CommandLine::option(const std::string& name, const std::string& value, const std::string& help,
                         std::vector<std::string>& to) {
  option(
      {name, value, help}, [&to](std::string_view text) { to.emplace_back(text); }, Repeat::Many);
}

void CommandLine::flag(const std::string& name, const std::string& help, bool& to) {
  on_flag({name, "", help}, [&to] { to = true; });
}

void CommandLine::on_flag(OptionText text, std::function<void()> set) {
  CLI::Option* const option = parts_->app.add_flag("--" + text.name);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const auto read = [set = std::move(set)](std::string_view value) {
    if (value != "true") throw OptionError("expected no value");
    set();
  };
  parts_->declared.push_back({std::move(text), option, read, Repeat::Once});
}

void CommandLine::check(std::function<void()> condition) {
  parts_->conditions.push_back(std::move(condition));
}

CommandLine::Asked CommandLine::parse(std::span<const std::string> arguments) {
  std::vector<std::string> backwards = with_marked_empty_values(arguments);
  std::reverse(backwards.begin(), backwards.end());
  try {
    parts_->app.parse(std::move(backwards));
  } catch (const CLI::CallForHelp&) {
    return Asked::Help;
  } catch (const CLI::ArgumentMismatch&) {
    if (parts_->app.get_help_ptr()->count() > 0) return Asked::Help;
    // The only mismatch that we leave to CLI11: the last argument is an option without its value.
    const std::string& last = arguments.back();
    throw UsageError(fmt::format("{}: expected a value {}, found the end of the command line", last,
                                 parts_->app.get_option(last)->get_type_name()));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }

  take_operands();
  for (const Parts::Declared& one : parts_->declared) {
    const std::vector<std::string> values = without_marks(one.option->results());
    if (values.size() > 1 && one.repeat == Repeat::Once) {
      throw UsageError(fmt::format("--{}: expected once, found twice", one.text.name));
    }
    for (const std::string& value : values) {
      try {
        one.read(value);
      } catch (const OptionError& error) {
        const std::string message = on_command_line(error.what(), {one.text.name});
        const bool has_name = message.starts_with(fmt::format("--{}:", one.text.name));
        throw UsageError(has_name ? message : fmt::format("--{}: {}", one.text.name, message));
      }
    }
  }
  for (const auto& condition : parts_->conditions) {
    try {
      condition();
    } catch (const OptionError& error) {
      throw UsageError(on_command_line(error.what(), option_names()));
    }
  }
  return Asked::Run;
}

/// Operands are what CLI11 leaves over, with the first `--` among them.
void CommandLine::take_operands() {
  bool options_end = false;
  for (const std::string& left : without_marks(parts_->app.remaining())) {
    if (!options_end && left == "--") {
      options_end = true;
      continue;
    }
    if (!options_end && looks_like_option(left)) parts_->refuse_option(left);
    parts_->found.push_back(left);
  }
  std::size_t least = 0;
  bool unlimited = false;
  for (const Parts::Operand& operand : parts_->operands) {
    least += operand.least;
    unlimited = unlimited || operand.many != nullptr;
  }
  const std::vector<std::string>& found = parts_->found;
  if (found.size() < least || (found.size() > least && !unlimited)) {
    throw UsageError(fmt::format("expected {}, found {} {}", parts_->usage(), found.size(),
                                 found.size() == 1 ? "operand" : "operands"));
  }
  std::size_t next = 0;
  for (const Parts::Operand& operand : parts_->operands) {
    if (operand.one != nullptr) {
      *operand.one = found[next++];
    } else {
      operand.many->assign(found.begin() + static_cast<std::ptrdiff_t>(next), found.end());
      next = found.size();
    }
  }
}

bool CommandLine::given(const std::string& option) const {
  return parts_->app.get_option("--" + option)->count() > 0;
}

std::string CommandLine::again(std::span<const std::string_view> without) const {
  std::string operands;
  for (const std::string& operand : parts_->found) operands += " " + shell_quoted(operand);
  std::string options;
  for (const Parts::Declared& one : parts_->declared) {
    if (std::find(without.begin(), without.end(), one.text.name) != without.end()) continue;
    for (const std::string& value : without_marks(one.option->results())) {
      options += " --" + one.text.name;
      if (!one.is_flag()) options += " " + shell_quoted(value);
    }
  }
  const bool dashes = std::any_of(parts_->found.begin(), parts_->found.end(), looks_like_option);
  return "rnnalf " + parts_->app.get_name() +
         (dashes ? options + " --" + operands : operands + options);
}

CommandText CommandLine::text() const {
  std::string usage = parts_->app.get_name();
  if (const std::string operands = parts_->usage(); !operands.empty()) usage += " " + operands;
  if (!parts_->declared.empty()) usage += " [options]";
  std::vector<OptionText> all = options();
  all.push_back({"help", "", "this text"});
  return {std::move(usage), parts_->description, parts_->examples, std::move(all)};
}

std::string CommandLine::help() const {
  const CommandText all = text();
  std::string text = fmt::format("Usage: rnnalf {}\n\n", all.usage);
  for (const std::string& line : wrapped(all.description, kHelpWidth)) text += line + "\n";
  TextTable options({Align::Left, Align::Left}, {.indent = 2, .width = kHelpWidth});
  for (const OptionText& one : all.options) {
    options.row({one.value.empty() ? "--" + one.name : fmt::format("--{} {}", one.name, one.value),
                 whole_help(one)});
  }
  text += "\nOptions:\n" + options.text();
  if (!all.examples.empty()) text += "\nExamples:\n" + all.examples;
  return text;
}

std::vector<OptionText> CommandLine::options() const {
  std::vector<OptionText> texts;
  for (const Parts::Declared& one : parts_->declared) texts.push_back(one.text);
  return texts;
}

std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const Parts::Declared& one : parts_->declared) names.push_back(one.text.name);
  return names;
}

}  // namespace rnnalf::cli
