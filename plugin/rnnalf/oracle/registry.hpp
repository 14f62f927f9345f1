#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/oracle/combinators.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

class Exploration;

/// What every oracle of a run shares.
struct OracleContext {
  StateTree& tree;           ///< outlives the oracles
  const Alphabet& alphabet;  ///< outlives the oracles
  std::uint64_t seed = 1;
  std::vector<Word> samples = {};  ///< words of the user for `samples`; none: it searches
  /// What `abstraction` works on, for whoever wants to look at it later; outlives the oracles.
  /// None: it makes its own.
  Exploration* exploration = nullptr;
};

/// A parameter of an oracle as the command line names it.
struct OracleParameter {
  std::string name;
  std::string default_value;
  std::string meaning;
};

/// An oracle that can be asked for by name.
struct OracleKind {
  std::string name;
  std::string summary;  ///< one line
  std::vector<OracleParameter> parameters;
};

/// All of them, for `rnnalf list oracles`. Besides its own, every oracle has the parameter `time`:
/// the most seconds it may take per query.
[[nodiscard]] std::span<const OracleKind> oracle_kinds();

enum class OracleMode : std::uint8_t {
  First,     ///< the first counterexample in the chain wins
  Shortest,  ///< all are asked and the shortest counterexample wins
};

/// A chain of oracles as the user wrote it, checked; not yet bound to a network.
class OracleChain {
 public:
  using Maker = std::function<OraclePtr(const OracleContext&)>;

  OracleChain(std::vector<Maker> makers, std::string text)
      : makers_(std::move(makers)), text_(std::move(text)) {}

  [[nodiscard]] OraclePtr make(const OracleContext& context, OracleMode mode) const;
  /// The chain with the values of all parameters, defaults included: what was really asked for.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::vector<Maker> makers_;
  std::string text_;
};

/// Reads "samples,abstraction:depth=10,random:per-length=1000:max-length=40". Throws OptionError
/// that lists what exists when a name or a parameter is unknown, and one that names the parameter
/// when a value cannot be used.
[[nodiscard]] OracleChain parse_oracles(std::string_view spec);

/// The chain when nobody asked for another.
inline constexpr std::string_view kDefaultOracles = "samples,abstraction,pumping,random";

}  // namespace rnnalf
