// The option parser: any command line, one argument per line of input, is understood or refused.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "command.hpp"
#include "rnnalf/base/option_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rnnalf::cli;
  std::vector<std::string> arguments(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n') {
      arguments.emplace_back();
    } else {
      arguments.back() += static_cast<char>(data[i]);
    }
  }
  try {
    (void)parse_command_line(arguments);
  } catch (const UsageError&) {
  }
  for (const std::string& argument : arguments) {
    std::chrono::duration<double> time{};
    std::uint64_t bytes = 0;
    try {
      rnnalf::option_value::read(rnnalf::Seconds{}, argument, time);
    } catch (const rnnalf::OptionError&) {
    }
    try {
      rnnalf::option_value::read(rnnalf::Bytes{}, argument, bytes);
    } catch (const rnnalf::OptionError&) {
    }
  }
  return 0;
}
