#include "rnnalf/evaluate/alike_symbols.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/cover.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLongestContext = 4;  // symbols before, and after, in the first guess
constexpr std::size_t kRandomContexts = 16;
constexpr std::size_t kLongestRandom = 10;
constexpr std::size_t kLeastContexts = 24;

/// What stands around a symbol.
struct Context {
  Word before, after;

  [[nodiscard]] Word around(Symbol symbol) const {
    return concat(concat(before, {&symbol, 1}), after);
  }
};

/// What each symbol does in each context, by symbol. None when the budget ended first.
std::optional<std::vector<std::vector<Answer>>> behaviours(StateTree& tree,
                                                           std::span<const Context> contexts,
                                                           const Budget& budget) {
  std::vector<std::vector<Answer>> result(tree.symbol_count());
  for (const Context& context : contexts) {
    std::vector<Word> words;
    for (std::size_t a = 0; a < tree.symbol_count(); ++a) {
      words.push_back(context.around(static_cast<Symbol>(a)));
    }
    const auto found = answered(tree, std::move(words), budget);
    if (!found) return std::nullopt;
    for (std::size_t a = 0; a < result.size(); ++a) result[a].push_back(found->answers[a]);
  }
  return result;
}

std::size_t differences(const std::vector<Answer>& a, const std::vector<Answer>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

/// The symbols in groups: each joins the first one whose first member differs from it in no more
/// than `odd` contexts.
std::vector<std::vector<Symbol>> grouped(std::span<const Symbol> symbols,
                                         const std::vector<std::vector<Answer>>& behaviour,
                                         std::size_t odd) {
  std::vector<std::vector<Symbol>> groups;
  for (const Symbol symbol : symbols) {
    const auto home = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return differences(behaviour[index(symbol)], behaviour[index(group.front())]) <= odd;
    });
    if (home == groups.end()) {
      groups.push_back({symbol});
    } else {
      home->push_back(symbol);
    }
  }
  return groups;
}

/// Between access words and telling suffixes, as many as there is room for, and random ones; in
/// symbols.
std::vector<Context> contexts_along(const Dfa& over_groups, const SymbolGroups& groups,
                                    std::size_t most, Random& random) {
  std::vector<Context> contexts;
  for (const Word& before : state_cover(over_groups)) {
    for (const Word& after : telling_suffixes(over_groups)) contexts.push_back({before, after});
  }
  for (std::size_t i = 0; i + 1 < contexts.size(); ++i) {
    std::swap(contexts[i], contexts[i + random.below(contexts.size() - i)]);
  }
  if (contexts.size() > most) contexts.resize(most);
  for (std::size_t i = 0; i < kRandomContexts; ++i) {
    const auto word = [&] {
      return uniform_word(over_groups.symbol_count(), random.below(kLongestRandom + 1), random);
    };
    Word before = word();
    contexts.push_back({std::move(before), word()});
  }
  for (Context& context : contexts) {
    context = {groups.with_symbols(context.before), groups.with_symbols(context.after)};
  }
  return contexts;
}

/// The symbols that make given words differ from those of their representatives: put in one after
/// the other, from the left, the first with which the answer changes.
std::optional<std::set<Symbol>> odd_symbols(StateTree& tree, std::span<const Word> given,
                                            const SymbolGroups& groups, const Budget& budget) {
  std::vector<Word> represented;
  for (const Word& word : given) {
    represented.push_back(groups.with_symbols(groups.with_groups(word)));
  }
  const auto as_given = answered(tree, {given.begin(), given.end()}, budget);
  const auto as_represented = answered(tree, std::move(represented), budget);
  if (!as_given || !as_represented) return std::nullopt;
  std::set<Symbol> odd;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (as_given->answers[i] == as_represented->answers[i]) continue;
    std::vector<Word> between;
    for (std::size_t own = 1; own <= given[i].size(); ++own) {
      between.push_back(as_represented->words[i]);
      std::copy_n(given[i].begin(), own, between.back().begin());
    }
    const auto found = answered(tree, std::move(between), budget);
    if (!found) return std::nullopt;
    std::size_t own = 0;
    while (found->answers[own] == as_represented->answers[i]) ++own;
    odd.insert(given[i][own]);
  }
  return odd;
}

/// The shortest of the words on which the automaton does not answer as the network did.
std::vector<Word> exceptions(const Dfa& dfa, std::span<const Context> contexts,
                             const std::vector<std::vector<Answer>>& behaviour, std::size_t most) {
  std::vector<Word> words;
  for (std::size_t c = 0; c < contexts.size(); ++c) {
    const LState before = dfa.run(contexts[c].before);
    for (std::size_t a = 0; a < behaviour.size(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      const LState after = dfa.run(dfa.next(before, symbol), contexts[c].after);
      if (contradicts(behaviour[a][c], dfa.answer(after)))
        words.push_back(contexts[c].around(symbol));
    }
  }
  std::sort(words.begin(), words.end(), ShortlexLess{});
  words.erase(std::unique(words.begin(), words.end()), words.end());
  if (words.size() > most) words.resize(most);
  return words;
}

/// The automaton over `symbols` symbols, each of which does what the symbol `meant(a)` does.
template <class Meant>
Dfa renamed(const Dfa& dfa, std::size_t symbols, const Meant& meant) {
  Dfa result(symbols, dfa.size(), dfa.answer_count());
  result.set_initial(dfa.initial());
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    result.set_answer(state, dfa.answer(state));
    for (std::size_t a = 0; a < symbols; ++a) {
      result.set_next(state, static_cast<Symbol>(a), dfa.next(state, meant(a)));
    }
  }
  return result;
}

}  // namespace

