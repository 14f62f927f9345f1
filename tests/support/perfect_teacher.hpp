#pragma once

#include <libalf/alf.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"

/// A teacher that knows the target: answers every query and finds every difference. Header only,
/// because it is compiled against each provider of <libalf/...>.
namespace rnnalf::support {

/// A conjecture as a deterministic automaton, determinised as far as it is walked: the conjectures
/// of NL* on the way to the target may have exponentially many subsets. No epsilon moves.
class Hypothesis {
 public:
  explicit Hypothesis(const libalf::finite_automaton& automaton)
      : letters_(static_cast<std::size_t>(automaton.input_alphabet_size)) {
    if (copy_deterministic(automaton)) return;
    const auto states = static_cast<std::size_t>(automaton.state_count);
    const Subset empty((states + 63) / 64);
    targets_.assign(states * letters_, empty);
    for (const auto& [source, by_letter] : automaton.transitions) {
      for (const auto& [letter, into] : by_letter) {
        Subset& subset = targets_[static_cast<std::size_t>(source) * letters_ +
                                  static_cast<std::size_t>(letter)];
        for (int target : into) add(subset, target);
      }
    }
    accepting_ = empty;
    for (const auto& [state, accepts] : automaton.output_mapping) {
      if (accepts) add(accepting_, state);
    }
    Subset initial = empty;
    for (int state : automaton.initial_states) add(initial, state);
    number_of(initial);
  }

  std::size_t symbol_count() const { return letters_; }
  /// States walked so far; 0 is initial.
  std::size_t size() const { return accepts_.size(); }
  bool accepts(std::size_t state) const { return accepts_[state]; }

  std::size_t next(std::size_t state, std::size_t letter) {
    std::size_t known = next_[state * letters_ + letter];
    if (known == unknown) {
      Subset reached(accepting_.size());
      for (std::size_t w = 0; w < reached.size(); ++w) {
        for (std::uint64_t left = subsets_[state][w]; left != 0; left &= left - 1) {
          const std::size_t s = w * 64 + static_cast<std::size_t>(__builtin_ctzll(left));
          const Subset& more = targets_[s * letters_ + letter];
          for (std::size_t v = 0; v < more.size(); ++v) reached[v] |= more[v];
        }
      }
      known = number_of(reached);
      next_[state * letters_ + letter] = known;
    }
    return known;
  }

  template <class Letters>
  bool accepts_word(const Letters& word) {
    std::size_t state = 0;
    for (int letter : word) state = next(state, static_cast<std::size_t>(letter));
    return accepts(state);
  }

  /// All of it.
  Dfa to_dfa() {
    for (std::size_t s = 0; s < size(); ++s) {
      for (std::size_t a = 0; a < letters_; ++a) next(s, a);
    }
    Dfa dfa(letters_, size());
    for (std::size_t s = 0; s < size(); ++s) {
      dfa.set_accepting(LState(s), accepts(s));
      for (std::size_t a = 0; a < letters_; ++a)
        dfa.set_next(LState(s), Symbol(a), LState(next(s, a)));
    }
    return dfa;
  }

 private:
  using Subset = std::vector<std::uint64_t>;  // bit s: state s is in it
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);

  static void add(Subset& subset, int state) {
    const auto s = static_cast<std::size_t>(state);
    subset[s / 64] |= std::uint64_t{1} << (s % 64);
  }

  /// Deterministic, complete, initial state 0: nothing to construct.
  bool copy_deterministic(const libalf::finite_automaton& automaton) {
    if (automaton.initial_states != std::set<int>{0}) return false;
    next_.resize(static_cast<std::size_t>(automaton.state_count) * letters_);
    auto next = next_.begin();
    for (const auto& [source, by_letter] : automaton.transitions) {
      if (by_letter.size() > static_cast<std::size_t>(next_.end() - next)) break;
      for (const auto& [letter, into] : by_letter) {
        if (into.size() == 1) *next++ = static_cast<std::size_t>(*into.begin());
      }
    }
    for (const auto& [state, accepts] : automaton.output_mapping) accepts_.push_back(accepts);
    if (next == next_.end() && accepts_.size() == static_cast<std::size_t>(automaton.state_count)) {
      return true;
    }
    next_.clear();
    accepts_.clear();
    return false;
  }

