#pragma once

#include <cstdint>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct ExhaustiveOptions {
  std::size_t max_length = 12;  ///< symbols
  std::size_t words = 100000;   ///< a length that would exceed this many words is not begun; > 0

  static constexpr std::string_view kName = "exhaustive";
  static constexpr std::string_view kSummary = "all words, length by length";
  [[nodiscard]] static const std::vector<OptionField<ExhaustiveOptions>>& table();
};
void validate(const ExhaustiveOptions& options);  // throws OptionError naming the field

/// `exhaustive`: all words, length by length, so that "agrees on all words of up to n symbols" can
/// be said, and is said only of lengths that were completed. A counterexample is the shortlex-first
/// word of all on which the two differ.
///
/// Words of a batch share their prefixes; memory is that of one batch, whatever the length.
class ExhaustiveOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  ExhaustiveOracle(StateTree& tree, const ExhaustiveOptions& options);
  [[nodiscard]] std::string_view name() const override { return ExhaustiveOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  ExhaustiveOptions options_;
};

[[nodiscard]] OraclePtr make_oracle(const ExhaustiveOptions& options, const OracleContext& context);

}  // namespace rnnalf
