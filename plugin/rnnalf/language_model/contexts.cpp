#include "rnnalf/language_model/contexts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <queue>
#include <utility>
#include <vector>

namespace rnnalf {
namespace {

constexpr double kLeastProbability = 1e-9;  // in a logarithm

/// A node of the suffix tree: a context, with the rows of the prefixes that end with it.
struct ContextNode {
  Word suffix = {};         ///< the last symbols read
  bool from_start = false;  ///< nothing was read before them
  std::vector<std::uint32_t> rows = {};
  std::vector<double> mean = {};  ///< of the logarithms
  bool chosen = false;
};

/// Where a row stands: the prefix that it follows.
struct RowPlace {
  std::uint32_t word;
  std::uint32_t length;
};

class SuffixTree {
 public:
  SuffixTree(const ModelWords& words, std::size_t longest) : words_(words), longest_(longest) {
    ContextNode root;
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t length = 0; length <= words.word(i).size(); ++length) {
        places_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(length)});
        root.rows.push_back(static_cast<std::uint32_t>(root.rows.size()));
      }
    }
    fill(root);
    root.chosen = true;
    nodes_.push_back(std::move(root));
  }

  /// The chosen contexts; the first is the whole of the empty prefix.
  [[nodiscard]] std::vector<ContextNode> grow(std::size_t states) {
    struct Open {
      double gain;
      std::size_t node;
      bool operator<(const Open& other) const {
        return gain != other.gain ? gain < other.gain : node > other.node;
      }
    };
    std::priority_queue<Open> open;
    const auto split = [&](std::size_t parent) {
      for (ContextNode& child : children(nodes_[parent])) {
        const double gain = gain_over(child, nodes_[parent]);
        nodes_.push_back(std::move(child));
        open.push({gain, nodes_.size() - 1});
      }
    };
    split(0);
    std::size_t chosen = 1;
    // The empty prefix is the initial state in any case.
    for (std::size_t i = 1; i < nodes_.size() && chosen < states; ++i) {
      if (!nodes_[i].from_start) continue;
      nodes_[i].chosen = true;
      ++chosen;
    }
    while (chosen < states && !open.empty()) {
      const Open best = open.top();
      open.pop();
      ContextNode& node = nodes_[best.node];
      if (node.chosen) continue;
      if (best.gain <= 0) break;
      node.chosen = true;
      ++chosen;
      if (!node.from_start && node.suffix.size() < longest_) split(best.node);
    }
    std::vector<ContextNode> result;
    for (ContextNode& node : nodes_) {
      if (!node.chosen) continue;
      result.push_back(std::move(node));
      if (result.back().from_start && result.back().suffix.empty()) {
        std::swap(result.front(), result.back());
      }
    }
    return result;
  }

 private:
  void fill(ContextNode& node) const {
    node.mean.assign(words_.row_size(), 0);
    for (const std::uint32_t number : node.rows) {
      const auto row = words_.row(number);
      for (std::size_t b = 0; b < row.size(); ++b) {
        node.mean[b] += std::log(std::max<double>(row[b], kLeastProbability));
      }
    }
    for (double& value : node.mean) value /= static_cast<double>(node.rows.size());
  }

  /// The rows of a node by what was read before its suffix.
  [[nodiscard]] std::vector<ContextNode> children(const ContextNode& node) const {
    const std::size_t k = words_.symbol_count();
    std::vector<ContextNode> by_symbol(k + 1);
    for (const std::uint32_t number : node.rows) {
      const auto [word, length] = places_[number];
      const std::size_t at = node.suffix.size();
      const std::size_t before = length > at ? index(words_.word(word)[length - at - 1]) : k;
      by_symbol[before].rows.push_back(number);
    }
    std::vector<ContextNode> found;
    for (std::size_t a = 0; a <= k; ++a) {
      ContextNode& child = by_symbol[a];
      if (child.rows.empty()) continue;
      if (a < k) child.suffix.push_back(static_cast<Symbol>(a));
      child.suffix.insert(child.suffix.end(), node.suffix.begin(), node.suffix.end());
      child.from_start = a == k;
      fill(child);
      found.push_back(std::move(child));
    }
    return found;
  }

  /// How much of the squared error of log-probabilities a row of its own takes away.
  [[nodiscard]] double gain_over(const ContextNode& child, const ContextNode& parent) const {
    std::vector<double> read(words_.row_size(), 0);
    for (const std::uint32_t number : child.rows) {
      const auto [word, length] = places_[number];
      read[words_.read_after(word, length)] += 1;
    }
    double gain = 0;
    const auto n = static_cast<double>(child.rows.size());
    for (std::size_t b = 0; b < read.size(); ++b) {
      const double difference = child.mean[b] - parent.mean[b];
      // What was not read here may be read elsewhere: a little of every symbol.
      gain +=
          (0.9 * read[b] + 0.1 * n / static_cast<double>(read.size())) * difference * difference;
    }
    return gain;
  }

  const ModelWords& words_;
  std::size_t longest_;
  std::vector<RowPlace> places_;
  std::vector<ContextNode> nodes_;
};

