#include "extraction_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rnnalf/libalf/learners.hpp"

namespace rnnalf::cli {
namespace {

/// Options that say something about learners and oracles alone; baselines have neither.
constexpr std::array kForLearners = {"preset",      "learner",     "oracle",
                                     "oracle-mode", "max-queries", "max-rounds"};

constexpr std::array<std::string_view, 4> kVaried = {"learner", "oracle", "method", "preset"};

void check_method(const CommandLine& line, const MethodSpec& method) {
  if (method.method == Method::AbstractionRefinement) return;
  for (const char* const option : kForLearners) {
    if (!line.given(option)) continue;
    throw UsageError(fmt::format("--method {} has no learner and no oracles; leave --{} out",
                                 method.text(), option));
  }
}

}  // namespace

void refuse_with_preset(const CommandLine& line, const std::string& option) {
  if (!line.given(option)) return;
  throw UsageError(
      fmt::format("--preset paper says which learner and oracles to use; leave --{} out", option));
}

std::string help_with_default(std::string_view option, const ExtractionOptions& options) {
  for (const OptionField<ExtractionOptions>& field : ExtractionOptions::table()) {
    if (field.name != option) continue;
    const std::string value = option == "oracle"
                                  ? oracles_text(options.oracles, Parameters::GivenAlone)
                                  : field.text(options);
    return fmt::format("{} (default: {})", field.help, value);
  }
  return "";
}

void add_extraction_options(CommandLine& line, ExtractionOptions& options) {
  for (const OptionField<ExtractionOptions>& field : ExtractionOptions::table()) {
    if (field.name == "oracle") {
      line.option(field.name, field.value, help_with_default(field.name, options),
                  [&field, &options](std::string_view text) { field.read(options, text); });
    } else {
      line.option(field, options);
    }
  }
  line.check([&line, &options] {
    if (options.preset == Preset::Paper) {
      for (const char* const option : {"learner", "oracle", "oracle-mode"}) {
        refuse_with_preset(line, option);
      }
      use_paper_preset(options);
    }
    check_method(line, options.method);
    require_learner(options.learner);
  });
}

void add_common_extraction_options(CommandLine& line, ExtractionOptions& options) {
  for (const OptionField<ExtractionOptions>& field : ExtractionOptions::table()) {
    const bool varied = std::find(kVaried.begin(), kVaried.end(), field.name) != kVaried.end();
    if (!varied) line.option(field, options);
  }
}

void refuse_tokens(const Tokens& tokens) {
  if (tokens.none()) return;
  throw UsageError(
      "--begin, --end, --over: a certificate is about words as the network reads them; expected "
      "none of these, found some (--letters of certify says which letters words have)");
}

}  // namespace rnnalf::cli
