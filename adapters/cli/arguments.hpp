#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::cli {

/// A command line that cannot be understood; exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

struct Option {
  std::string name;   ///< without the dashes
  std::string value;  ///< what to call its value, such as FILE; empty: the option has none
  std::string help;
  bool repeatable = false;
};

/// What a command accepts, and the words of its help.
struct Syntax {
  std::string_view name;
  std::string_view operands;  ///< such as "NET [WORD...]"
  std::size_t least_operands = 0;
  std::size_t most_operands = 0;
  std::string_view summary;  ///< one line, for the list of commands
  std::string_view description;
  std::vector<Option> options;
  std::string_view examples;
};

/// What was given on the command line: names known, counts right, values not looked at yet.
struct Arguments {
  bool help = false;  ///< --help was given; nothing else was checked
  std::vector<std::string> operands;
  std::map<std::string, std::vector<std::string>, std::less<>> options;

  [[nodiscard]] bool has(std::string_view option) const { return options.contains(option); }
  /// The value of an option, the last one if it was repeated; none if it was not given.
  [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
  [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
};

/// Understands the arguments after the command's name: `--name value`, `--name=value`, flags,
/// operands, and `--` before operands that begin with a dash. Throws UsageError. No side effects.
[[nodiscard]] Arguments parse_arguments(const Syntax& syntax,
                                        std::span<const std::string> arguments);

/// The command line again, quoted for a shell, without the options of these names.
[[nodiscard]] std::string command_line(const Syntax& syntax, const Arguments& arguments,
                                       std::span<const std::string_view> without);

/// The help of one command.
[[nodiscard]] std::string help_text(const Syntax& syntax);

/// The candidate closest to a mistyped name, none when all are far from it.
[[nodiscard]] std::optional<std::string_view> closest(std::string_view name,
                                                      std::span<const std::string_view> candidates);

/// ", did you mean X?" or nothing.
[[nodiscard]] std::string suggestion(std::string_view prefix, std::string_view name,
                                     std::span<const std::string_view> candidates);

}  // namespace rnnalf::cli
