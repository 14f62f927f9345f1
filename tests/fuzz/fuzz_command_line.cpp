// The option parser: any command line, one argument per line of input, is understood or refused.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "command.hpp"
#include "network_options.hpp"
#include "units.hpp"

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
    const Request request = parse_command_line(arguments);
    (void)network_options(request.arguments);
  } catch (const UsageError&) {
  }
  for (const std::string& argument : arguments) {
    try {
      (void)parse_duration("time", argument);
    } catch (const UsageError&) {
    }
    try {
      (void)parse_bytes("memory", argument);
    } catch (const UsageError&) {
    }
  }
  return 0;
}
