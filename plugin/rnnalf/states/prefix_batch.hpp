#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// Some words read in lockstep, one symbol at a time: at every length each distinct prefix is one
/// item, however many words share it.
///
/// Starts at length 0, where all words share the empty prefix, number 0. Words are named by their
/// position in what was given; prefixes of one length are numbered in lexicographic order.
class PrefixBatch {
 public:
  /// A prefix of the length before that is read on, and the symbol it is read on with.
  struct Extension {
    std::uint32_t prefix;
    Symbol symbol;
    std::uint32_t word;  ///< the first that begins so
  };

  /// In lexicographic order; the words outlive the batch.
  explicit PrefixBatch(std::span<const Word* const> words);

  [[nodiscard]] std::size_t length() const { return length_; }
  /// The words of exactly this length.
  [[nodiscard]] std::span<const std::uint32_t> ended() const { return ended_; }
  /// The whole word.
  [[nodiscard]] WordView word(std::uint32_t word) const { return *words_[word]; }
  /// The prefix of a word that has not ended before this length.
  [[nodiscard]] std::uint32_t prefix(std::uint32_t word) const { return prefix_[word]; }

  /// Moves to the next length: how each of its prefixes, in order, comes from one of the length
  /// before. Nothing when all words have ended.
  [[nodiscard]] std::span<const Extension> advance();

 private:
  void part_ended_from_longer();

  std::span<const Word* const> words_;
  std::size_t length_ = 0;
  std::vector<std::uint32_t> ended_;
  std::vector<std::uint32_t> longer_;  // words that go on, in order
  std::vector<std::size_t>
      shared_;  // by word: length of the prefix shared with the longer one before it
  std::vector<std::uint32_t> prefix_;  // by word
  std::vector<Extension> extensions_;
};

}  // namespace rnnalf
