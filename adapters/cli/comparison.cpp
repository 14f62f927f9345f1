#include "comparison.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"

namespace rnnalf::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

Json as_json(const ComparedCell& cell) {
  return {{"network", cell.network},
          {"method", cell.method},
          {"learner", cell.learner},
          {"oracle", cell.oracle},
          {"seed", cell.seed},
          {"limits", cell.limits},
          {"verdict", cell.verdict},
          {"states", cell.states},
          {"last_states", cell.last_states},
          {"counterexamples", cell.counterexamples},
          {"membership_queries", cell.membership_queries},
          {"equivalence_queries", cell.equivalence_queries},
          {"rnn_steps", cell.rnn_steps},
          {"seconds", cell.seconds},
          {"agreement", cell.agreement},
          {"words_agreement", cell.words_agreement ? Json(*cell.words_agreement) : Json(nullptr)},
          {"equals_target", cell.equals_target ? Json(*cell.equals_target) : Json(nullptr)}};
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Repetitions of one extraction, as text.
struct Row {
  std::vector<std::string> fields;
};

const std::vector<std::string> kHeadings = {"network", "method",  "oracle",  "verdict", "states",
                                            "last",    "cex",     "queries", "steps",   "seconds",
                                            "agree %", "words %", "target"};
constexpr std::size_t kFirstNumber = 4;  // columns from here on are aligned right

std::string range(const std::vector<const ComparedCell*>& group,
                  std::uint64_t ComparedCell::*member) {
  std::uint64_t least = group.front()->*member, most = least;
  for (const ComparedCell* const cell : group) {
    least = std::min(least, cell->*member);
    most = std::max(most, cell->*member);
  }
  return least == most ? std::to_string(least) : std::to_string(least) + "-" + std::to_string(most);
}

double mean(const std::vector<const ComparedCell*>& group, double ComparedCell::*member) {
  double sum = 0;
  for (const ComparedCell* const cell : group) sum += cell->*member;
  return sum / static_cast<double>(group.size());
}

std::string stem(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0)
    name.resize(dot);
  return name;
}

Row row_of(const std::vector<const ComparedCell*>& group) {
  const ComparedCell& first = *group.front();
  std::string verdict = first.verdict;
  std::string target = "-", words = "-";
  std::size_t equal = 0, with_target = 0;
  double words_sum = 0;
  for (const ComparedCell* const cell : group) {
    if (cell->verdict != verdict) verdict = "mixed";
    if (cell->equals_target) {
      ++with_target;
      equal += *cell->equals_target ? 1 : 0;
    }
    words_sum += cell->words_agreement.value_or(0);
  }
  if (with_target > 0) {
    target = equal == with_target ? "yes"
             : equal == 0         ? "no"
                                  : std::to_string(equal) + "/" + std::to_string(with_target);
  }
  if (first.words_agreement) words = fixed(100 * words_sum / static_cast<double>(group.size()), 2);
  const bool baseline = first.learner.empty();
  return {{stem(first.network), baseline ? first.method : first.learner,
           baseline ? "-" : first.oracle, verdict, range(group, &ComparedCell::states),
           range(group, &ComparedCell::last_states), range(group, &ComparedCell::counterexamples),
           range(group, &ComparedCell::membership_queries), range(group, &ComparedCell::rnn_steps),
           fixed(mean(group, &ComparedCell::seconds), 2),
           fixed(100 * mean(group, &ComparedCell::agreement), 2), words, target}};
}

std::vector<Row> rows(const std::vector<ComparedCell>& cells) {
  std::vector<std::pair<std::string, std::vector<const ComparedCell*>>> groups;
  for (const ComparedCell& cell : cells) {
    const std::string key = cell.row_key();
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& group) { return group.first == key; });
    if (found == groups.end()) found = groups.insert(groups.end(), {key, {}});
    found->second.push_back(&cell);
  }
  std::vector<Row> result;
  for (const auto& [key, group] : groups) result.push_back(row_of(group));
  return result;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string latex_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        result += '\\';
        [[fallthrough]];
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

