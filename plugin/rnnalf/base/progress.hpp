#pragma once

#include <atomic>
#include <cstdint>

namespace rnnalf {

/// What a run is doing now. The run writes it, relaxed; another thread may read it and show it. No
/// result depends on it.
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
