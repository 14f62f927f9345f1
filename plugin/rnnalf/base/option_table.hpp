#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {

/// The value of an option as machines read it, such as in JSON.
using OptionValue = std::variant<bool, std::uint64_t, double, std::string>;

/// One option of the aggregate `Options`: all that anybody needs to know about it. The command
/// line, its help, the JSON, Python and docs/options.md take it from here.
template <class Options>
struct OptionField {
  std::string name;   ///< as users write it: `max-states`
  std::string value;  ///< what to call its value: `N`, `FILE`; empty: a flag
  std::string help;   ///< one sentence without a full stop; the default is added where it is shown
  /// Throws OptionError "expected ..., found ...".
  std::function<void(Options&, std::string_view)> read;
  std::function<std::string(const Options&)> text;  ///< that `read` understands
  std::function<OptionValue(const Options&)> json;
  /// Throws OptionError as `read` does when the value is out of range.
  std::function<void(const Options&)> check;
  std::string range = {};  ///< `from 0 to 1024`; empty: every value of its kind
};

// ---------------------------------------------------------------- kinds of values
//
// A kind reads, writes and checks values of one C++ type. Each throws OptionError "expected ...,
// found ..."; `naming` adds the option's name.

/// A whole number from `least` to `most`.
struct Count {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// Whole numbers from `least` to `most` with commas between them: std::vector<std::size_t>.
struct Counts {
  Count each = {};
};

/// A number from `least` to `most`; with `open`, these two excluded.
struct Number {
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();
  bool open = false;
};

/// `90`, `1.5s`, `200ms`, `5m`, `2h`: std::chrono::duration<double>. With `open`, 0 excluded.
struct Seconds {
  bool open = false;
};

struct Bytes {};  ///< `1000000`, `200MB`, `4GiB`: std::uint64_t
struct Flag {};   ///< bool
struct Text {};   ///< std::string

/// One of these names.
template <class Enum>
struct Choice {
  std::vector<std::pair<std::string_view, Enum>> names;
};

namespace option_value {

/// Which values of the kind are allowed: `from 0 to 1024`, `above 0`; empty: all.
[[nodiscard]] std::string range(const Count& kind);
[[nodiscard]] std::string range(const Counts& kind);
[[nodiscard]] std::string range(const Number& kind);
[[nodiscard]] std::string range(const Seconds& kind);
template <class Kind>
[[nodiscard]] std::string range(const Kind& /*kind*/) {
  return "";
}

void read(const Count& kind, std::string_view text, std::uint64_t& value);
void read(const Counts& kind, std::string_view text, std::vector<std::size_t>& value);
void read(const Number& kind, std::string_view text, double& value);
void read(const Seconds& kind, std::string_view text, std::chrono::duration<double>& value);
void read(const Bytes& kind, std::string_view text, std::uint64_t& value);
void read(const Flag& kind, std::string_view text, bool& value);
inline void read(const Text& /*kind*/, std::string_view text, std::string& value) {
  value = text;
}

void check(const Count& kind, std::uint64_t value);
void check(const Counts& kind, const std::vector<std::size_t>& value);
void check(const Number& kind, double value);
void check(const Seconds& kind, std::chrono::duration<double> value);
template <class Kind, class Value>
void check(const Kind& /*kind*/, const Value& /*value*/) {}

[[nodiscard]] std::string text(const Number& kind, double value);  // the shortest that is exact
[[nodiscard]] inline std::string text(const Count& /*kind*/, std::uint64_t value) {
  return std::to_string(value);
}
[[nodiscard]] std::string text(const Counts& kind, const std::vector<std::size_t>& value);
[[nodiscard]] inline std::string text(const Seconds& /*kind*/,
                                      std::chrono::duration<double> value) {
  return text(Number{}, value.count()) + "s";
}
[[nodiscard]] std::string text(const Bytes& kind, std::uint64_t value);
[[nodiscard]] inline std::string text(const Flag& /*kind*/, bool value) {
  return value ? "true" : "false";
}
[[nodiscard]] inline std::string text(const Text& /*kind*/, const std::string& value) {
  return value;
}

/// Any value, for people.
[[nodiscard]] std::string text(const OptionValue& value);

template <class Enum>
void read(const Choice<Enum>& kind, std::string_view text, Enum& value) {
  std::string known;
  for (const auto& [name, enumerator] : kind.names) {
    if (name == text) {
      value = enumerator;
      return;
    }
    known += known.empty() ? "" : &name == &kind.names.back().first ? " or " : ", ";
    known += name;
  }
  throw OptionError("expected " + known + ", found '" + std::string(text) + "'");
}

template <class Enum>
[[nodiscard]] std::string text(const Choice<Enum>& kind, Enum value) {
  for (const auto& [name, enumerator] : kind.names) {
    if (enumerator == value) return std::string(name);
  }
  return {};
}

// An option that may be left open: its text is `none` then.
template <class Kind, class Value>
void read(const Kind& kind, std::string_view text, std::optional<Value>& value) {
  if (text == "none") {
    value.reset();
    return;
  }
  Value given{};
  read(kind, text, given);
  value = given;
}

template <class Kind, class Value>
[[nodiscard]] std::string text(const Kind& kind, const std::optional<Value>& value) {
  return value ? text(kind, *value) : "none";
}

template <class Kind, class Value>
void check(const Kind& kind, const std::optional<Value>& value) {
  if (value) check(kind, *value);
}

template <class Kind, class Value>
[[nodiscard]] OptionValue json(const Kind& kind, const Value& value) {
  if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, double> ||
                std::is_same_v<Value, std::uint64_t>) {
    return value;
  } else if constexpr (std::is_integral_v<Value>) {
    return std::uint64_t{value};
  } else if constexpr (std::is_same_v<Kind, Seconds> &&
                       std::is_same_v<Value, std::chrono::duration<double>>) {
    return value.count();
  } else {
    return text(kind, value);
  }
}

template <class Kind, class Value>
[[nodiscard]] OptionValue json(const Kind& kind, const std::optional<Value>& value) {
  return value ? json(kind, *value) : OptionValue("none");
}

}  // namespace option_value