std::string ComparedCell::row_key() const {
  return dump(Json::array({network, method, learner, oracle, limits}));
}

std::string ComparedCell::key() const {
  return row_key() + " " + std::to_string(seed);
}

std::string cell_json(const ComparedCell& cell) {
  return dump(as_json(cell));
}

std::optional<ComparedCell> parse_cell(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    ComparedCell cell;
    json.at("network").get_to(cell.network);
    json.at("method").get_to(cell.method);
    json.at("learner").get_to(cell.learner);
    json.at("oracle").get_to(cell.oracle);
    json.at("seed").get_to(cell.seed);
    json.at("limits").get_to(cell.limits);
    json.at("verdict").get_to(cell.verdict);
    json.at("states").get_to(cell.states);
    json.at("last_states").get_to(cell.last_states);
    json.at("counterexamples").get_to(cell.counterexamples);
    json.at("membership_queries").get_to(cell.membership_queries);
    json.at("equivalence_queries").get_to(cell.equivalence_queries);
    json.at("rnn_steps").get_to(cell.rnn_steps);
    json.at("seconds").get_to(cell.seconds);
    json.at("agreement").get_to(cell.agreement);
    if (!json.at("words_agreement").is_null()) {
      cell.words_agreement = json.at("words_agreement").get<double>();
    }
    if (!json.at("equals_target").is_null()) {
      cell.equals_target = json.at("equals_target").get<bool>();
    }
    return cell;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // a line of another kind is as good as none: the cell is run again
  }
}

std::string comparison_json(const std::vector<ComparedCell>& cells) {
  std::string text = "{\"format\": \"rnnalf.comparison/1\",\n \"cells\": [";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += (i == 0 ? "\n  " : ",\n  ") + cell_json(cells[i]);
  }
  return text + "\n]}\n";
}

std::string comparison_csv(const std::vector<ComparedCell>& cells) {
  std::string text;
  const Json names = as_json(ComparedCell{});
  for (const auto& [name, value] : names.items()) text += (text.empty() ? "" : ",") + name;
  text += "\n";
  for (const ComparedCell& cell : cells) {
    bool first = true;
    const Json values = as_json(cell);
    for (const auto& [name, value] : values.items()) {
      if (!first) text += ",";
      first = false;
      if (value.is_null()) continue;
      text += value.is_string() ? csv_field(value.get<std::string>()) : dump(value);
    }
    text += "\n";
  }
  return text;
}

std::string comparison_text(const std::vector<ComparedCell>& cells) {
  std::vector<Row> table = rows(cells);
  table.insert(table.begin(), Row{kHeadings});
  std::vector<std::size_t> width(kHeadings.size(), 0);
  for (Row& row : table) {
    for (std::size_t c = 0; c < width.size(); ++c) {
      row.fields[c] = printable(row.fields[c], true);
      width[c] = std::max(width[c], display_width(row.fields[c]));
    }
  }
  std::string text;
  for (const Row& row : table) {
    std::string line;
    for (std::size_t c = 0; c < width.size(); ++c) {
      const std::string space(width[c] - display_width(row.fields[c]), ' ');
      if (c > 0) line += "  ";
      line += c < kFirstNumber ? row.fields[c] + space : space + row.fields[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string comparison_latex(const std::vector<ComparedCell>& cells) {
  // Needs \usepackage{booktabs}.
  std::string text = "\\begin{tabular}{";
  for (std::size_t c = 0; c < kHeadings.size(); ++c) text += c < kFirstNumber ? "l" : "r";
  text += "}\n\\toprule\n";
  const auto line = [&](const std::vector<std::string>& fields) {
    for (std::size_t c = 0; c < fields.size(); ++c) {
      text += (c == 0 ? "" : " & ") + latex_text(fields[c]);
    }
    text += " \\\\\n";
  };
  line(kHeadings);
  text += "\\midrule\n";
  for (const Row& row : rows(cells)) line(row.fields);
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace rnnalf::cli
