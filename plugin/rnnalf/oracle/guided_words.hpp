#pragma once

#include "rnnalf/automaton/language_sampler.hpp"

namespace rnnalf {

/// Random words drawn along a hypothesis: of a given length, uniform among those of one answer, or
/// among the paths they take, as they are or after one or two edits. Half of them lie in or next to
/// the language, however rare its words are; of more answers, each gets its share.
class GuidedWords {
 public:
  GuidedWords(const Dfa& hypothesis, std::size_t max_length)
      : words_(hypothesis, max_length, LanguageSampler::Uniform::Words),
        paths_(hypothesis, max_length, LanguageSampler::Uniform::Paths),
        symbols_(hypothesis.symbol_count()),
        answers_(hypothesis.answer_count()),
        max_length_(max_length) {}

  /// Of `length` symbols before the edits, at most max_length after them. Where an answer has no
  /// word of that length, of the next.
  [[nodiscard]] Word draw(std::size_t length, Random& random) const {
    const std::size_t first = answers_ - 1 - random.below(answers_);
    const LanguageSampler& sampler = random.below(2) == 0 ? words_ : paths_;
    std::optional<Word> word;
    for (std::size_t i = 0; i < answers_ && !word; ++i) {
      word = sampler.draw(length, static_cast<Answer>((first + i) % answers_), random);
    }
    Word result = word ? *std::move(word) : uniform_word(symbols_, length, random);
    for (std::uint64_t edits = random.below(3); edits > 0; --edits) {
      result = edited(std::move(result), symbols_, random);
    }
    if (result.size() > max_length_) result.resize(max_length_);
    return result;
  }

 private:
  LanguageSampler words_;
  LanguageSampler paths_;
  std::size_t symbols_;
  std::size_t answers_;
  std::size_t max_length_;
};

}  // namespace rnnalf
