#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/option_names.hpp"
#include "rnnalf/base/option_table.hpp"
#include "usage.hpp"

namespace rnnalf::cli {

enum class Repeat : std::uint8_t { Once, Many };

/// What people read about an option.
struct OptionText {
  std::string name;   ///< without dashes
  std::string value;  ///< what to call its value; empty: a flag
  std::string help;
  std::string range = {};          ///< such as `from 0 to 1024`; empty: none
  std::string default_value = {};  ///< empty: none
};

/// The help of an option with its range and default: "threads of inference (from 0 to 1024;
/// default: 0)".
[[nodiscard]] std::string whole_help(const OptionText& text);

/// What people read about a command: its help, its man page and its completions say the same.
struct CommandText {
  std::string usage;  ///< after "rnnalf ": name, operands, [options]
  std::string description;
  std::string examples;             ///< lines of a shell, indented; or empty
  std::vector<OptionText> options;  ///< in the order of their declaration, --help last
};

/// The text of a field of an option table, with these values as defaults.
template <class Options>
[[nodiscard]] OptionText text_of(const OptionField<Options>& field, const Options& defaults) {
  std::string value = field.value.empty() ? "" : field.text(defaults);
  if (value == "none") value.clear();
  return {field.name, field.value, with_option_names(field.help, Spelling::CommandLine),
          field.range, value};
}

/// A message of the library as the command line spells it: options with dashes, also the one that
/// it begins with if it is one of these.
[[nodiscard]] std::string on_command_line(std::string_view message,
                                          const std::vector<std::string>& options);

/// The options and operands of one command. Each is declared with the variable that it fills, which
/// outlives the call of `parse`; the value that the variable has when it is declared is the default
/// that the help shows.
///
/// CLI11 takes the arguments apart: `--name value`, `--name=value`, flags, operands in any place,
/// and `--` before operands that begin with a dash. Messages and help are ours.
class CommandLine {
 public:
  /// Given one value, stores it. Throws OptionError "expected ..., found ...".
  using Reader = std::function<void(std::string_view)>;

  explicit CommandLine(const std::string& name);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// What the help says above and below the options.
  void describe(std::string description, std::string examples);

  /// An operand that must be given. Operands are declared in their order.
  void operand(const std::string& name, std::string& to);
  /// All operands that follow, `least` of them or more.
  void operands(const std::string& name, std::size_t least, std::vector<std::string>& to);

  void option(OptionText text, Reader read, Repeat repeat = Repeat::Once);
  void option(const std::string& name, const std::string& value, const std::string& help,
              std::optional<std::string>& to);
  /// May be repeated.
  void option(const std::string& name, const std::string& value, const std::string& help,
              std::vector<std::string>& to);
  void flag(const std::string& name, const std::string& help, bool& to);

  /// An option of a kind that option_table.hpp knows.
  template <class Kind, class Value>
  void option(const std::string& name, const std::string& value, const std::string& help, Kind kind,
              Value& to) {
    std::string otherwise = option_value::text(kind, to);
    if (otherwise == "none") otherwise.clear();
    option({name, value, help, option_value::range(kind), otherwise},
           [kind, &to](std::string_view text) { option_value::read(kind, text, to); });
  }

  /// An option out of a table.
  template <class Options>
  void option(const OptionField<Options>& field, Options& to) {
    if (field.value.empty()) {
      on_flag(text_of(field, to), [&field, &to] { field.read(to, "true"); });
    } else {
      option(text_of(field, to), [&field, &to](std::string_view text) { field.read(to, text); });
    }
  }

  /// All options of a table, which lives as long as the program.
  template <class Options>
  void options(const std::vector<OptionField<Options>>& table, Options& to) {
    for (const OptionField<Options>& field : table) option(field, to);
  }

  /// What must hold between several options: called when all of them were read.
  /// Throws UsageError, or OptionError that begins with the name of an option.
  void check(std::function<void()> condition);

  enum class Asked : std::uint8_t { Run, Help };

  /// Understands the arguments after the command's name, fills the variables and checks the
  /// conditions. Throws UsageError. No other side effects. To be called once.
  [[nodiscard]] Asked parse(std::span<const std::string> arguments);

  /// Whether the option was given; in and after `parse`.
  [[nodiscard]] bool given(const std::string& option) const;

  /// What was given, quoted for a shell, without the options of these names; in and after `parse`.
  [[nodiscard]] std::string again(std::span<const std::string_view> without) const;

  [[nodiscard]] CommandText text() const;
  /// The help, in lines of at most 96 columns.
  [[nodiscard]] std::string help() const;

  /// All options in the order of their declaration.
  [[nodiscard]] std::vector<OptionText> options() const;
  [[nodiscard]] std::vector<std::string> option_names() const;

 private:
  struct Parts;  // CLI11 is included in one source file only: it takes long to compile

  void on_flag(OptionText text, std::function<void()> set);
  void take_operands();

  std::unique_ptr<Parts> parts_;
};

}  // namespace rnnalf::cli
