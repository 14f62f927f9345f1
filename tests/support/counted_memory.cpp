#include "support/counted_memory.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/sanitizer.hpp"

namespace rnnalf::test {
namespace {

// Atomic: what is measured may have threads.
std::atomic<std::size_t> live = 0;  // bytes that were given out
std::atomic<std::size_t> peak = 0;
std::atomic<std::size_t> before = 0;

#ifndef RNNALF_UNDER_ASAN
void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = live += malloc_usable_size(memory);
  std::size_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void released(void* memory) noexcept {
  if (memory != nullptr) live -= malloc_usable_size(memory);
  std::free(memory);
}
#endif

}  // namespace

void CountedMemory::begin() {
  before = live.load();
  peak = live.load();
}

std::size_t CountedMemory::taken() {
  return peak - before;
}

}  // namespace rnnalf::test

#ifndef RNNALF_UNDER_ASAN
using rnnalf::test::counted;
using rnnalf::test::released;

void* operator new(std::size_t size) {
  return counted(std::malloc(size));
}
void* operator new[](std::size_t size) {
  return counted(std::malloc(size));
}
void* operator new(std::size_t size, std::align_val_t align) {
  const auto boundary = static_cast<std::size_t>(align);
  return counted(std::aligned_alloc(boundary, (size + boundary - 1) / boundary * boundary));
}
void operator delete(void* memory) noexcept {
  released(memory);
}
void operator delete[](void* memory) noexcept {
  released(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  released(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  released(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  released(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  released(memory);
}
#endif
