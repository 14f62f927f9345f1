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
#include "rnnalf/oracle/pumped_word.hpp"
#include "rnnalf/oracle/sample_search.hpp"

namespace rnnalf {
namespace {

/// An answer is rare at a length when fewer than this share of uniform words get it, of two
/// answers; of k, 2/k of this share.
constexpr double kRare = 0.2;
// Edits begin at what the last ones found, so few are tried at once: half of them go on where a
// walk has come to, which finds deep nesting, half at any word found, which finds long words. Once
// the words are long, variety counts more than getting further, and batches are larger: one of few
// long words is dear where a network is called from outside.
constexpr std::size_t kFewEdits = 16, kManyEdits = 96, kWalkers = 8;
constexpr std::size_t kShareOfFew = 4;  // one in so many

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

/// Draws symbols, those that matter more often than those that do not: among 26 letters that change
/// nothing, two parentheses would hardly ever be drawn.
class SymbolChoice {
 public:
  explicit SymbolChoice(std::size_t symbols) : tries_(symbols, 1), changes_(symbols, 1) {}

  void tried(Symbol symbol, bool changed_the_answer) {
    ++tries_[index(symbol)];
    changes_[index(symbol)] += changed_the_answer ? 1 : 0;
  }
  [[nodiscard]] Symbol draw(Random& random) const {
    return static_cast<Symbol>(
        drawn(tries_.size(), random, [&](std::size_t a) { return weight(a); }));
  }
  /// A place in a word that is not empty.
  [[nodiscard]] std::size_t place(WordView word, Random& random) const {
    return drawn(word.size(), random, [&](std::size_t i) { return weight(index(word[i])); });
  }

 private:
  [[nodiscard]] double weight(std::size_t symbol) const {
    return changes_[symbol] / tries_[symbol];
  }
  /// One of 0 .. count-1, by weight.
  template <class Weight>
  static std::size_t drawn(std::size_t count, Random& random, Weight weight_of) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += weight_of(i);
    double at = random.unit() * sum;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      at -= weight_of(i);
      if (at < 0) return i;
    }
    return count - 1;
  }

  std::vector<double> tries_, changes_;
};

