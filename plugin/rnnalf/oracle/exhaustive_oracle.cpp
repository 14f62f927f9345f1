#include "rnnalf/oracle/exhaustive_oracle.hpp"

#include <optional>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

void validate(const ExhaustiveOptions& options) {
  if (options.words == 0) {
    throw OptionError("exhaustive: words: expected a number above 0, found 0");
  }
}

ExhaustiveOracle::ExhaustiveOracle(StateTree& tree, const ExhaustiveOptions& options)
    : tree_(tree), options_(options) {
  validate(options);
}

EquivalenceAnswer ExhaustiveOracle::find(const Dfa& hypothesis, const Budget& budget) {
  WordTester tester(tree_, hypothesis, budget);
  const std::size_t symbols = tree_.symbol_count();
  std::optional<std::size_t> completed;
  std::size_t level = 1;  // words of this length
  std::size_t total = 1;  // and up to it
  for (std::size_t length = 0; length <= options_.max_length; ++length) {
    Word word(length, Symbol{0});
    bool going = true;
    do {
      going = tester.test(word);
    } while (going && next_word(word, symbols));
    if (!going || !tester.flush()) break;
    completed = length;
    if (symbols == 0 || level > options_.words / symbols) break;
    level *= symbols;
    total += level;
    if (total > options_.words) break;
  }
  std::string claim = "no word was completed";
  if (completed) {
    claim = "agrees on all words of up to " + std::to_string(*completed) + " symbols";
  }
  EquivalenceAnswer answer = tester.answer(name(), claim);
  if (answer.verdict == Verdict::BudgetSpent && completed) {
    answer.evidence.back().claim = claim + ", then stopped by a limit";
  }
  return answer;
}

}  // namespace rnnalf