  std::size_t number_of(const Subset& subset) {
    const auto [at, fresh] = numbers_.emplace(subset, subsets_.size());
    if (fresh) {
      bool accepts = false;
      for (std::size_t w = 0; w < subset.size(); ++w)
        accepts = accepts || (subset[w] & accepting_[w]);
      accepts_.push_back(accepts);
      subsets_.push_back(subset);
      next_.insert(next_.end(), letters_, unknown);
    }
    return at->second;
  }

  std::size_t letters_;
  std::vector<Subset> targets_;  // of the conjecture: state x letter
  Subset accepting_;
  std::map<Subset, std::size_t> numbers_;
  std::vector<Subset> subsets_;
  std::vector<bool> accepts_;
  std::vector<std::size_t> next_;
};

class PerfectTeacher {
 public:
  explicit PerfectTeacher(Dfa target) : target_(std::move(target)) {}

  const Dfa& target() const { return target_; }

  template <class Letters>
  bool accepts(const Letters& word) const {
    LState state = target_.initial();
    for (int letter : word) state = target_.next(state, static_cast<Symbol>(letter));
    return target_.accepts(state);
  }

  /// Answers all pending queries, the way libalf's own glue does; returns how many.
  template <class Answer>
  int answer(libalf::knowledgebase<Answer>& knowledge) const {
    int count = 0;
#ifdef LIBALF_TOOLKIT
    std::vector<int> word;
    for (; !knowledge.is_answered(); ++count) {
      auto query = knowledge.qbegin();
      query->get_word(word);
      query->set_answer(accepts(word));
    }
#else
    for (; !knowledge.is_answered(); ++count) {
      auto query = knowledge.qbegin();
      query->set_answer(accepts(query->get_word()));
    }
#endif
    return count;
  }

  /// The shortlex-first counterexample: breadth first over pairs of states.
  std::optional<std::list<int>> refute(Hypothesis& hypothesis) const {
    /// True if the two states differ: the last visit is then the end of a counterexample.
    const auto visit = [&](LState ours, std::size_t theirs, std::size_t parent,
                           std::size_t letter) {
      const std::size_t pair = theirs * target_.size() + index(ours);
      if (pair >= seen_.size()) seen_.resize(hypothesis.size() * target_.size());
      if (seen_[pair]) return false;
      seen_[pair] = true;
      visits_.push_back({ours, static_cast<std::uint32_t>(theirs),
                         static_cast<std::uint32_t>(parent), static_cast<std::uint32_t>(letter)});
      return target_.accepts(ours) != hypothesis.accepts(theirs);
    };
    const auto first_difference = [&] {
      if (visit(target_.initial(), 0, 0, 0)) return true;
      for (std::size_t head = 0; head < visits_.size(); ++head) {
        const Visit at = visits_[head];
        for (std::size_t a = 0; a < target_.symbol_count(); ++a) {
          if (visit(target_.next(at.ours, Symbol(a)), hypothesis.next(at.theirs, a), head, a))
            return true;
        }
      }
      return false;
    };
    std::optional<std::list<int>> word;
    if (first_difference()) {
      word.emplace();
      for (std::size_t v = visits_.size() - 1; v != 0; v = visits_[v].parent) {
        word->push_front(static_cast<int>(visits_[v].letter));
      }
    }
    for (const Visit& v : visits_) seen_[v.theirs * target_.size() + index(v.ours)] = false;
    visits_.clear();
    return word;
  }

 private:
  struct Visit {
    LState ours;
    std::uint32_t theirs;
    std::uint32_t parent;
    std::uint32_t letter;
  };

  Dfa target_;
  // Room for refute(), all false and empty in between: a learner with a tree calls it once a state.
  mutable std::vector<bool> seen_;  // by their state, then ours
  mutable std::vector<Visit> visits_;
};

}  // namespace rnnalf::support
