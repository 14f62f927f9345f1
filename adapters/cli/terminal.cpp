#include "terminal.hpp"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "output.hpp"
#include "rnnalf/base/terminal_text.hpp"

namespace rnnalf::cli {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Asks for the user's locale without making it the program's: numbers must not change their form.
bool locale_is_utf8() {
  const locale_t locale = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  if (locale != nullptr) {
    const bool is_utf8 = std::string_view(::nl_langinfo_l(CODESET, locale)) == "UTF-8";
    ::freelocale(locale);
    return is_utf8;
  }
  // The locale is not installed here, which happens over ssh. Its name says what the screen
  // expects.
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

bool is_terminal(int descriptor) noexcept {
  return ::isatty(descriptor) == 1;
}

TextStyle text_style(int descriptor) {
  TextStyle style{.colour = false, .width = 100, .utf8 = locale_is_utf8()};
  if (!is_terminal(descriptor)) return style;
  style.colour = environment("NO_COLOR").empty() && environment("TERM") != "dumb" &&
                 !environment("TERM").empty();
  style.width = 80;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
    if (size.ws_col > 0) style.width = size.ws_col;
  }
  return style;
}

void print(std::string_view text) {
  write_output(
      "-", terminal_text(text, text_style(STDOUT_FILENO).colour ? Colours::Ours : Colours::None));
}

void say(std::string_view text) {
  std::cerr << terminal_text(text, Colours::None) << std::flush;
}

void say_live(std::string_view text) {
  std::cerr << "\r" << terminal_text(text, Colours::None) << "\033[K" << std::flush;
}

}  // namespace rnnalf::cli
