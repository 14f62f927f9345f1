#include "rnnalf/language_model/pdfa_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/json.hpp"
#include "rnnalf/language_model/pdfa_json.hpp"

namespace rnnalf {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargestPdfaFile = std::size_t{1} << 30U;
constexpr std::size_t kMostEntries = std::size_t{1} << 28U;  // states x symbols
/// How far from 1 the sum of a row may be: files often have few digits.
constexpr double kSumTolerance = 1e-3;

/// Reads the members of a "pdfa" object; every message names the member.
class PdfaJsonReader {
 public:
  explicit PdfaJsonReader(const std::string& file) : file_(file) {}

  [[nodiscard]] NamedPdfa read(const Json& document) const {
    const bool whole = document.is_object() && document.contains("pdfa");
    const Json& object = whole ? document["pdfa"] : document;
    if (!object.is_object()) refuse("pdfa", "an object");
    std::vector<std::string> names;
    for (const Json& one : array(object, "alphabet")) {
      if (!one.is_string()) refuse("alphabet", "strings");
      names.push_back(one.get<std::string>());
    }
    Alphabet alphabet = alphabet_of(std::move(names));
    const Json& rows = array(object, "probabilities");
    const Json& transitions = array(object, "transitions");
    if (rows.empty()) refuse("probabilities", "at least one row");
    if (transitions.size() != rows.size()) {
      refuse("transitions", fmt::format("{} rows, one per state", rows.size()));
    }
    Pdfa pdfa(alphabet.size(), rows.size());
    pdfa.set_initial(
        state(object.contains("initial") ? object["initial"] : Json(), pdfa.size(), "initial"));
    for (std::size_t q = 0; q < pdfa.size(); ++q) {
      read_row(rows[q], static_cast<LState>(q), pdfa);
      const std::string place = fmt::format("transitions[{}]", q);
      if (!transitions[q].is_array() || transitions[q].size() != pdfa.symbol_count()) {
        refuse(place, fmt::format("an array of {} states, one per symbol", pdfa.symbol_count()));
      }
      for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
        pdfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a),
                      state(transitions[q][a], pdfa.size(), place));
      }
    }
    return {std::move(alphabet), canonical(pdfa)};
  }

 private:
  [[noreturn]] void refuse(const std::string& place, const std::string& expected) const {
    throw AutomatonFileError(file_, place + ": expected " + expected + ", found something else");
  }

  [[nodiscard]] Alphabet alphabet_of(std::vector<std::string> names) const {
    try {
      return Alphabet(std::move(names));
    } catch (const OptionError& error) {
      throw AutomatonFileError(file_, std::string("alphabet: ") + error.what());
    }
  }

  [[nodiscard]] const Json& array(const Json& object, const std::string& name) const {
    if (!object.contains(name) || !object[name].is_array()) refuse(name, "an array");
    return object[name];
  }

  [[nodiscard]] LState state(const Json& number, std::size_t states,
                             const std::string& place) const {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() >= states) {
      refuse(place, fmt::format("a state from 0 to {}", states - 1));
    }
    return static_cast<LState>(number.get<std::uint32_t>());
  }

  void read_row(const Json& row, LState q, Pdfa& pdfa) const {
    const std::string place = fmt::format("probabilities[{}]", index(q));
    if (!row.is_array() || row.size() != pdfa.row_size()) {
      refuse(place, fmt::format("{} numbers, one per symbol and one for the end", pdfa.row_size()));
    }
    std::vector<double> values;
    double sum = 0;
    for (const Json& value : row) {
      if (!value.is_number() || !(value.get<double>() >= 0)) refuse(place, "probabilities");
      values.push_back(value.get<double>());
      sum += values.back();
    }
    if (!(std::abs(sum - 1) <= kSumTolerance)) {
      throw AutomatonFileError(file_,
                               fmt::format("{}: expected the sum 1, found {:.6g}", place, sum));
    }
    pdfa.set_row(q, values);
  }

  const std::string& file_;  // outlives the reader
};

