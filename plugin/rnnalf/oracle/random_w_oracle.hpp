#pragma once

#include <cstdint>
#include <unordered_map>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct RandomWOptions {
  std::size_t walks = 25;   ///< from each state, over all queries of a run; > 0
  std::size_t length = 12;  ///< most symbols of a walk; > 0
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "random-w";
  static constexpr std::string_view kSummary =
      "an access word, a random walk and a distinguishing suffix";
  [[nodiscard]] static const std::vector<OptionField<RandomWOptions>>& table();
};
void validate(const RandomWOptions& options);  // throws OptionError naming the field

/// `random-w`: an access word, a random walk, a word of the characterising set: a random choice
/// from the words of the W-method for many extra states. As AALpy has it; compared from the access
/// word on after every symbol.
class RandomWOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  RandomWOracle(StateTree& tree, const RandomWOptions& options);
  [[nodiscard]] std::string_view name() const override { return RandomWOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  RandomWOptions options_;
  Random random_;
  std::unordered_map<Word, std::size_t, WordHash> walks_;  // done so far, by access word
};

[[nodiscard]] OraclePtr make_oracle(const RandomWOptions& options, const OracleContext& context);

}  // namespace rnnalf
