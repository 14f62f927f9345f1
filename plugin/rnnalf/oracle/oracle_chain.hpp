#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rnnalf/oracle/abstraction_oracle.hpp"
#include "rnnalf/oracle/combinators.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/oracle/samples_oracle.hpp"
#include "rnnalf/oracle/search_oracles.hpp"

namespace rnnalf {

/// Every oracle there is, by its options. Adding one: its options here, and nothing else; they
/// bring name, summary, table of parameters and their search with them.
using AnyOracleOptions =
    std::variant<SamplesOptions, AbstractionOptions, PumpingOptions, RandomOptions,
                 StatePrefixOptions, TransitionFocusOptions, RandomWOptions, WMethodOptions,
                 WpMethodOptions, ExhaustiveOptions, PacOptions, MarginOptions>;

/// One link of a chain.
struct OracleOptions {
  AnyOracleOptions kind = {};
  /// The most that a query may take; where it ends depends on the machine, so results do too.
  std::optional<std::chrono::duration<double>> time = {};

  /// What every oracle has besides its own parameters.
  [[nodiscard]] static const std::vector<OptionField<OracleOptions>>& table();
};

/// Oracles that are asked one after the other.
using OracleChain = std::vector<OracleOptions>;

/// The chain when nobody asked for another: `samples,abstraction,pumping,random`.
[[nodiscard]] OracleChain default_oracles();

enum class OracleMode : std::uint8_t {
  First,     ///< the first counterexample in the chain wins
  Shortest,  ///< all are asked and the shortest counterexample wins
};

[[nodiscard]] std::string_view name(const OracleOptions& oracle);
[[nodiscard]] OraclePtr make_oracle(const OracleOptions& options, const OracleContext& context);
/// The oracles of a chain, each with a seed of its own.
[[nodiscard]] std::vector<OraclePtr> make_oracles(const OracleChain& chain, OracleContext context);
/// Throws std::invalid_argument when there are none.
[[nodiscard]] OraclePtr combined(std::vector<OraclePtr> oracles, OracleMode mode);
[[nodiscard]] OraclePtr make_chain(const OracleChain& chain, const OracleContext& context,
                                   OracleMode mode = OracleMode::First);

// ---------------------------------------------------------------- as text

/// Reads "samples,abstraction:depth=10,random:per-length=1000:max-length=40". Throws OptionError
/// that lists what exists when a name or a parameter is unknown, and one that names the parameter
/// when a value cannot be used.
[[nodiscard]] OracleChain parse_oracles(std::string_view text);

enum class Parameters : std::uint8_t {
  All,        ///< defaults included: what was really asked for
  GivenAlone  ///< those that are not the default, for tables
};

/// The chain as parse_oracles reads it.
[[nodiscard]] std::string oracles_text(const OracleChain& chain,
                                       Parameters parameters = Parameters::All);

/// A parameter of an oracle as the command line names it.
struct OracleParameter {
  std::string name;
  std::string default_value;
  std::string range;  ///< empty: every value of its kind
  std::string meaning;
};

/// An oracle that can be asked for by name.
struct OracleKind {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::vector<OracleParameter> parameters;
};

/// All of them, for `rnnalf list oracles`. Besides its own, every oracle has the parameters of
/// OracleOptions::table().
[[nodiscard]] std::vector<OracleKind> oracle_kinds();

}  // namespace rnnalf