/// A word of the language changed a little: a part of another one put in, two symbols put around a
/// part, as parentheses are, a part repeated, as items of lists are, two symbols doubled, or simple
/// edits.
Word neighbour(const Word& word, const Word& other, const SymbolChoice& choice, Random& random) {
  Word result = word;
  const auto at = [&](std::size_t i) { return result.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::uint64_t kind = random.below(10);
  if (kind < 2 && !other.empty()) {
    const std::size_t from = choice.place(other, random);
    const std::size_t count = 1 + random.below(std::min<std::size_t>(4, other.size() - from));
    result.insert(at(random.below(word.size() + 1)),
                  other.begin() + static_cast<std::ptrdiff_t>(from),
                  other.begin() + static_cast<std::ptrdiff_t>(from + count));
    return result;
  }
  if (kind < 5) {
    const std::size_t before = random.below(word.size() + 1);
    const std::size_t after = before + random.below(word.size() - before + 1);
    const Symbol closing = choice.draw(random);
    result.insert(at(after), closing);
    result.insert(at(before), choice.draw(random));
    return result;
  }
  if (kind == 5 && !word.empty()) {
    const std::size_t from = choice.place(word, random);
    const std::size_t count = 1 + random.below(std::min<std::size_t>(4, word.size() - from));
    const Word factor(at(from), at(from + count));
    for (std::uint64_t times = 1 + random.below(3); times > 0; --times) {
      result.insert(at(from), factor.begin(), factor.end());
    }
    return result;
  }
  if (kind == 6 && !word.empty()) {
    // Two symbols doubled at once: nesting goes one deeper.
    const std::size_t one = choice.place(word, random);
    const std::size_t another = choice.place(word, random);
    const auto [first, second] = std::minmax(one, another);
    result.insert(at(second), word[second]);
    result.insert(at(first), word[first]);
    return result;
  }
  for (std::uint64_t edits = 1 + random.below(2); edits > 0; --edits) {
    const std::size_t place = random.below(result.size() + 1);
    const bool inside = place < result.size();
    switch (random.below(inside ? 3 : 1)) {
      case 0:
        result.insert(at(place), choice.draw(random));
        break;
      case 1:
        result.erase(at(place));
        break;
      default:
        result[place] = choice.draw(random);
    }
  }
  return result;
}

/// Words by their length, drawn so that every length that occurs is as likely: long words, of which
/// there are few at first, are gone on from as often as short ones.
class WordsByLength {
 public:
  void add(Word word) {
    if (by_length_.size() <= word.size()) by_length_.resize(word.size() + 1);
    std::vector<Word>& same = by_length_[word.size()];
    if (same.empty()) lengths_.push_back(word.size());
    same.push_back(std::move(word));
  }
  [[nodiscard]] const Word& draw(Random& random) const {
    const std::vector<Word>& same = by_length_[lengths_[random.below(lengths_.size())]];
    return same[random.below(same.size())];
  }

 private:
  std::vector<std::vector<Word>> by_length_;
  std::vector<std::size_t> lengths_;  // those that occur
};

/// How often each symbol, put somewhere into these words, changes the answer. False when the budget
/// ended.
bool probe_symbols(StateTree& tree, const WordsByLength& words, Answer wanted, SymbolChoice& choice,
                   Random& random, const Budget& budget) {
  constexpr std::size_t kPlaces = 8;
  std::vector<Word> probes;
  for (std::size_t i = 0; i < kPlaces * tree.symbol_count(); ++i) {
    Word word = words.draw(random);
    const auto place = static_cast<std::ptrdiff_t>(random.below(word.size() + 1));
    word.insert(word.begin() + place, static_cast<Symbol>(i / kPlaces));
    probes.push_back(std::move(word));
  }
  const auto answers = answered(tree, std::move(probes), budget);
  if (!answers) return false;
  for (std::size_t i = 0; i < answers->size(); ++i) {
    choice.tried(static_cast<Symbol>(i / kPlaces), answers->answers[i] != wanted);
  }
  return true;
}

/// Goes by edits from word to word among those that the network answers with `wanted`, begun at
/// known ones. All words tried are returned. None when the budget ended.
std::optional<AnsweredWords> edit_walk(StateTree& tree, std::span<const Word> starts, Answer wanted,
                                       const YardstickOptions& options, Random& random,
                                       const Budget& budget) {
  AnsweredWords tried;
  std::set<Word, ShortlexLess> seen;
  WordsByLength inside;
  std::vector<Word> walkers;
  for (std::size_t i = 0; i < kWalkers; ++i) walkers.push_back(starts[i % starts.size()]);
  for (const Word& start : starts) inside.add(start);
  SymbolChoice choice(tree.symbol_count());
  bool probed = false;
  for (std::size_t asked = 0, at_once = 0; asked < options.edits; asked += at_once) {
    at_once = asked < options.edits / kShareOfFew ? kFewEdits : kManyEdits;
    const std::size_t of_walkers = at_once / 2;
    if (!probed && asked >= options.edits / 16) {
      probed = true;
      if (!probe_symbols(tree, inside, wanted, choice, random, budget)) return std::nullopt;
    }
    std::vector<Word> proposals;
    for (std::size_t i = 0; i < at_once; ++i) {
      const bool walks = i < of_walkers;
      const Word& from = walks ? walkers[i % kWalkers] : inside.draw(random);
      const Word& other = walks ? walkers[random.below(kWalkers)] : inside.draw(random);
      Word next = neighbour(from, other, choice, random);
      if (next.size() > options.edit_length) next.resize(options.edit_length);
      proposals.push_back(std::move(next));
    }
    const auto answers = answered(tree, std::move(proposals), budget);
    if (!answers) return std::nullopt;
    AnsweredWords fresh;
    for (std::size_t i = 0; i < answers->size(); ++i) {
      const Word& word = answers->words[i];
      const bool is_inside = answers->answers[i] == wanted;
      if (is_inside && i < of_walkers) walkers[i % kWalkers] = word;
      if (word.empty() || !seen.insert(word).second) continue;
      if (is_inside) inside.add(word);
      fresh.words.push_back(word);
      fresh.answers.push_back(answers->answers[i]);
    }
    tried.append(std::move(fresh));
  }
  return tried;
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
  return {.length = 0, .words = words.answered(), .agreed = words.agreed(dfa)};
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
      YardstickOptions share = options;
      share.edits = options.edits / rare.size();
      for (const Answer wanted : rare) {
        std::vector<Word> starts;
        if (samples.of(wanted)) starts.push_back(*samples.of(wanted));
        for (std::size_t i = 0; i < yardstick.given_.size(); ++i) {
          const Word& word = yardstick.given_.words[i];
          const bool fits = !word.empty() && word.size() <= options.edit_length;
          if (fits && yardstick.given_.answers[i] == wanted) starts.push_back(word);
        }
        if (starts.empty()) continue;
        auto found = edit_walk(tree, starts, wanted, share, random, budget);
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
