#include "rnnalf/base/class_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// With a sign or too large to be read, too: `-1` is no class, and would be an odd name.
bool looks_like_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether it has the characters of a name.
bool is_name(std::string_view text) {
  if (text.empty() || text.find_first_of(" \"\\|/{}<>") != std::string_view::npos) return false;
  while (!text.empty()) {
    const Character first = first_character(text);
    if (first.bytes == 0 || !is_visible(first.code_point)) return false;
    text.remove_prefix(first.bytes);
  }
  return true;
}

}  // namespace

GivenClass::GivenClass(std::string_view text) : text_(text) {
  if (looks_like_number(text) ? !whole_number(text) : !is_name(text)) {
    throw OptionError("expected the number or the name of a class, found " + in_quotes(text));
  }
}

ClassNames::ClassNames(std::vector<std::string> names) : names_(std::move(names)) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::string& name = names_[i];
    const auto refuse = [&](const std::string& expected) {
      throw OptionError(
          fmt::format("class {}: expected {}, found {}", i, expected, in_quotes(name)));
    };
    if (!is_name(name)) refuse("a name without white space and without \" \\ | / { } < >");
    if (looks_like_number(name) && name != std::to_string(i)) {
      refuse("no number but its own as its name");
    }
    if (!seen.insert(name).second) refuse("a name that no other class has");
  }
}

ClassNames ClassNames::parse(std::string_view text) {
  std::vector<std::string> names = split_at_spaces(text);
  if (names.empty()) throw OptionError("expected names with spaces between them, found none");
  return ClassNames(std::move(names));
}

std::string ClassNames::name(Answer answer) const {
  return names_.empty() ? std::to_string(index(answer)) : names_.at(index(answer));
}

std::optional<std::size_t> ClassNames::find(std::string_view name) const {
  if (const auto number = whole_number(name)) return number;
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

}  // namespace rnnalf
