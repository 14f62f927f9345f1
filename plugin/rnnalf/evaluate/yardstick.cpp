#include "rnnalf/evaluate/yardstick.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/edit_walk.hpp"
#include "rnnalf/oracle/pumped_word.hpp"
#include "rnnalf/oracle/sample_search.hpp"

namespace rnnalf {
namespace {

/// An answer is rare at a length when fewer than this share of uniform words get it, of two
/// answers; of k, 2/k of this share.
constexpr double kRare = 0.2;

/// The network's answers for all prefixes of words but the empty one, shortest first; none when the
/// budget ended.
std::optional<std::vector<std::vector<Answer>>> prefix_answers(StateTree& tree,
                                                               std::span<const Word> words,
                                                               const Budget& budget) {
  std::vector<std::vector<Answer>> answers;
  for (const Word& word : words) answers.emplace_back(word.size());
  const auto told = [&](std::size_t word, std::size_t length, Answer answer) {
    answers[word][length - 1] = answer;
  };
  if (!tree.answers(words, budget, nullptr, told)) return std::nullopt;
  // Of words that share a prefix, the first in order was told.
  const std::vector<std::uint32_t> order = lexicographic_order(words);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::size_t shared = common_prefix(words[order[i - 1]], words[order[i]]);
    std::copy_n(answers[order[i - 1]].begin(), shared, answers[order[i]].begin());
  }
  return answers;
}

/// Answers that are rare at some length, given how many of `words` words of each length got each.
/// Of two, the one that is rare more often.
std::vector<Answer> rare_answers(const std::vector<std::vector<std::size_t>>& by_length,
                                 std::size_t words) {
  const std::size_t answers = by_length.front().size();
  const double least = kRare * 2 / static_cast<double>(answers);
  std::vector<std::size_t> lengths(answers, 0);
  for (const auto& counts : by_length) {
    for (std::size_t a = 0; a < answers; ++a) {
      const double share = static_cast<double>(counts[a]) / static_cast<double>(words);
      lengths[a] += share < least ? 1 : 0;
    }
  }
  std::vector<Answer> rare;
  for (std::size_t a = 0; a < answers; ++a) {
    if (lengths[a] > 0) rare.push_back(static_cast<Answer>(a));
  }
  if (answers == 2 && !rare.empty()) rare = {accept_if(lengths[1] >= lengths[0])};
  return rare;
}

/// p u^k s with parts of the words at hand; k evenly on a logarithmic scale.
std::vector<Word> pumped_words(std::span<const Word> material, const YardstickOptions& options,
                               Random& random) {
  const auto part = [&](std::size_t most, std::size_t least) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const Word& word = material[random.below(material.size())];
      const std::size_t count = least + random.below(most - least + 1);
      if (word.size() < count) continue;
      const std::size_t from = random.below(word.size() - count + 1);
      return Word(word.begin() + static_cast<std::ptrdiff_t>(from),
                  word.begin() + static_cast<std::ptrdiff_t>(from + count));
    }
    return Word(least, Symbol{0});
  };
  std::vector<Word> words;
  for (std::size_t i = 0; i < options.pumped; ++i) {
    PumpedWord pumped{part(6, 0), part(4, 1), 1, part(4, 0)};
    const std::size_t rest = pumped.prefix.size() + pumped.suffix.size();
    const std::size_t fit = (options.pumped_length - rest) / pumped.loop.size();
    const auto most = static_cast<double>(fit);
    pumped.times =
        static_cast<std::size_t>(std::exp(random.unit() * std::log(std::max(most, 1.0))));
    words.push_back(pumped.word());
  }
  return words;
}

void count(std::vector<LengthAgreement>& by_length, std::size_t length, bool agreed) {
  if (by_length.size() < length) by_length.resize(length);
  LengthAgreement& at = by_length[length - 1];
  at.length = length;
  ++at.words;
  at.agreed += agreed ? 1 : 0;
}

LengthAgreement all_together(const AnsweredWords& words, const Dfa& dfa) {
  LengthAgreement all{.words = words.answered(), .agreed = words.agreed(dfa)};
  for (const Word& word : words.words) all.length = std::max(all.length, word.size());
  return all;
}

}  // namespace

void validate(const YardstickOptions& options) {
  const auto expect = [](bool right, const char* field, std::size_t found) {
    if (!right) {
      throw OptionError(fmt::format("{}: expected a number above 0, found {}", field, found));
    }
  };
  expect(options.walks > 0, "walks", options.walks);
  expect(options.short_length > 0, "short_length", options.short_length);
  expect(options.pumped_length > 20, "pumped_length above 20", options.pumped_length);
}

