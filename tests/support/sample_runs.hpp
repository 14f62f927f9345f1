#pragma once

#include "rnnalf/run/run.hpp"

namespace rnnalf::support {

/// An extraction of Tomita's fifth language (an even number of 0s and of 1s) that went well: three
/// hypotheses, two counterexamples, one of them an error of the network, a target.
[[nodiscard]] Run small_run();

/// The same shape over another alphabet, of two symbols.
[[nodiscard]] Run small_run_over(Alphabet alphabet);

/// The same shape with three classes: every hypothesis counts 1s modulo 3 and gives class 2, 0, 1;
/// the network gives class 2 on all words of the run, the target class 0.
[[nodiscard]] Run moore_run();

/// A run that hit the time limit, with a hypothesis of `states` states that grew from small ones.
[[nodiscard]] Run large_run(std::size_t states, std::size_t symbols, std::uint64_t seed);

}  // namespace rnnalf::support
