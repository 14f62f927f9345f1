#include "extraction_arguments.hpp"

#include "network_options.hpp"
#include "rnnalf/libalf/learners.hpp"

namespace rnnalf::cli {
namespace {

/// What help says of an option's default; nothing of those that are off or open.
std::string default_text(const OptionField<ExtractionOptions>& field) {
  if (field.value.empty()) return "";
  if (field.name == "oracle") return " (default: samples,abstraction,pumping,random)";
  if (field.name == "threads") return " (default: 0)";
  const std::string text = field.text(ExtractionOptions{});
  return text == "none" ? "" : " (default: " + text + ")";
}

}  // namespace

std::vector<Option> with_extraction_options(std::vector<Option> more) {
  std::vector<Option> options;
  for (const auto& field : ExtractionOptions::table()) {
    options.push_back({field.name, field.value, field.help + default_text(field)});
  }
  options.insert(options.end(), more.begin(), more.end());
  return with_network_options(std::move(options));
}

ExtractionOptions extraction_options(const Arguments& arguments, PresetDecides preset_decides) {
  ExtractionOptions options;
  const auto read = [&](const OptionField<ExtractionOptions>& field) {
    const auto text = arguments.value(field.name);
    if (!text) return;
    try {
      field.read(options, field.value.empty() ? "true" : *text);
    } catch (const OptionError& error) {
      throw UsageError("--" + field.name + ": " + error.what());
    }
  };
  for (const auto& field : ExtractionOptions::table()) {
    if (field.name == "preset") read(field);
  }
  if (options.preset == Preset::Paper) {
    const bool all = preset_decides == PresetDecides::All;
    for (const std::string_view option : {"learner", "oracle", "oracle-mode"}) {
      if (arguments.has(option) && (all || option == "oracle-mode")) {
        throw UsageError("--preset paper says which learner and oracles to use; leave --" +
                         std::string(option) + " out");
      }
    }
    options = paper_options();
  }
  for (const auto& field : ExtractionOptions::table()) {
    if (field.name != "preset") read(field);
  }
  if (options.method.method != Method::AbstractionRefinement) {
    for (const std::string_view option : kForLearners) {
      if (arguments.has(option)) {
        throw UsageError("--method " + options.method.text() +
                         " has no learner and no oracles; leave --" + std::string(option) + " out");
      }
    }
  }
  require_learner(options.learner);
  return options;
}

}  // namespace rnnalf::cli
