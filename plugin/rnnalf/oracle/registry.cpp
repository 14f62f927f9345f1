#include "rnnalf/oracle/registry.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <sstream>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/abstraction_oracle.hpp"
#include "rnnalf/oracle/pumping_oracle.hpp"
#include "rnnalf/oracle/random_oracle.hpp"
#include "rnnalf/oracle/samples_oracle.hpp"

namespace rnnalf {
namespace {

// ---------------------------------------------------------------- values of parameters

void read_value(std::string_view text, std::size_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    throw OptionError("expected a whole number, found '" + std::string(text) + "'");
  }
}

void read_value(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    throw OptionError("expected a number, found '" + std::string(text) + "'");
  }
}

void read_value(std::string_view text, RandomMode& value) {
  if (text == "increasing") {
    value = RandomMode::Increasing;
  } else if (text == "uniform") {
    value = RandomMode::Uniform;
  } else {
    throw OptionError("expected increasing or uniform, found '" + std::string(text) + "'");
  }
}

std::string value_text(std::size_t value) {
  return std::to_string(value);
}

std::string value_text(double value) {
  std::ostringstream text;  // the shortest form, unlike std::to_string
  text << value;
  return text.str();
}

std::string value_text(RandomMode value) {
  return value == RandomMode::Increasing ? "increasing" : "uniform";
}

// ---------------------------------------------------------------- kinds of oracles

/// One field of an options aggregate under its command line name.
template <class Options>
struct Field {
  std::string name;
  std::string meaning;
  std::function<void(Options&, std::string_view)> read;
  std::function<std::string(const Options&)> text;
};

template <class Options, class Value>
Field<Options> field(std::string name, Value Options::*member, std::string meaning) {
  return {std::move(name), std::move(meaning),
          [member](Options& options, std::string_view text) { read_value(text, options.*member); },
          [member](const Options& options) { return value_text(options.*member); }};
}

/// A field of an aggregate that is itself a part of the options.
template <class Options, class Part, class Value>
Field<Options> field(std::string name, Part Options::*part, Value Part::*member,
                     std::string meaning) {
  return {std::move(name), std::move(meaning),
          [part, member](Options& options, std::string_view text) {
            read_value(text, (options.*part).*member);
          },
          [part, member](const Options& options) { return value_text((options.*part).*member); }};
}

using Setting = std::pair<std::string, std::string>;

struct ParsedOracle {
  OracleChain::Maker make;
  std::string text;
};

struct RegisteredKind {
  OracleKind kind;
  std::function<ParsedOracle(std::span<const Setting>)> parse;
};

template <class Options>
using MakeOracle = std::function<OraclePtr(const OracleContext&, const Options&)>;

[[noreturn]] void refuse_parameter(const OracleKind& kind, const std::string& found) {
  std::string message = kind.name + ": no parameter '" + found + "'; it has ";
  for (const OracleParameter& parameter : kind.parameters) message += parameter.name + ", ";
  throw OptionError(message + "time");
}

template <class Options>
RegisteredKind register_kind(std::string name, std::string summary,
                             std::vector<Field<Options>> fields, MakeOracle<Options> make) {
  OracleKind kind{std::move(name), std::move(summary), {}};
  for (const Field<Options>& f : fields) {
    kind.parameters.push_back({f.name, f.text(Options{}), f.meaning});
  }
  const auto parse = [kind, fields = std::move(fields),
                      make = std::move(make)](std::span<const Setting> settings) -> ParsedOracle {
    Options options;
    std::optional<double> seconds;
    for (const auto& [parameter, value] : settings) {
      // Captured under a name of its own: clang 14 cannot capture a structured binding.
      const auto found =
          std::find_if(fields.begin(), fields.end(),
                       [&name = parameter](const Field<Options>& f) { return f.name == name; });
      if (found == fields.end() && parameter != "time") refuse_parameter(kind, parameter);
      try {
        if (found != fields.end()) {
          found->read(options, value);
        } else {
          read_value(value, seconds.emplace());
          if (!(*seconds > 0)) throw OptionError("expected seconds above 0, found " + value);
        }
      } catch (const OptionError& error) {
        throw OptionError(kind.name + ": " + parameter + ": " + error.what());
      }
    }
    validate(options);
    std::string text = kind.name;
    for (const Field<Options>& f : fields) text += ":" + f.name + "=" + f.text(options);
    if (seconds) text += ":time=" + value_text(*seconds);
    return {[make, options, seconds](const OracleContext& context) -> OraclePtr {
              OraclePtr oracle = make(context, options);
              if (!seconds) return oracle;
              return std::make_unique<TimeBoxed>(std::move(oracle),
                                                 std::chrono::duration<double>(*seconds));
            },
            std::move(text)};
  };
  return {kind, parse};
}

/// Oracles of one run draw from streams of their own, whatever their place in the chain.
std::uint64_t stream(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return seed ^ hash;
}

