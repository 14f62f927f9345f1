#include "convert.hpp"
#include "module.hpp"
#include "network.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/comparison/compare.hpp"
#include "rnnalf/comparison/program.hpp"
#include "rnnalf/report/comparison_html.hpp"
#include "rnnalf/report/comparison_json.hpp"
#include "rnnalf/report/comparison_table.hpp"
#include "watched.hpp"

namespace rnnalf::python {
namespace {

/// Passes the progress of the extraction under way on.
class OneProgress : public ComparisonObserver {
 public:
  explicit OneProgress(Progress& progress) : progress_(progress) {}
  Progress* begin(std::size_t /*number*/, const PlannedExtraction& /*extraction*/) override {
    return &progress_;
  }

 private:
  Progress& progress_;
};

using NetworksAtHand = std::map<std::string, PyNetwork>;

struct Varied {
  std::vector<std::string> learners, oracles, methods;
};

ComparisonOptions comparison_options(const std::vector<std::string>& names,
                                     const NetworksAtHand& at_hand, const GivenOptions& given,
                                     const Varied& varied,
                                     const std::vector<std::string>& samples) {
  ComparisonOptions options;
  options.program = program_identity().text();
  options.networks = names;
  for (const auto& [name, network] : at_hand) options.at_hand.emplace(name, network.network);
  options.sample = samples;
  options.learners = varied.learners;
  for (const std::string& text : varied.oracles) options.oracles.push_back(parse_oracles(text));
  for (const std::string& text : varied.methods) options.methods.push_back(parse_method(text));
  read_options(NetworkOptions::table(), given, options.network);
  read_options(ExtractionOptions::table(), given, options.extraction);
  read_options(ComparisonOptions::table(), given, options);
  return options;
}

Comparison made(std::vector<ComparisonCell> cells) {
  return {.command = "", .program = program_identity().text(), .cells = std::move(cells)};
}

/// With the number of extractions that were asked for.
py::tuple compare_networks(const std::vector<std::string>& names, const NetworksAtHand& at_hand,
                           const std::map<std::string, std::string>& targets,
                           const GivenOptions& given, const std::vector<std::string>& learners,
                           const std::vector<std::string>& oracles,
                           const std::vector<std::string>& methods,
                           const std::vector<std::string>& samples, const std::string& store_file,
                           const py::object& on_progress) {
  ComparisonOptions options =
      comparison_options(names, at_hand, given, {learners, oracles, methods}, samples);
  options.targets = targets;
  ComparisonPlan plan = plan_comparison(options);
  for (PlannedExtraction& extraction : plan.extractions) {
    const auto network = at_hand.find(names[extraction.network]);
    if (network != at_hand.end()) {
      extraction.options.threads = network->second.threads(extraction.options.threads);
    }
  }
  ComparisonStore store(store_file);
  Budget budget;
  Progress progress;
  OneProgress observer(progress);
  return py::make_tuple(made(watched_value([&] { return compare(plan, store, budget, &observer); },
                                           budget, progress, on_progress)),
                        plan.extractions.size());
}

Comparison of_lines(const std::vector<std::string>& lines) {
  std::vector<ComparisonCell> cells;
  for (const std::string& line : lines) {
    auto cell = parse_cell(line);
    if (!cell) throw OptionError("comparison: expected cells of this version, found others");
    cells.push_back(std::move(*cell));
  }
  return made(std::move(cells));
}

std::vector<std::string> cell_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const ComparisonCell& cell : comparison.cells) lines.push_back(cell_json(cell));
  return lines;
}

}  // namespace

void bind_comparison(py::module_& core) {
  using Columns = std::vector<std::string>;
  py::class_<Comparison>(core, "Comparison")
      .def(py::init(&of_lines))
      .def("cells", &cell_lines)
      .def("csv", [](const Comparison& self) { return comparison_csv(self.cells); })
      .def("json", [](const Comparison& self) { return comparison_json(self); })
      .def("html", [](const Comparison& self) { return comparison_html(self); })
      .def("latex", [](const Comparison& self,
                       const Columns& columns) { return comparison_latex(self.cells, columns); })
      .def("text", [](const Comparison& self, const Columns& columns, std::size_t width) {
        return comparison_text(self.cells, columns, {.width = width, .spelling = Spelling::Python});
      });
  core.def("compare", &compare_networks);
  core.def("comparison_options", [] { return described(ComparisonOptions::table()); });
}

}  // namespace rnnalf::python
