#pragma once

#include <libalf/alf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"

/// A teacher that knows the target: answers every query and finds every difference. Header only,
/// because it is compiled against each provider of <libalf/...>.
namespace rnnalf::support {

/// A conjecture, which must outlive it, as a deterministic automaton. It is read as far as it is
/// walked: a learner with a tree delivers a conjecture for every state, most of which are refuted
/// near their initial state. Likewise determinised: the conjectures of NL* on the way to the target
/// may have exponentially many subsets. No epsilon moves.
class Hypothesis {
 public:
  explicit Hypothesis(const libalf::finite_automaton& automaton)
      : letters_(static_cast<std::size_t>(automaton.input_alphabet_size)) {
    if (take_deterministic(automaton)) return;
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
  bool accepts(std::size_t state) const { return accepts_[state] != 0; }

  std::size_t next(std::size_t state, std::size_t letter) {
    std::uint32_t known = next_[state * letters_ + letter];
    if (known == unknown && !rows_.empty()) {
      read_row(state);
      known = next_[state * letters_ + letter];
    } else if (known == unknown) {
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

  /// Where each letter leads. Valid until more is walked.
  const std::uint32_t* row(std::size_t state) {
    if (rows_.empty()) {
      for (std::size_t a = 0; a < letters_; ++a) next(state, a);
    } else {
      next(state, 0);  // reads all of it
    }
    return next_.data() + state * letters_;
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
  using Row = std::map<int, std::set<int>>;
  static constexpr std::uint32_t unknown = static_cast<std::uint32_t>(-1);

  static void add(Subset& subset, int state) {
    const auto s = static_cast<std::size_t>(state);
    subset[s / 64] |= std::uint64_t{1} << (s % 64);
  }

  /// Deterministic, complete, initial state 0: nothing to construct.
  bool take_deterministic(const libalf::finite_automaton& automaton) {
    const auto states = static_cast<std::size_t>(automaton.state_count);
    if (!automaton.is_deterministic || automaton.initial_states != std::set<int>{0} ||
        !has_keys_up_to(automaton.transitions, states) ||
        !has_keys_up_to(automaton.output_mapping, states)) {
      return false;
    }
    rows_.reserve(states);
    for (const auto& [source, by_letter] : automaton.transitions) rows_.push_back(&by_letter);
    if (!std::all_of(rows_.begin(), rows_.end(),
                     [&](const Row* row) { return row->size() == letters_; })) {
      rows_.clear();
      return false;
    }
    accepts_.reserve(states);
    for (const auto& [state, accepts] : automaton.output_mapping) accepts_.push_back(accepts);
    next_.assign(states * letters_, unknown);
    return true;
  }

  template <class Map>
  static bool has_keys_up_to(const Map& map, std::size_t count) {
    return map.size() == count && count > 0 && map.begin()->first == 0 &&
           map.rbegin()->first == static_cast<int>(count) - 1;
  }

  void read_row(std::size_t state) {
    bool good = has_keys_up_to(*rows_[state], letters_);
    auto into = next_.begin() + static_cast<std::ptrdiff_t>(state * letters_);
    for (const auto& [letter, targets] : *rows_[state]) {
      good = good && targets.size() == 1;
      if (!good) throw std::logic_error("a conjecture is deterministic in name only");
      *into++ = static_cast<std::uint32_t>(*targets.begin());
    }
  }

  std::uint32_t number_of(const Subset& subset) {
    const auto [at, fresh] = numbers_.emplace(subset, static_cast<std::uint32_t>(subsets_.size()));
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
  std::vector<const Row*> rows_;  // of a deterministic conjecture; else empty, and:
  std::vector<Subset> targets_;   // of the conjecture: state x letter
  Subset accepting_;
  std::map<Subset, std::uint32_t> numbers_;
  std::vector<Subset> subsets_;
  std::vector<char> accepts_;
  std::vector<std::uint32_t> next_;  // state x letter
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

  /// The shortlex-first counterexample: breadth first over pairs of states. States that were met
  /// together are in one class, and a pair from one class is passed over: a suffix that tells the
  /// two apart tells two apart that were met together, and their word is shortlex-smaller. So there
  /// are fewer pairs than states of both.
  std::optional<std::list<int>> refute(Hypothesis& hypothesis) const {
    visits_.assign(1, {target_.initial(), 0, 0, 0});
    class_.resize(target_.size() + hypothesis.size());
    std::iota(class_.begin(), class_.end(), std::uint32_t{0});
    join(index(target_.initial()), target_.size());
    bool differs = target_.accepts(target_.initial()) != hypothesis.accepts(0);
    for (std::size_t head = 0; !differs && head < visits_.size(); ++head) {
      const Visit at = visits_[head];
      const std::uint32_t* const row = hypothesis.row(at.theirs);
      while (class_.size() < target_.size() + hypothesis.size()) {
        class_.push_back(static_cast<std::uint32_t>(class_.size()));
      }
      for (std::size_t a = 0; !differs && a < target_.symbol_count(); ++a) {
        const LState ours = target_.next(at.ours, Symbol(a));
        if (!join(index(ours), target_.size() + row[a])) continue;
        visits_.push_back(
            {ours, row[a], static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(a)});
        differs = target_.accepts(ours) != hypothesis.accepts(row[a]);
      }
    }
    if (!differs) return std::nullopt;
    std::list<int> word;  // to the last visit
    for (std::size_t v = visits_.size() - 1; v != 0; v = visits_[v].parent) {
      word.push_front(static_cast<int>(visits_[v].letter));
    }
    return word;
  }

 private:
  struct Visit {
    LState ours;
    std::uint32_t theirs;
    std::uint32_t parent;
    std::uint32_t letter;
  };

  std::size_t representative(std::size_t state) const {
    while (class_[state] != state) state = class_[state] = class_[class_[state]];
    return state;
  }
  /// False if they are in one class already.
  bool join(std::size_t a, std::size_t b) const {
    if (class_[a] == class_[b]) return false;
    a = representative(a);
    b = representative(b);
    if (a == b) return false;
    class_[b] = static_cast<std::uint32_t>(a);
    return true;
  }

  Dfa target_;
  // Room for refute(): a learner with a tree calls it once a state.
  mutable std::vector<std::uint32_t> class_;  // our states, then theirs: on the way to the class
  mutable std::vector<Visit> visits_;
};

}  // namespace rnnalf::support
