#include "rnnalf/oracle/word_tester.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLargestBatch = 4096;

}  // namespace

bool WordTester::test(Word word) {
  if (difference_ || spent_) return false;
  words_.push_back(std::move(word));
  return words_.size() < batch_ || flush();
}

bool WordTester::test_prefixes(const Word& word, std::size_t shortest) {
  for (std::size_t length = shortest; length <= word.size(); ++length) {
    if (!test(Word(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(length)))) return false;
  }
  return true;
}

bool WordTester::flush() {
  if (difference_ || spent_) return false;
  if (words_.empty()) return true;
  auto compared = answered(tree_, std::exchange(words_, {}), budget_);
  if (!compared) {
    spent_ = true;
    return false;
  }
  words_tested_ += compared->size();
  if (const auto first = compared->first_difference(hypothesis_)) {
    difference_ = std::move(compared->words[*first]);
  }
  batch_ = std::min(2 * batch_, kLargestBatch);
  return !difference_.has_value();
}

EquivalenceAnswer WordTester::answer(std::string_view oracle, const WordsCompared& looked_at) {
  const bool done = flush();
  Evidence evidence{
      .oracle = std::string(oracle), .words_tested = words_tested_, .looked_at = looked_at};
  if (done) return none_found(std::move(evidence));
  if (!difference_) return stopped(std::move(evidence));
  return refuted(checked_counterexample(tree_, hypothesis_, *difference_, oracle),
                 std::move(evidence));
}

Counterexample checked_counterexample(StateTree& tree, const Dfa& hypothesis, Word word,
                                      std::string_view oracle) {
  const Node node = tree.add(word);
  const Budget no_limit;
  RNNALF_CHECK(tree.compute({&node, 1}, no_limit), "a budget without limits ended");
  auto found = run_alone(tree.acceptor(), word, hypothesis, tree.options().empty_word);
  RNNALF_CHECK(
      found && tree.answer(node) == found->answer,
      fmt::format("{}: word of length {}, network alone {}, in the tree {}, hypothesis {}", oracle,
                  word.size(), index(found ? found->answer : hypothesis.answer(word)),
                  index(tree.answer(node)), index(hypothesis.answer(word))));
  found->oracle = oracle;
  return std::move(*found);
}

EquivalenceAnswer refuted(Counterexample counterexample, Evidence evidence) {
  evidence.end = Evidence::End::Counterexample;
  evidence.counterexample = counterexample.word;
  return {Verdict::Counterexample, std::move(counterexample), {std::move(evidence)}};
}

EquivalenceAnswer none_found(Evidence evidence) {
  evidence.end = Evidence::End::NoneFound;
  return {Verdict::NoneFound, std::nullopt, {std::move(evidence)}};
}

EquivalenceAnswer stopped(Evidence evidence) {
  evidence.end = Evidence::End::Stopped;
  return {Verdict::BudgetSpent, std::nullopt, {std::move(evidence)}};
}

}  // namespace rnnalf
