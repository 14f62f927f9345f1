#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct SampleSearchOptions {
  std::size_t shortest_first =
      2000;                     ///< words tried in shortlex order, every length complete first
  std::size_t random = 2000;    ///< then uniform words of up to `max_length`
  std::size_t beam = 32;        ///< then, this many words of each length with the best score
  std::size_t max_length = 40;  ///< of random words and of the beam; > 0
  std::uint64_t seed = 1;

  [[nodiscard]] static const std::vector<OptionField<SampleSearchOptions>>& table();
};
void validate(const SampleSearchOptions& options);  // throws OptionError naming the field

/// One word of each answer, as short as the search found them; none for one it did not meet.
struct ClassSamples {
  std::vector<std::optional<Word>> words = {};  ///< by answer

  [[nodiscard]] const std::optional<Word>& of(Answer answer) const { return words[index(answer)]; }
  [[nodiscard]] bool complete() const {
    return std::all_of(words.begin(), words.end(), [](const auto& word) { return bool(word); });
  }
};

/// Looks for a word of each answer: shortest words first; where that does not meet all (an e-mail
/// address has no short words), random words; then a beam that climbs the score, or with more than
/// two answers goes where the answers are least clear.
///
/// The empty word is left out: every learner asks about it anyway, and many networks answer it
/// by accident.
[[nodiscard]] ClassSamples find_samples(StateTree& tree, const SampleSearchOptions& options,
                                        const Budget& budget);

}  // namespace rnnalf
