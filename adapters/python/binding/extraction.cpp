#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"

#include <pybind11/numpy.h>

#include <chrono>
#include <optional>

#include "convert.hpp"
#include "module.hpp"
#include "network.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"
#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/json_report.hpp"
#include "rnnalf/report/page_pictures.hpp"
#include "rnnalf/report/sentences.hpp"
#include "rnnalf/report/text_report.hpp"
#include "watched.hpp"

namespace rnnalf::python {
namespace {

Run extract(const PyNetwork& network, const GivenOptions& given, const py::object& samples,
            const std::optional<NamedDfa>& target, const py::object& on_progress,
            const py::object& on_hypothesis) {
  ExtractionOptions options = extraction_options(given);
  options.samples = words_of(samples, network.alphabet());
  options.threads = network.threads(options.threads);
  std::optional<Dfa> meant;
  if (target) meant = for_network(*target, network.summary());
  Extraction::Trace trace;
  if (!on_hypothesis.is_none()) {
    trace = [&](std::size_t number, const HypothesisRecord& hypothesis) {
      const py::gil_scoped_acquire acquire;
      on_hypothesis(number, named(network.summary(), hypothesis.dfa), hypothesis.at_seconds);
    };
  }
  const Extraction extraction(network.network, libalf_learners(), options, meant);
  Budget budget;
  Progress progress;
  return watched_value([&] { return extraction.run(budget, &progress, trace); }, budget, progress,
                       on_progress);
}

/// Columns length, words, agreed.
py::array_t<std::int64_t> counts(const std::vector<LengthAgreement>& by_length) {
  py::array_t<std::int64_t> table({by_length.size(), std::size_t{3}});
  auto entries = table.mutable_unchecked<2>();
  for (std::size_t i = 0; i < by_length.size(); ++i) {
    const auto row = static_cast<py::ssize_t>(i);
    entries(row, 0) = static_cast<std::int64_t>(by_length[i].length);
    entries(row, 1) = static_cast<std::int64_t>(by_length[i].words);
    entries(row, 2) = static_cast<std::int64_t>(by_length[i].agreed);
  }
  return table;
}

/// How the rung of the result was measured; None when nothing was.
py::object agreement(const Run& run) {
  const Rung* const rung = run.rung();
  if (rung == nullptr) return py::none();
  py::dict measured;
  measured["uniform"] = counts(rung->agreement.uniform);
  measured["language"] = counts(rung->agreement.language);
  measured["pumped"] = rung->agreement.pumped.share();
  measured["horizon"] = rung->horizon;
  measured["assured"] = rung->assured;
  return measured;
}

/// The page can ask the network, where its weights are known.
py::str page(const Run& run, const PyNetwork& network, const std::string& command,
             const py::function& draw) {
  constexpr std::chrono::seconds kMostForPictures{3};
  const auto pictures = page_pictures(
      run,
      [&](const std::string& dot, std::chrono::duration<double> time) {
        return draw(dot, time.count()).cast<std::optional<std::string>>();
      },
      kMostForPictures);
  return extraction_html(run, {.command = command,
                               .program = "rnnalf " RNNALF_VERSION,
                               .pictures = pictures,
                               .network = network.network.spec.get(),
                               .spelling = Spelling::Python});
}

py::list described_oracles() {
  py::list all;
  for (const OracleKind& kind : oracle_kinds()) {
    py::dict parameters;
    for (const OracleParameter& one : kind.parameters) {
      const std::string range = one.range.empty() ? "" : " (" + one.range + ")";
      parameters[py::str(one.name)] = py::make_tuple(one.default_value, one.meaning + range);
    }
    all.append(py::make_tuple(kind.name, kind.summary, parameters));
  }
  return all;
}

py::list described_learners() {
  py::list all;
  for (const auto& learner : learners())
    all.append(py::make_tuple(learner.name, learner.description));
  return all;
}

}  // namespace

void bind_extraction(py::module_& core) {
  py::class_<Run>(core, "Run")
      .def("dfa", [](const Run& self) { return named(self.network, self.dfa()); })
      .def("hypotheses",
           [](const Run& self) {
             std::vector<NamedDfa> all;
             for (std::size_t i = 0; i < self.hypotheses.size(); ++i)
               all.push_back(named(self.network, self.hypothesis(i)));
             return all;
           })
      .def("target",
           [](const Run& self) {
             return self.target ? std::optional(named(self.network, *self.target)) : std::nullopt;
           })
      .def("verdict", [](const Run& self) { return name(verdict(self)); })
      .def("sentence", [](const Run& self) { return verdict_sentence(self); })
      .def("is_refuted", &Run::is_refuted)
      .def("result", [](const Run& self) { return self.recommended; })
      .def("agreement", &agreement)
      .def("proof",
           [](const Run& self) -> py::object {
             if (!self.proof) return py::none();
             return certification_dict(*self.proof, self.network.alphabet);
           })
      .def("json", [](const Run& self) { return py::str(extraction_json(self)); })
      .def("text",
           [](const Run& self, std::size_t width, bool colour) {
             return py::str(extraction_text(
                 self, {.colour = colour, .width = width, .spelling = Spelling::Python}));
           })
      .def("html", &page);
  core.def("extract", &extract);
  core.def("extraction_options", [] { return described(ExtractionOptions::table()); });
  core.def("oracles", &described_oracles);
  core.def("learners", &described_learners);
}

}  // namespace rnnalf::python