/// One entry of a PAutomaC file, `(3,1) 0.25`.
struct Entry {
  std::vector<std::size_t> numbers = {};
  double value = 0;
  std::size_t line = 0;
};

class PautomacReader {
 public:
  PautomacReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  [[nodiscard]] NamedPdfa read() {
    read_sections();
    std::size_t states = 0;
    std::size_t symbols = 0;
    for (std::size_t s = 0; s < kSections.size(); ++s) {
      for (const Entry& entry : sections_[s]) {
        states = std::max(states, entry.numbers[0] + 1);
        if (entry.numbers.size() > 1) symbols = std::max(symbols, entry.numbers[1] + 1);
        if (entry.numbers.size() > 2) states = std::max(states, entry.numbers[2] + 1);
      }
    }
    if (states == 0) refuse(1, "a state", "none");
    if (states * (symbols + 1) > kMostEntries) refuse(1, "fewer states and symbols", "too many");
    Pdfa pdfa(symbols, states);
    set_initial(pdfa);
    set_rows(pdfa);
    set_transitions(pdfa);
    return {Alphabet::numbered(symbols), canonical(pdfa)};
  }

 private:
  static constexpr std::array<char, 4> kSections = {'I', 'F', 'S', 'T'};
  static constexpr std::array<std::size_t, 4> kNumbers = {1, 1, 2, 3};

  [[noreturn]] void refuse(std::size_t line, const std::string& expected,
                           const std::string& found) const {
    throw AutomatonFileError(file_,
                             fmt::format("line {}: expected {}, found {}", line, expected, found));
  }

