#include "rnnalf/report/comparison_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "rnnalf/report/run_json.hpp"

namespace rnnalf {

void MeasuredWords::add(const MeasuredWords& more) {
  words += more.words;
  agreed += more.agreed;
  covered += more.covered;
  agreed_covered += more.agreed_covered;
}

MeasuredWords ComparisonCell::uniform() const {
  MeasuredWords sum;
  for (const auto& [length, measured] : by_length) sum.add(measured);
  return sum;
}

std::string ComparisonCell::way() const {
  if (method.is_baseline()) return method.text();
  return learner.empty() ? "" : learner + " " + oracle;
}

namespace {

using detail::one_line;
using detail::OrderedJson;

template <typename T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson measured_json(const MeasuredWords& measured) {
  return {{"words", measured.words},
          {"agreed", measured.agreed},
          {"covered", measured.covered},
          {"agreed_covered", measured.agreed_covered}};
}

MeasuredWords parse_measured(const OrderedJson& json) {
  return {json.at("words"), json.at("agreed"), json.at("covered"), json.at("agreed_covered")};
}

OptionValue option_value_of(const OrderedJson& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>();
}

/// None: there is no such method.
std::optional<MethodSpec> method_of(const OrderedJson& json) {
  const auto text = json.get<std::string>();
  if (text.empty()) return MethodSpec();  // of a row about training
  try {
    return parse_method(text);
  } catch (const OptionError&) {
    return std::nullopt;
  }
}

OrderedJson row_identity(const ComparisonCell& cell) {
  return {{"network", cell.network}, {"method", cell.method.text()},
          {"learner", cell.learner}, {"oracle", cell.oracle},
          {"inputs", cell.inputs},   {"options", detail::options_json(cell.options)},
          {"program", cell.program}};
}

OrderedJson as_json(const ComparisonCell& cell) {
  OrderedJson json = row_identity(cell);
  const MeasuredWords uniform = cell.uniform();
  json.update(OrderedJson{
      {"seed", cell.seed},
      {"verdict", cell.verdict_name()},
      {"states", cell.states},
      {"last_states", cell.last_states},
      {"a_states", cell.a_states},
      {"counterexamples", cell.counterexamples},
      {"membership_queries", cell.membership_queries},
      {"equivalence_queries", cell.equivalence_queries},
      {"rnn_steps", cell.rnn_steps},
      {"seconds", cell.seconds},
      {"agreement", or_null(uniform.agreement())},
      {"coverage", or_null(uniform.coverage())},
      {"words_agreement", cell.given ? or_null(cell.given->agreement()) : OrderedJson(nullptr)},
      {"equals_target", or_null(cell.equals_target)},
      {"milestone", or_null(cell.milestone)}});
  json["by_length"] = OrderedJson::array();
  for (const auto& [length, measured] : cell.by_length) {
    OrderedJson entry = {{"length", length}};
    entry.update(measured_json(measured));
    json["by_length"].push_back(std::move(entry));
  }
  json["given"] = cell.given ? measured_json(*cell.given) : OrderedJson(nullptr);
  return json;
}

}  // namespace

std::string cell_json(const ComparisonCell& cell) {
  return one_line(as_json(cell));
}

std::string row_key(const ComparisonCell& cell) {
  return one_line(row_identity(cell));
}

std::string cell_key(const ComparisonCell& cell) {
  return fmt::format("{} {}", row_key(cell), cell.seed);
}

std::optional<ComparisonCell> parse_cell(std::string_view line) {
  const OrderedJson json = OrderedJson::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    ComparisonCell cell;
    json.at("network").get_to(cell.network);
    const auto method = method_of(json.at("method"));
    if (!method) return std::nullopt;
    cell.method = *method;
    json.at("learner").get_to(cell.learner);
    json.at("oracle").get_to(cell.oracle);
    json.at("inputs").get_to(cell.inputs);
    json.at("program").get_to(cell.program);
    json.at("seed").get_to(cell.seed);
    for (const auto& [name, value] : json.at("options").items()) {
      cell.options.emplace_back(name, option_value_of(value));
    }
    const auto verdict = json.at("verdict").get<std::string>();
    cell.verdict = verdict_from_name(verdict);
    if (!cell.verdict && !verdict.empty()) return std::nullopt;
    json.at("states").get_to(cell.states);
    json.at("last_states").get_to(cell.last_states);
    json.at("a_states").get_to(cell.a_states);
    json.at("counterexamples").get_to(cell.counterexamples);
    json.at("membership_queries").get_to(cell.membership_queries);
    json.at("equivalence_queries").get_to(cell.equivalence_queries);
    json.at("rnn_steps").get_to(cell.rnn_steps);
    json.at("seconds").get_to(cell.seconds);
    if (const OrderedJson& equal = json.at("equals_target"); !equal.is_null())
      cell.equals_target = equal.get<bool>();
    if (const OrderedJson& reached = json.at("milestone"); !reached.is_null())
      cell.milestone = reached.get<std::string>();
    for (const OrderedJson& entry : json.at("by_length"))
      cell.by_length.emplace_back(entry.at("length"), parse_measured(entry));
    if (const OrderedJson& given = json.at("given"); !given.is_null())
      cell.given = parse_measured(given);
    return cell;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::string comparison_json(const Comparison& comparison) {
  std::vector<std::string> cells;
  for (const ComparisonCell& cell : comparison.cells) cells.push_back("\n  " + cell_json(cell));
  return fmt::format(
      "{{\"format\": \"rnnalf.comparison/1\",\n \"program\": {},\n \"command\": {},\n \"cells\": "
      "[{}\n]}}\n",
      one_line(OrderedJson(comparison.program)), one_line(OrderedJson(comparison.command)),
      fmt::join(cells, ","));
}

}  // namespace rnnalf
