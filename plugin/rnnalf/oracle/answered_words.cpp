#include "rnnalf/oracle/answered_words.hpp"

#include <iterator>
#include <utility>

#include "rnnalf/acceptor/run_words.hpp"

namespace rnnalf {

std::vector<std::size_t> AnsweredWords::differing(const Dfa& dfa) const {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (differs(dfa, i)) positions.push_back(i);
  }
  return positions;
}

std::size_t AnsweredWords::agreed(const Dfa& dfa) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < words.size(); ++i) count += differs(dfa, i) ? 0 : 1;
  return count;
}

std::optional<std::size_t> AnsweredWords::first_difference(const Dfa& dfa) const {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!differs(dfa, i)) continue;
    if (!first || shortlex_less(words[i], words[*first])) first = i;
  }
  return first;
}

void AnsweredWords::append(AnsweredWords more) {
  words.insert(words.end(), std::make_move_iterator(more.words.begin()),
               std::make_move_iterator(more.words.end()));
  answers.insert(answers.end(), more.answers.begin(), more.answers.end());
  margins.insert(margins.end(), more.margins.begin(), more.margins.end());
}

std::vector<Counterexample> with_probabilities(std::span<const Word> words, const StateTree& tree) {
  const auto answers = classify(tree.acceptor(), words, tree.options().empty_word);
  std::vector<Counterexample> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    result.push_back({.word = words[i],
                      .answer = answers[i].answer,
                      .probability = answers[i].probability,
                      .target = std::nullopt,
                      .pumped = std::nullopt});
  }
  return result;
}

std::optional<AnsweredWords> answered(StateTree& tree, std::vector<Word> words,
                                      const Budget& budget, Margins margins) {
  AnsweredWords result;
  auto answers =
      tree.answers(words, budget, margins == Margins::Wanted ? &result.margins : nullptr);
  if (!answers) return std::nullopt;
  result.words = std::move(words);
  result.answers = std::move(*answers);
  return result;
}

}  // namespace rnnalf
