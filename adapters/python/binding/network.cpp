#include "network.hpp"

#include <fmt/core.h>

#include <pybind11/numpy.h>

#include <algorithm>
#include <thread>

#include "convert.hpp"
#include "module.hpp"
#include "python_acceptor.hpp"
#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf::python {
namespace {

/// `checked_words`: on which a live module gave the same scores; what the file leaves unsaid is
/// known then.
PyNetwork read_network(const py::bytes& content, const std::string& file, const GivenOptions& given,
                       std::size_t checked_words) {
  NetworkOptions options;
  read_options(NetworkOptions::table(), given, options);
  const auto bytes = static_cast<std::string_view>(content);  // the caller holds them
  const py::gil_scoped_release release;
  OpenNetwork open = open_network(bytes, file, options);
  if (checked_words > 0) {
    open.network.summary.assumed.clear();
    open.network.summary.probes += checked_words;
  }
  return {std::move(open.network)};
}

std::vector<std::string> names(WordView word, const Alphabet& alphabet) {
  std::vector<std::string> all;
  for (const Symbol symbol : word) all.push_back(alphabet.name(symbol));
  return all;
}

/// Words are shown to the network as the tokens say.
void show_words(PyNetwork& made, const Tokens& tokens) {
  NetworkSummary& summary = made.network.summary;
  const Alphabet own = summary.alphabet;
  Presentation presentation = present(tokens, own, summary.file);
  summary.alphabet = presentation.alphabet;
  summary.begin = names(presentation.begin, own);
  summary.end = names(presentation.end, own);
  for (const std::string& name : own.names()) {
    const auto has = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    if (!has(summary.alphabet.names()) && !has(summary.begin) && !has(summary.end)) {
      summary.left_out.push_back(name);
    }
  }
  made.network.acceptor =
      make_presented_acceptor(std::move(made.network.acceptor), std::move(presentation));
}

/// Two answers are accept and reject, whatever their names.
void name_classes(NetworkSummary& summary, const std::optional<ClassNames>& names) {
  if (!names) return;
  if (names->size() != summary.answers) {
    throw OptionError(fmt::format("classes: expected {} names, one for each answer, found {}",
                                  summary.answers, names->size()));
  }
  if (summary.answers > 2) summary.classes = *names;
}

PyNetwork make_network_of_functions(const py::object& initial, py::function step,
                                    py::function accepts, const std::vector<std::string>& symbols,
                                    const std::string& name, const std::string& kind,
                                    const GivenOptions& given) {
  const Alphabet alphabet(symbols);
  if (alphabet.size() == 0) throw OptionError("alphabet: expected at least one symbol, found none");
  NetworkOptions options;
  read_options(NetworkOptions::table(), given, options);
  PyNetwork made;
  made.network.acceptor =
      make_python_acceptor(initial, std::move(step), std::move(accepts), alphabet.size());
  const std::size_t size = made.network.acceptor->state_size();
  made.network.summary = {.file = name,
                          .cell = kind,
                          .layers = 1,
                          .hidden = size,
                          .state_size = size,
                          .answers = made.network.acceptor->answer_count(),
                          .alphabet = alphabet};
  name_classes(made.network.summary, options.read.classes);
  made.network.empty_word = options.empty_word;
  if (options.empty_class) {
    throw OptionError("empty_word: expected True, False or the number of a class, found '" +
                      options.empty_class->text() + "'");
  }
  if (options.empty_word && index(*options.empty_word) >= made.answers()) {
    throw OptionError(fmt::format("empty_word: expected a class below {}, found {}", made.answers(),
                                  index(*options.empty_word)));
  }
  if (!options.tokens.none()) show_words(made, options.tokens);
  return made;
}

py::dict summary(const PyNetwork& self) {
  const NetworkSummary& about = self.network.summary;
  py::dict facts;
  facts["name"] = about.file;
  facts["cell"] = about.cell;
  facts["layers"] = about.layers;
  facts["hidden"] = about.hidden;
  facts["state_size"] = self.network.acceptor->state_size();
  facts["classes"] = self.answers();
  facts["class_names"] = about.classes.names();
  facts["alphabet"] = about.alphabet.names();
  facts["begin"] = about.begin;
  facts["end"] = about.end;
  facts["left_out"] = about.left_out;
  facts["assumed"] = about.assumed;
  facts["probes_passed"] = about.probes;
  facts["precision"] = self.network.acceptor->precision() == Precision::Float ? "float" : "double";
  facts["empty_word"] = answer_of(self.network.empty_word, self.answers());
  facts["calls_python"] = self.calls_python();
  return facts;
}

py::tuple classify_words(const PyNetwork& self, const py::object& words) {
  const std::vector<Word> all = words_of(words, self.alphabet());
  std::vector<Classification> answers;
  {
    const py::gil_scoped_release release;
    answers = classify(*self.network.acceptor, all, self.network.empty_word);
  }
  py::array_t<std::int64_t> given(static_cast<py::ssize_t>(all.size()));
  py::array_t<double> probability(static_cast<py::ssize_t>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Answer answer = answers[i].answer;
    given.mutable_at(static_cast<py::ssize_t>(i)) =
        answer == Answer::None ? -1 : static_cast<std::int64_t>(index(answer));
    probability.mutable_at(static_cast<py::ssize_t>(i)) = answers[i].probability;
  }
  return py::make_tuple(given, probability);
}

py::array_t<double> r_states(const PyNetwork& self, const py::object& words) {
  const std::vector<Word> all = words_of(words, self.alphabet());
  const std::size_t size = self.network.acceptor->state_size();
  py::array_t<double> states({all.size(), size});
  double* const data = states.mutable_data();
  const py::gil_scoped_release release;
  StateTree tree(*self.network.acceptor, {.threads = self.threads(0)});
  std::vector<Node> nodes;
  for (const Word& word : all) nodes.push_back(tree.add(word));
  const Budget no_limit;
  // Neither can end early without a limit.
  static_cast<void>(tree.compute(nodes, no_limit));
  static_cast<void>(tree.copy_states(nodes, {data, size, all.size()}, no_limit));
  return states;
}

}  // namespace

unsigned PyNetwork::threads(std::uint64_t wanted) const {
  if (wanted > 0) return static_cast<unsigned>(wanted);
  return calls_python() ? 1U : std::max(1U, std::thread::hardware_concurrency());
}

void bind_network(py::module_& core) {
  py::class_<PyNetwork>(core, "Network")
      .def_property_readonly("alphabet",
                             [](const PyNetwork& self) { return self.alphabet().names(); })
      .def_property_readonly("classes", &PyNetwork::answers)
      .def_property_readonly("class_names",
                             [](const PyNetwork& self) { return self.summary().classes.names(); })
      .def("summary", &summary)
      .def("classify", &classify_words)
      .def("r_states", &r_states);
  core.def("read_network", &read_network);
  core.def("network_of_functions", &make_network_of_functions);
  core.def("network_options", [] { return described(NetworkOptions::table()); });
}

}  // namespace rnnalf::python