  void read_sections() {
    std::optional<std::size_t> section;
    std::size_t line = 0;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      std::string_view content = text_.substr(at, end - at);
      at = end + 1;
      ++line;
      while (!content.empty() && (content.front() == ' ' || content.front() == '\t')) {
        content.remove_prefix(1);
      }
      while (!content.empty() && (content.back() == ' ' || content.back() == '\r')) {
        content.remove_suffix(1);
      }
      if (content.empty()) continue;
      if (content.size() > 1 && content[1] == ':') {
        const auto* const found = std::find(kSections.begin(), kSections.end(), content[0]);
        if (found == kSections.end()) refuse(line, "one of I: F: S: T:", std::string(content));
        section = static_cast<std::size_t>(found - kSections.begin());
      } else if (!section) {
        refuse(line, "I: (state)", "'" + std::string(content.substr(0, 40)) + "'");
      } else {
        sections_[*section].push_back(entry(content, kNumbers[*section], line));
      }
    }
  }

  [[nodiscard]] Entry entry(std::string_view content, std::size_t numbers, std::size_t line) const {
    const auto bad = [&] {
      refuse(line,
             fmt::format("({}) and a number from 0 to 1", numbers == 1   ? "state"
                                                          : numbers == 2 ? "state,symbol"
                                                                         : "state,symbol,state"),
             "'" + std::string(content.substr(0, 40)) + "'");
    };
    Entry result{.line = line};
    const char* at = content.data();
    const char* const end = content.data() + content.size();
    for (std::size_t i = 0; i < numbers; ++i) {
      if (at == end || *at != (i == 0 ? '(' : ',')) bad();
      std::size_t value = 0;
      const auto [next, error] = std::from_chars(at + 1, end, value);
      if (error != std::errc() || value >= kMostEntries) bad();
      result.numbers.push_back(value);
      at = next;
    }
    if (at == end || *at != ')') bad();
    ++at;
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    const auto [next, error] = std::from_chars(at, end, result.value);
    if (error != std::errc() || next != end || !(result.value >= 0 && result.value <= 1 + 1e-9)) {
      bad();
    }
    return result;
  }

  void set_initial(Pdfa& pdfa) const {
    std::optional<std::size_t> initial;
    for (const Entry& entry : sections_[0]) {
      if (entry.value == 0) continue;
      if (initial) {
        refuse(entry.line, "one initial state of a deterministic automaton", "a second one");
      }
      initial = entry.numbers[0];
    }
    if (!initial) refuse(1, "an initial state", "none");
    pdfa.set_initial(static_cast<LState>(*initial));
  }

  /// S is about words that go on; a file whose S and F add up to 1 means the joint probabilities.
  void set_rows(Pdfa& pdfa) const {
    const std::size_t k = pdfa.symbol_count();
    std::vector<double> rows(pdfa.size() * (k + 1), 0);
    for (const Entry& entry : sections_[1]) rows[entry.numbers[0] * (k + 1) + k] = entry.value;
    for (const Entry& entry : sections_[2]) {
      rows[entry.numbers[0] * (k + 1) + entry.numbers[1]] = entry.value;
    }
    for (std::size_t q = 0; q < pdfa.size(); ++q) {
      double* const row = rows.data() + q * (k + 1);
      double symbols = 0;
      for (std::size_t a = 0; a < k; ++a) symbols += row[a];
      const double end = row[k];
      const bool joint = std::abs(symbols + end - 1) <= kSumTolerance;
      if (!joint && std::abs(symbols - 1) > kSumTolerance) {
        throw AutomatonFileError(
            file_, fmt::format("S: state {}: expected probabilities with the sum 1, found {:.6g}",
                               q, symbols));
      }
      if (!joint) {
        for (std::size_t a = 0; a < k; ++a) row[a] *= 1 - end;
      }
      pdfa.set_row(static_cast<LState>(q), {row, k + 1});
    }
  }

  void set_transitions(Pdfa& pdfa) const {
    std::vector<bool> seen(pdfa.size() * pdfa.symbol_count(), false);
    for (const Entry& entry : sections_[3]) {
      if (entry.value == 0) continue;
      const std::size_t at = entry.numbers[0] * pdfa.symbol_count() + entry.numbers[1];
      if (seen[at]) {
        refuse(entry.line, "one successor, as of a deterministic automaton", "a second one");
      }
      seen[at] = true;
      pdfa.set_next(static_cast<LState>(entry.numbers[0]), static_cast<Symbol>(entry.numbers[1]),
                    static_cast<LState>(entry.numbers[2]));
    }
    for (std::size_t q = 0; q < pdfa.size(); ++q) {
      for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
        const bool possible = pdfa.probability(static_cast<LState>(q), static_cast<Symbol>(a)) > 0;
        if (possible && !seen[q * pdfa.symbol_count() + a]) {
          throw AutomatonFileError(
              file_,
              fmt::format("T: expected a successor of state {} by symbol {}, found none", q, a));
        }
      }
    }
  }

  std::string_view text_;
  const std::string& file_;  // outlives the reader
  std::array<std::vector<Entry>, 4> sections_;
};

std::string pautomac_text(const Pdfa& pdfa) {
  std::string initial = fmt::format("I: (state)\n\t({}) 1.0\n", index(pdfa.initial()));
  std::string ends = "F: (state)\n";
  std::string symbols = "S: (state,symbol)\n";
  std::string next = "T: (state,symbol,state)\n";
  for (std::size_t q = 0; q < pdfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    const double end = pdfa.end(state);
    ends += fmt::format("\t({}) {}\n", q, end);
    // Where every word ends, what would follow is not known: all alike.
    double rest = 0;
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) rest += pdfa.row(state)[a];
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      const double given = rest > 0 ? pdfa.probability(state, symbol) / rest
                                    : 1.0 / static_cast<double>(pdfa.symbol_count());
      symbols += fmt::format("\t({},{}) {}\n", q, a, given);
      next += fmt::format("\t({},{},{}) 1.0\n", q, a, index(pdfa.next(state, symbol)));
    }
  }
  return initial + ends + symbols + next;
}

std::string quoted(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}

