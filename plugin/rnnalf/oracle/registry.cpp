#include "rnnalf/oracle/registry.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/abstraction_oracle.hpp"
#include "rnnalf/oracle/exhaustive_oracle.hpp"
#include "rnnalf/oracle/margin_oracle.hpp"
#include "rnnalf/oracle/pac_oracle.hpp"
#include "rnnalf/oracle/pumping_oracle.hpp"
#include "rnnalf/oracle/random_oracle.hpp"
#include "rnnalf/oracle/random_w_oracle.hpp"
#include "rnnalf/oracle/samples_oracle.hpp"
#include "rnnalf/oracle/state_prefix_oracle.hpp"
#include "rnnalf/oracle/transition_focus_oracle.hpp"
#include "rnnalf/oracle/w_method_oracle.hpp"

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

/// Enumerators by name, in the order in which a message lists them.
template <class Enum>
using Names = std::vector<std::pair<std::string_view, Enum>>;

const Names<RandomMode>& names_of(RandomMode) {
  static const Names<RandomMode> names = {{"increasing", RandomMode::Increasing},
                                          {"uniform", RandomMode::Uniform}};
  return names;
}

const Names<LengthDistribution>& names_of(LengthDistribution) {
  static const Names<LengthDistribution> names = {{"uniform", LengthDistribution::Uniform},
                                                  {"geometric", LengthDistribution::Geometric}};
  return names;
}

template <class Enum>
requires std::is_enum_v<Enum>
void read_value(std::string_view text, Enum& value) {
  std::string known;
  for (const auto& [name, enumerator] : names_of(value)) {
    if (name == text) {
      value = enumerator;
      return;
    }
    known += known.empty() ? "" : " or ";
    known += name;
  }
  throw OptionError("expected " + known + ", found '" + std::string(text) + "'");
}

std::string value_text(std::size_t value) {
  return std::to_string(value);
}

std::string value_text(double value) {
  std::ostringstream text;  // the shortest form, unlike std::to_string
  text << value;
  return text.str();
}

template <class Enum>
requires std::is_enum_v<Enum> std::string value_text(Enum value) {
  for (const auto& [name, enumerator] : names_of(value)) {
    if (enumerator == value) return std::string(name);
  }
  return {};
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
       field("all", &RandomOptions::all,
             "lengths with no more words up to them are tested completely"),
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
  kinds.push_back(register_kind<StatePrefixOptions>(
      "state-prefix", "random walks from every state of the hypothesis, the newest states first",
      {field("walks", &StatePrefixOptions::walks, "walks from each state, over the whole run"),
       field("length", &StatePrefixOptions::length, "symbols of a walk")},
      [](const OracleContext& context, const StatePrefixOptions& given) {
        StatePrefixOptions options = given;
        options.seed = stream(context.seed, "state-prefix");
        return std::make_unique<StatePrefixOracle>(context.tree, options);
      }));
  kinds.push_back(register_kind<TransitionFocusOptions>(
      "transition-focus", "random walks that mostly change the state of the hypothesis",
      {field("walks", &TransitionFocusOptions::walks, "walks per query"),
       field("length", &TransitionFocusOptions::length, "symbols of a walk"),
       field("same-state", &TransitionFocusOptions::same_state,
             "chance of a symbol that stays in the state")},
      [](const OracleContext& context, const TransitionFocusOptions& given) {
        TransitionFocusOptions options = given;
        options.seed = stream(context.seed, "transition-focus");
        return std::make_unique<TransitionFocusOracle>(context.tree, options);
      }));
  kinds.push_back(register_kind<RandomWOptions>(
      "random-w", "an access word, a random walk and a distinguishing suffix",
      {field("walks", &RandomWOptions::walks, "walks from each state, over the whole run"),
       field("length", &RandomWOptions::length, "most symbols of a walk")},
      [](const OracleContext& context, const RandomWOptions& given) {
        RandomWOptions options = given;
        options.seed = stream(context.seed, "random-w");
        return std::make_unique<RandomWOracle>(context.tree, options);
      }));
  kinds.push_back(register_kind<WMethodOptions>(
      "w-method", "Chow's test words: complete for networks with few extra states",
      {field("extra-states", &WMethodOptions::extra_states,
             "states that the network may have beyond the hypothesis")},
      [](const OracleContext& context, const WMethodOptions& options) {
        return std::make_unique<WMethodOracle>(context.tree, options);
      }));
  kinds.push_back(register_kind<WMethodOptions>(
      "wp-method", "the same promise as w-method with fewer words",
      {field("extra-states", &WMethodOptions::extra_states,
             "states that the network may have beyond the hypothesis")},
      [](const OracleContext& context, const WMethodOptions& options) {
        return std::make_unique<WpMethodOracle>(context.tree, options);
      }));
  kinds.push_back(register_kind<ExhaustiveOptions>(
      "exhaustive", "all words, length by length",
      {field("max-length", &ExhaustiveOptions::max_length, "symbols of a word"),
       field("words", &ExhaustiveOptions::words,
             "a length that would make it more words than this is not begun")},
      [](const OracleContext& context, const ExhaustiveOptions& options) {
        return std::make_unique<ExhaustiveOracle>(context.tree, options);
      }));
  kinds.push_back(register_kind<PacOptions>(
      "pac", "independent random words, as many as a PAC claim needs",
      {field("epsilon", &PacOptions::epsilon, "share of words that may differ"),
       field("delta", &PacOptions::delta, "chance that the claim is wrong"),
       field("distribution", &PacOptions::distribution,
             "of lengths: uniform from 0 to length, or geometric with mean length"),
       field("length", &PacOptions::length, "symbols")},
      [](const OracleContext& context, const PacOptions& given) {
        PacOptions options = given;
        options.seed = stream(context.seed, "pac");
        return std::make_unique<PacOracle>(context.tree, options);
      }));
  kinds.push_back(register_kind<MarginOptions>(
      "margin", "words on which the network's score is nearest to its threshold",
      {field("beam", &MarginOptions::beam, "words of each length that are followed"),
       field("max-length", &MarginOptions::max_length, "symbols of a word")},
      [](const OracleContext& context, const MarginOptions& options) {
        return std::make_unique<MarginOracle>(context.tree, options);
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

namespace {

/// Tells whoever watches the run that it is this oracle's turn. The names of the oracles made here
/// are literals, as Progress wants them.
class Announced final : public EquivalenceOracle {
 public:
  /// The tree outlives this.
  Announced(OraclePtr oracle, StateTree& tree) : oracle_(std::move(oracle)), tree_(tree) {}

  [[nodiscard]] std::string_view name() const override { return oracle_->name(); }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override {
    tree_.announce(oracle_->name().data());
    return oracle_->find(hypothesis, budget);
  }

 private:
  OraclePtr oracle_;
  StateTree& tree_;
};

}  // namespace

OraclePtr OracleChain::make(const OracleContext& context, OracleMode mode) const {
  std::vector<OraclePtr> oracles;
  for (const Maker& maker : makers_) {
    oracles.push_back(std::make_unique<Announced>(maker(context), context.tree));
  }
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
