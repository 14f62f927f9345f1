// Prints the bytes this program has held at most; see peak_memory_counted_the_parent.cpp.

#include <cstdio>

#include "rnnalf/base/process_usage.hpp"

int main() {
  std::printf("%zu\n", rnnalf::peak_memory_bytes());
}
