#include "rnnalf/automaton/dfa_file.hpp"

#include <fmt/core.h>

#include <array>
#include <stdexcept>

#include "rnnalf/automaton/dfa_builder.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"

namespace rnnalf {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"dot", "json", "alf"};
constexpr std::size_t kLargestFile = std::size_t{256} << 20U;

}  // namespace

std::string_view name(DfaFormat format) noexcept {
  return kNames[static_cast<std::size_t>(format)];
}

std::optional<DfaFormat> dfa_format_from_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<DfaFormat>(i);
  }
  return std::nullopt;
}

DfaFormat dfa_format_of(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".gv") return DfaFormat::Dot;
  if (!extension.empty()) {
    if (const auto format = dfa_format_from_name(std::string_view(extension).substr(1))) {
      return *format;
    }
  }
  throw OptionError(path.string() + ": expected a name ending in .dot, .json or .alf, found " +
                    (extension.empty() ? "no extension" : extension));
}

DfaFile read_dfa_file(const std::filesystem::path& path) {
  return read_dfa_file(path, dfa_format_of(path));
}

DfaFile read_dfa_file(const std::filesystem::path& path, DfaFormat format) {
  return parse_dfa(read_file(path, kLargestFile), format, path.string());
}

DfaFile parse_dfa(std::string_view text, DfaFormat format, const std::string& file) {
  switch (format) {
    case DfaFormat::Dot:
      return detail::parse_dot(text, file);
    case DfaFormat::Json:
      return detail::parse_json(text, file);
    case DfaFormat::Alf:
      return detail::parse_alf(text, file);
  }
  throw std::invalid_argument("parse_dfa: no such format");
}

std::string note_on(const DfaFile& file) {
  if (file.missing_transitions == 0) return "";
  return fmt::format("{}: note: {} transitions are missing (first: {}); they now lead to a {}",
                     file.file, file.missing_transitions, file.first_missing,
                     file.automaton.dfa.is_moore()
                         ? "state of class " + file.automaton.classes.name(Answer{0})
                         : "rejecting state");
}

Dfa over_alphabet(const DfaFile& file, const Alphabet& alphabet, std::size_t answer_count,
                  const ClassNames& classes) {
  const NamedDfa& given = file.automaton;
  try {
    const NamedDfa automaton{given.alphabet, renumber_answers(given, answer_count, classes)};
    if (file.has_names) return reorder(automaton, alphabet);
    if (given.alphabet.size() != alphabet.size()) {
      throw OptionError(
          fmt::format("expected {} symbols, found {}", alphabet.size(), given.alphabet.size()));
    }
    return automaton.dfa;
  } catch (const OptionError& error) {
    throw AutomatonFileError(file.file, error.what());
  }
}

std::string format_dfa(const NamedDfa& automaton, DfaFormat format) {
  const NamedDfa numbered{automaton.alphabet, canonical(automaton.dfa), automaton.classes};
  switch (format) {
    case DfaFormat::Dot:
      return detail::format_dot(numbered);
    case DfaFormat::Json:
      return detail::format_json(numbered);
    case DfaFormat::Alf:
      return detail::format_alf(numbered.dfa);
  }
  throw std::invalid_argument("format_dfa: no such format");
}

}  // namespace rnnalf
