#pragma once

#include "rnnalf/libalf/discrimination_tree_learner.hpp"

namespace rnnalf {

/// Howar's Observation Pack (Active learning of interface programs, 2012), as a discrimination
/// tree: the suffix found in a counterexample stays where it is.
///
/// Chosen over L# (Vaandrager et al., 2022) because it shares its tree with TTT, so that the two
/// differ in one thing, what becomes of a suffix, and because it sifts all transitions at once: the
/// batches that a network evaluates well. L# picks its next query after the last answer.
template <class answer>
class ObservationPackLearner final : public DiscriminationTreeLearner<answer> {
 public:
  ObservationPackLearner(libalf::knowledgebase<answer>* base, libalf::logger* log, int size)
      : DiscriminationTreeLearner<answer>(base, log, size, 1001) {}

  const char* get_name() override { return "observation_pack"; }
};

using ObservationPack = ObservationPackLearner<bool>;

}  // namespace rnnalf
