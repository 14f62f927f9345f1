#include "rnnalf/evaluate/families.hpp"

#include <algorithm>
#include <utility>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLeastTimes = 3;  // a loop walked twice is a coincidence
constexpr std::size_t kRandomWords = 60;
constexpr std::size_t kRunAlone = 3;  // of the words of a family

/// The word as p u^k s with the largest part covered by the loop, shortest loop first; none when no
/// loop is walked often enough.
std::optional<PumpedWord> as_pumped(const Word& word, std::size_t max_loop) {
  std::optional<PumpedWord> best;
  std::size_t covered = 0;
  for (std::size_t loop = 1; loop <= max_loop; ++loop) {
    for (std::size_t start = 0; start + loop * kLeastTimes <= word.size(); ++start) {
      std::size_t end = start + loop;
      while (end < word.size() && word[end] == word[end - loop]) ++end;
      const std::size_t times = (end - start) / loop;
      if (times < kLeastTimes || times * loop <= covered) continue;
      covered = times * loop;
      const auto at = [&](std::size_t i) { return word.begin() + static_cast<std::ptrdiff_t>(i); };
      best = PumpedWord{Word(word.begin(), at(start)), Word(at(start), at(start + loop)), times,
                        Word(at(start + times * loop), word.end())};
    }
  }
  return best;
}

/// For which k the two differ; false when the budget ended or they do not differ at all.
bool find_range(Family& family, const Dfa& dfa, StateTree& tree, const FamilyOptions& options,
                const Budget& budget) {
  const std::size_t rest = family.prefix.size() + family.suffix.size();
  if (rest >= options.max_length) return false;
  const std::size_t most = (options.max_length - rest) / family.loop.size();
  std::vector<Word> words;
  for (std::size_t k = 0; k <= most; ++k) {
    words.push_back(PumpedWord{family.prefix, family.loop, k, family.suffix}.word());
  }
  const auto compared = answered(tree, std::move(words), budget);
  if (!compared) return false;
  const std::vector<std::size_t> wrong = compared->differing(dfa);
  if (wrong.empty()) return false;
  family.from = wrong.front();
  family.tried = most;
  family.answer = compared->answers[family.from];
  std::size_t last = family.from;
  for (const std::size_t k : wrong) {
    if (k == last + 1) last = k;
  }
  if (last < most) family.to = last;
  return true;
}

/// Whether the family's shortest words differ when each is run alone, with the answer that the
/// family has.
bool differs_alone(const Family& family, const Dfa& dfa, const StateTree& tree) {
  const std::size_t last = family.to.value_or(family.tried);
  for (std::size_t k = family.from; k <= std::min(last, family.from + kRunAlone - 1); ++k) {
    const auto one =
        run_alone(tree.acceptor(), PumpedWord{family.prefix, family.loop, k, family.suffix}.word(),
                  dfa, tree.options().empty_word);
    if (!one || (k == family.from && one->answer != family.answer)) return false;
  }
  return true;
}

/// How often the same loop at the same state is enough, whatever stands around it.
bool find_share(Family& family, const Dfa& dfa, StateTree& tree, Random& random,
                const Budget& budget) {
  std::vector<Word> words;
  for (std::size_t attempt = 0; attempt < 40 * kRandomWords && words.size() < kRandomWords;
       ++attempt) {
    Word word = uniform_word(dfa.symbol_count(), random.below(9), random);
    if (dfa.run(word) != family.state) continue;
    word = concat(word, PumpedWord{{}, family.loop, family.from, {}}.word());
    words.push_back(concat(word, uniform_word(dfa.symbol_count(), random.below(4), random)));
  }
  if (words.empty()) return true;
  const std::size_t count = words.size();
  const auto compared = answered(tree, std::move(words), budget);
  if (!compared) return false;
  family.share = static_cast<double>(compared->differing(dfa).size()) / static_cast<double>(count);
  return true;
}

}  // namespace

bool explains(const Family& family, const Word& word, const Dfa& dfa) {
  const std::size_t needed = family.loop.size() * family.from;
  LState state = dfa.initial();
  for (std::size_t i = 0; i + needed <= word.size(); ++i) {
    if (state == family.state) {
      std::size_t matched = 0;
      while (matched < needed && word[i + matched] == family.loop[matched % family.loop.size()]) {
        ++matched;
      }
      if (matched == needed) return true;
    }
    if (i < word.size()) state = dfa.next(state, word[i]);
  }
  return false;
}

std::vector<Family> families(std::span<const Counterexample> words, const Dfa& dfa, StateTree& tree,
                             const FamilyOptions& options, const Budget& budget) {
  std::vector<Family> found;
  Random random(options.seed);
  for (const Counterexample& word : words) {
    if (found.size() >= options.most) break;
    if (std::any_of(found.begin(), found.end(),
                    [&](const Family& family) { return explains(family, word.word, dfa); })) {
      continue;
    }
    const auto pumped = word.pumped && word.pumped->times >= kLeastTimes
                            ? word.pumped
                            : as_pumped(word.word, options.max_loop);
    if (!pumped) continue;
    Family family{.prefix = pumped->prefix,
                  .loop = pumped->loop,
                  .suffix = pumped->suffix,
                  .state = dfa.run(pumped->prefix)};
    if (!find_range(family, dfa, tree, options, budget) || family.from < kLeastTimes) {
      if (budget.spent()) break;
      continue;
    }
    if (!differs_alone(family, dfa, tree)) continue;
    if (!find_share(family, dfa, tree, random, budget)) break;
    found.push_back(std::move(family));
  }
  std::stable_sort(found.begin(), found.end(), [](const Family& a, const Family& b) {
    return a.shortest().size() < b.shortest().size();
  });
  // A word is explained by one rule, the first.
  for (const Counterexample& word : words) {
    const auto rule = std::find_if(found.begin(), found.end(), [&](const Family& family) {
      return explains(family, word.word, dfa);
    });
    if (rule != found.end()) ++rule->words;
  }
  return found;
}

}  // namespace rnnalf
