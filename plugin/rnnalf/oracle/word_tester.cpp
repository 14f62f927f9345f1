#include "rnnalf/oracle/word_tester.hpp"

#include <algorithm>
#include <utility>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLargestBatch = 4096;

}  // namespace

bool WordTester::test(Word word, std::uint64_t tag) {
  if (difference_ || spent_) return false;
  words_.push_back(std::move(word));
  tags_.push_back(tag);
  return words_.size() < batch_ || flush();
}

bool WordTester::test_prefixes(const Word& word, std::size_t shortest, std::uint64_t tag) {
  for (std::size_t length = shortest; length <= word.size(); ++length) {
    if (!test(Word(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(length)), tag)) {
      return false;
    }
  }
  return true;
}

bool WordTester::flush() {
  if (difference_ || spent_) return false;
  if (words_.empty()) return true;
  const auto answers = tree_.answers(words_, budget_);
  if (!answers) {
    spent_ = true;
    return false;
  }
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (hypothesis_.accepts(words_[i]) == ((*answers)[i] != 0)) continue;
    if (!first || shortlex_less(words_[i], words_[*first])) first = i;
  }
  words_tested_ += words_.size();
  if (first) difference_ = {std::move(words_[*first]), (*answers)[*first] != 0, tags_[*first]};
  words_.clear();
  tags_.clear();
  batch_ = std::min(2 * batch_, kLargestBatch);
  return !difference_.has_value();
}

EquivalenceAnswer WordTester::answer(std::string_view oracle, std::string claim, std::string how) {
  EquivalenceAnswer answer;
  if (!flush() && difference_) {
    answer.verdict = Verdict::Counterexample;
    answer.counterexample = checked_counterexample(tree_, hypothesis_, difference_->word,
                                                   difference_->accepted, oracle, std::move(how));
    claim = "a counterexample of length " + std::to_string(difference_->word.size());
  } else if (spent_) {
    answer.verdict = Verdict::BudgetSpent;
    claim = none_among(words_tested_, "words, stopped by a limit");
  }
  answer.evidence.push_back({std::string(oracle), words_tested_, std::move(claim)});
  return answer;
}

Counterexample checked_counterexample(StateTree& tree, const Dfa& hypothesis, Word word,
                                      bool accepted, std::string_view oracle, std::string how) {
  const Node node = tree.add(word);
  const Budget no_limit;
  RNNALF_CHECK(tree.compute({&node, 1}, no_limit), "a budget without limits ended");
  RNNALF_CHECK(tree.accepted(node) == accepted && hypothesis.accepts(word) != accepted,
               std::string(oracle) + ": word of length " + std::to_string(word.size()) +
                   ", network " + std::to_string(tree.accepted(node)) + ", hypothesis " +
                   std::to_string(hypothesis.accepts(word)) + ", claimed " +
                   std::to_string(accepted));
  return {std::move(word), accepted, std::string(oracle), std::move(how)};
}

std::string none_among(std::uint64_t words, std::string_view kind) {
  return "no counterexample among " + std::to_string(words) + " " + std::string(kind);
}

}  // namespace rnnalf
