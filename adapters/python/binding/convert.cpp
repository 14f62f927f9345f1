#include "convert.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/certify/certificate.hpp"

namespace rnnalf::python {
namespace {

Symbol symbol_of(py::handle symbol, std::size_t position, const Alphabet& alphabet) {
  const auto refuse = [&](const std::string& found) -> Symbol {
    throw WordError(fmt::format(
        "word: symbol {}: expected one of the {} symbols of the alphabet or its position, found {}",
        position + 1, alphabet.size(), found));
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

py::object certificate_text(const std::optional<certify::Certificate>& certificate) {
  if (!certificate) return py::none();
  return py::str(format_certificate(*certificate));
}

const char* verdict_name(Certification::Verdict verdict) {
  switch (verdict) {
    case Certification::Verdict::Certified:
      return "certified";
    case Certification::Verdict::Refuted:
      return "refuted";
    case Certification::Verdict::Open:
      break;
  }
  return "open";
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

py::dict certification_dict(const Certification& found, const Alphabet& alphabet) {
  py::dict result;
  result["verdict"] = verdict_name(found.verdict);
  result["certificate"] = certificate_text(found.certificate);
  result["counterexample"] = text_of(found.counterexample, alphabet);
  result["images"] = found.images;
  std::vector<std::size_t> open_states;
  for (const auto& [state, letter] : found.open) open_states.push_back(index(state));
  result["open_states"] = open_states;
  result["weaker"] = certificate_text(found.weaker);
  result["outside_weaker"] = text_of(found.outside_weaker, alphabet);
  result["agreed_length"] = found.agreed_length;
  result["limit"] = found.limit == Limit::None
                        ? py::object(py::none())
                        : py::object(py::str(std::string(name(found.limit))));
  return result;
}

std::string python_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

void in_python(const std::function<void()>& check) {
  try {
    check();
  } catch (const OptionError& error) {
    const std::string message = error.what();
    const std::size_t end = message.find(':');
    throw OptionError(python_name(message.substr(0, end)) + message.substr(end));
  }
}

ExtractionOptions extraction_options(const GivenOptions& given) {
  ExtractionOptions options;
  read_options(ExtractionOptions::table(), given, options);
  in_python([&] { validate(options); });
  return options;
}

}  // namespace rnnalf::python
