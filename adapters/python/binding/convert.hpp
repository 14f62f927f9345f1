#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/automaton/named_dfa.hpp"
#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/option_names.hpp"
#include "rnnalf/base/option_table.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/network/summary.hpp"
#include "rnnalf/run/options.hpp"

namespace rnnalf::python {

namespace py = pybind11;

/// A word as Python gives it: a text as the alphabet writes words, or a sequence of symbols or of
/// their positions. Throws WordError.
[[nodiscard]] Word word_of(py::handle word, const Alphabet& alphabet);
[[nodiscard]] std::vector<Word> words_of(py::handle words, const Alphabet& alphabet);
/// Words are handed out as texts, which word_of reads.
[[nodiscard]] py::str text_of(WordView word, const Alphabet& alphabet);
[[nodiscard]] py::object text_of(const std::optional<Word>& word, const Alphabet& alphabet);

/// An answer as Python has it: a boolean, or the number of a class where there are more than two.
[[nodiscard]] py::object answer_of(Answer answer, std::size_t answers);
[[nodiscard]] py::object answer_of(const std::optional<Answer>& answer, std::size_t answers);

/// The automaton with the symbols in the network's order and with its answers. Throws OptionError
/// when they do not fit.
[[nodiscard]] Dfa for_network(const NamedDfa& automaton, const NetworkSummary& network);

/// What a search for a proof came to, as Python has it.
[[nodiscard]] py::dict certification_dict(const Certification& found, const Alphabet& alphabet);

/// Options as Python gives them: names of the table, texts that its `read` understands.
using GivenOptions = std::vector<std::pair<std::string, std::string>>;

/// Reads the options that are in the table and leaves the others alone. Throws OptionError with the
/// option's name as Python writes it.
template <class Options>
void read_options(const std::vector<OptionField<Options>>& table, const GivenOptions& given,
                  Options& options);

/// Those of an extraction. Throws OptionError for options that cannot be used together.
[[nodiscard]] ExtractionOptions extraction_options(const GivenOptions& given);

/// `max-states` is `max_states` in Python.
[[nodiscard]] std::string python_name(std::string name);
/// Calls it; an OptionError, which begins with the name of an option, has Python's name of it then.
void in_python(const std::function<void()>& check);

/// What Python needs to know of a table: (name, value, help with the range, default) each.
template <class Options>
[[nodiscard]] py::list described(const std::vector<OptionField<Options>>& table,
                                 const Options& defaults = {}) {
  py::list rows;
  for (const OptionField<Options>& field : table) {
    const std::string range = field.range.empty() ? "" : " (" + field.range + ")";
    const std::string help = with_option_names(field.help, Spelling::Python) + range;
    rows.append(
        py::make_tuple(python_name(field.name), field.value, help, py::cast(field.json(defaults))));
  }
  return rows;
}

template <class Options>
void read_options(const std::vector<OptionField<Options>>& table, const GivenOptions& given,
                  Options& options) {
  for (const auto& [name, text] : given) {
    for (const OptionField<Options>& field : table) {
      if (field.name != name) continue;
      naming(python_name(name), [&, &value = text] { field.read(options, value); });
    }
  }
}

}  // namespace rnnalf::python
