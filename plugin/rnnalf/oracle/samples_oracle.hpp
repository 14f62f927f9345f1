#pragma once

#include <vector>

#include "rnnalf/oracle/oracle.hpp"
#include "rnnalf/oracle/sample_search.hpp"

namespace rnnalf {

struct SamplesOptions {
  std::vector<Word> words;     ///< tried at every query; none: a word of each class is searched for
  SampleSearchOptions search;  ///< that search, done once
};
void validate(const SamplesOptions& options);  // throws OptionError naming the field

/// `samples`: the same few words at every query, shortest first.
///
/// The paper gives its teacher one accepted and one rejected word, so that a learner does not stop
/// at an automaton with a single state.
class SamplesOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  SamplesOracle(StateTree& tree, SamplesOptions options);
  [[nodiscard]] std::string_view name() const override { return "samples"; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  SamplesOptions options_;
  bool searched_ = false;
};

}  // namespace rnnalf