std::string dot_text(const NamedPdfa& automaton) {
  const auto& [alphabet, pdfa] = automaton;
  std::string text = "digraph pdfa {\n";
  for (std::size_t q = 0; q < pdfa.size(); ++q) {
    text += fmt::format("  s{} [shape=\"circle\" label=\"s{}\\nend {:.3g}\"];\n", q, q,
                        pdfa.end(static_cast<LState>(q)));
  }
  text += fmt::format("  __start0 [label=\"\" shape=\"none\"];\n  __start0 -> s{};\n",
                      index(pdfa.initial()));
  for (std::size_t q = 0; q < pdfa.size(); ++q) {
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
      const auto state = static_cast<LState>(q);
      const auto symbol = static_cast<Symbol>(a);
      const double p = pdfa.probability(state, symbol);
      if (p == 0) continue;
      text += fmt::format("  s{} -> s{} [label=\"{}:{:.6g}\" penwidth=\"{:.2f}\"];\n", q,
                          index(pdfa.next(state, symbol)), quoted(alphabet.name(symbol)), p,
                          0.3 + 3.7 * p);
    }
  }
  return text + "}\n";
}

}  // namespace

PdfaFormat pdfa_format_of(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".json") return PdfaFormat::Json;
  if (extension == ".dot") return PdfaFormat::Dot;
  if (extension == ".pautomac" || extension == ".txt") return PdfaFormat::Pautomac;
  throw OptionError(path.string() +
                    ": expected a file name that ends with .json, .dot, .pautomac or .txt");
}

NamedPdfa parse_pdfa(std::string_view text, PdfaFormat format, const std::string& file) {
  switch (format) {
    case PdfaFormat::Json:
      return PdfaJsonReader(file).read(parse_json(
          text, 100, [&](const std::string& message) { throw AutomatonFileError(file, message); }));
    case PdfaFormat::Pautomac:
      return PautomacReader(text, file).read();
    case PdfaFormat::Dot:
      break;
  }
  throw AutomatonFileError(file, "expected a PDFA as .json, .pautomac or .txt, found .dot");
}

NamedPdfa read_pdfa_file(const std::filesystem::path& path) {
  const PdfaFormat format = pdfa_format_of(path);
  return parse_pdfa(read_file(path, kLargestPdfaFile), format, path.string());
}

nlohmann::ordered_json to_json(const NamedPdfa& automaton) {
  using Ordered = nlohmann::ordered_json;
  const auto& [alphabet, pdfa] = automaton;
  Ordered transitions = Ordered::array();
  Ordered probabilities = Ordered::array();
  for (std::size_t q = 0; q < pdfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    Ordered next = Ordered::array();
    for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
      next.push_back(index(pdfa.next(state, static_cast<Symbol>(a))));
    }
    transitions.push_back(std::move(next));
    const auto row = pdfa.row(state);
    probabilities.push_back(std::vector<double>(row.begin(), row.end()));
  }
  Ordered json;
  json["alphabet"] = alphabet.names();
  json["initial"] = index(pdfa.initial());
  json["transitions"] = std::move(transitions);
  json["probabilities"] = std::move(probabilities);
  return json;
}

std::string format_pdfa(const NamedPdfa& given, PdfaFormat format) {
  const NamedPdfa automaton{given.alphabet, canonical(given.pdfa)};
  switch (format) {
    case PdfaFormat::Dot:
      return dot_text(automaton);
    case PdfaFormat::Pautomac:
      return pautomac_text(automaton.pdfa);
    case PdfaFormat::Json:
      break;
  }
  const auto json = to_json(automaton);
  std::string text = "{\n  \"alphabet\": " + json["alphabet"].dump() +
                     ",\n  \"initial\": " + json["initial"].dump();
  for (const char* const name : {"transitions", "probabilities"}) {
    text += ",\n  \"" + std::string(name) + "\": [";
    const char* separator = "\n    ";
    for (const auto& row : json[name]) {
      text += separator + row.dump();
      separator = ",\n    ";
    }
    text += "\n  ]";
  }
  return text + "\n}\n";
}

}  // namespace rnnalf
