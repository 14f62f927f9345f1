#pragma once

#include <optional>
#include <vector>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/sample_search.hpp"
#include "rnnalf/oracle/search_oracles.hpp"

namespace rnnalf {

struct SamplesOptions {
  std::vector<Word> words;     ///< tried at every query; none: a word of each class is searched for
  SampleSearchOptions search;  ///< that search, done once
  std::vector<Word> found;     ///< tried besides

  static constexpr std::string_view kName = "samples";
  static constexpr std::string_view kSummary =
      "given words, else the shortest word of each answer that a search finds";
  [[nodiscard]] static const std::vector<OptionField<SamplesOptions>>& table();
};

/// `samples`: the same words at every query, shortest first. The network is asked once.
///
/// The paper gives its teacher one accepted and one rejected word, so that a learner does not stop
/// at an automaton with a single state.
class SamplesOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  SamplesOracle(StateTree& tree, SamplesOptions options);
  [[nodiscard]] std::string_view name() const override { return SamplesOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  /// False when the budget ended first.
  bool ask(const Budget& budget);

  StateTree& tree_;
  SamplesOptions options_;
  std::optional<AnsweredWords> words_;
};

[[nodiscard]] OraclePtr make_oracle(const SamplesOptions& options, const OracleContext& context);

}  // namespace rnnalf
