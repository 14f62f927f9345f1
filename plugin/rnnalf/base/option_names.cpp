#include "rnnalf/base/option_names.hpp"

#include <algorithm>

namespace rnnalf {
namespace {

bool is_option_name(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

std::string spelled(std::string_view option, std::string_view value, Spelling spelling) {
  std::string name(option);
  const std::string text(value);
  const bool is_number = !text.empty() && std::all_of(text.begin(), text.end(),
                                                      [](char c) { return c >= '0' && c <= '9'; });
  const std::string python = is_number ? text : "'" + text + "'";
  switch (spelling) {
    case Spelling::CommandLine:
      return "--" + name +
             (text.empty()                  ? ""
              : text.find(' ') == text.npos ? " " + text
                                            : " '" + text + "'");
    case Spelling::Python:
      std::replace(name.begin(), name.end(), '-', '_');
      return name + (text.empty() ? "" : "=" + python);
    case Spelling::Study:
      break;
  }
  return name + (text.empty() ? "" : " = " + (is_number ? text : '"' + text + '"'));
}

}  // namespace

std::string with_option_names(std::string_view text, Spelling spelling) {
  std::string shown;
  while (true) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == text.npos ? text.npos : text.find('`', open + 1);
    if (close == text.npos) return shown.append(text);
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const std::size_t equals = std::min(inside.find('='), inside.size());
    const std::string_view name = inside.substr(0, equals);
    shown += text.substr(0, open);
    if (is_option_name(name)) {
      shown += spelled(name, inside.substr(std::min(equals + 1, inside.size())), spelling);
      text.remove_prefix(close + 1);
    } else {
      shown += '`';
      text.remove_prefix(open + 1);
    }
  }
}

}  // namespace rnnalf
