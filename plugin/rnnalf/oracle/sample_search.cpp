#include "rnnalf/oracle/sample_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

/// Keeps the shortlex-first word of each answer.
void record(ClassSamples& samples, const Word& word, Answer answer) {
  if (answer == Answer::None) return;
  std::optional<Word>& sample = samples.words[index(answer)];
  if (!sample || shortlex_less(word, *sample)) sample = word;
}

/// All words in shortlex order until all answers were met or `limit` words were tried.
void search_shortest_first(StateTree& tree, std::size_t limit, const Budget& budget,
                           ClassSamples& samples) {
  constexpr std::size_t kAtOnce = 64;  // words expanded between two looks at what was found
  std::vector<Node> level{StateTree::root()};
  std::size_t tried = 0;
  while (!level.empty() && tree.symbol_count() > 0) {
    std::vector<Node> next;
    for (std::size_t first = 0; first < level.size(); first += kAtOnce) {
      const auto some = std::span(level).subspan(first, std::min(kAtOnce, level.size() - first));
      if (!tree.expand(some, budget)) return;
      for (const Node node : some) {
        for (std::size_t a = 0; a < tree.symbol_count(); ++a) {
          const Node child = *tree.find(node, static_cast<Symbol>(a));
          next.push_back(child);
          record(samples, tree.word(child), tree.answer(child));
        }
      }
      tried += some.size() * tree.symbol_count();
      if (samples.complete() || tried >= limit) return;
    }
    level = std::move(next);
  }
}

void search_random(StateTree& tree, const SampleSearchOptions& options, const Budget& budget,
                   ClassSamples& samples) {
  Random random(options.seed);
  std::vector<Word> words;
  for (std::size_t i = 0; i < options.random; ++i) {
    // Lengths cycle, so that short and long words are tried alike.
    words.push_back(uniform_word(tree.symbol_count(), 1 + i % options.max_length, random));
  }
  const auto answers = tree.answers(words, budget);
  if (!answers) return;
  for (std::size_t i = 0; i < words.size(); ++i) record(samples, words[i], (*answers)[i]);
}

/// Climbs towards the answer that is missing: of all successors of the best words of one length,
/// those whose score leans furthest to it go on; of more than two answers, those whose answer leads
/// least.
void search_beam(StateTree& tree, const SampleSearchOptions& options, const Budget& budget,
                 ClassSamples& samples) {
  const double sign = tree.answer_count() > 2 || samples.of(Answer::Accept) ? -1 : 1;
  std::vector<Node> beam{StateTree::root()};
  for (std::size_t length = 1; length <= options.max_length; ++length) {
    if (!tree.expand(beam, budget)) return;
    std::vector<Node> children;
    std::vector<Word> words;
    for (const Node node : beam) {
      for (std::size_t a = 0; a < tree.symbol_count(); ++a) {
        children.push_back(*tree.find(node, static_cast<Symbol>(a)));
        words.push_back(tree.word(children.back()));
      }
    }
    std::vector<double> margins;
    const auto answers = tree.answers(words, budget, &margins);
    if (!answers) return;
    for (std::size_t i = 0; i < words.size(); ++i) record(samples, words[i], (*answers)[i]);
    if (samples.complete()) return;
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return std::isnan(margins[i]); });
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return sign * margins[a] > sign * margins[b];
    });
    beam.clear();
    for (std::size_t i = 0; i < std::min(options.beam, order.size()); ++i) {
      beam.push_back(children[order[i]]);
    }
  }
}

}  // namespace

const std::vector<OptionField<SampleSearchOptions>>& SampleSearchOptions::table() {
  using Options = SampleSearchOptions;
  static const std::vector<OptionField<Options>> fields = {
      option("shortest-first", "", Count{}, &Options::shortest_first,
             "words the search tries in order of length"),
      option("random", "", Count{}, &Options::random, "then random words"),
      option("beam", "", Count{}, &Options::beam,
             "then, of each length, this many words with the best score"),
      option("max-length", "", Count{.least = 1}, &Options::max_length,
             "symbols of random words and of the beam")};
  return fields;
}

void validate(const SampleSearchOptions& options) {
  check_all(SampleSearchOptions::table(), options, "samples: ");
}

ClassSamples find_samples(StateTree& tree, const SampleSearchOptions& options,
                          const Budget& budget) {
  validate(options);
  ClassSamples samples{std::vector<std::optional<Word>>(tree.answer_count())};
  if (tree.symbol_count() == 0) return samples;
  search_shortest_first(tree, options.shortest_first, budget, samples);
  if (!samples.complete() && !budget.spent()) search_random(tree, options, budget, samples);
  if (!samples.complete() && !budget.spent()) search_beam(tree, options, budget, samples);
  return samples;
}

}  // namespace rnnalf
