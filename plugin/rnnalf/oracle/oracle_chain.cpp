#include "rnnalf/oracle/oracle_chain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/fnv.hpp"
#include "rnnalf/base/suggestion.hpp"

namespace rnnalf {
namespace {

/// Calls `action` with default options of every kind of oracle, in the order of the variant.
template <std::size_t I = 0, class Action>
void for_each_kind(const Action& action) {
  if constexpr (I < std::variant_size_v<AnyOracleOptions>) {
    action(std::variant_alternative_t<I, AnyOracleOptions>{});
    for_each_kind<I + 1>(action);
  }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return parts;
    begin = end + 1;
  }
}

template <class Options>
const OptionField<Options>* find_field(const std::vector<OptionField<Options>>& table,
                                       std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const auto& field) { return field.name == name; });
  return found == table.end() ? nullptr : &*found;
}

/// A suggestion, or nothing, as the end of a sentence.
std::string ended(const std::string& hint) {
  return hint.empty() ? "." : hint;
}

/// Reads a parameter of this kind of oracle, or one that all have.
template <class Options>
void read_parameter(std::string_view parameter, OracleOptions& oracle) {
  const std::string kind(Options::kName);
  const std::size_t equals = parameter.find('=');
  if (equals == std::string_view::npos) {
    throw OptionError(kind + ": expected parameter=value, found '" + std::string(parameter) + "'");
  }
  const std::string name(parameter.substr(0, equals));
  const std::string_view value = parameter.substr(equals + 1);
  if (const auto* const own = find_field(Options::table(), name)) {
    naming(kind + ": " + name, [&] { own->read(std::get<Options>(oracle.kind), value); });
  } else if (const auto* const common = find_field(OracleOptions::table(), name)) {
    naming(kind + ": " + name, [&] { common->read(oracle, value); });
  } else {
    std::vector<std::string_view> known;
    for (const auto& field : Options::table()) known.push_back(field.name);
    for (const auto& field : OracleOptions::table()) known.push_back(field.name);
    throw OptionError(fmt::format("{}: no parameter '{}'{} It has {}", kind, name,
                                  ended(suggestion("", name, known)), fmt::join(known, ", ")));
  }
}

OracleOptions parse_oracle(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  std::optional<OracleOptions> parsed;
  std::vector<std::string_view> known;
  for_each_kind([&]<class Options>(const Options& defaults) {
    known.push_back(Options::kName);
    if (Options::kName != parts.front()) return;
    parsed = OracleOptions{defaults, std::nullopt};
    for (std::size_t i = 1; i < parts.size(); ++i) read_parameter<Options>(parts[i], *parsed);
    check_all(Options::table(), std::get<Options>(parsed->kind),
              std::string(Options::kName) + ": ");
  });
  if (!parsed) {
    throw OptionError(fmt::format("oracle: no oracle '{}'{} There are {}", parts.front(),
                                  ended(suggestion("", parts.front(), known)),
                                  fmt::join(known, ", ")));
  }
  return *std::move(parsed);
}

/// Tells those who watch the run that it is this oracle's turn. Names of oracles are literals, as
/// Progress wants them.
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

std::uint64_t OracleContext::seed_of(std::string_view oracle) const {
  if (earlier == 0) return seed ^ fnv1a(oracle);
  return seed ^ fnv1a(fmt::format("{} {}", oracle, earlier + 1));
}

const std::vector<OptionField<OracleOptions>>& OracleOptions::table() {
  static const std::vector<OptionField<OracleOptions>> fields = {
      option("time", "", kTimesOfOracles, &OracleOptions::time,
             "the most that a query may take, such as 500ms or 2s; results depend on the machine "
             "then")};
  return fields;
}

OracleChain default_oracles() {
  return {{SamplesOptions{}, {}},
          {AbstractionOptions{}, {}},
          {PumpingOptions{}, {}},
          {RandomOptions{}, {}}};
}

std::string_view name(const OracleOptions& oracle) {
  return std::visit([](const auto& options) { return options.kName; }, oracle.kind);
}

OraclePtr make_oracle(const OracleOptions& options, const OracleContext& context) {
  OraclePtr oracle = std::visit(
      [&](const auto& kind) -> OraclePtr { return make_oracle(kind, context); }, options.kind);
  if (options.time) oracle = std::make_unique<TimeBoxed>(std::move(oracle), *options.time);
  return std::make_unique<Announced>(std::move(oracle), context.tree);
}

OraclePtr combined(std::vector<OraclePtr> oracles, OracleMode mode) {
  if (mode == OracleMode::Shortest) return std::make_unique<ShortestOf>(std::move(oracles));
  return std::make_unique<FirstOf>(std::move(oracles));
}

std::vector<OraclePtr> make_oracles(const OracleChain& chain, OracleContext context) {
  std::vector<OraclePtr> oracles;
  for (auto options = chain.begin(); options != chain.end(); ++options) {
    context.earlier = static_cast<std::size_t>(
        std::count_if(chain.begin(), options,
                      [&](const OracleOptions& other) { return name(other) == name(*options); }));
    oracles.push_back(make_oracle(*options, context));
  }
  return oracles;
}

OraclePtr make_chain(const OracleChain& chain, const OracleContext& context, OracleMode mode) {
  return combined(make_oracles(chain, context), mode);
}

OracleChain parse_oracles(std::string_view text) {
  OracleChain chain;
  for (const std::string_view part : split(text, ',')) chain.push_back(parse_oracle(part));
  return chain;
}

std::string oracles_text(const OracleChain& chain, Parameters parameters) {
  std::string text;
  for (const OracleOptions& oracle : chain) {
    text += (text.empty() ? "" : ",") + std::string(name(oracle));
    std::visit(
        [&]<class Options>(const Options& options) {
          for (const auto& field : Options::table()) {
            const std::string value = field.text(options);
            if (parameters == Parameters::GivenAlone && value == field.text(Options{})) continue;
            text += ":" + field.name + "=" + value;
          }
        },
        oracle.kind);
    if (oracle.time) text += ":time=" + option_value::text(Number{}, oracle.time->count());
  }
  return text;
}

std::vector<OracleKind> oracle_kinds() {
  std::vector<OracleKind> kinds;
  for_each_kind([&]<class Options>(const Options& defaults) {
    OracleKind kind{Options::kName, Options::kSummary, {}};
    for (const auto& field : Options::table()) {
      kind.parameters.push_back({field.name, field.text(defaults), field.range, field.help});
    }
    kinds.push_back(std::move(kind));
  });
  return kinds;
}

}  // namespace rnnalf