/// Each context's successors: the longest chosen suffix of what was read. The first context is the
/// whole of the empty prefix.
Pdfa automaton_of(const std::vector<ContextNode>& contexts, std::size_t symbols) {
  std::map<std::pair<bool, Word>, std::size_t> number;
  for (std::size_t q = 0; q < contexts.size(); ++q) {
    number.emplace(std::pair(contexts[q].from_start, contexts[q].suffix), q);
  }
  const auto longest_known = [&](bool from_start, Word suffix) -> std::size_t {
    if (from_start) {
      const auto whole = number.find({true, suffix});
      if (whole != number.end()) return whole->second;
    }
    while (true) {
      const auto found = number.find({false, suffix});
      if (found != number.end()) return found->second;
      if (suffix.empty()) return 0;
      suffix.erase(suffix.begin());
    }
  };
  Pdfa pdfa(symbols, contexts.size());
  for (std::size_t q = 0; q < contexts.size(); ++q) {
    for (std::size_t a = 0; a < symbols; ++a) {
      Word longer = contexts[q].suffix;
      longer.push_back(static_cast<Symbol>(a));
      pdfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a),
                    static_cast<LState>(longest_known(contexts[q].from_start, std::move(longer))));
    }
  }
  return pdfa;
}

}  // namespace

Pdfa context_automaton(const ModelWords& words, std::size_t states, std::size_t longest) {
  SuffixTree tree(words, longest);
  const std::vector<ContextNode> contexts = tree.grow(std::max<std::size_t>(states, 1));
  Pdfa pdfa = automaton_of(contexts, words.symbol_count());
  for (std::size_t q = 0; q < contexts.size(); ++q) {
    std::vector<double> row(words.row_size(), 0);
    for (const std::uint32_t number : contexts[q].rows) {
      for (std::size_t b = 0; b < row.size(); ++b) row[b] += words.row(number)[b];
    }
    pdfa.set_row(static_cast<LState>(q), row);
  }
  return pdfa;
}

Pdfa ngram_automaton(const ModelWords& words, std::size_t symbols) {
  std::map<Word, std::size_t> number{{{}, 0}};
  std::vector<ContextNode> contexts(1);
  for (const Word& word : words.words()) {
    for (std::size_t end = 1; end <= word.size() && symbols > 0; ++end) {
      const std::size_t length = std::min(end, symbols);
      Word suffix(word.begin() + static_cast<std::ptrdiff_t>(end - length),
                  word.begin() + static_cast<std::ptrdiff_t>(end));
      if (number.emplace(suffix, contexts.size()).second) contexts.push_back({.suffix = suffix});
    }
  }
  // Shorter contexts stand in for those that never occurred, and for the beginnings of words.
  Pdfa pdfa(words.symbol_count(), contexts.size());
  for (std::size_t q = 0; q < pdfa.size(); ++q) {
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
      Word longer = contexts[q].suffix;
      longer.push_back(static_cast<Symbol>(a));
      if (longer.size() > symbols) longer.erase(longer.begin());
      while (!number.contains(longer)) longer.erase(longer.begin());
      pdfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a),
                    static_cast<LState>(number.at(longer)));
    }
  }
  set_mean_rows(pdfa, words);
  return pdfa;
}

void set_mean_rows(Pdfa& pdfa, const ModelWords& words) {
  const std::size_t row_size = pdfa.row_size();
  std::vector<double> sums(pdfa.size() * row_size, 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    LState state = pdfa.initial();
    for (std::size_t length = 0; length <= words.word(i).size(); ++length) {
      const auto row = words.row(words.first(i) + length);
      for (std::size_t b = 0; b < row_size; ++b) {
        sums[index(state) * row_size + b] += row[b];
      }
      if (length < words.word(i).size()) state = pdfa.next(state, words.word(i)[length]);
    }
  }
  for (std::size_t q = 0; q < pdfa.size(); ++q) {
    const std::span<const double> row(sums.data() + q * row_size, row_size);
    const bool reached = std::any_of(row.begin(), row.end(), [](double p) { return p > 0; });
    if (reached) pdfa.set_row(static_cast<LState>(q), row);
  }
}

}  // namespace rnnalf
