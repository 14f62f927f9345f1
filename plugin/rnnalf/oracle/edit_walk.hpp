#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct EditWalkOptions {
  std::size_t words = 2500;     ///< to try
  std::size_t max_length = 40;  ///< symbols; longer words are cut
  std::uint64_t seed = 1;
};

/// Goes by edits from word to word among those that the network answers with `wanted`, from
/// `starts`. Returns all other words that were tried: words of the language and near misses.
/// Nothing is added to the tree. No words without starts; none when the budget ended first.
[[nodiscard]] std::optional<AnsweredWords> edit_walk(StateTree& tree, std::span<const Word> starts,
                                                     Answer wanted, const EditWalkOptions& options,
                                                     const Budget& budget);

}  // namespace rnnalf
