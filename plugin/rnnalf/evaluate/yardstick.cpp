#include "rnnalf/evaluate/yardstick.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/pumped_word.hpp"

namespace rnnalf {
namespace {

/// For each answer, 14 lengths are measured, the first is that of its shortest word. On longer
/// words real networks are odd, and no automaton is to be preferred for that.
constexpr std::size_t kLengths = 14, kLongest = 64;
constexpr std::size_t kMostNear = 1000;
constexpr std::size_t kTalliedWalks = 100;  // that every hypothesis is counted on

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

/// Words with each answer of the automaton, and edits of them.
std::vector<Word> words_along(const Dfa& dfa, Random& random) {
  using Uniform = LanguageSampler::Uniform;
  std::vector<Word> words;
  for (const Uniform uniform : {Uniform::Words, Uniform::Paths}) {
    const LanguageSampler sampler(dfa, kLongest, uniform);
    for (std::size_t a = 0; a < dfa.answer_count(); ++a) {
      std::size_t most = kLongest;
      for (std::size_t length = 1; length <= most; ++length) {
        auto word = sampler.draw(length, static_cast<Answer>(a), random);
        if (!word) continue;
        if (most == kLongest) most = std::min(kLongest, length + kLengths - 1);
        words.push_back(edited(*word, dfa.symbol_count(), random));
        words.push_back(*std::move(word));
      }
    }
  }
  std::erase_if(words, [](const Word& word) { return word.empty(); });
  return words;
}

/// Each of the words with one edit, and with two.
std::vector<Word> edits_of(std::span<const Word> words, std::size_t symbols, Random& random) {
  std::vector<Word> near;
  for (std::size_t i = 0; near.size() < kMostNear && symbols > 0; ++i) {
    near.push_back(edited(words[i % words.size()], symbols, random));
    near.push_back(edited(near.back(), symbols, random));
  }
  return near;
}

void count_at(std::vector<LengthAgreement>& by_length, std::size_t length, bool agreed) {
  if (length == 0) return;
  while (by_length.size() < length) by_length.push_back({.length = by_length.size() + 1});
  LengthAgreement& at = by_length[length - 1];
  ++at.words;
  at.agreed += agreed ? 1 : 0;
}

LengthAgreement all_together(const AnsweredWords& words, const Dfa& dfa) {
  LengthAgreement all{.words = words.answered(), .agreed = words.agreed(dfa)};
  for (const Word& word : words.words) all.length = std::max(all.length, word.size());
  return all;
}

/// The cell of this kind and answer, which is added in order where there is none.
AnswerAgreement& cell_of(std::vector<AnswerAgreement>& cells, WordKind kind, Answer answer) {
  const auto place = std::find_if(cells.begin(), cells.end(), [&](const AnswerAgreement& cell) {
    return std::pair(cell.kind, cell.answer) >= std::pair(kind, answer);
  });
  if (place != cells.end() && place->kind == kind && place->answer == answer) return *place;
  return *cells.insert(place, {.kind = kind, .answer = answer});
}

}  // namespace

void validate(const YardstickOptions& options) {
  const auto expect = [](bool right, const char* field, std::size_t found) {
    if (!right) {
      throw OptionError(fmt::format("{}: expected a number above 0, found {}", field, found));
    }
  };
  expect(options.walks > 0, "walks", options.walks);
  expect(options.walk_length > 0, "walk_length", options.walk_length);
  expect(options.long_length >= options.walk_length, "long_length", options.long_length);
  expect(options.pumped_length > 20, "pumped_length above 20", options.pumped_length);
}

void Tally::count(WordKind kind, std::size_t word, Answer network, bool agreed) {
  AnswerAgreement& cell = cell_of(halves_[word % 2], kind, network);
  ++cell.words;
  cell.agreed += agreed ? 1 : 0;
}

std::vector<AnswerAgreement> Tally::answers(Part part) const {
  if (part != Part::All) return halves_[part == Part::First ? 0 : 1];
  std::vector<AnswerAgreement> sum = halves_[0];
  for (const AnswerAgreement& more : halves_[1]) {
    AnswerAgreement& cell = cell_of(sum, more.kind, more.answer);
    cell.words += more.words;
    cell.agreed += more.agreed;
  }
  return sum;
}

std::optional<Yardstick> Yardstick::make(StateTree& tree, const YardstickOptions& options,
                                         const Budget& budget) {
  validate(options);
  Yardstick yardstick(options, tree.answer_count());
  Random& random = yardstick.random_;
  const std::size_t symbols = tree.symbol_count();
  const auto ask = [&](std::vector<Word> words, AnsweredWords& into) {
    auto told = answered(tree, std::move(words), budget);
    if (!told) return false;
    into = *std::move(told);
    return true;
  };
  if (!options.given.empty()) {
    if (!ask(options.given, yardstick.words_of(WordKind::Given))) return std::nullopt;
    if (!ask(edits_of(options.given, symbols, random), yardstick.words_of(WordKind::Near))) {
      return std::nullopt;
    }
  }
  yardstick.words_of(WordKind::Found) = options.found.words;
  yardstick.searched_ = options.found.rare;
  if (symbols == 0) return yardstick;
  std::vector<Word> words;
  for (std::size_t i = 0; i < options.walks; ++i) {
    const bool is_long = i < options.long_walks;
    words.push_back(
        uniform_word(symbols, is_long ? options.long_length : options.walk_length, random));
  }
  auto answers = prefix_answers(tree, words, budget);
  if (!answers) return std::nullopt;
  std::vector<Word> material = words;
  for (const auto* more : {&options.given, &options.found.words.words}) {
    material.insert(material.end(), more->begin(), more->end());
  }
  if (!ask(pumped_words(material, options, random), yardstick.pumped_)) return std::nullopt;
  for (std::size_t i = 0; i < words.size(); ++i) {
    yardstick.walks_.push_back({std::move(words[i]), std::move((*answers)[i])});
  }
  return yardstick;
}

bool Yardstick::draw_along(const Dfa& dfa, StateTree& tree, const Budget& budget) {
  auto drawn = answered(tree, words_along(dfa, random_), budget);
  if (!drawn) return false;
  words_of(WordKind::Automata).append(*std::move(drawn));
  return true;
}

void Yardstick::count(const Dfa& dfa, Tally& tally) const {
  const std::size_t walks = std::min(walks_.size(), kTalliedWalks);
  for (std::size_t& walked = tally.counted_[0]; walked < walks; ++walked) {
    const Walk& walk = walks_[walked];
    LState state = dfa.initial();
    for (std::size_t i = 0; i < std::min(kLengths, walk.word.size()); ++i) {
      state = dfa.next(state, walk.word[i]);
      if (walk.answers[i] == Answer::None) continue;
      tally.count(WordKind::Uniform, walked, walk.answers[i], walk.answers[i] == dfa.answer(state));
    }
  }
  for (std::size_t kind = 1; kind < kWordKinds; ++kind) {
    const AnsweredWords& words = words_[kind];
    for (std::size_t& i = tally.counted_[kind]; i < words.size(); ++i) {
      if (words.answers[i] == Answer::None) continue;
      // Every second word is an edit of the one beside it, so a half takes pairs.
      tally.count(static_cast<WordKind>(kind), i / 2, words.answers[i], !words.differs(dfa, i));
    }
  }
}

std::vector<AnswerMet> Yardstick::met() const {
  std::vector<AnswerMet> all(answers_);
  const auto meet = [&](std::size_t length, Answer answer) {
    if (answer == Answer::None) return;
    AnswerMet& met = all[index(answer)];
    met.shortest = met.words == 0 ? length : std::min(met.shortest, length);
    met.longest = std::max(met.longest, length);
    ++met.words;
  };
  for (const Walk& walk : walks_) {
    for (std::size_t i = 0; i < walk.answers.size(); ++i) meet(i + 1, walk.answers[i]);
  }
  for_each_list([&](const AnsweredWords& words) {
    for (std::size_t i = 0; i < words.size(); ++i) meet(words.words[i].size(), words.answers[i]);
  });
  const std::vector<Answer>& found = words_of(WordKind::Found).answers;
  for (const Answer answer : searched_) {
    all[index(answer)].found =
        static_cast<std::uint64_t>(std::count(found.begin(), found.end(), answer));
  }
  return all;
}

Agreement Yardstick::measure(const Dfa& dfa) const {
  Agreement agreement;
  for (const Walk& walk : walks_) {
    LState state = dfa.initial();
    for (std::size_t i = 0; i < walk.word.size(); ++i) {
      state = dfa.next(state, walk.word[i]);
      if (walk.answers[i] == Answer::None) continue;
      count_at(agreement.uniform, i + 1, dfa.answer(state) == walk.answers[i]);
    }
  }
  for (const WordKind kind : {WordKind::Automata, WordKind::Found}) {
    const AnsweredWords& words = words_of(kind);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words.answers[i] == Answer::None) continue;
      count_at(agreement.language, words.words[i].size(), !words.differs(dfa, i));
    }
  }
  agreement.pumped = all_together(pumped_, dfa);
  const AnsweredWords& given = words_of(WordKind::Given);
  if (given.size() > 0) agreement.given = all_together(given, dfa);
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
  for_each_list([&](const AnsweredWords& words) {
    for (const std::size_t i : words.differing(dfa)) keep(words.words[i]);
  });
  return {found.begin(), found.end()};
}

std::size_t Yardstick::words() const {
  std::size_t count = 0;
  for_each_list([&](const AnsweredWords& words) { count += words.size(); });
  for (const Walk& walk : walks_) count += walk.word.size();
  return count;
}

}  // namespace rnnalf
