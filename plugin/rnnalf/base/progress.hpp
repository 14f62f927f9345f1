#pragma once

#include <atomic>
#include <cstdint>

namespace rnnalf {

/// What a run is doing now, for whoever watches it from another thread. Written by the run,
/// relaxed; says nothing that a result depends on.
struct Progress {
  std::atomic<std::uint64_t> rounds = 0;  ///< equivalence queries begun
  std::atomic<std::uint64_t> states = 0;  ///< of the current hypothesis
  std::atomic<std::uint64_t> a_states = 0;
  std::atomic<std::uint64_t> queries = 0;  ///< membership queries answered
  std::atomic<std::uint64_t> steps = 0;    ///< of the network
  std::atomic<const char*> activity =
      "starting";  ///< an oracle's name, "learner", ...: static storage
};

}  // namespace rnnalf
