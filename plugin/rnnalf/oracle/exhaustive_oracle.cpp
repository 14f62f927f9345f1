#include "rnnalf/oracle/search_oracles.hpp"

#include <optional>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

const std::vector<OptionField<ExhaustiveOptions>>& ExhaustiveOptions::table() {
  static const std::vector<OptionField<ExhaustiveOptions>> fields = {
      option("max-length", "", Count{}, &ExhaustiveOptions::max_length, "symbols of a word"),
      option("words", "", Count{.least = 1}, &ExhaustiveOptions::words,
             "a length that would make it more words than this is not begun")};
  return fields;
}

EquivalenceAnswer search(SearchState<ExhaustiveOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  WordTester tester(own.tree, hypothesis, budget);
  const std::size_t symbols = own.tree.symbol_count();
  std::optional<std::size_t> completed;
  std::size_t level = 1;  // words of this length
  std::size_t total = 1;  // and up to it
  for (std::size_t length = 0; length <= own.options.max_length; ++length) {
    Word word(length, Symbol{0});
    bool going = true;
    do {
      going = tester.test(word);
    } while (going && next_word(word, symbols));
    if (!going || !tester.flush()) break;
    completed = length;
    if (symbols == 0 || level > own.options.words / symbols) break;
    level *= symbols;
    total += level;
    if (total > own.options.words) break;
  }
  return tester.answer(ExhaustiveOptions::kName,
                       {.kind = WordsCompared::Kind::All, .complete_to = completed});
}

}  // namespace rnnalf
