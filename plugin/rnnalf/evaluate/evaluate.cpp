#include "rnnalf/evaluate/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/evaluate/evaluate_table.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/pumped_word.hpp"
#include "rnnalf/states/workers.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kBatch = 4096;
constexpr std::size_t kLongestLoop = 6;
constexpr std::size_t kLongestPrefix = 8;

/// Compares the three on words and keeps the shortest disagreements of network and DFA.
class Comparison {
 public:
  Comparison(StateTree& tree, const Dfa& dfa, const Dfa* target, std::size_t most_disagreements,
             const Budget& budget)
      : tree_(tree), dfa_(dfa), target_(target), most_(most_disagreements), budget_(budget) {}

  /// False when the budget ended first; the sum is unchanged then.
  [[nodiscard]] bool add(std::vector<Word> words, PairAgreement& sum) {
    const auto compared = answered(tree_, std::move(words), budget_);
    if (!compared) return false;
    sum.by_answer.resize(tree_.answer_count(), 0);
    for (std::size_t i = 0; i < compared->size(); ++i) {
      const Word& word = compared->words[i];
      const Answer network = compared->answers[i];
      if (network == Answer::None) continue;
      const Answer dfa = dfa_.answer(word);
      ++sum.by_answer[index(network)];
      sum.network_dfa += network == dfa ? 1 : 0;
      if (network != dfa) keep(word);
      if (target_ == nullptr) continue;
      const Answer target = target_->answer(word);
      sum.network_target += network == target ? 1 : 0;
      sum.dfa_target += dfa == target ? 1 : 0;
    }
    sum.accepted = sum.by_answer.size() == 2
                       ? sum.by_answer[index(Answer::Accept)]
                       : *std::max_element(sum.by_answer.begin(), sum.by_answer.end());
    sum.words += compared->answered();
    return true;
  }

  [[nodiscard]] std::vector<Counterexample> disagreements() const {
    std::vector<Counterexample> result =
        run_alone({differing_.begin(), differing_.end()}, dfa_, tree_);
    RNNALF_CHECK(result.size() == differing_.size(), "a disagreement vanished");
    if (target_ != nullptr) {
      for (Counterexample& one : result) one.target = target_->answer(one.word);
    }
    return result;
  }

 private:
  void keep(const Word& word) {
    differing_.insert(word);
    if (differing_.size() > most_) differing_.erase(std::prev(differing_.end()));
  }

  StateTree& tree_;
  const Dfa& dfa_;
  const Dfa* target_;
  std::size_t most_;
  const Budget& budget_;
  std::set<Word, ShortlexLess> differing_;
};

/// In batches, so that a spent budget is noticed and memory does not grow with the words.
bool add_all(Comparison& comparison, std::span<const Word> words, PairAgreement& sum) {
  for (std::size_t first = 0; first < words.size(); first += kBatch) {
    const auto batch = words.subspan(first, std::min(kBatch, words.size() - first));
    if (!comparison.add({batch.begin(), batch.end()}, sum)) return false;
  }
  return true;
}

std::vector<Word> pumped_words(const Dfa& dfa, const EvaluateOptions& options, Random& random) {
  const std::size_t symbols = dfa.symbol_count();
  const std::vector<PumpedLoop> loops = short_loops(dfa, kLongestLoop, options.pumped);
  const std::vector<Word> suffixes = telling_suffixes(dfa);
  std::vector<Word> words;
  for (std::size_t i = 0; i < options.pumped; ++i) {
    PumpedWord pumped;
    if (i % 2 == 0 && !loops.empty()) {
      const PumpedLoop& loop = loops[i / 2 % loops.size()];
      pumped = {loop.prefix, loop.loop, 1, suffixes[random.below(suffixes.size())]};
    } else {
      pumped = {uniform_word(symbols, random.below(kLongestPrefix + 1), random),
                uniform_word(symbols, 1 + random.below(kLongestLoop), random), 1,
                suffixes[random.below(suffixes.size())]};
    }
    // Times are drawn evenly on a logarithmic scale, up to what the length limit allows.
    const std::size_t rest = pumped.prefix.size() + pumped.suffix.size();
    const std::size_t room = options.pumped_length > rest ? options.pumped_length - rest : 0;
    const std::size_t times = room / pumped.loop.size();
    const auto most = static_cast<double>(times);
    pumped.times =
        most < 1 ? 1 : static_cast<std::size_t>(std::exp(random.unit() * std::log(most)));
    words.push_back(pumped.word());
  }
  return words;
}

/// All words of one length.
bool add_level(Comparison& comparison, std::size_t symbols, std::size_t length,
               PairAgreement& sum) {
  Word word(length, Symbol{0});
  bool more = true;
  while (more) {
    std::vector<Word> words;
    while (more && words.size() < kBatch) {
      words.push_back(word);
      more = next_word(word, symbols);
    }
    if (!comparison.add(std::move(words), sum)) return false;
  }
  return true;
}

}  // namespace

Evaluation evaluate(StateTree& tree, const Dfa& dfa, const Dfa* target,
                    const EvaluateOptions& options, const Budget& budget) {
  const std::size_t symbols = tree.symbol_count();
  Evaluation result;
  Comparison comparison(tree, dfa, target, options.most_disagreements, budget);
  if (target != nullptr) {
    result.separating_word = separating_word(dfa, *target);
    result.equal_to_target = !result.separating_word.has_value();
  }
  const auto run = [&] {
    Random random(options.seed);
    for (const std::size_t length : options.lengths) {
      if (symbols == 0 && length > 0) continue;
      std::vector<Word> words(options.per_length);
      for (Word& word : words) word = uniform_word(symbols, length, random);
      LengthEvaluation level{length, {}};
      if (!add_all(comparison, words, level.agreement)) return false;
      result.by_length.push_back(level);
    }
    if (!options.words.empty()) {
      PairAgreement sum;
      if (!add_all(comparison, options.words, sum)) return false;
      result.given = sum;
    }
    if (options.pumped > 0 && symbols > 0) {
      PairAgreement sum;
      if (!add_all(comparison, pumped_words(dfa, options, random), sum)) return false;
      result.pumped = sum;
    }
    for (std::size_t length = 0; options.exhaustive > 0 && length <= options.exhaustive; ++length) {
      if (symbols == 0 && length > 0) break;
      PairAgreement sum = result.exhaustive.value_or(PairAgreement{});
      if (!add_level(comparison, symbols, length, sum)) return false;
      result.exhaustive = sum;
      result.exhaustive_length = length;
    }
    return true;
  };
  result.complete = run();
  result.disagreements = comparison.disagreements();
  result.unanswered = tree.unanswered();
  return result;
}

Evaluation evaluate(const Network& network, const Dfa& dfa, const Dfa* target,
                    const EvaluateOptions& options, const Budget& budget, Progress* watched) {
  check_all(evaluate_table(), options);
  Budget limited;
  limited.part_of(budget);
  if (options.time_limit) limited.restrict_time(*options.time_limit);
  StateTree tree(*network.acceptor,
                 {.threads = thread_count(options.threads), .empty_word = network.empty_word});
  if (watched != nullptr) {
    tree.watch(*watched);
    tree.announce("comparing");
  }
  return evaluate(tree, dfa, target, options, limited);
}

}  // namespace rnnalf
