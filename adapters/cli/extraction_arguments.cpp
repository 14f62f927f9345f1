#include "extraction_arguments.hpp"

#include <algorithm>
#include <array>

#include "rnnalf/libalf/learners.hpp"

namespace rnnalf::cli {
namespace {

/// What a comparison varies, and what it has no place for.
constexpr std::array<std::string_view, 6> kNotCompared = {"learner", "oracle",  "method",
                                                          "preset",  "certify", "plotted-r-states"};

}  // namespace

OptionText extraction_option_text(std::string_view option, const ExtractionOptions& options) {
  OptionText text = text_of(field_of(ExtractionOptions::table(), option), options);
  if (option == "oracle") {
    text.default_value = oracles_text(options.oracles, Parameters::GivenAlone);
  }
  return text;
}

void add_extraction_options(CommandLine& line, ExtractionOptions& options) {
  for (const OptionField<ExtractionOptions>& field : ExtractionOptions::table()) {
    if (field.name == "oracle") {
      line.option(extraction_option_text(field.name, options),
                  [&field, &options](std::string_view text) { field.read(options, text); });
    } else {
      line.option(field, options);
    }
  }
  line.check([&options] {
    validate(options);
    require_learner(options.learner);
  });
}

void add_common_extraction_options(CommandLine& line, ExtractionOptions& options) {
  for (const OptionField<ExtractionOptions>& field : ExtractionOptions::table()) {
    const bool left_out =
        std::find(kNotCompared.begin(), kNotCompared.end(), field.name) != kNotCompared.end();
    if (!left_out) line.option(field, options);
  }
}

void add_picture_options(CommandLine& line, PictureOptions& options) {
  line.option("sinks", "M",
              "how pictures show rejecting states that no word leaves: dimmed, hidden or shown",
              Choice<Sinks>{
                  {{"dimmed", Sinks::Dimmed}, {"hidden", Sinks::Hidden}, {"shown", Sinks::Shown}}},
              options.sinks);
}

void refuse_tokens(const Tokens& tokens) {
  if (tokens.none()) return;
  throw UsageError(
      "--begin, --end, --over: a certificate is about words as the network reads them; expected "
      "none of these, found some (--letters of certify says which letters words have)");
}

}  // namespace rnnalf::cli
