#pragma once

#include "rnnalf/libalf/discrimination_tree_learner.hpp"

namespace rnnalf {

/// Howar's Observation Pack (Active learning of interface programs, 2012), as a discrimination
/// tree: the suffix found in a counterexample stays where it is.
///
/// It shares its tree with TTT, so that the two differ in one thing: what becomes of a suffix.
template <class answer>
class ObservationPackLearner final : public DiscriminationTreeLearner<answer> {
 public:
  ObservationPackLearner(libalf::knowledgebase<answer>* base, libalf::logger* log, int size)
      : DiscriminationTreeLearner<answer>(base, log, size, 1001) {}

  const char* get_name() override { return "observation_pack"; }
};

using ObservationPack = ObservationPackLearner<bool>;

}  // namespace rnnalf
