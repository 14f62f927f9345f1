#include "rnnalf/states/prefix_batch.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rnnalf {

PrefixBatch::PrefixBatch(std::span<const Word* const> words)
    : words_(words), longer_(words.size()), shared_(words.size(), 0), prefix_(words.size(), 0) {
  std::iota(longer_.begin(), longer_.end(), 0U);
  for (std::size_t i = 1; i < words.size(); ++i) {
    shared_[i] = common_prefix(*words[i - 1], *words[i]);
  }
  part_ended_from_longer();
}

std::span<const PrefixBatch::Extension> PrefixBatch::advance() {
  extensions_.clear();
  for (std::size_t i = 0; i < longer_.size(); ++i) {
    const std::uint32_t word = longer_[i];
    if (i == 0 || shared_[word] <= length_) {
      extensions_.push_back({prefix_[word], (*words_[word])[length_], word});
    }
    prefix_[word] = static_cast<std::uint32_t>(extensions_.size() - 1);
  }
  ++length_;
  part_ended_from_longer();
  return extensions_;
}

void PrefixBatch::part_ended_from_longer() {
  ended_.clear();
  std::size_t kept = 0;
  // Over words that ended in between, two words share the least that neighbours share.
  std::size_t shared = std::numeric_limits<std::size_t>::max();
  for (const std::uint32_t word : longer_) {
    shared = std::min(shared, shared_[word]);
    if (words_[word]->size() == length_) {
      ended_.push_back(word);
      continue;
    }
    shared_[word] = shared;
    shared = std::numeric_limits<std::size_t>::max();
    longer_[kept++] = word;
  }
  longer_.resize(kept);
}

}  // namespace rnnalf
