// No reader: takes as many bytes for an input as its text says, to see that a replay notices.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<char> taken(std::strtoull(text.c_str(), nullptr, 10));
  return taken.size() == 1 ? 1 : 0;
}
