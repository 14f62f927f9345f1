#include "rnnalf/report/transition_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "rnnalf/report/picture.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/symbol_class.hpp"
#include "rnnalf/report/text_table.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kMostRows = 16;
constexpr std::size_t kMostColumns = 12;

std::string row_name(LState state) {
  return fmt::format("s{}", index(state));
}

TextTable table_of(const NamedDfa& automaton, const std::vector<std::vector<Symbol>>& columns,
                   const std::vector<std::string>& labels, bool utf8) {
  const Dfa& dfa = automaton.dfa;
  TextTable table(std::vector<Align>(columns.size() + 3, Align::Left), {.indent = 1});
  std::vector<std::string> header = {""};
  if (dfa.is_moore()) header.emplace_back("class");
  header.insert(header.end(), labels.begin(), labels.end());
  table.row(header);
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    const bool accepts = !dfa.is_moore() && dfa.accepts(state);
    std::vector<std::string> row = {fmt::format("{} {} {}", state == dfa.initial() ? '>' : ' ',
                                                accepts ? '*' : ' ', row_name(state))};
    if (dfa.is_moore()) row.push_back(printable(automaton.classes.name(dfa.answer(state)), utf8));
    for (const std::vector<Symbol>& column : columns) {
      row.push_back(row_name(dfa.next(state, column.front())));
    }
    if (is_sink(dfa, state)) row.emplace_back("sink");
    table.row(std::move(row));
  }
  return table;
}

/// States of the largest set whose members all lead to each other (Tarjan's algorithm, with a stack
/// of its own: an automaton may be a chain of thousands of states).
std::size_t largest_component(const Dfa& dfa) {
  constexpr std::size_t kNew = static_cast<std::size_t>(-1);
  struct Frame {
    std::size_t state, symbol;
  };
  std::vector<std::size_t> number(dfa.size(), kNew), low(dfa.size(), 0);
  std::vector<bool> open(dfa.size(), false);
  std::vector<std::size_t> path;
  std::size_t numbered = 0, largest = 0;
  std::vector<Frame> stack;
  const auto enter = [&](std::size_t q) {
    number[q] = low[q] = numbered++;
    path.push_back(q);
    open[q] = true;
    stack.push_back({q, 0});
  };
  enter(index(dfa.initial()));
  while (!stack.empty()) {
    auto& [q, symbol] = stack.back();
    if (symbol < dfa.symbol_count()) {
      const std::size_t next =
          index(dfa.next(static_cast<LState>(q), static_cast<Symbol>(symbol++)));
      if (number[next] == kNew) {
        enter(next);
      } else if (open[next]) {
        low[q] = std::min(low[q], number[next]);
      }
      continue;
    }
    const std::size_t done = q;
    stack.pop_back();
    if (!stack.empty()) low[stack.back().state] = std::min(low[stack.back().state], low[done]);
    if (low[done] != number[done]) continue;
    std::size_t members = 0;
    for (bool last = false; !last; path.pop_back(), ++members) {
      last = path.back() == done;
      open[path.back()] = false;
    }
    largest = std::max(largest, members);
  }
  return largest;
}

/// The shortlex-first words that it accepts, at most `most`.
std::vector<Word> shortest_accepted(const Dfa& dfa, std::size_t most) {
  // can[r][q]: some word of r symbols leads from q to an accepting state.
  std::vector<std::vector<bool>> can(1, std::vector<bool>(dfa.size()));
  for (std::size_t q = 0; q < dfa.size(); ++q) can[0][q] = dfa.accepts(static_cast<LState>(q));
  std::vector<Word> found;
  Word word;
  const auto extend = [&](const auto& self, LState state, std::size_t left) -> void {
    if (found.size() == most || !can[left][index(state)]) return;
    if (left == 0) return found.push_back(word);
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      word.push_back(static_cast<Symbol>(a));
      self(self, dfa.next(state, word.back()), left - 1);
      word.pop_back();
    }
  };
  // In an infinite language, no two words that follow each other by length are further apart than
  // there are states.
  std::size_t since = 0;
  for (std::size_t length = 0; found.size() < most && since <= dfa.size(); ++length) {
    const std::size_t before = found.size();
    extend(extend, dfa.initial(), length);
    since = found.size() == before ? since + 1 : 0;
    std::vector<bool>& longer = can.emplace_back(dfa.size());
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      for (std::size_t a = 0; a < dfa.symbol_count() && !longer[q]; ++a) {
        longer[q] = can[length][index(dfa.next(static_cast<LState>(q), static_cast<Symbol>(a)))];
      }
    }
  }
  return found;
}

}  // namespace

std::string transition_table(const NamedDfa& automaton, const TextStyle& style) {
  const auto columns = symbol_classes(automaton.dfa);
  if (automaton.dfa.size() > kMostRows || columns.size() > kMostColumns) return "";
  std::vector<std::string> labels;
  for (const std::vector<Symbol>& symbols : columns) {
    labels.push_back(
        printable(short_class_label(automaton.alphabet, symbols, kClassLabelWidth), style.utf8));
  }
  const TextTable table = table_of(automaton, columns, labels, style.utf8);
  if (table.width() <= style.width) return table.text();
  TextTable legend({Align::Left, Align::Left}, {.indent = 1, .width = style.width});
  std::vector<std::string> names;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    names.push_back(fmt::format("c{}", c + 1));
    legend.row({names.back(), labels[c]});
  }
  return table_of(automaton, columns, names, style.utf8).text() + "\n" + legend.text();
}

std::string automaton_summary(const NamedDfa& automaton, const TextStyle& style) {
  const Dfa& dfa = automaton.dfa;
  std::vector<std::string> facts = {counted(dfa.size(), "state", "states")};
  std::size_t accepting = 0;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    accepting += dfa.accepts(state) ? 1 : 0;
    if (is_sink(dfa, state)) facts.push_back("sink " + row_name(state));
  }
  if (dfa.is_moore()) {
    facts.push_back(counted(dfa.answer_count(), "class", "classes"));
  } else {
    facts.insert(facts.begin() + 1, format_count(accepting) + " accepting");
  }
  TextTable lines({Align::Left, Align::Left}, {.indent = 2, .width = style.width});
  lines.row({"automaton", fmt::format("{}; the largest strongly connected component has {}",
                                      fmt::join(facts, ", "),
                                      counted(largest_component(dfa), "state", "states"))});
  if (!dfa.is_moore()) {
    std::vector<std::string> words;
    for (const Word& word : shortest_accepted(dfa, 5)) {
      words.push_back(shown_word(automaton.alphabet, word, style.width / 3, style.utf8));
    }
    lines.row({"accepts", words.empty() ? "no word" : fmt::format("{}", fmt::join(words, ", "))});
  }
  return lines.text();
}

}  // namespace rnnalf
