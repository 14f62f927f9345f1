#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "rnnalf/language_model/pdfa.hpp"

namespace rnnalf {

/// The forms a file of a PDFA can have.
///   Json      the "pdfa" object of an extraction; when reading, also a whole extraction
///   Dot       Graphviz: every transition of a probability above 0, `a:0.25`, as thick as it is
///             likely; written only
///   Pautomac  the model files of the PAutomaC competition; symbols are numbers. Their `S` is the
///             probability of a symbol given that the word continues
enum class PdfaFormat : std::uint8_t { Json, Dot, Pautomac };

/// By the extension: `.json`, `.dot`, `.pautomac` or `.txt`. Throws OptionError for any other.
[[nodiscard]] PdfaFormat pdfa_format_of(const std::filesystem::path& path);

/// Throws AutomatonFileError (file, place, expected, found) for everything that is not a PDFA.
[[nodiscard]] NamedPdfa parse_pdfa(std::string_view text, PdfaFormat format,
                                   const std::string& file);
/// Throws FileError, too, when the file cannot be read.
[[nodiscard]] NamedPdfa read_pdfa_file(const std::filesystem::path& path);

/// The text of a file; states are numbered breadth first.
[[nodiscard]] std::string format_pdfa(const NamedPdfa& automaton, PdfaFormat format);

}  // namespace rnnalf