void SymbolGroups::add(std::span<const Symbol> symbols) {
  for (const Symbol symbol : symbols) group_[index(symbol)] = size();
  representatives_.push_back(symbols.front());
}

void SymbolGroups::sort() {
  std::vector<Symbol> sorted = representatives_;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t& group : group_) {
    group = static_cast<std::size_t>(
        std::lower_bound(sorted.begin(), sorted.end(), representatives_[group]) - sorted.begin());
  }
  representatives_ = std::move(sorted);
}

std::vector<std::vector<Symbol>> SymbolGroups::members() const {
  std::vector<std::vector<Symbol>> members;
  for (const Symbol symbol : representatives_) members.push_back({symbol});
  for (std::size_t a = 0; a < group_.size(); ++a) {
    const auto symbol = static_cast<Symbol>(a);
    if (members[group_[a]].front() != symbol) members[group_[a]].push_back(symbol);
  }
  return members;
}

Word SymbolGroups::with_symbols(WordView groups) const {
  Word word;
  for (const Symbol group : groups) word.push_back(representatives_[index(group)]);
  return word;
}

Word SymbolGroups::with_groups(WordView symbols) const {
  Word word;
  for (const Symbol symbol : symbols) word.push_back(static_cast<Symbol>(group_of(symbol)));
  return word;
}

Dfa SymbolGroups::with_symbols(const Dfa& over_groups) const {
  return renamed(over_groups, symbol_count(),
                 [&](std::size_t a) { return static_cast<Symbol>(group_[a]); });
}

Dfa SymbolGroups::with_groups(const Dfa& over_symbols) const {
  return renamed(over_symbols, size(), [&](std::size_t group) { return representatives_[group]; });
}

std::optional<SymbolGroups> group_by_behaviour(StateTree& tree, const AlikeOptions& options,
                                               const Budget& budget) {
  Random random(options.seed);
  std::vector<Context> contexts;
  for (std::size_t i = 0; i < options.contexts; ++i) {
    const auto word = [&] {
      return uniform_word(tree.symbol_count(), random.below(kLongestContext + 1), random);
    };
    Word before = word();
    contexts.push_back({std::move(before), word()});
  }
  const auto behaviour = behaviours(tree, contexts, budget);
  if (!behaviour) return std::nullopt;
  std::vector<Symbol> symbols;
  for (std::size_t a = 0; a < tree.symbol_count(); ++a) symbols.push_back(static_cast<Symbol>(a));
  SymbolGroups groups(tree.symbol_count());
  const auto found = grouped(symbols, *behaviour, options.odd);
  for (std::size_t g = 1; g < found.size(); ++g) groups.add(found[g]);
  return groups;
}

std::optional<AlikeCheck> refine_groups(SymbolGroups& groups, StateTree& tree,
                                        const Dfa& over_groups, std::span<const Word> given,
                                        const AlikeOptions& options, const Budget& budget) {
  Random random(options.seed);
  const std::size_t most = std::max(kLeastContexts, options.words / tree.symbol_count());
  const std::vector<Context> contexts = contexts_along(over_groups, groups, most, random);
  const auto behaviour = behaviours(tree, contexts, budget);
  const auto odd_given = odd_symbols(tree, given, groups, budget);
  if (!behaviour || !odd_given) return std::nullopt;
  AlikeCheck check{.words = contexts.size() * tree.symbol_count(),
                   .exceptions = exceptions(groups.with_symbols(over_groups), contexts, *behaviour,
                                            options.exceptions)};
  const auto allowed =
      static_cast<std::size_t>(options.tolerance * static_cast<double>(contexts.size()));
  std::vector<std::vector<Symbol>> leaving(groups.size());
  for (std::size_t a = 0; a < tree.symbol_count(); ++a) {
    const auto symbol = static_cast<Symbol>(a);
    const std::size_t group = groups.group_of(symbol);
    const std::size_t odd =
        differences((*behaviour)[a], (*behaviour)[index(groups.representatives()[group])]);
    check.differing += odd;
    if (odd > allowed) leaving[group].push_back(symbol);
  }
  for (const std::vector<Symbol>& symbols : leaving) {
    for (const auto& group : grouped(symbols, *behaviour, allowed)) {
      groups.add(group);
      ++check.groups_added;
    }
  }
  for (const Symbol symbol : *odd_given) {
    if (groups.representatives()[groups.group_of(symbol)] == symbol) continue;
    groups.add({&symbol, 1});
    ++check.groups_added;
  }
  return check;
}

}  // namespace rnnalf
