#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa.hpp"

namespace rnnalf::support {

/// Partition and lockstep walk as the paper describes them, one word at a time, nothing kept: every
/// R-state is computed from the empty word whenever it is needed, and libsvm's own prediction
/// decides. Slow and obviously right; the fast version must make the same refinements and find the
/// same counterexamples.
class NaiveExploration {
 public:
  struct Refinement {
    Word conflicting;
    std::vector<Word> others;
    bool separated = true;
    bool operator==(const Refinement&) const = default;
  };

  NaiveExploration(const RnnAcceptor& acceptor, std::size_t depth, double cost);
  ~NaiveExploration();

  /// The counterexample, or none when the walk ended.
  std::optional<Word> search(const Dfa& hypothesis);

  [[nodiscard]] const std::vector<Refinement>& refinements() const { return refinements_; }
  [[nodiscard]] std::size_t leaves() const;

 private:
  struct Vertex;

  [[nodiscard]] std::vector<double> r_state(const Word& word) const;
  [[nodiscard]] bool network_accepts(const Word& word) const;
  [[nodiscard]] Vertex* leaf(const Word& word) const;
  bool refine(const Word& conflicting, const std::vector<Word>& others);

  const RnnAcceptor& acceptor_;
  std::size_t depth_;
  double cost_;
  std::unique_ptr<Vertex> top_;
  std::vector<Refinement> refinements_;
};

/// Angluin's L* in its textbook form; `member` and `equivalent` are the teacher.
template <class Member, class Equivalent>
Dfa textbook_lstar(std::size_t symbols, Member member, Equivalent equivalent) {
  std::set<Word, ShortlexLess> rows{{}};
  std::vector<Word> columns{{}};
  const auto row = [&](const Word& word) {
    std::vector<bool> bits;
    for (const Word& column : columns) bits.push_back(member(concat(word, column)));
    return bits;
  };
  const auto extended = [&](Word word, std::size_t a) {
    word.push_back(static_cast<Symbol>(a));
    return word;
  };
  while (true) {
    bool changed = true;
    while (changed) {
      changed = false;
      std::map<std::vector<bool>, Word> known;
      for (const Word& word : rows) known.emplace(row(word), word);
      // Closed: every successor's row is the row of some word in `rows`.
      for (const Word& word : std::vector<Word>(rows.begin(), rows.end())) {
        for (std::size_t a = 0; a < symbols && !changed; ++a) {
          if (known.count(row(extended(word, a))) != 0) continue;
          rows.insert(extended(word, a));
          changed = true;
        }
      }
      if (changed) continue;
      // Consistent: equal rows have equal successors.
      for (const Word& word : rows) {
        const Word& other = known.at(row(word));
        for (std::size_t a = 0; a < symbols && !changed; ++a) {
          for (const Word& column : std::vector<Word>(columns)) {
            Word longer{static_cast<Symbol>(a)};
            longer.insert(longer.end(), column.begin(), column.end());
            if (member(concat(word, longer)) == member(concat(other, longer))) continue;
            columns.push_back(longer);
            changed = true;
            break;
          }
        }
        if (changed) break;
      }
    }
    std::map<std::vector<bool>, LState> states;
    std::vector<Word> access;
    for (const Word& word : rows) {
      if (states.emplace(row(word), static_cast<LState>(states.size())).second)
        access.push_back(word);
    }
    Dfa dfa(symbols, access.size());
    for (std::size_t q = 0; q < access.size(); ++q) {
      dfa.set_accepting(static_cast<LState>(q), member(access[q]));
      for (std::size_t a = 0; a < symbols; ++a) {
        dfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a),
                     states.at(row(extended(access[q], a))));
      }
    }
    dfa = minimise(dfa);
    const std::optional<Word> counterexample = equivalent(dfa);
    if (!counterexample) return dfa;
    for (std::size_t length = 1; length <= counterexample->size(); ++length) {
      rows.emplace(counterexample->begin(),
                   counterexample->begin() + static_cast<std::ptrdiff_t>(length));
    }
  }
}

}  // namespace rnnalf::support
