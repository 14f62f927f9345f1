#include "rnnalf/extraction/passive.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/states/word_tree.hpp"

namespace rnnalf {
namespace {

constexpr std::chrono::milliseconds kAfterInterrupt{500};

struct Sample {
  AnsweredWords words = {};
  Limit ended = Limit::None;  // that ended the asking; None: all words are answered
};

/// Asks the network about one word after the other until all are answered or a limit is near.
class Asking {
 public:
  Asking(StateTree& tree, BaselineWords& source, const BaselineOptions& options,
         const Budget& budget)
      : tree_(tree),
        source_(source),
        budget_(budget),
        steps_left_(options.max_steps),
        prefixes_left_(options.memory / bytes_per_prefix(tree.symbol_count())) {}

  [[nodiscard]] Sample ask() && {
    while (sample_.ended == Limit::None && taken_ < source_.count()) {
      std::vector<Word> piece = next_piece();
      const std::uint64_t before = tree_.stats().steps;
      auto answers = answered(tree_, std::move(piece), budget_);
      if (!answers) {
        sample_.ended = budget_.limit();
        break;
      }
      steps_left_ -= std::min(steps_left_, tree_.stats().steps - before);
      sample_.words.append(std::move(*answers));
    }
    return std::move(sample_);
  }

 private:
  /// Words answered together. They share prefixes, so a piece is large.
  static constexpr std::size_t kPiece = std::size_t{1} << 14U;
  /// Memory that words and their answers take while RPNI learns from them, measured: mostly for
  /// its tree, in which a prefix has room for each symbol twice.
  static constexpr std::size_t bytes_per_prefix(std::size_t symbols) { return 200 + 8 * symbols; }

  /// The next words, no more than may be asked.
  std::vector<Word> next_piece() {
    std::vector<Word> piece;
    WordTree prefixes;
    std::size_t longest = 0;
    for (; piece.size() < kPiece && taken_ < source_.count(); ++taken_) {
      if (taken_ % 64 == 0 && budget_.spent()) {
        sample_.ended = budget_.limit();
        break;
      }
      Word word = source_.next();
      longest = std::max(longest, word.size());
      const std::size_t before = prefixes.size();
      prefixes.add(WordTree::root(), word);
      const std::size_t added = prefixes.size() - before + 1;  // and the word itself
      if (most_steps(prefixes.size() - 1, piece.size() + 1, longest) > steps_left_) {
        sample_.ended = Limit::Steps;
        break;
      }
      if (added > prefixes_left_) {
        sample_.ended = Limit::Memory;
        break;
      }
      prefixes_left_ -= added;
      piece.push_back(std::move(word));
    }
    return piece;
  }

  /// What it takes at most to answer this many words: one step for each prefix, and again for those
  /// on the way to where the tree begins with other words.
  [[nodiscard]] std::uint64_t most_steps(std::size_t prefixes, std::size_t words,
                                         std::size_t longest) const {
    return prefixes + words * tree_.acceptor().steps_per_answer(longest) +
           words / StateTree::kWordsAtOnce * longest;
  }

  StateTree& tree_;
  BaselineWords& source_;
  const Budget& budget_;
  std::uint64_t steps_left_;
  std::uint64_t prefixes_left_;
  std::size_t taken_ = 0;
  Sample sample_;
};

struct Explained {
  std::optional<Dfa> dfa = {};
  LabelledSample::Fit fit = LabelledSample::Fit::None;
};

/// What the method makes of the words. Where a smallest DFA is not found in time, RPNI's, which is
/// made first.
Explained explain(const AnsweredWords& sample, Method method, std::size_t symbols,
                  const Learners& learners, const Budget& budget) {
  using Fit = LabelledSample::Fit;
  std::optional<Dfa> merged = learners.merged(sample, symbols, budget);
  if (method == Method::Rpni || !merged) {
    const Fit fit = merged ? Fit::Agrees : Fit::None;
    return {std::move(merged), fit};
  }
  auto smallest = learners.smallest(sample, symbols, budget);
  if (smallest) return {std::move(smallest), Fit::Agrees};
  return {std::move(merged), Fit::NotSmallest};
}

}  // namespace

BaselineResult learn_from_answers(StateTree& tree, const MethodSpec& method,
                                  const BaselineOptions& options, const Learners& learners,
                                  const Budget& budget) {
  RNNALF_CHECK(method.is_passive(), "not a passive method: " + method.text());
  BaselineWords source(method, options, tree.symbol_count());
  Budget asking;  // half of the time is left to learn in
  asking.share_of(budget, 0.5);
  const Sample sample = Asking(tree, source, options, asking).ask();
  const AnsweredWords& words = sample.words;
  Explained explained;
  if (words.size() > 0) {
    const Budget a_moment(kAfterInterrupt);  // for what is worth it; a second signal ends it
    explained = explain(words, method.method, tree.symbol_count(), learners,
                        sample.ended == Limit::Interrupt ? a_moment : budget);
  }

  BaselineResult result;
  const bool agrees = explained.fit == LabelledSample::Fit::Agrees;
  const bool too_large = explained.dfa && explained.dfa->size() > options.max_states;
  result.complete = agrees && sample.ended == Limit::None && !too_large;
  if (agrees) result.limit = too_large ? Limit::States : sample.ended;
  if (words.size() == 0) result.limit = sample.ended;
  result.automaton.dfa = explained.dfa ? *explained.dfa : Dfa(tree.symbol_count(), 1);
  const auto accepted = std::count(words.answers.begin(), words.answers.end(), Answer::Accept);
  result.evidence.push_back(
      {.oracle = method.method == Method::Rpni ? "rpni" : "biermann",
       .words_tested = words.size(),
       .end = result.complete ? Evidence::End::NoneFound : Evidence::End::Stopped,
       .looked_at = LabelledSample{.accepted = static_cast<std::size_t>(accepted),
                                   .wanted = source.count(),
                                   .fit = explained.fit}});
  return result;
}

}  // namespace rnnalf
