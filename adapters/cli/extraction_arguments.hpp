#pragma once

#include "command_line.hpp"
#include "rnnalf/network/presentation.hpp"
#include "rnnalf/report/picture.hpp"
#include "rnnalf/run/options.hpp"

namespace rnnalf::cli {

/// Declares the options of one extraction. Samples are not among them: their words need an
/// alphabet.
void add_extraction_options(CommandLine& line, ExtractionOptions& options);

/// The same without --learner, --oracle, --method and --preset, which a comparison varies, and
/// without proofs and plots.
void add_common_extraction_options(CommandLine& line, ExtractionOptions& options);

/// What people read about an option of the table; the default of a chain of oracles is short: their
/// names.
[[nodiscard]] OptionText extraction_option_text(std::string_view option,
                                                const ExtractionOptions& options);

/// Declares how automata are drawn.
void add_picture_options(CommandLine& line, PictureOptions& options);

/// Throws UsageError when words are shown with tokens: certificates are about words as they are
/// read.
void refuse_tokens(const Tokens& tokens);

}  // namespace rnnalf::cli
