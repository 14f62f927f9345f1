#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/oracle/oracle.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

class Exploration;

using OraclePtr = std::unique_ptr<EquivalenceOracle>;

/// What every oracle of a run shares.
struct OracleContext {
  StateTree& tree;  ///< outlives the oracles
  std::uint64_t seed = 1;
  std::vector<Word> samples = {};  ///< words of the user for `samples`; none: it searches
  std::vector<Word> found = {};    ///< words of rare answers that `samples` tries besides
  /// Takes over what the `abstraction` oracles walk on, one each, so that it can be looked at
  /// later; outlives the oracles. None: each oracle keeps its own.
  std::vector<std::unique_ptr<Exploration>>* explorations = nullptr;
  std::size_t earlier = 0;  ///< oracles of the same kind that stand before it in the chain

  /// The seed of the oracle of this name: each draws from a stream of its own, whatever oracles of
  /// other kinds stand beside it in the chain.
  [[nodiscard]] std::uint64_t seed_of(std::string_view oracle) const;
};

}  // namespace rnnalf