std::optional<Yardstick> Yardstick::make(StateTree& tree, const YardstickOptions& options,
                                         const Budget& budget) {
  validate(options);
  Yardstick yardstick;
  const std::size_t symbols = tree.symbol_count();
  Random random(options.seed);
  if (!options.given.empty()) {
    auto given = answered(tree, options.given, budget);
    if (!given) return std::nullopt;
    yardstick.given_ = std::move(*given);
  }
  if (symbols > 0) {
    std::vector<std::vector<std::size_t>> answers_at(
        options.short_length, std::vector<std::size_t>(tree.answer_count(), 0));
    std::vector<Word> words;
    for (std::size_t i = 0; i < options.walks; ++i) {
      const bool goes_on = i < options.long_walks;
      const std::size_t length =
          goes_on ? std::max(options.short_length, options.long_length) : options.short_length;
      words.push_back(uniform_word(symbols, length, random));
    }
    auto answers = prefix_answers(tree, words, budget);
    if (!answers) return std::nullopt;
    for (std::size_t i = 0; i < words.size(); ++i) {
      yardstick.walks_.push_back({std::move(words[i]), std::move((*answers)[i])});
      const Walk& walk = yardstick.walks_.back();
      for (std::size_t n = 0; n < options.short_length; ++n) {
        if (walk.answers[n] != Answer::None) ++answers_at[n][index(walk.answers[n])];
      }
    }
    // Where all answers are common at every length, uniform words say it all.
    if (const std::vector<Answer> rare = rare_answers(answers_at, options.walks); !rare.empty()) {
      const ClassSamples samples = find_samples(tree, {.seed = options.seed}, budget);
      for (const Answer wanted : rare) {
        std::vector<Word> starts;
        if (samples.of(wanted)) starts.push_back(*samples.of(wanted));
        for (std::size_t i = 0; i < yardstick.given_.size(); ++i) {
          const Word& word = yardstick.given_.words[i];
          const bool fits = !word.empty() && word.size() <= options.edit_length;
          if (fits && yardstick.given_.answers[i] == wanted) starts.push_back(word);
        }
        const AnsweredWords& found_before = options.found.words;
        for (std::size_t i = 0; i < found_before.size(); ++i) {
          if (found_before.answers[i] == wanted) starts.push_back(found_before.words[i]);
        }
        auto found = edit_walk(tree, starts, wanted,
                               {.words = options.edits / rare.size(),
                                .max_length = options.edit_length,
                                .seed = options.seed},
                               budget);
        if (!found) return std::nullopt;
        yardstick.language_.append(std::move(*found));
      }
    }
    std::vector<Word> material;
    for (std::size_t i = 0; i < std::min<std::size_t>(200, yardstick.walks_.size()); ++i) {
      material.push_back(yardstick.walks_[i].word);
    }
    for (std::size_t i = 0; i < yardstick.language_.size(); ++i) {
      if (yardstick.language_.answers[i] != Answer::Reject) {
        material.push_back(yardstick.language_.words[i]);
      }
    }
    auto pumped = answered(tree, pumped_words(material, options, random), budget);
    if (!pumped) return std::nullopt;
    yardstick.pumped_ = std::move(*pumped);
  }
  yardstick.count_answers(tree.answer_count());
  for (const Answer answer : options.found.rare) {
    const std::vector<Answer>& all = options.found.words.answers;
    yardstick.met_[index(answer)].found =
        static_cast<std::uint64_t>(std::count(all.begin(), all.end(), answer));
  }
  return yardstick;
}

void Yardstick::count_answers(std::size_t answers) {
  met_.assign(answers, {});
  const auto meet = [&](std::size_t length, Answer answer) {
    if (answer == Answer::None) return;
    AnswerMet& met = met_[index(answer)];
    met.shortest = met.words == 0 ? length : std::min(met.shortest, length);
    met.longest = std::max(met.longest, length);
    ++met.words;
  };
  for (const Walk& walk : walks_) {
    for (std::size_t i = 0; i < walk.answers.size(); ++i) meet(i + 1, walk.answers[i]);
  }
  for (const AnsweredWords* words : {&language_, &pumped_, &given_}) {
    for (std::size_t i = 0; i < words->size(); ++i) meet(words->words[i].size(), words->answers[i]);
  }
}

Agreement Yardstick::measure(const Dfa& dfa) const {
  Agreement agreement;
  for (const Walk& walk : walks_) {
    const std::size_t length = walk.word.size();
    while (agreement.uniform.size() < length) {
      agreement.uniform.push_back({.length = agreement.uniform.size() + 1});
    }
    LState state = dfa.initial();
    for (std::size_t i = 0; i < length; ++i) {
      state = dfa.next(state, walk.word[i]);
      if (walk.answers[i] == Answer::None) continue;
      LengthAgreement& at = agreement.uniform[i];
      ++at.words;
      at.agreed += dfa.answer(state) == walk.answers[i] ? 1 : 0;
    }
  }
  // Lengths of which no word has an answer were not measured.
  while (!agreement.uniform.empty() && agreement.uniform.back().words == 0) {
    agreement.uniform.pop_back();
  }
  for (std::size_t i = 0; i < language_.size(); ++i) {
    if (language_.answers[i] == Answer::None) continue;
    count(agreement.language, language_.words[i].size(), !language_.differs(dfa, i));
  }
  agreement.pumped = all_together(pumped_, dfa);
  if (given_.size() > 0) agreement.given = all_together(given_, dfa);
  return agreement;
}

std::vector<Word> Yardstick::exceptions(const Dfa& dfa, std::size_t most) const {
  std::set<Word, ShortlexLess> found;
  const auto keep = [&](Word word) {
    if (found.size() >= most && !shortlex_less(word, *found.rbegin())) return;
    found.insert(std::move(word));
    if (found.size() > most) found.erase(std::prev(found.end()));
  };
  for (const Walk& walk : walks_) {
    LState state = dfa.initial();
    for (std::size_t i = 0; i < walk.word.size(); ++i) {
      state = dfa.next(state, walk.word[i]);
      if (!contradicts(walk.answers[i], dfa.answer(state))) continue;
      keep(Word(walk.word.begin(), walk.word.begin() + static_cast<std::ptrdiff_t>(i + 1)));
    }
  }
  for (const AnsweredWords* words : {&language_, &pumped_, &given_}) {
    for (const std::size_t i : words->differing(dfa)) keep(words->words[i]);
  }
  return {found.begin(), found.end()};
}

std::size_t Yardstick::words() const {
  std::size_t count = language_.size() + pumped_.size() + given_.size();
  for (const Walk& walk : walks_) count += walk.word.size();
  return count;
}

}  // namespace rnnalf