/// An option behind an accessor, for fields of parts of an aggregate.
template <class Options, class Kind, class Access>
[[nodiscard]] OptionField<Options> option_at(std::string name, std::string value, Kind kind,
                                             Access access, std::string help) {
  return {
      std::move(name),
      std::move(value),
      std::move(help),
      [kind, access](Options& options, std::string_view text) {
        option_value::read(kind, text, access(options));
      },
      [kind, access](const Options& options) { return option_value::text(kind, access(options)); },
      [kind, access](const Options& options) { return option_value::json(kind, access(options)); },
      [kind, access](const Options& options) { option_value::check(kind, access(options)); },
      option_value::range(kind)};
}

/// An option that is one field of its aggregate.
template <class Options, class Kind, class Value>
[[nodiscard]] OptionField<Options> option(std::string name, std::string value, Kind kind,
                                          Value Options::*member, std::string help) {
  return option_at<Options>(
      std::move(name), std::move(value),
      std::move(kind), [member](auto& options) -> auto& { return options.*member; },
      std::move(help));
}

/// An option of a part of an aggregate, out of the part's own table, which outlives this.
template <class Options, class Part, class Access>
[[nodiscard]] OptionField<Options> option_of_part(const OptionField<Part>& field, Access access) {
  return {field.name,
          field.value,
          field.help,
          [&field, access](Options& options, std::string_view text) {
            field.read(access(options), text);
          },
          [&field, access](const Options& options) { return field.text(access(options)); },
          [&field, access](const Options& options) { return field.json(access(options)); },
          [&field, access](const Options& options) { field.check(access(options)); },
          field.range};
}

/// The field of this name, which the table has.
template <class Options>
[[nodiscard]] const OptionField<Options>& field_of(const std::vector<OptionField<Options>>& table,
                                                   std::string_view name) {
  for (const OptionField<Options>& field : table) {
    if (field.name == name) return field;
  }
  throw std::invalid_argument("field_of: no option " + std::string(name));
}

/// Completes a message of `read` or `check` with whose option it is.
template <class Action>
void naming(const std::string& name, const Action& action) {
  try {
    action();
  } catch (const OptionError& error) {
    throw OptionError(name + ": " + error.what());
  }
}

/// Throws OptionError that names the field unless all are within their ranges.
template <class Options>
void check_all(const std::vector<OptionField<Options>>& table, const Options& options,
               const std::string& prefix = "") {
  for (const OptionField<Options>& field : table) {
    naming(prefix + field.name, [&] { field.check(options); });
  }
}

}  // namespace rnnalf
