#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/word.hpp"

namespace rnnalf::support {

/// An acceptor with the language of a DFA that remembers every word it was run on. An R-state is
/// the number of its word. For one thread.
class RecordedWords final : public RnnAcceptor {
 public:
  explicit RecordedWords(Dfa dfa) : dfa_(std::move(dfa)) {
    places_.push_back({dfa_.initial(), {}});
  }

  [[nodiscard]] std::size_t state_size() const override { return 1; }
  [[nodiscard]] std::size_t symbol_count() const override { return dfa_.symbol_count(); }
  [[nodiscard]] std::vector<double> initial_state() const override { return {0}; }
  /// What runs words without a StateTree calls this; a tree calls `follow`.
  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    const bool goes_on = states.count == 1 && (states.data[0] == 0 || states.data[0] == alone_);
    for (std::size_t i = 0; i < states.count; ++i) next.data[i] = after(states.data[i], symbols[i]);
    alone_ = goes_on ? next.data[0] : -1;
  }
  void follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
              std::byte* next, std::span<Judgement> judged) const override {
    for (std::size_t i = 0; i < origins.size(); ++i) {
      double state = 0;
      restore(origins[i], &state);
      state = after(state, symbols[i]);
      met_.insert(places_[static_cast<std::size_t>(state)].word);
      keep(&state, next + i * kept_bytes());
      if (!judged.empty()) judge({&state, 1, 1}, judged.subspan(i, 1));
    }
  }
  void margins(ConstRStates states, std::span<double> margins) const override {
    for (std::size_t i = 0; i < states.count; ++i) {
      margins[i] = dfa_.accepts(places_[static_cast<std::size_t>(states.data[i])].state) ? 1 : -1;
    }
    if (states.count == 1 && alone_ > 0 && states.data[0] == alone_) {
      ++alone_runs_[places_[static_cast<std::size_t>(alone_)].word];
      alone_ = -1;
    }
  }

  /// How often the word was run alone: from the initial state, one column, to its end.
  [[nodiscard]] std::size_t times_alone(const Word& word) const {
    const auto found = alone_runs_.find(word);
    return found == alone_runs_.end() ? 0 : found->second;
  }

  void forget() const { met_.clear(); }
  /// Words that a StateTree ran since `forget`, without those that are prefixes of others. The run
  /// of a counterexample on its own, which is its last check, is not among them.
  [[nodiscard]] std::size_t words_run() const {
    std::set<Word> beginnings;
    for (const Word& word : met_) beginnings.insert(Word(word.begin(), word.end() - 1));
    std::size_t count = 0;
    for (const Word& word : met_) count += beginnings.count(word) == 0 ? 1 : 0;
    return count;
  }

 private:
  struct Place {
    LState state;
    Word word;
  };

  double after(double from, Symbol symbol) const {
    const auto at = static_cast<std::size_t>(from);
    const auto [found, is_new] = next_.try_emplace({at, symbol}, places_.size());
    if (is_new) {
      Place place{dfa_.next(places_[at].state, symbol), places_[at].word};
      place.word.push_back(symbol);
      places_.push_back(std::move(place));
    }
    return static_cast<double>(found->second);
  }

  Dfa dfa_;
  mutable std::vector<Place> places_;  // by R-state
  mutable std::map<std::pair<std::size_t, Symbol>, std::size_t> next_;
  mutable std::set<Word> met_;
  mutable double alone_ = -1;  // where the run of one word has come to
  mutable std::map<Word, std::size_t> alone_runs_;
};

}  // namespace rnnalf::support
