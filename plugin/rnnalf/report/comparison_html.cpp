#include "rnnalf/report/comparison_html.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rnnalf/report/page_parts.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/run_json.hpp"

namespace rnnalf {
namespace {

using detail::OrderedJson;

OrderedJson cell_json(const ComparisonCell& cell) {
  const auto text = [](const std::string& given) { return printable(given, true); };
  OrderedJson json = {{"network", text(std::filesystem::path(cell.network).filename().string())},
                      {"learner", text(cell.learner)},
                      {"oracle", text(cell.oracle)},
                      {"method", text(cell.method)},
                      {"seed", cell.seed}};
  if (!cell.failure.empty()) {
    json["failure"] = text(cell.failure);
    return json;
  }
  json.update(OrderedJson{
      {"verdict", cell.verdict},
      {"states", cell.states},
      {"seconds", cell.seconds},
      {"membership_queries", cell.membership_queries},
      {"equivalence_queries", cell.equivalence_queries},
      {"rnn_steps", cell.rnn_steps},
      {"counterexamples", cell.counterexamples},
      {"agreement", cell.agreement ? OrderedJson(*cell.agreement) : OrderedJson(nullptr)}});
  return json;
}

}  // namespace

std::string comparison_html(const Comparison& comparison) {
  OrderedJson json = {{"command", comparison.command},
                      {"footer", comparison.program},
                      {"cells", OrderedJson::array()}};
  for (const ComparisonCell& cell : comparison.cells) json["cells"].push_back(cell_json(cell));
  return detail::assemble_page(detail::k_comparison_page, "Comparison of extractions",
                               detail::one_line(json));
}

}  // namespace rnnalf
