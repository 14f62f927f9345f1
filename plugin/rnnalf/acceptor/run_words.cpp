#include "rnnalf/acceptor/run_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace rnnalf {
namespace {

// Wide enough for the kernels, small enough that the states of a block stay in the cache.
constexpr std::size_t kBlock = 256;

/// Runs words of falling length together.
class Block {
 public:
  Block(const RnnAcceptor& acceptor, std::size_t most_words)
      : acceptor_(acceptor),
        size_(acceptor.state_size()),
        initial_(acceptor.initial_state()),
        states_(most_words * size_),
        next_(most_words * size_) {}

  void run(std::span<const Word* const> words) {
    for (std::size_t i = 0; i < words.size(); ++i) copy(initial_.data(), &states_[i * size_], 1);
    std::size_t active = words.size();
    for (std::size_t at = 0;; ++at) {
      while (active > 0 && words[active - 1]->size() == at) --active;
      if (active == 0) return;
      symbols_.clear();
      for (std::size_t i = 0; i < active; ++i) symbols_.push_back((*words[i])[at]);
      acceptor_.step({states_.data(), size_, active}, symbols_, {next_.data(), size_, active});
      copy(next_.data(), states_.data(), active);
    }
  }

  /// The answers in the last R-states of the first `count` words of the run before.
  [[nodiscard]] std::vector<Classification> answers(std::size_t count) const {
    const ConstRStates last{states_.data(), size_, count};
    std::vector<Judgement> judged(count);
    std::vector<double> probabilities(count);
    acceptor_.judge(last, judged);
    acceptor_.probabilities(last, probabilities);
    std::vector<Classification> found(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Answer answer = answer_in(last.col(i), judged[i]);
      found[i] = {answer, answer == Answer::None ? std::nan("") : probabilities[i]};
    }
    return found;
  }

 private:
  void copy(const double* from, double* to, std::size_t count) const {
    std::copy_n(from, count * size_, to);
  }

  const RnnAcceptor& acceptor_;  // outlives the block
  std::size_t size_;
  std::vector<double> initial_;
  std::vector<double> states_;
  std::vector<double> next_;
  std::vector<Symbol> symbols_;
};

}  // namespace

std::vector<double> state_after(const RnnAcceptor& acceptor, WordView word) {
  std::vector<double> state = acceptor.initial_state(), next(state.size());
  for (const Symbol symbol : word) {
    acceptor.step({state.data(), state.size(), 1}, {&symbol, 1}, {next.data(), next.size(), 1});
    state.swap(next);
  }
  return state;
}

std::vector<Classification> classify(const RnnAcceptor& acceptor, std::span<const Word> words,
                                     std::optional<Answer> empty_word) {
  for (const Word& word : words) {
    for (const Symbol symbol : word) {
      if (index(symbol) >= acceptor.symbol_count()) {
        throw std::invalid_argument(fmt::format("classify: symbol {} of an alphabet of {}",
                                                index(symbol), acceptor.symbol_count()));
      }
    }
  }
  // Longest first: the words still running are then always the first columns of a block.
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return words[a].size() > words[b].size(); });

  std::vector<Classification> result(words.size());
  std::vector<const Word*> members;
  Block block(acceptor, std::min(kBlock, words.size()));
  for (std::size_t begin = 0; begin < order.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, order.size() - begin);
    members.clear();
    for (std::size_t i = 0; i < count; ++i) members.push_back(&words[order[begin + i]]);
    block.run(members);
    const std::vector<Classification> found = block.answers(count);
    for (std::size_t i = 0; i < count; ++i) result[order[begin + i]] = found[i];
  }
  if (empty_word) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].empty()) result[i] = {*empty_word, *empty_word == Answer::Reject ? 0.0 : 1.0};
    }
  }
  return result;
}

}  // namespace rnnalf
