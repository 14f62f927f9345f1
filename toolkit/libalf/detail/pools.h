#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

/// Storage of the knowledgebase: everything is addressed by 32 bit indices, 0 meaning "none", half
/// the size of pointers.
namespace libalf::detail {

using index = std::uint32_t;

/// Objects at stable addresses, found by index, that find their owner and their own index without
/// storing either: they live in chunks aligned to their size, and the first slot of a chunk is its
/// header.
template <class T, class Owner>
class object_pool {
 public:
  explicit object_pool(Owner* owner) : owner_(owner) {}
  object_pool(const object_pool&) = delete;
  object_pool& operator=(const object_pool&) = delete;
  ~object_pool() { clear(); }

  template <class... Arguments>
  T* create(Arguments&&... arguments) {
    if (chunks_.empty() || used_ == slots) add_chunk();
    T* object = new (chunks_.back() + used_ * sizeof(T)) T(std::forward<Arguments>(arguments)...);
    ++used_;
    return object;
  }

  T* at(index i) const {
    return std::launder(
        reinterpret_cast<T*>(chunks_[i >> slot_bits] + (i & slot_mask) * sizeof(T)));
  }

  static index index_of(const T* object) {
    const char* chunk = chunk_of(object);
    const auto offset = static_cast<std::size_t>(reinterpret_cast<const char*>(object) - chunk);
    return (header_of(chunk)->number << slot_bits) | static_cast<index>(offset / sizeof(T));
  }

  static Owner* owner_of(const T* object) { return header_of(chunk_of(object))->owner; }

  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      const std::size_t end = c + 1 == chunks_.size() ? used_ : slots;
      for (std::size_t s = header_slots; s < end; ++s) {
        visit(*at(static_cast<index>((c << slot_bits) | s)));
      }
    }
  }

  void clear() {
    for_each([](T& object) { object.~T(); });
    for (char* allocation : allocations_) std::free(allocation);
    allocations_.clear();
    chunks_.clear();
    next_chunk_ = last_chunk_ = nullptr;
    used_ = 0;
  }

  std::size_t bytes() const { return chunks_.size() * chunk_bytes; }

 private:
  struct header {
    Owner* owner;
    index number;
  };

  static constexpr std::size_t chunk_bytes = std::size_t{1} << 16;
  // Chunks are allocated many at a time: each aligned allocation leaves a gap of up to a chunk.
  static constexpr std::size_t most_chunks_at_once = 64;
  static constexpr std::size_t slots = chunk_bytes / sizeof(T);
  static constexpr std::size_t header_slots = (sizeof(header) + sizeof(T) - 1) / sizeof(T);
  static constexpr unsigned bits_for(std::size_t n) {
    return n <= 1 ? 0 : 1 + bits_for((n + 1) / 2);
  }
  static constexpr unsigned slot_bits = bits_for(slots);
  static constexpr index slot_mask = (index{1} << slot_bits) - 1;
  static_assert(slots > header_slots + 1, "objects must be small");

  static char* chunk_of(const T* object) {
    return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(object) & ~(chunk_bytes - 1));
  }
  static const header* header_of(const char* chunk) {
    return reinterpret_cast<const header*>(chunk);
  }

  void add_chunk() {
    if (chunks_.size() >= std::numeric_limits<index>::max() >> slot_bits) {
      throw std::length_error("libalf::knowledgebase: more than 2^32 nodes");
    }
    if (next_chunk_ == last_chunk_) allocate_chunks();
    chunks_.push_back(next_chunk_);
    new (next_chunk_) header{owner_, static_cast<index>(chunks_.size() - 1)};
    next_chunk_ += chunk_bytes;
    used_ = header_slots;
  }

  void allocate_chunks() {
    const std::size_t bytes =
        std::clamp<std::size_t>(chunks_.size(), 1, most_chunks_at_once) * chunk_bytes;
    allocations_.reserve(allocations_.size() + 1);
    next_chunk_ = static_cast<char*>(std::aligned_alloc(chunk_bytes, bytes));
    last_chunk_ = next_chunk_;
    if (!next_chunk_) throw std::bad_alloc();
    allocations_.push_back(next_chunk_);
    last_chunk_ += bytes;
  }

  Owner* owner_;
  std::vector<char*> allocations_;
  std::vector<char*> chunks_;   // in use
  char* next_chunk_ = nullptr;  // allocated, not in use yet: up to last_chunk_
  char* last_chunk_ = nullptr;
  std::size_t used_ = 0;  // slots taken in the last chunk
};

/// Arrays of 2^k elements, k >= 1; freed ones are used again for the same k.
template <class T>
class block_pool {
 public:
  index allocate(unsigned log2_size) {
    auto& free = free_[log2_size];
    if (!free.empty()) {
      const index block = free.back();
      free.pop_back();
      return block;
    }
    const std::size_t size = std::size_t{1} << log2_size;
    if (chunks_.empty() || used_ + size > chunk_size) add_chunk(std::max(size, chunk_size));
    const auto block = static_cast<index>(((chunks_.size() - 1) << chunk_bits) | used_);
    used_ += size;
    return block;
  }

  void release(index block, unsigned log2_size) { free_[log2_size].push_back(block); }

  T* at(index block) const { return chunks_[block >> chunk_bits].get() + (block & chunk_mask); }

  void clear() {
    chunks_.clear();
    for (auto& free : free_) free.clear();
    used_ = 0;
    bytes_ = 0;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr unsigned chunk_bits = 13;
  static constexpr std::size_t chunk_size = std::size_t{1} << chunk_bits;
  static constexpr index chunk_mask = chunk_size - 1;

  void add_chunk(std::size_t size) {
    if (chunks_.size() >= std::numeric_limits<index>::max() >> chunk_bits) {
      throw std::length_error("libalf::knowledgebase: more than 2^32 edges");
    }
    chunks_.push_back(std::unique_ptr<T[]>(new T[size]));
    bytes_ += size * sizeof(T);
    used_ = 0;
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::array<std::vector<index>, 32> free_;
  std::size_t used_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace libalf::detail
