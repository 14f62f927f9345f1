#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/text.hpp"

// Used by the readers of this folder only; not installed.
namespace rnnalf::detail {

/// A line of a file, for messages: `file:line: ...`.
struct FileLine {
  std::string_view file;
  std::size_t line = 0;
};

[[noreturn]] void refuse(const FileLine& at, const std::string& message);

/// Names in order of first appearance.
class Names {
 public:
  std::uint32_t number(std::string_view name);
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// An automaton as a file lists it: transitions in any order, some perhaps missing or in conflict.
struct ListedDfa {
  struct Transition {
    std::uint32_t from, symbol, to;
    std::size_t line;
  };
  std::string file;
  std::vector<std::string> symbols;
  std::vector<std::string> states;     ///< names for messages; the same order as `answers`
  std::vector<std::uint32_t> answers;  ///< below kMostAnswers; with two, 1 is accept
  std::size_t least_answers = 2;       ///< of the automaton, whichever its states give
  std::vector<std::string> classes{};  ///< names of classes, some perhaps empty; or none
  std::uint32_t initial = 0;
  std::vector<Transition> transitions;
};

/// The number of a class, if the text is one.
[[nodiscard]] std::optional<std::uint32_t> class_number(std::string_view text);

/// Checks that it is deterministic and completes it with a rejecting state.
[[nodiscard]] DfaFile complete(const ListedDfa& listed);

[[nodiscard]] DfaFile parse_dot(std::string_view text, const std::string& file);
[[nodiscard]] DfaFile parse_json(std::string_view text, const std::string& file);
[[nodiscard]] DfaFile parse_alf(std::string_view text, const std::string& file);
[[nodiscard]] std::string format_dot(const NamedDfa& automaton);
[[nodiscard]] std::string format_json(const NamedDfa& automaton);
[[nodiscard]] std::string format_alf(const Dfa& dfa);

}  // namespace rnnalf::detail
