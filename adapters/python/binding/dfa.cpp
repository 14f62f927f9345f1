#include <pybind11/numpy.h>

#include <algorithm>

#include "convert.hpp"
#include "module.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/report/picture.hpp"
#include "rnnalf/report/text_report.hpp"
#include "rnnalf/report/transition_table.hpp"

namespace rnnalf::python {
namespace {

using Table = std::vector<std::vector<std::size_t>>;

NamedDfa make_dfa(const std::vector<std::string>& symbols, const Table& transitions,
                  const std::vector<std::size_t>& answers, std::size_t answer_count,
                  const std::vector<std::string>& class_names, std::size_t initial) {
  const Alphabet alphabet(symbols);
  const ClassNames classes(class_names);
  const std::size_t states = transitions.size();
  const auto refuse = [](const std::string& message) { throw OptionError("dfa: " + message); };
  const auto number = [](std::size_t value) { return std::to_string(value); };
  if (states == 0) refuse("expected at least one state, found none");
  if (answers.size() != states) {
    refuse("expected " + number(states) + " answers, found " + number(answers.size()));
  }
  if (answer_count < 2 || answer_count > kMostAnswers) {
    refuse("expected 2 to " + number(kMostAnswers) + " classes, found " + number(answer_count));
  }
  if (!classes.empty() && answer_count < 3) {
    refuse("expected names of three classes or more, found " + number(classes.size()));
  }
  if (initial >= states) {
    refuse("expected an initial state below " + number(states) + ", found " + number(initial));
  }
  Dfa dfa(alphabet.size(), states, answer_count);
  dfa.set_initial(static_cast<LState>(initial));
  for (std::size_t q = 0; q < states; ++q) {
    const auto state = static_cast<LState>(q);
    if (answers[q] >= answer_count) {
      refuse("state " + number(q) + ": expected an answer below " + number(answer_count) +
             ", found " + number(answers[q]));
    }
    dfa.set_answer(state, static_cast<Answer>(answers[q]));
    if (transitions[q].size() != alphabet.size()) {
      refuse("state " + number(q) + ": expected " + number(alphabet.size()) +
             " transitions, found " + number(transitions[q].size()));
    }
    for (std::size_t a = 0; a < alphabet.size(); ++a) {
      if (transitions[q][a] >= states) {
        refuse("state " + number(q) + ", symbol '" + symbols[a] + "': expected a state below " +
               number(states) + ", found " + number(transitions[q][a]));
      }
      dfa.set_next(state, static_cast<Symbol>(a), static_cast<LState>(transitions[q][a]));
    }
  }
  return {alphabet, dfa, classes};
}

py::array_t<std::int64_t> transitions(const NamedDfa& automaton) {
  const Dfa& dfa = automaton.dfa;
  py::array_t<std::int64_t> table({dfa.size(), dfa.symbol_count()});
  auto entries = table.mutable_unchecked<2>();
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const LState to = dfa.next(static_cast<LState>(q), static_cast<Symbol>(a));
      entries(static_cast<py::ssize_t>(q), static_cast<py::ssize_t>(a)) =
          static_cast<std::int64_t>(index(to));
    }
  }
  return table;
}

py::array_t<std::int64_t> answers(const NamedDfa& automaton) {
  py::array_t<std::int64_t> numbers(static_cast<py::ssize_t>(automaton.dfa.size()));
  for (std::size_t q = 0; q < automaton.dfa.size(); ++q) {
    numbers.mutable_at(static_cast<py::ssize_t>(q)) =
        static_cast<std::int64_t>(index(automaton.dfa.answer(static_cast<LState>(q))));
  }
  return numbers;
}

DfaFormat format_named(const std::string& name) {
  const auto format = dfa_format_from_name(name);
  if (!format) throw OptionError("format: expected dot, json or alf, found '" + name + "'");
  return *format;
}

/// The automaton with what the user should be told about it.
py::tuple parse(const std::string& text, const std::string& format, const std::string& file) {
  const DfaFile parsed = parse_dfa(text, format_named(format), file);
  return py::make_tuple(parsed.automaton, note_on(parsed));
}

py::list access_texts(const NamedDfa& automaton) {
  py::list words;
  for (const auto& word : access_words(automaton.dfa)) {
    words.append(text_of(word, automaton.alphabet));
  }
  return words;
}

}  // namespace

void bind_dfa(py::module_& core) {
  py::class_<NamedDfa>(core, "Dfa")
      .def(py::init(&make_dfa))
      .def_static("parse", &parse)
      .def("text", [](const NamedDfa& self,
                      const std::string& format) { return format_dfa(self, format_named(format)); })
      .def_property_readonly("alphabet", [](const NamedDfa& self) { return self.alphabet.names(); })
      .def_property_readonly("size", [](const NamedDfa& self) { return self.dfa.size(); })
      .def_property_readonly("initial",
                             [](const NamedDfa& self) { return index(self.dfa.initial()); })
      .def("transitions", &transitions)
      .def_property_readonly("classes",
                             [](const NamedDfa& self) { return self.dfa.answer_count(); })
      .def_property_readonly("class_names",
                             [](const NamedDfa& self) { return self.classes.names(); })
      .def("answers", &answers)
      .def("answer",
           [](const NamedDfa& self, const py::object& word) {
             return index(self.dfa.answer(word_of(word, self.alphabet)));
           })
      .def("run",
           [](const NamedDfa& self, const py::object& word) {
             return index(self.dfa.run(word_of(word, self.alphabet)));
           })
      .def("symbols",
           [](const NamedDfa& self, const py::object& word) {
             std::vector<std::string> names;
             for (const Symbol symbol : word_of(word, self.alphabet)) {
               names.push_back(self.alphabet.name(symbol));
             }
             return names;
           })
      .def("minimised",
           [](const NamedDfa& self) {
             return NamedDfa{self.alphabet, minimise(self.dfa), self.classes};
           })
      .def("over",
           [](const NamedDfa& self, const std::vector<std::string>& symbols) {
             const Alphabet order(symbols);
             return NamedDfa{order, reorder(self, order), self.classes};
           })
      .def("separating_word",
           [](const NamedDfa& self, const NamedDfa& other) {
             return text_of(separating_word(self, other), self.alphabet);
           })
      .def("access_words", &access_texts)
      .def("picture_dot", [](const NamedDfa& self) { return picture_dot(self); })
      .def("table", [](const NamedDfa& self,
                       std::size_t width) { return transition_table(self, {.width = width}); })
      .def("__eq__", [](const NamedDfa& self, const NamedDfa& other) { return self == other; });
}

}  // namespace rnnalf::python
