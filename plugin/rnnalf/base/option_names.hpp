#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rnnalf {

/// How the readers of a text write options.
enum class Spelling : std::uint8_t {
  CommandLine,  ///< `--cell gru`
  Python,       ///< `cell='gru'`
  Study         ///< `cell = "gru"`, as in a study's file
};

/// Messages and help texts of the library name options in backquotes, by the names of the option
/// tables: "say `cell=gru`", "beside `max-states`". This is how a front end shows such a text: with
/// the names as its readers write them, without the backquotes. What else stands between backquotes
/// stays.
[[nodiscard]] std::string with_option_names(std::string_view text, Spelling spelling);

}  // namespace rnnalf
