#include "rnnalf/language_model/language_model.hpp"

#include <pybind11/numpy.h>

#include <thread>
#include <utility>

#include "convert.hpp"
#include "module.hpp"
#include "python_acceptor.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/extraction/language_model_extraction.hpp"
#include "rnnalf/language_model/judge_pdfa.hpp"
#include "rnnalf/language_model/model_words.hpp"
#include "rnnalf/language_model/pdfa_file.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/language_model_report.hpp"
#include "watched.hpp"

namespace rnnalf::python {
namespace {

/// A language model as Python holds it.
struct PyLanguageModel {
  LanguageModel model;
  bool calls_python = false;

  /// Python functions are called one at a time.
  [[nodiscard]] unsigned threads(std::uint64_t wanted) const {
    if (wanted > 0) return static_cast<unsigned>(wanted);
    return calls_python ? 1U : std::max(1U, std::thread::hardware_concurrency());
  }
};

PyLanguageModel read_language_model(const std::string& file, const GivenOptions& given) {
  NetworkOptions options;
  read_options(NetworkOptions::table(), given, options);
  const py::gil_scoped_release release;
  return {open_language_model(file, options)};
}

PyLanguageModel language_model_of_functions(const py::object& initial, py::function step,
                                            py::function scores,
                                            const std::vector<std::string>& symbols,
                                            const std::string& name, const GivenOptions& given) {
  const Alphabet alphabet(symbols);
  if (alphabet.size() == 0) throw OptionError("alphabet: expected at least one symbol, found none");
  NetworkOptions options;
  read_options(NetworkOptions::table(), given, options);
  Network network;
  network.acceptor =
      make_python_acceptor(initial, std::move(step), std::move(scores), alphabet.size());
  const std::size_t size = network.acceptor->state_size();
  network.summary = {.file = name,
                     .cell = "Python functions",
                     .layers = 1,
                     .hidden = size,
                     .state_size = size,
                     .answers = network.acceptor->answer_count(),
                     .alphabet = alphabet};
  return {as_language_model(network, options.tokens), true};
}

LanguageModelRun extract_pdfa(const PyLanguageModel& model, const GivenOptions& given,
                              const py::object& samples, const py::object& on_progress) {
  ExtractionOptions options = extraction_options(given);
  options.samples = words_of(samples, model.model.alphabet());
  options.threads = model.threads(options.threads);
  Budget budget;
  Progress progress;
  return watched_value(
      [&] {
        return extract_language_model(model.model, libalf_learners(), options, budget, &progress);
      },
      budget, progress, on_progress);
}

py::array_t<double> log_probabilities(const PyLanguageModel& self, const py::object& given) {
  const std::vector<Word> all = words_of(given, self.model.alphabet());
  std::vector<double> found;
  {
    const py::gil_scoped_release release;
    const Budget no_limit;
    const ModelWords words = read_words(self.model, all, self.threads(0), no_limit);
    for (std::size_t i = 0; i < words.size(); ++i) found.push_back(words.log_probability(i));
  }
  return py::array_t<double>(static_cast<py::ssize_t>(found.size()), found.data());
}

std::string judged(const PyLanguageModel& self, const NamedPdfa& automaton, const py::object& words,
                   std::size_t count, std::uint64_t seed) {
  if (automaton.alphabet.names() != self.model.alphabet().names()) {
    throw OptionError("pdfa: expected the symbols " + self.model.alphabet().text() + ", found " +
                      automaton.alphabet.text());
  }
  const JudgeOptions options{.words = count,
                             .given = words_of(words, self.model.alphabet()),
                             .seed = seed,
                             .threads = self.threads(0)};
  const py::gil_scoped_release release;
  const Budget no_limit;
  return pdfa_judgement_json(self.model.summary,
                             judge_pdfa(self.model, automaton.pdfa, options, no_limit));
}

NamedPdfa make_pdfa(const std::vector<std::string>& symbols,
                    const std::vector<std::vector<std::size_t>>& transitions,
                    const std::vector<std::vector<double>>& rows, std::size_t initial) {
  const Alphabet alphabet(symbols);
  const auto refuse = [](const std::string& message) { throw OptionError("pdfa: " + message); };
  if (rows.empty() || transitions.size() != rows.size() || initial >= rows.size()) {
    refuse("expected rows of transitions and probabilities for each state, and an initial state");
  }
  Pdfa pdfa(alphabet.size(), rows.size());
  pdfa.set_initial(static_cast<LState>(initial));
  for (std::size_t q = 0; q < rows.size(); ++q) {
    const std::string place = "state " + std::to_string(q) + ": ";
    if (transitions[q].size() != alphabet.size()) refuse(place + "expected a successor per symbol");
    for (std::size_t a = 0; a < alphabet.size(); ++a) {
      if (transitions[q][a] >= rows.size()) refuse(place + "expected successors that are states");
      pdfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a),
                    static_cast<LState>(transitions[q][a]));
    }
    try {
      pdfa.set_row(static_cast<LState>(q), rows[q]);
    } catch (const std::invalid_argument&) {
      refuse(place + "expected a probability for every symbol and the end, found others");
    }
  }
  return {alphabet, pdfa};
}

