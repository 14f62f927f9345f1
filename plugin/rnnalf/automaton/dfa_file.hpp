#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "rnnalf/automaton/named_dfa.hpp"

namespace rnnalf {

/// The forms an automaton file can have.
///   Dot   Graphviz, with the conventions of LearnLib/AutomataLib and AALpy for the initial state
///         (`__start0`), accepting states (`doublecircle`) and classes of a Moore machine (a label
///         `s0 / 3`, or `s0|3`), by number or by name; named classes have the numbers that an
///         attribute `class` of all states gives them, else those of their first appearance
///   Json  the "dfa" object of an extraction, or a whole extraction
///   Alf   the text of libalf's finite_automaton::write or moore_machine<int>::write; it has letter
///         numbers and no names
enum class DfaFormat : std::uint8_t { Dot, Json, Alf };

/// `dot`, `json`, `alf`: the extension without its dot.
[[nodiscard]] std::string_view name(DfaFormat format) noexcept;
[[nodiscard]] std::optional<DfaFormat> dfa_format_from_name(std::string_view name) noexcept;

/// The format that the extension of `path` says. Throws OptionError for any other extension.
[[nodiscard]] DfaFormat dfa_format_of(const std::filesystem::path& path);

/// What reading an automaton file gave.
struct DfaFile {
  std::string file;  ///< for messages
  NamedDfa automaton;
  bool has_names = true;  ///< false: the file has letter numbers only, the alphabet is 0 .. k-1

  /// Transitions that the file left out. They lead to a rejecting state that was added, which is
  /// what a partial automaton means; say so to the user.
  std::size_t missing_transitions = 0;
  std::string first_missing;  ///< such as "state 's2', symbol '1'"
};

/// Reads a file whose extension says the format. Throws AutomatonFileError (file, line, expected,
/// found) for everything that is not a deterministic automaton, whatever the bytes are, and
/// FileError when the file cannot be read at all.
[[nodiscard]] DfaFile read_dfa_file(const std::filesystem::path& path);
[[nodiscard]] DfaFile read_dfa_file(const std::filesystem::path& path, DfaFormat format);

/// The same from text; `file` is used in messages.
[[nodiscard]] DfaFile parse_dfa(std::string_view text, DfaFormat format, const std::string& file);

/// The file's automaton over a given alphabet and with the answers that a network gives, which are
/// called `classes` where they have names. Symbols and classes are matched by name, and by number
/// where the file has no names. Throws AutomatonFileError when they do not fit.
[[nodiscard]] Dfa over_alphabet(const DfaFile& file, const Alphabet& alphabet,
                                std::size_t answer_count = 2, const ClassNames& classes = {});

/// What a user should be told about the file, in one sentence; empty: nothing.
[[nodiscard]] std::string note_on(const DfaFile& file);

/// The text of a file. States are numbered breadth first and unreachable ones left out, so equal
/// automata are equal text.
[[nodiscard]] std::string format_dfa(const NamedDfa& automaton, DfaFormat format);

}  // namespace rnnalf