std::vector<RegisteredKind> make_registry() {
  std::vector<RegisteredKind> kinds;
  kinds.push_back(register_kind<SamplesOptions>(
      "samples", "given words, else the shortest accepted and rejected word that a search finds",
      {field("shortest-first", &SamplesOptions::search, &SampleSearchOptions::shortest_first,
             "words the search tries in order of length"),
       field("random", &SamplesOptions::search, &SampleSearchOptions::random, "then random words"),
       field("beam", &SamplesOptions::search, &SampleSearchOptions::beam,
             "then, of each length, this many words with the best score"),
       field("max-length", &SamplesOptions::search, &SampleSearchOptions::max_length,
             "symbols of random words and of the beam")},
      [](const OracleContext& context, const SamplesOptions& given) {
        SamplesOptions options = given;
        options.words = context.samples;
        options.search.seed = stream(context.seed, "samples");
        return std::make_unique<SamplesOracle>(context.tree, std::move(options));
      }));
  kinds.push_back(register_kind<AbstractionOptions>(
      "abstraction", "the paper's: hypothesis and network abstraction walked in lockstep",
      {field("depth", &AbstractionOptions::refine, &RefineOptions::initial_split_depth,
             "dimensions cut by the first refinement"),
       field("depth-limit", &AbstractionOptions::depth_limit,
             "up to which the depth is raised when the walk ended too early; depth or less: never"),
       field("samples", &AbstractionOptions::samples, "random words that tell whether it did"),
       field("svm-cost", &AbstractionOptions::refine, &RefineOptions::svm_cost,
             "C of later splits"),
       field("svm-gamma", &AbstractionOptions::refine, &RefineOptions::svm_gamma,
             "their gamma; 0: 1 / state size")},
      [](const OracleContext& context, const AbstractionOptions& given) {
        AbstractionOptions options = given;
        options.seed = stream(context.seed, "abstraction");
        return std::make_unique<AbstractionOracle>(context.tree, options, context.exploration);
      }));
  kinds.push_back(register_kind<PumpingOptions>(
      "pumping", "words p u^k s: loops of the hypothesis and random ones, walked many times",
      {field("words", &PumpingOptions::words, "words per query"),
       field("max-length", &PumpingOptions::max_length, "symbols of a word"),
       field("max-loop", &PumpingOptions::max_loop, "symbols of a loop")},
      [](const OracleContext& context, const PumpingOptions& given) {
        PumpingOptions options = given;
        options.seed = stream(context.seed, "pumping");
        return std::make_unique<PumpingOracle>(context.tree, context.alphabet, options);
      }));
  kinds.push_back(register_kind<RandomOptions>(
      "random", "random words of each length, uniform and along the hypothesis",
      {field("per-length", &RandomOptions::per_length, "words of each length"),
       field("max-length", &RandomOptions::max_length, "symbols of a word"),
       field(
           "guided", &RandomOptions::guided,
           "share drawn along the hypothesis and edited; 0: uniform words alone, as in the paper"),
       field("mode", &RandomOptions::mode,
             "increasing: short lengths first; uniform: lengths drawn uniformly")},
      [](const OracleContext& context, const RandomOptions& given) {
        RandomOptions options = given;
        options.seed = stream(context.seed, "random");
        return std::make_unique<RandomOracle>(context.tree, options);
      }));
  return kinds;
}

const std::vector<RegisteredKind>& registry() {
  static const std::vector<RegisteredKind> kinds = make_registry();
  return kinds;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

ParsedOracle parse_oracle(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  const auto found = std::find_if(registry().begin(), registry().end(), [&](const auto& entry) {
    return entry.kind.name == parts.front();
  });
  if (found == registry().end()) {
    std::string message = "oracle: no oracle '" + std::string(parts.front()) + "'; there are ";
    for (const OracleKind& kind : oracle_kinds()) {
      message += kind.name;
      message += &kind == &oracle_kinds().back() ? "" : ", ";
    }
    throw OptionError(message);
  }
  std::vector<Setting> settings;
  for (const std::string_view part : std::span(parts).subspan(1)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      throw OptionError(found->kind.name + ": expected parameter=value, found '" +
                        std::string(part) + "'");
    }
    settings.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  return found->parse(settings);
}

}  // namespace

std::span<const OracleKind> oracle_kinds() {
  static const std::vector<OracleKind> kinds = [] {
    std::vector<OracleKind> result;
    for (const RegisteredKind& entry : registry()) result.push_back(entry.kind);
    return result;
  }();
  return kinds;
}

OraclePtr OracleChain::make(const OracleContext& context, OracleMode mode) const {
  std::vector<OraclePtr> oracles;
  for (const Maker& maker : makers_) oracles.push_back(maker(context));
  if (mode == OracleMode::Shortest) return std::make_unique<ShortestOf>(std::move(oracles));
  return std::make_unique<FirstOf>(std::move(oracles));
}

OracleChain parse_oracles(std::string_view spec) {
  std::vector<OracleChain::Maker> makers;
  std::string text;
  for (const std::string_view part : split(spec, ',')) {
    ParsedOracle oracle = parse_oracle(part);
    makers.push_back(std::move(oracle.make));
    text += (text.empty() ? "" : ",") + oracle.text;
  }
  return {std::move(makers), std::move(text)};
}

}  // namespace rnnalf
