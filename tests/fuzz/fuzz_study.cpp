// Study files, rows and bundles: any text is read or refused in one line, and what was read can be
// written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/study/results.hpp"
#include "rnnalf/study/tar.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rnnalf;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    static_cast<void>(parse_study(text, "input", "/"));
  } catch (const FileError& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  if (const auto row = parse_row(text)) {
    if (!parse_row(row_line(*row))) std::abort();
  }
  try {
    static_cast<void>(tar_files(text, "input"));
  } catch (const FileError& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