PdfaFormat pdfa_format(const std::string& name) {
  return pdfa_format_of("pdfa." + name);
}

py::array_t<double> probabilities(const NamedPdfa& self) {
  py::array_t<double> table({self.pdfa.size(), self.pdfa.row_size()});
  double* to = table.mutable_data();
  for (std::size_t q = 0; q < self.pdfa.size(); ++q) {
    for (const double p : self.pdfa.row(static_cast<LState>(q))) *to++ = p;
  }
  return table;
}

py::array_t<std::int64_t> successors(const NamedPdfa& self) {
  py::array_t<std::int64_t> table({self.pdfa.size(), self.pdfa.symbol_count()});
  std::int64_t* to = table.mutable_data();
  for (std::size_t q = 0; q < self.pdfa.size(); ++q) {
    for (std::size_t a = 0; a < self.pdfa.symbol_count(); ++a) {
      *to++ = static_cast<std::int64_t>(
          index(self.pdfa.next(static_cast<LState>(q), static_cast<Symbol>(a))));
    }
  }
  return table;
}

py::list sampled(const NamedPdfa& self, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  py::list words;
  for (std::size_t i = 0; i < count; ++i) {
    const Word word = self.pdfa.sample(random);
    words.append(text_of(WordView(word), self.alphabet));
  }
  return words;
}

py::list most_probable(const NamedPdfa& self, std::size_t count) {
  py::list words;
  for (const ProbableWord& one : most_probable_words(self.pdfa, count)) {
    words.append(py::make_tuple(text_of(WordView(one.word), self.alphabet), one.probability));
  }
  return words;
}

}  // namespace

void bind_language_model(py::module_& core) {
  py::class_<NamedPdfa>(core, "Pdfa")
      .def(py::init(&make_pdfa))
      .def_static("parse",
                  [](const std::string& text, const std::string& format, const std::string& file) {
                    return parse_pdfa(text, pdfa_format(format), file);
                  })
      .def("text", [](const NamedPdfa& self,
                      const std::string& format) { return format_pdfa(self, pdfa_format(format)); })
      .def_property_readonly("alphabet",
                             [](const NamedPdfa& self) { return self.alphabet.names(); })
      .def_property_readonly("size", [](const NamedPdfa& self) { return self.pdfa.size(); })
      .def_property_readonly("initial",
                             [](const NamedPdfa& self) { return index(self.pdfa.initial()); })
      .def("transitions", &successors)
      .def("probabilities", &probabilities)
      .def("log_probability",
           [](const NamedPdfa& self, const py::object& word) {
             return self.pdfa.log_probability(word_of(word, self.alphabet));
           })
      .def("run",
           [](const NamedPdfa& self, const py::object& word) {
             return index(self.pdfa.run(word_of(word, self.alphabet)));
           })
      .def("sample", &sampled)
      .def("most_probable", &most_probable)
      .def("perplexity", [](const NamedPdfa& self, const py::object& words) {
        return perplexity(self.pdfa, words_of(words, self.alphabet));
      });
  py::class_<PyLanguageModel>(core, "LanguageModel")
      .def_property_readonly(
          "alphabet", [](const PyLanguageModel& self) { return self.model.alphabet().names(); })
      .def_property_readonly("name",
                             [](const PyLanguageModel& self) { return self.model.summary.file; })
      .def("log_probabilities", &log_probabilities)
      .def("judge", &judged);
  py::class_<LanguageModelRun>(core, "LanguageModelRun")
      .def("pdfa",
           [](const LanguageModelRun& self) {
             return NamedPdfa{self.network.alphabet, self.pdfa};
           })
      .def("json", [](const LanguageModelRun& self) { return py::str(language_model_json(self)); })
      .def("text", [](const LanguageModelRun& self, std::size_t width) {
        return py::str(language_model_text(self, {.width = width, .spelling = Spelling::Python}));
      });
  core.def("read_language_model", &read_language_model);
  core.def("language_model_of_pdfa", [](const NamedPdfa& automaton) {
    return PyLanguageModel{as_language_model(automaton)};
  });
  core.def("language_model_of_functions", &language_model_of_functions);
  core.def("extract_pdfa", &extract_pdfa);
}

}  // namespace rnnalf::python
