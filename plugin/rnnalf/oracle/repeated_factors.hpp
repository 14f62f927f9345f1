#pragma once

#include <cstddef>
#include <vector>

#include "rnnalf/base/word.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

/// Words that the network is known to answer with the rarer of the two answers, with a short factor
/// left out, doubled, tripled and repeated ten times: [S,S] gives [S] and [S,S,S].
///
/// Loops of the hypothesis cannot give these: a hypothesis that knows no list of three items has no
/// loop there. The shortest such words of the tree are taken, at most `seeds`. Without repetition,
/// shortest first, at most `most`.
[[nodiscard]] std::vector<Word> repeated_factors(const StateTree& tree, std::size_t seeds,
                                                 std::size_t longest_factor, std::size_t most);

}  // namespace rnnalf
