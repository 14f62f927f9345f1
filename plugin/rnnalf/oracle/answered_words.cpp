#include "rnnalf/oracle/answered_words.hpp"

#include <algorithm>
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
  for (std::size_t i = 0; i < words.size(); ++i) {
    count += answers[i] != Answer::None && !differs(dfa, i) ? 1 : 0;
  }
  return count;
}

std::size_t AnsweredWords::answered() const {
  return words.size() -
         static_cast<std::size_t>(std::count(answers.begin(), answers.end(), Answer::None));
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

std::optional<Counterexample> run_alone(const RnnAcceptor& acceptor, Word word, const Dfa& dfa,
                                        std::optional<Answer> empty_word) {
  const Classification alone = classify(acceptor, {&word, 1}, empty_word).front();
  if (!contradicts(alone.answer, dfa.answer(word))) return std::nullopt;
  return Counterexample{.word = std::move(word),
                        .answer = alone.answer,
                        .probability = alone.probability,
                        .target = std::nullopt,
                        .pumped = std::nullopt};
}

std::vector<Counterexample> run_alone(std::vector<Word> words, const Dfa& dfa,
                                      const StateTree& tree) {
  std::vector<Counterexample> result;
  for (Word& word : words) {
    auto one = run_alone(tree.acceptor(), std::move(word), dfa, tree.options().empty_word);
    if (one) result.push_back(std::move(*one));
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
