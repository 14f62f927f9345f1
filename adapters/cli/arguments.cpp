#include "arguments.hpp"

#include <algorithm>
#include <numeric>

namespace rnnalf::cli {
namespace {

/// Edits (insert, delete, replace, swap of neighbours) between two names.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

/// Breaks text at spaces into lines of at most `width`, all but the first indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (column > indent && column + 1 + word.size() > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    at = end + 1;
  }
  return result;
}

const Option* find(const Syntax& syntax, std::string_view name) {
  const auto found = std::find_if(syntax.options.begin(), syntax.options.end(),
                                  [&](const Option& option) { return option.name == name; });
  return found == syntax.options.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_option(const Syntax& syntax, const std::string& argument,
                                std::string_view name) {
  std::vector<std::string_view> names{"help"};
  for (const Option& option : syntax.options) names.push_back(option.name);
  const std::string hint = suggestion("--", name, names);
  throw UsageError("unknown option '" + argument + "'" +
                   (hint.empty() ? ", put words that begin with a dash after --" : hint));
}

bool needs_no_quotes(std::string_view text) {
  constexpr std::string_view others = "_./:=,+-@%";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

std::string shell_quoted(std::string_view text) {
  if (needs_no_quotes(text)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = options.find(option);
  if (found == options.end() || found->second.empty()) return std::nullopt;
  return found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::string_view> closest(std::string_view name,
                                        std::span<const std::string_view> candidates) {
  // A third of the letters may be wrong; a beginning of a name is as good as one wrong letter.
  std::optional<std::string_view> best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  if (name.size() > 64) return best;
  for (const std::string_view candidate : candidates) {
    const bool beginning = name.size() >= 2 && candidate.starts_with(name);
    const std::size_t edits = beginning ? 1 : distance(name, candidate);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view prefix, std::string_view name,
                       std::span<const std::string_view> candidates) {
  const auto found = closest(name, candidates);
  return found ? ", did you mean " + std::string(prefix) + std::string(*found) + "?" : "";
}

Arguments parse_arguments(const Syntax& syntax, std::span<const std::string> arguments) {
  Arguments parsed;
  bool options_end = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (options_end || argument.size() < 2 || argument[0] != '-') {
      parsed.operands.push_back(argument);
      continue;
    }
    if (argument == "--") {
      options_end = true;
      continue;
    }
    if (argument == "--help" || argument == "-h") {
      parsed.help = true;
      return parsed;
    }
    if (argument[1] != '-') refuse_option(syntax, argument, std::string_view(argument).substr(1));
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const Option* option = find(syntax, name);
    if (option == nullptr) refuse_option(syntax, "--" + name, name);
    std::vector<std::string>& values = parsed.options[name];
    if (!values.empty() && !option->repeatable) {
      throw UsageError("--" + name + ": expected once, found twice");
    }
    if (option->value.empty()) {
      if (equals != std::string::npos) throw UsageError("--" + name + ": expected no value");
      values.emplace_back();
    } else if (equals != std::string::npos) {
      values.push_back(argument.substr(equals + 1));
    } else if (i + 1 < arguments.size()) {
      values.push_back(arguments[++i]);
    } else {
      throw UsageError("--" + name + ": expected a value " + std::string(option->value) +
                       ", found the end of the command line");
    }
  }
  if (parsed.operands.size() < syntax.least_operands ||
      parsed.operands.size() > syntax.most_operands) {
    throw UsageError("expected " + std::string(syntax.operands) + ", found " +
                     std::to_string(parsed.operands.size()) +
                     (parsed.operands.size() == 1 ? " operand" : " operands"));
  }
  return parsed;
}

std::string command_line(const Syntax& syntax, const Arguments& arguments,
                         std::span<const std::string_view> without) {
  std::string operands;
  bool looks_like_option = false;
  for (const std::string& operand : arguments.operands) {
    operands += " " + shell_quoted(operand);
    looks_like_option = looks_like_option || operand.starts_with('-');
  }
  std::string options;
  for (const auto& [name, values] : arguments.options) {
    if (std::find(without.begin(), without.end(), name) != without.end()) continue;
    const Option* const option = find(syntax, name);
    const bool has_value = option != nullptr && !option->value.empty();
    for (const std::string& value : values) {
      options += " --" + name + (has_value ? " " + shell_quoted(value) : "");
    }
  }
  return "rnnalf " + std::string(syntax.name) +
         (looks_like_option ? options + " --" + operands : operands + options);
}

std::string help_text(const Syntax& syntax) {
  constexpr std::size_t kWidth = 96;
  std::string text = "Usage: rnnalf " + std::string(syntax.name) + " " +
                     std::string(syntax.operands) + (syntax.options.empty() ? "" : " [options]") +
                     "\n\n";
  text += wrapped(syntax.description, 0, kWidth) + "\n";
  const std::size_t column = 28;
  text += "\nOptions:\n";
  std::vector<Option> options = syntax.options;
  options.push_back({"help", "", "this text"});
  for (const Option& option : options) {
    std::string left = "  --" + std::string(option.name);
    if (!option.value.empty()) left += " " + std::string(option.value);
    if (left.size() + 2 > column) {
      left += "\n" + std::string(column, ' ');
    } else {
      left.resize(column, ' ');
    }
    text += left + wrapped(option.help, column, kWidth) + "\n";
  }
  if (!syntax.examples.empty()) text += "\nExamples:\n" + std::string(syntax.examples);
  return text;
}

}  // namespace rnnalf::cli
