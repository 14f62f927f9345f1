#include "rnnalf/oracle/pumping_tester.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

/// What the hypothesis answers for the prefixes of a word, by their length.
std::vector<Answer> answers_along(const Dfa& hypothesis, WordView word) {
  std::vector<Answer> answers;
  answers.reserve(word.size() + 1);
  LState state = hypothesis.initial();
  answers.push_back(hypothesis.answer(state));
  for (const Symbol symbol : word) {
    state = hypothesis.next(state, symbol);
    answers.push_back(hypothesis.answer(state));
  }
  return answers;
}

}  // namespace

std::vector<double> PumpingTester::test(std::vector<PumpedWord>& words) {
  if (words.size() > left_) words.resize(left_);
  std::vector<Word> written;
  std::vector<std::vector<Answer>> expected;
  for (const PumpedWord& word : words) {
    written.push_back(word.word());
    expected.push_back(answers_along(hypothesis_, written.back()));
  }
  struct Difference {
    std::size_t word, length;
  };
  std::optional<Difference> first;
  const auto prefix = [&](const Difference& difference) {
    return WordView(written[difference.word]).first(difference.length);
  };
  const auto compare = [&](std::size_t word, std::size_t length, Answer answer) {
    if (!contradicts(answer, expected[word][length])) return;
    const Difference found{word, length};
    if (!first || shortlex_less(prefix(found), prefix(*first))) first = found;
  };
  std::vector<double> distances;
  const auto answers = tree_.answers(written, budget_, &distances, compare);
  if (!answers) {
    spent_ = true;
    return {};
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i].empty()) compare(i, 0, (*answers)[i]);
  }
  left_ -= words.size();
  tested_ += words.size();
  if (first) {
    difference_ = words[first->word].prefix_of_length(first->length);
    return {};
  }
  for (double& distance : distances) {
    distance = std::isnan(distance) ? HUGE_VAL : std::abs(distance);
  }
  return distances;
}

std::optional<std::size_t> PumpingTester::first_differing(std::vector<Word> words) {
  if (words.size() > left_) words.resize(left_);
  left_ -= words.size();
  tested_ += words.size();
  const Budget no_limit;
  const auto compared = answered(tree_, std::move(words), no_limit);
  RNNALF_CHECK(compared.has_value(), "a budget without limits ended");
  const std::vector<std::size_t> differing = compared->differing(hypothesis_);
  if (differing.empty()) return std::nullopt;
  return differing.front();
}

}  // namespace rnnalf
