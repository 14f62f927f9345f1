#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/option_table.hpp"
#include "usage.hpp"

namespace rnnalf::cli {

enum class Repeat : std::uint8_t { Once, Many };

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

  void option(const std::string& name, const std::string& value, const std::string& help,
              Reader read, Repeat repeat = Repeat::Once);
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
    option(name, value, with_default(help, option_value::text(kind, to)),
           [kind, &to](std::string_view text) { option_value::read(kind, text, to); });
  }

  /// An option out of a table.
  template <class Options>
  void option(const OptionField<Options>& field, Options& to) {
    if (field.value.empty()) {
      on_flag(field.name, field.help, [&field, &to] { field.read(to, "true"); });
    } else {
      option(field.name, field.value, with_default(field.help, field.text(to)),
             [&field, &to](std::string_view text) { field.read(to, text); });
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

  /// The help, in lines of at most 96 columns.
  [[nodiscard]] std::string help() const;

  /// The names of all options, without dashes.
  [[nodiscard]] std::vector<std::string> option_names() const;

 private:
  struct Parts;  // CLI11 is included in one source file only: it takes long to compile

  void on_flag(const std::string& name, const std::string& help, std::function<void()> set);
  [[nodiscard]] static std::string with_default(const std::string& help, const std::string& value);
  void take_operands();

  std::unique_ptr<Parts> parts_;
};

}  // namespace rnnalf::cli
