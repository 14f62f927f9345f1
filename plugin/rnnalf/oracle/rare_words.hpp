#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct RareWordOptions {
  std::size_t generations = 60;  ///< shared by the rare answers; 0: no search
  std::size_t population = 60;   ///< words of an island; > 0
  std::size_t longest = 24;      ///< symbols of a word
  std::size_t most = 1000;       ///< words; the search ends when it has this many
  std::uint64_t seed = 1;
};
void validate(const RareWordOptions& options);  // throws OptionError naming the field

struct RareWords {
  std::vector<Answer> rare = {};  ///< answers that uniform words hardly ever get
  AnsweredWords words = {};       ///< with these answers, as found
};

/// Words with an answer that uniform words hardly ever get, such as the addresses that a network of
/// e-mail addresses accepts. With fewer than four symbols no answer counts as rare, because the
/// shortest words can be tried instead.
///
/// Fewer than one in a hundred of the uniform words of 6 to 24 symbols must have the answer. To see
/// that takes 1,536 steps.
///
/// The search is evolution on islands. Each has words of three lengths (4 to 6, 7 to 9, ...),
/// random ones at first. Children come from tournaments, by substitution, crossover, insertion and
/// deletion. The words with the best score survive, at most an eighth of them with the same last
/// symbol. An island starts again when half of its words have the answer, from then on with words
/// of one length, or when no better word came up for a while. (To climb from prefix to prefix does
/// not work: the score of a prefix says little about where it leads.)
///
/// Words are answered in batches that share their prefixes; none is added to the tree. The result
/// depends on the network and the options, unless the budget ends it.
[[nodiscard]] RareWords find_rare_words(StateTree& tree, const RareWordOptions& options,
                                        const Budget& budget);

}  // namespace rnnalf
