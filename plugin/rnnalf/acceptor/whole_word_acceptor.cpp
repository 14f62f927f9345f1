#include "rnnalf/acceptor/whole_word_acceptor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "rnnalf/acceptor/headed_acceptor.hpp"

namespace rnnalf {

WordRun::WordRun(const WordGraph& graph, std::size_t root, std::size_t most_numbers)
    : graph_(graph),
      most_numbers_(most_numbers),
      needed_(root + 1, false),
      depends_on_symbols_(root + 1, false),
      tensors_(root + 1) {
  needed_.back() = true;
  for (std::size_t i = tensors_.size(); i-- > 0;) {
    if (!needed_[i]) continue;
    for (const std::size_t input : graph.nodes[i].inputs) {
      if (input != kNoWordNode) needed_[input] = true;
    }
  }
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const WordNode& node = graph.nodes[i];
    if (node.operation == WordOperation::Lengths) continue;
    depends_on_symbols_[i] = node.operation == WordOperation::Symbols ||
                             std::any_of(node.inputs.begin(), node.inputs.end(), [&](auto input) {
                               return input != kNoWordNode && depends_on_symbols_[input];
                             });
  }
}

const WordTensor& WordRun::operator()(std::span<const Symbol> word) {
  const bool other_length = length_ != word.size();
  length_.reset();  // until all is computed
  std::vector<const WordTensor*> inputs;
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!needed_[i] || (!other_length && !depends_on_symbols_[i])) continue;
    const WordNode& node = graph_.nodes[i];
    if (node.operation == WordOperation::Symbols) {
      WordTensor& symbols = tensors_[i];
      symbols = {.sizes = {word.size()}, .whole = true};
      for (const Symbol symbol : word) symbols.values.push_back(static_cast<double>(index(symbol)));
      continue;
    }
    inputs.clear();
    for (const std::size_t input : node.inputs) {
      inputs.push_back(input == kNoWordNode ? nullptr : &tensors_[input]);
    }
    compute(node, inputs, tensors_[i]);
    numbers += tensors_[i].values.size();
    if (numbers > most_numbers_) throw WordGraphError("its tensors are too large");
  }
  length_ = word.size();
  return tensors_.back();
}

namespace {

class WholeWordAcceptor final : public HeadedAcceptor<double, WholeWordAcceptor> {
  using Base = HeadedAcceptor<double, WholeWordAcceptor>;
  friend Base;  // for outputs

 public:
  explicit WholeWordAcceptor(const NetworkSpec& spec)
      : Base(spec, spec.word_graph->symbols, spec.word_graph->state_size()),
        graph_(*spec.word_graph),
        bits_(graph_.bits_of_symbol()),
        each_(graph_.symbols_in_number()) {
    initial_.assign(state_size_, 0.0);
  }

  [[nodiscard]] bool reads_whole_words() const override { return true; }
  [[nodiscard]] std::size_t steps_per_answer(std::size_t length) const override { return length; }

  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    for (std::size_t i = 0; i < states.count; ++i) {
      const std::span<double> to = next.col(i);
      std::copy(states.col(i).begin(), states.col(i).end(), to.begin());
      if (!(to[0] < static_cast<double>(graph_.most_symbols))) {
        to[0] = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      const auto length = static_cast<std::size_t>(to[0]++);
      const double place = std::ldexp(1.0, static_cast<int>(length % each_ * bits_));
      to[1 + length / each_] += place * static_cast<double>(index(symbols[i]));
    }
  }

 private:
  [[nodiscard]] Word word_of(std::span<const double> state) const {
    Word word;
    for (std::size_t i = 0; i < static_cast<std::size_t>(state[0]); ++i) {
      const auto packed = static_cast<std::uint64_t>(state[1 + i / each_]);
      const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
      word.push_back(static_cast<Symbol>(packed >> (i % each_ * bits_) & mask));
    }
    return word;
  }

  template <class Use>
  void outputs(ConstRStates states, Use use) const {
    std::vector<std::size_t> order(states.count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return states.col(a)[0] < states.col(b)[0];
    });
    WordRun run(graph_, graph_.nodes.size() - 1);
    kernels::Buffer<double> features(graph_.features);
    for (const std::size_t i : order) {
      const bool said =
          std::isfinite(states.col(i)[0]) && read(run, word_of(states.col(i)), features);
      if (!said) std::fill_n(features.data(), graph_.features, std::nan(""));
      head_.run(
          features.data(), kernels::padded<double>(graph_.features), 1,
          [&](std::size_t, const double* scores, std::size_t count) { use(i, scores, count); });
    }
  }

  /// False where the graph cannot be run on a word, such as the empty one.
  bool read(WordRun& run, const Word& word, kernels::Buffer<double>& features) const {
    try {
      const std::vector<double>& values = run(word).values;
      if (values.size() != graph_.features) return false;
      std::copy(values.begin(), values.end(), features.data());
      return true;
    } catch (const WordGraphError&) {
      return false;
    }
  }

  WordGraph graph_;
  std::size_t bits_;  // of a symbol in an R-state
  std::size_t each_;  // symbols in a number of an R-state
};

}  // namespace

std::unique_ptr<RnnAcceptor> make_whole_word_acceptor(const NetworkSpec& spec) {
  return std::make_unique<WholeWordAcceptor>(spec);
}

}  // namespace rnnalf
