#pragma once

#include "rnnalf/automaton/language_sampler.hpp"

namespace rnnalf {

/// Random words drawn along a hypothesis: of a given length, uniform among those it accepts or
/// rejects, or among the paths they take, as they are or after one or two edits. Half of them lie
/// in or next to the language, however rare its words are.
class GuidedWords {
 public:
  GuidedWords(const Dfa& hypothesis, std::size_t max_length)
      : words_(hypothesis, max_length, LanguageSampler::Uniform::Words),
        paths_(hypothesis, max_length, LanguageSampler::Uniform::Paths),
        symbols_(hypothesis.symbol_count()),
        max_length_(max_length) {}

  /// Of `length` symbols before the edits, at most max_length after them. Where one class has no
  /// word of that length, of the other.
  [[nodiscard]] Word draw(std::size_t length, Random& random) const {
    const bool accepted = random.below(2) == 0;
    const LanguageSampler& sampler = random.below(2) == 0 ? words_ : paths_;
    auto word = sampler.draw(length, accepted, random);
    if (!word) word = sampler.draw(length, !accepted, random);
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
  std::size_t max_length_;
};

}  // namespace rnnalf
