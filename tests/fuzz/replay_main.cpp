// Runs a fuzz target over a stored corpus, without libFuzzer: what once broke a reader stays fixed.
// Arguments are files or folders. A target that lets an exception out has failed; one that crashes
// has printed the name of the input first.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> inputs_below(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

bool replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be opened\n", path.c_str());
    return false;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  // Copied to an exact allocation, so that a sanitizer sees a read behind the end.
  const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  std::fprintf(stderr, "%s (%zu bytes)\n", path.c_str(), input.size());
  try {
    LLVMFuzzerTestOneInput(input.data(), input.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "  let an exception out: %s\n", error.what());
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t replayed = 0;
  std::size_t failed = 0;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& input : inputs_below(argv[i])) {
      ++replayed;
      if (!replay(input)) ++failed;
    }
  }
  if (replayed == 0) {
    std::fprintf(stderr, "expected a corpus to replay, found no file\n");
    return 1;
  }
  std::fprintf(stderr, "%zu inputs replayed, %zu failed\n", replayed, failed);
  return failed == 0 ? 0 : 1;
}
