#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

/// The symbols of an alphabet in groups, one symbol of each standing for all of it. Plain data.
class SymbolGroups {
 public:
  /// All symbols in one group.
  explicit SymbolGroups(std::size_t symbols) : group_(symbols, 0), representatives_{Symbol{0}} {}

  [[nodiscard]] std::size_t size() const { return representatives_.size(); }
  [[nodiscard]] std::size_t symbol_count() const { return group_.size(); }
  [[nodiscard]] std::size_t group_of(Symbol symbol) const { return group_[index(symbol)]; }
  /// By group.
  [[nodiscard]] const std::vector<Symbol>& representatives() const { return representatives_; }

  /// A new group of these symbols, the first of which represents it. None of them represents one.
  void add(std::span<const Symbol> symbols);

  /// Numbers the groups in the order of their representatives. Where each of these is the first
  /// symbol of its group, automata over groups are then numbered as those over symbols are.
  void sort();

  /// The symbols of each group, in order, its representative first.
  [[nodiscard]] std::vector<std::vector<Symbol>> members() const;

  /// A word of groups as one of representatives, and a word of symbols as one of their groups.
  [[nodiscard]] Word with_symbols(WordView groups) const;
  [[nodiscard]] Word with_groups(WordView symbols) const;

  /// An automaton over groups as one over symbols, which do what their group does.
  [[nodiscard]] Dfa with_symbols(const Dfa& over_groups) const;
  /// An automaton over symbols as one over groups, which do what their representatives do.
  [[nodiscard]] Dfa with_groups(const Dfa& over_symbols) const;

 private:
  std::vector<std::size_t> group_;  // by symbol
  std::vector<Symbol> representatives_;
};

struct AlikeOptions {
  std::size_t contexts = 48;    ///< short random ones, in which symbols are compared first
  std::size_t odd = 1;          ///< contexts in which a symbol may differ from those of its group
  std::size_t words = 200'000;  ///< to compare symbols with their representatives, about
  double tolerance = 0.01;      ///< share of contexts in which a symbol may be odd; 0 .. 1
  std::size_t exceptions = 50;  ///< to report, at most
  std::uint64_t seed = 1;
};

/// Symbols of large alphabets mostly behave alike: most words of a vocabulary are nouns. Learning
/// over one symbol of each group costs what a small alphabet costs. Groups are a guess that is
/// checked afterwards, and refined where it was wrong (as in Howar, Steffen, Merten: Automata
/// learning with automated alphabet abstraction refinement, 2011).

/// The first guess: symbols with the same answers in short random contexts u _ v. None when the
/// budget ended first.
[[nodiscard]] std::optional<SymbolGroups> group_by_behaviour(StateTree& tree,
                                                             const AlikeOptions& options,
                                                             const Budget& budget);

/// What comparing every symbol with its representative gave.
struct AlikeCheck {
  std::uint64_t words = 0;      ///< u a v, run through the network
  std::uint64_t differing = 0;  ///< of them, not answered as u r v is for the representative r
  std::size_t groups_added = 0;
  /// Of all these words the shortest on which the network does not answer as the automaton does.
  std::vector<Word> exceptions = {};
};

/// Compares every symbol with its representative along an automaton that was learned over groups:
/// between its access words and the suffixes that tell its states apart, and in random contexts.
/// Symbols that differ too often leave their group, and so does, for every given word that is not
/// answered as its representatives are, the symbol that makes the difference. None when the budget
/// ended first.
[[nodiscard]] std::optional<AlikeCheck> refine_groups(SymbolGroups& groups, StateTree& tree,
                                                      const Dfa& over_groups,
                                                      std::span<const Word> given,
                                                      const AlikeOptions& options,
                                                      const Budget& budget);

}  // namespace rnnalf
