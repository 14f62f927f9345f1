#pragma once

#include "rnnalf/run/run.hpp"

namespace rnnalf::support {

/// An extraction of Tomita's fifth language (an even number of 0s and of 1s) that went well: three
/// hypotheses, two counterexamples, one of them an error of the network, a target.
[[nodiscard]] Run small_run();

/// The same shape over another alphabet, of two symbols.
[[nodiscard]] Run small_run_over(Alphabet alphabet);

/// A run that hit the time limit, with a hypothesis of `states` states that grew from small ones.
[[nodiscard]] Run large_run(std::size_t states, std::size_t symbols, std::uint64_t seed);

}  // namespace rnnalf::support
