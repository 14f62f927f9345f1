#include "rnnalf/baseline/baseline.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/baseline/kmeans.hpp"
#include "rnnalf/baseline/quantization.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kCoverageLengths[] = {10, 50, 100, 1000};  // as in the paper
constexpr std::size_t kCoverageWords = 1000;

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
}

std::string percent(double of_one) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * of_one);
  return text;
}

/// What a partial DFA knows about uniform words; the network is not needed.
std::vector<std::pair<std::size_t, double>> coverage(const PartialDfa& automaton,
                                                     std::size_t symbols, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<std::size_t, double>> shares;
  for (const std::size_t length : kCoverageLengths) {
    std::size_t covered = 0;
    for (std::size_t i = 0; i < kCoverageWords; ++i) {
      if (!automaton.unknown || automaton.covers(uniform_word(symbols, length, random))) ++covered;
    }
    shares.emplace_back(length, share(covered, kCoverageWords));
  }
  return shares;
}

std::string coverage_text(const BaselineResult& result) {
  if (!result.automaton.unknown) return "complete: it covers every word";
  std::string text = "partial: it covers";
  for (const auto& [length, covered] : result.coverage) {
    text += (length == kCoverageLengths[0] ? " " : ", ") + percent(covered) +
            " of uniform words of length " + std::to_string(length);
  }
  return text;
}

std::string size_text(const PartialDfa& automaton) {
  return std::to_string(automaton.a_states) + " A-states, " + std::to_string(automaton.expanded) +
         " of them expanded; ";
}

/// Where the user gave no words: short ones and longer random ones.
std::vector<Word> clustered_words(std::size_t symbols, std::uint64_t seed) {
  constexpr std::size_t kWords = 500, kLongest = 20;
  Random random(seed);
  std::vector<Word> words;
  for (std::size_t i = 0; i < kWords && symbols > 0; ++i) {
    words.push_back(uniform_word(symbols, 1 + i % kLongest, random));
  }
  return words;
}

/// The R-states of all prefixes; empty when the budget ended first.
std::vector<double> prefix_states(StateTree& tree, const std::vector<Word>& words,
                                  const Budget& budget) {
  std::vector<Node> nodes{StateTree::root()};
  for (const Word& word : words) {
    Node node = StateTree::root();
    for (const Symbol& symbol : word) nodes.push_back(node = tree.add(node, {&symbol, 1}));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<double> states(nodes.size() * tree.state_size());
  if (!tree.compute(nodes, budget) ||
      !tree.copy_states(nodes, {states.data(), tree.state_size(), nodes.size()}, budget)) {
    return {};
  }
  return states;
}

BaselineResult extract_by_kmeans(StateTree& tree, const MethodSpec& method,
                                 const BaselineOptions& options, const Budget& budget) {
  const std::vector<Word> words =
      options.words.empty() ? clustered_words(tree.symbol_count(), options.seed) : options.words;
  BaselineResult result;
  result.automaton.dfa = Dfa(tree.symbol_count());
  const std::vector<double> states = prefix_states(tree, words, budget);
  const auto answers = tree.answers(words, budget);
  if (states.empty() || !answers) {
    result.evidence.push_back({"kmeans", 0, "stopped by a limit before the clustering"});
    result.complete = false;
    return result;
  }
  const ConstRStates points{states.data(), tree.state_size(), states.size() / tree.state_size()};
  std::optional<std::size_t> best;
  for (const std::size_t k : method.ks) {
    if (best && budget.spent()) {
      result.evidence.push_back(
          {"kmeans", 0, "stopped by a limit before k = " + std::to_string(k)});
      break;
    }
    Random random(options.seed);
    PartialDfa automaton = quotient(tree, nearest_centre(kmeans(points, k, random, budget)), budget,
                                    options.max_states);
    std::size_t agreed = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      agreed += automaton.dfa.accepts(words[i]) == ((*answers)[i] != 0) ? 1 : 0;
    }
    result.evidence.push_back({"kmeans", words.size(),
                               "k = " + std::to_string(k) + ": " + size_text(automaton) +
                                   "agrees on " + percent(share(agreed, words.size())) +
                                   " of the words"});
    if (best && agreed <= *best) continue;
    best = agreed;
    result.automaton = std::move(automaton);
  }
  result.coverage = coverage(result.automaton, tree.symbol_count(), options.seed);
  result.evidence.push_back({"kmeans", 0, coverage_text(result)});
  result.complete = !budget.spent() && !result.automaton.unknown;
  return result;
}

std::size_t parse_number(std::string_view text, std::string_view what, std::size_t least) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < least) {
    throw OptionError("method: " + std::string(what) + ": expected a whole number from " +
                      std::to_string(least) + ", found '" + std::string(text) + "'");
  }
  return value;
}

}  // namespace

std::string MethodSpec::text() const {
  switch (method) {
    case Method::Quantization:
      return "quantization:q=" + std::to_string(intervals);
    case Method::KMeans:
      return ks.size() == 1 ? "kmeans:k=" + std::to_string(ks.front()) : "kmeans";
    default:
      return "abstraction-refinement";
  }
}

MethodSpec parse_method(std::string_view text) {
  MethodSpec spec;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const std::string_view parameter = colon < text.size() ? text.substr(colon + 1) : "";
  const auto refuse_parameter = [&](const std::string& known) {
    throw OptionError("method: " + std::string(name) + ": expected " + known + ", found '" +
                      std::string(parameter) + "'");
  };
  if (name == "abstraction-refinement") {
    if (colon < text.size()) refuse_parameter("no parameter");
  } else if (name == "quantization") {
    spec.method = Method::Quantization;
    if (parameter.starts_with("q=")) {
      spec.intervals = parse_number(parameter.substr(2), "quantization: q", 2);
    } else if (colon < text.size()) {
      refuse_parameter("q=NUMBER");
    }
    validate(QuantizationOptions{.intervals = spec.intervals});
  } else if (name == "kmeans") {
    spec.method = Method::KMeans;
    spec.ks = {2, 5, 10, 20, 50, 100};
    if (parameter.starts_with("k=")) {
      spec.ks = {parse_number(parameter.substr(2), "kmeans: k", 1)};
    } else if (colon < text.size()) {
      refuse_parameter("k=NUMBER");
    }
  } else {
    throw OptionError("method: expected abstraction-refinement, quantization or kmeans, found '" +
                      std::string(name) + "'");
  }
  return spec;
}

BaselineResult run_baseline(StateTree& tree, const MethodSpec& method,
                            const BaselineOptions& options, const Budget& budget) {
  if (method.method == Method::KMeans) return extract_by_kmeans(tree, method, options, budget);
  RNNALF_CHECK(method.method == Method::Quantization, "not a baseline: " + method.text());
  BaselineResult result;
  result.automaton =
      quotient(tree, quantization({.intervals = method.intervals}), budget, options.max_states);
  result.coverage = coverage(result.automaton, tree.symbol_count(), options.seed);
  result.evidence.push_back(
      {"quantization", 0, size_text(result.automaton) + coverage_text(result)});
  result.complete = !result.automaton.unknown;
  return result;
}

}  // namespace rnnalf
