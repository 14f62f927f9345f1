#include "convert.hpp"

#include <algorithm>
#include <array>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf::python {
namespace {

Symbol symbol_of(py::handle symbol, std::size_t position, const Alphabet& alphabet) {
  const auto refuse = [&](const std::string& found) -> Symbol {
    throw WordError("word: symbol " + std::to_string(position + 1) + ": expected one of the " +
                    std::to_string(alphabet.size()) + " symbols of the alphabet or its position, " +
                    "found " + found);
  };
  if (py::isinstance<py::str>(symbol)) {
    const auto name = symbol.cast<std::string>();
    const auto found = alphabet.find(name);
    return found ? *found : refuse(in_quotes(name));
  }
  const std::string shown = py::repr(symbol).cast<std::string>();
  if (PyIndex_Check(symbol.ptr()) == 0) return refuse(shown);
  const py::ssize_t number = PyNumber_AsSsize_t(symbol.ptr(), nullptr);  // clipped, never an error
  if (number < 0 || static_cast<std::size_t>(number) >= alphabet.size()) return refuse(shown);
  return static_cast<Symbol>(number);
}

bool is_given(const GivenOptions& given, std::string_view name) {
  return std::any_of(given.begin(), given.end(),
                     [&](const auto& one) { return one.first == name; });
}

/// One option says it all; another one that it would override is a mistake.
void refuse_beside(const GivenOptions& given, std::string_view name, const std::string& why) {
  if (is_given(given, name)) {
    throw OptionError(why + "; leave " + python_name(std::string(name)) + " out");
  }
}

}  // namespace

Word word_of(py::handle word, const Alphabet& alphabet) {
  if (py::isinstance<py::str>(word)) return alphabet.parse_word(word.cast<std::string>());
  if (!py::isinstance<py::iterable>(word)) {
    throw WordError("word: expected a text or a sequence of symbols, found " +
                    py::repr(word).cast<std::string>());
  }
  Word symbols;
  for (const py::handle symbol : word) {
    symbols.push_back(symbol_of(symbol, symbols.size(), alphabet));
  }
  return symbols;
}

std::vector<Word> words_of(py::handle words, const Alphabet& alphabet) {
  if (py::isinstance<py::str>(words) || !py::isinstance<py::iterable>(words)) {
    throw WordError("words: expected a sequence of words, found " +
                    py::repr(words).cast<std::string>());
  }
  std::vector<Word> all;
  for (const py::handle word : words) all.push_back(word_of(word, alphabet));
  return all;
}

py::str text_of(WordView word, const Alphabet& alphabet) {
  return alphabet.format(word);
}

py::object text_of(const std::optional<Word>& word, const Alphabet& alphabet) {
  if (!word) return py::none();
  return text_of(WordView(*word), alphabet);
}

py::object answer_of(Answer answer, std::size_t answers) {
  if (answers > 2) return py::int_(index(answer));
  return py::bool_(answer == Answer::Accept);
}

py::object answer_of(const std::optional<Answer>& answer, std::size_t answers) {
  if (!answer) return py::none();
  return answer_of(*answer, answers);
}

Dfa for_network(const NamedDfa& automaton, const NetworkSummary& network) {
  Dfa dfa;
  naming("dfa", [&] { dfa = renumber_answers(automaton, network.answers, network.classes); });
  return reorder({automaton.alphabet, dfa}, network.alphabet);
}

std::string python_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

ExtractionOptions extraction_options(const GivenOptions& given) {
  ExtractionOptions options;
  read_options(ExtractionOptions::table(), given, options);
  if (options.preset == Preset::Paper) {
    for (const char* const name : {"learner", "oracle", "oracle-mode"}) {
      refuse_beside(given, name, "preset='paper' says which learner and oracles to use");
    }
    use_paper_preset(options);
  }
  if (options.method.method != Method::AbstractionRefinement) {
    constexpr std::array for_learners = {"preset",      "learner",     "oracle",
                                         "oracle-mode", "max-queries", "max-rounds"};
    for (const char* const name : for_learners) {
      refuse_beside(given, name,
                    "method='" + options.method.text() + "' has no learner and no oracles");
    }
  }
  return options;
}

}  // namespace rnnalf::python
