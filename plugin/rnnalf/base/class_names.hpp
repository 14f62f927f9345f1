#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/ids.hpp"

namespace rnnalf {

/// A class as a user gives it, before it is known whether classes have names: its number or a name.
class GivenClass {
 public:
  GivenClass(std::size_t number) : text_(std::to_string(number)) {}  // NOLINT: a number is one
  /// Throws OptionError unless it is a whole number or could be a name.
  explicit GivenClass(std::string_view text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

/// What the classes of a network or of a Moore machine are called; where nobody named them, there
/// are no names and a class is its number.
///
/// Names are distinct, in visible characters, without white space and without the characters that
/// separate things in the files they are written to: " \ | / { } < >. A name that is a whole number
/// is that of its own class: so either way of giving a class means one class. Immutable.
class ClassNames {
 public:
  ClassNames() = default;
  /// In the order of the classes. Throws OptionError "class 1: expected ..., found ...".
  explicit ClassNames(std::vector<std::string> names);

  /// The command line's form: names with spaces between them.
  [[nodiscard]] static ClassNames parse(std::string_view text);

  [[nodiscard]] bool empty() const noexcept { return names_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

  /// As people read it: the name, or the number where there is none.
  [[nodiscard]] std::string name(Answer answer) const;
  /// The class of this name, or of this number, whichever classes there are; none: no such name.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

  bool operator==(const ClassNames&) const = default;

 private:
  std::vector<std::string> names_;
};

}  // namespace rnnalf
