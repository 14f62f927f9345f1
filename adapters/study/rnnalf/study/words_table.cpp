#include "rnnalf/study/words_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/study/figures.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kWordWidth = 30;

/// The symbols of the row's words; none: the row does not know them.
std::optional<Alphabet> alphabet_of(const StudyRow& row) {
  if (row.dfa.empty()) return std::nullopt;
  return parse_dfa(row.dfa, DfaFormat::Json, row.cell.network).automaton.alphabet;
}

/// Short enough for a table.
std::string shown(const FoundWord& found, const std::optional<Alphabet>& alphabet) {
  if (!alphabet) return printable(found.word, true);
  return shown_word(*alphabet, alphabet->parse_word(found.word), kWordWidth, true);
}

std::string network_name(const StudyRow& row) {
  return std::filesystem::path(row.cell.network).stem().string();
}

/// The length of the row's shortest word on which the network errs.
std::optional<std::size_t> shortest_error(const StudyRow& row) {
  std::optional<Alphabet> alphabet;
  std::optional<std::size_t> shortest;
  for (const FoundWord& found : row.counterexamples) {
    if (!found.is_error()) continue;
    if (!alphabet) alphabet = alphabet_of(row);
    if (!alphabet) return std::nullopt;
    const std::size_t length = alphabet->parse_word(found.word).size();
    shortest = std::min(shortest.value_or(length), length);
  }
  return shortest;
}

/// One entry for each row of the table, left out when all are the same.
struct Optional {
  std::string heading;
  std::vector<std::string> of_row;

  [[nodiscard]] bool tells_apart() const {
    return std::set<std::string>(of_row.begin(), of_row.end()).size() > 1;
  }
};

}  // namespace

PlainTable words_table(const std::vector<StudyRow>& rows, std::size_t most) {
  std::vector<Optional> before = {{"network", {}}, {"way", labels_of(rows, By::Way)}, {"seed", {}}};
  for (const StudyRow& row : rows) {
    before[0].of_row.push_back(network_name(row));
    before[2].of_row.push_back(fmt::format("{}", row.cell.seed));
  }
  PlainTable table;
  for (const Optional& column : before) {
    if (column.tells_apart()) table.headings.push_back(column.heading);
  }
  table.columns.assign(table.headings.size(), Align::Left);
  for (const auto& [heading, align] :
       {std::pair{"", Align::Left}, std::pair{"word", Align::Left}, std::pair{"s", Align::Right},
        std::pair{"network says", Align::Left}, std::pair{"target", Align::Left},
        std::pair{"oracle", Align::Left}}) {
    table.headings.emplace_back(heading);
    table.columns.push_back(align);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const StudyRow& row = rows[i];
    const std::optional<Alphabet> alphabet = alphabet_of(row);
    for (std::size_t w = 0; w < std::min(most, row.counterexamples.size()); ++w) {
      const FoundWord& found = row.counterexamples[w];
      std::vector<std::string> entries;
      for (const Optional& column : before) {
        if (column.tells_apart()) entries.push_back(column.of_row[i]);
      }
      entries.insert(entries.end(), {found.is_error() ? "!" : "", shown(found, alphabet),
                                     fmt::format("{:.3f}", found.seconds), found.answer,
                                     found.target.value_or("-"), found.oracle});
      table.rows.push_back(std::move(entries));
    }
  }
  table.notes = {
      fmt::format("The first {} counterexamples of each extraction at most; rnnalf study table "
                  "--counterexamples FILE writes more. !: the network errs.",
                  most),
      "s: seconds that the search for this word took."};
  return table;
}

PlainTable errors_table(const std::vector<StudyRow>& rows, By by) {
  const std::vector<std::string> labels = labels_of(rows, by);
  std::vector<std::string> groups;
  std::vector<std::string> networks;
  std::map<std::pair<std::string, std::string>, std::size_t> shortest;
  const auto add = [](std::vector<std::string>& all, const std::string& one) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add(groups, labels[i]);
    const auto length = shortest_error(rows[i]);
    if (!length) continue;
    add(networks, network_name(rows[i]));
    const auto [found, is_new] = shortest.try_emplace({labels[i], network_name(rows[i])}, *length);
    found->second = std::min(found->second, *length);
  }
  PlainTable table;
  table.headings = {"shortest error found"};
  table.columns = {Align::Left};
  std::string legend;
  for (std::size_t n = 0; n < networks.size(); ++n) {
    table.headings.push_back(column_letters(n));
    table.columns.push_back(Align::Right);
    legend += fmt::format("{}{} {}", n == 0 ? "" : ", ", column_letters(n), networks[n]);
  }
  for (const std::string& group : groups) {
    std::vector<std::string> entries = {group};
    for (const std::string& network : networks) {
      const auto found = shortest.find({group, network});
      entries.push_back(found == shortest.end() ? "-" : fmt::format("{}", found->second));
    }
    table.rows.push_back(std::move(entries));
  }
  table.notes = {
      fmt::format("Networks: {}.", legend),
      "Symbols of the shortest counterexample on which network and target differ; -: none "
      "was found."};
  return table;
}

}  // namespace rnnalf
