#include "rnnalf/baseline/baseline.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/baseline/kmeans.hpp"
#include "rnnalf/baseline/quantization.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kCoverageLengths[] = {10, 50, 100, 1000};  // as in the paper
constexpr std::size_t kCoverageWords = 1000;

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
}

/// What a partial DFA knows about uniform words; the network is not needed.
Coverage coverage(const PartialDfa& automaton, std::size_t symbols, std::uint64_t seed) {
  Coverage covered{.complete = !automaton.unknown};
  Random random(seed);
  for (const std::size_t length : kCoverageLengths) {
    std::size_t known = 0;
    for (std::size_t i = 0; i < kCoverageWords; ++i) {
      if (covered.complete || automaton.covers(uniform_word(symbols, length, random))) ++known;
    }
    covered.by_length.emplace_back(length, share(known, kCoverageWords));
  }
  return covered;
}

Quotient sizes(const PartialDfa& automaton) {
  return {.a_states = automaton.a_states, .expanded = automaton.expanded};
}

/// The R-states of all prefixes that have an answer; empty when the budget ended first.
std::vector<double> prefix_states(StateTree& tree, const std::vector<Word>& words,
                                  const Budget& budget) {
  std::vector<Node> nodes{StateTree::root()};
  for (const Word& word : words) {
    Node node = StateTree::root();
    for (const Symbol& symbol : word) nodes.push_back(node = tree.add(node, {&symbol, 1}));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (!tree.compute(nodes, budget)) return {};
  std::erase_if(nodes, [&](Node node) { return !tree.answered(node); });
  std::vector<double> states(nodes.size() * tree.state_size());
  if (!tree.copy_states(nodes, {states.data(), tree.state_size(), nodes.size()}, budget)) {
    return {};
  }
  return states;
}

BaselineResult extract_by_kmeans(StateTree& tree, const MethodSpec& method,
                                 const BaselineOptions& options, const Budget& budget) {
  BaselineWords source(method, options, tree.symbol_count());
  std::vector<Word> words;
  while (words.size() < source.count()) words.push_back(source.next());
  BaselineResult result;
  result.automaton.dfa = Dfa(tree.symbol_count());
  const std::vector<double> states = prefix_states(tree, words, budget);
  const auto sample = answered(tree, words, budget);
  if (states.empty() || !sample) {
    result.evidence.push_back(
        {.oracle = "kmeans", .end = Evidence::End::Stopped, .looked_at = Quotient{}});
    result.complete = false;
    return result;
  }
  const ConstRStates points{states.data(), tree.state_size(), states.size() / tree.state_size()};
  std::optional<std::size_t> best;
  for (const std::size_t k : method.ks) {
    if (best && budget.spent()) {
      result.evidence.push_back({.oracle = "kmeans",
                                 .end = Evidence::End::Stopped,
                                 .looked_at = Quotient{.clusters = k}});
      break;
    }
    Random random(options.seed);
    PartialDfa automaton = quotient(tree, nearest_centre(kmeans(points, k, random, budget)), budget,
                                    options.max_states);
    const std::size_t agreed = sample->agreed(automaton.dfa);
    Quotient tried = sizes(automaton);
    tried.clusters = k;
    tried.agreed = share(agreed, words.size());
    result.evidence.push_back(
        {.oracle = "kmeans", .words_tested = words.size(), .looked_at = tried});
    if (best && agreed <= *best) continue;
    best = agreed;
    result.automaton = std::move(automaton);
  }
  result.coverage = coverage(result.automaton, tree.symbol_count(), options.seed);
  result.evidence.push_back({.oracle = "kmeans", .looked_at = result.coverage});
  result.complete = !budget.spent() && !result.automaton.unknown;
  return result;
}

}  // namespace

BaselineWords::BaselineWords(const MethodSpec& method, const BaselineOptions& options,
                             std::size_t symbols)
    : options_(options), symbols_(symbols), random_(options.seed) {
  constexpr std::size_t kWords = 500;
  const bool given = !options.words.empty();
  count_ = method.words > 0 ? method.words : given ? options.words.size() : kWords;
  if (given) count_ = std::min(count_, options.words.size());
  if (!given && symbols == 0) count_ = 1;  // there is but the empty word
}

Word BaselineWords::next() {
  constexpr std::size_t kLongest = 20;
  const std::size_t i = at_++;
  if (!options_.words.empty()) return options_.words[i];
  return symbols_ == 0 ? Word() : uniform_word(symbols_, 1 + i % kLongest, random_);
}

void require_words(const MethodSpec& method, std::size_t given) {
  if (given == 0 || method.words <= given) return;
  throw OptionError(
      fmt::format("method: {}: expected at most the {} words that were given, found {}",
                  method.text(), given, method.words));
}

void refuse_no_words(const std::string& file, const MethodSpec& method) {
  throw FileError(file, "expected words for " + method.text() + ", found none");
}

BaselineResult run_baseline(StateTree& tree, const MethodSpec& method,
                            const BaselineOptions& options, const Budget& budget) {
  if (method.method == Method::KMeans) return extract_by_kmeans(tree, method, options, budget);
  RNNALF_CHECK(method.method == Method::Quantization, "not a baseline: " + method.text());
  BaselineResult result;
  result.automaton =
      quotient(tree, quantization({.intervals = method.intervals}), budget, options.max_states);
  result.coverage = coverage(result.automaton, tree.symbol_count(), options.seed);
  result.evidence.push_back({.oracle = "quantization", .looked_at = sizes(result.automaton)});
  result.evidence.push_back({.oracle = "quantization", .looked_at = result.coverage});
  result.complete = !result.automaton.unknown;
  return result;
}

}  // namespace rnnalf
