// Runs a fuzz target over a stored corpus, without libFuzzer: what once broke a reader stays fixed.
// Arguments are files or folders. A target that lets an exception out has failed; one that crashes
// has printed the name of the input first. So has one that takes more memory than kMostMemory for
// an input of 10 kB, and in proportion for larger ones. Time is printed and not judged.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/counted_memory.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using rnnalf::test::CountedMemory;

// "A file of 10 kB never takes more than 100 MB."
constexpr std::size_t kSmallInput = 10'000;
constexpr std::size_t kMostMemory = 100'000'000;

std::vector<fs::path> inputs_below(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

/// What most was taken of something, and by which input.
struct Most {
  double value = 0;
  std::string input = "none";

  void see(double found, const fs::path& path) {
    if (found > value) *this = {found, path.filename().string()};
  }
};

struct Replay {
  std::size_t inputs = 0;
  std::size_t failed = 0;
  Most megabytes;
  Most milliseconds;
};

bool run(const fs::path& path, Replay& replay) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be opened\n", path.c_str());
    return false;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  // Copied to an exact allocation, so that a sanitizer sees a read behind the end.
  const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  std::fprintf(stderr, "%s (%zu bytes)\n", path.c_str(), input.size());
  CountedMemory::begin();
  const auto start = std::chrono::steady_clock::now();
  try {
    LLVMFuzzerTestOneInput(input.data(), input.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "  let an exception out: %s\n", error.what());
    return false;
  }
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  const std::size_t taken = CountedMemory::taken();
  replay.megabytes.see(static_cast<double>(taken) / 1e6, path);
  replay.milliseconds.see(time.count(), path);
  const std::size_t most = kMostMemory / kSmallInput * std::max(input.size(), kSmallInput);
  if (taken > most) {
    std::fprintf(stderr, "  expected at most %zu bytes of memory, found %zu\n", most, taken);
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Replay replay;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& input : inputs_below(argv[i])) {
      ++replay.inputs;
      if (!run(input, replay)) ++replay.failed;
    }
  }
  if (replay.inputs == 0) {
    std::fprintf(stderr, "expected a corpus to replay, found no file\n");
    return 1;
  }
  std::fprintf(stderr, "%zu inputs replayed, %zu failed; at most %.1f MB (%s) and %.1f ms (%s)\n",
               replay.inputs, replay.failed, replay.megabytes.value, replay.megabytes.input.c_str(),
               replay.milliseconds.value, replay.milliseconds.input.c_str());
  return replay.failed == 0 ? 0 : 1;
}
