#include "rnnalf/study/words_table.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/study/figures.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kWordWidth = 30;

/// Short enough for a table.
std::string shown(const StudyRow& row, const FoundWord& found) {
  if (row.dfa.empty()) return printable(found.word, true);  // nobody knows the symbols
  const Alphabet alphabet =
      parse_dfa(row.dfa, DfaFormat::Json, row.cell.network).automaton.alphabet;
  return shown_word(alphabet, alphabet.parse_word(found.word), kWordWidth, true);
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
    before[0].of_row.push_back(std::filesystem::path(row.cell.network).stem().string());
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
    for (std::size_t w = 0; w < std::min(most, row.counterexamples.size()); ++w) {
      const FoundWord& found = row.counterexamples[w];
      std::vector<std::string> entries;
      for (const Optional& column : before) {
        if (column.tells_apart()) entries.push_back(column.of_row[i]);
      }
      const bool error = found.target && *found.target != found.answer;
      entries.insert(entries.end(),
                     {error ? "!" : "", shown(row, found), fmt::format("{:.3f}", found.seconds),
                      found.answer, found.target.value_or("-"), found.oracle});
      table.rows.push_back(std::move(entries));
    }
  }
  table.notes = {
      fmt::format("The first {} counterexamples of each extraction at most; --counterexamples "
                  "FILE has more. !: the network errs.",
                  most),
      "s: seconds that the search for this word took."};
  return table;
}

}  // namespace rnnalf
