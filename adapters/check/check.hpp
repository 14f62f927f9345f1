#pragma once

#include <fmt/format.h>

#include <Eigen/Core>
#include <memory>
#include <stdexcept>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf::check {

using Array = Eigen::ArrayXd;
using Eigen::Index, Eigen::MatrixXd;

/// An obligation that does not hold, or numbers this program does not reason about.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename... Values>
void need(bool holds, fmt::format_string<const Values&...> otherwise, const Values&... values) {
  if (!holds) throw Refused(fmt::format(otherwise, values...));
}

/// The arithmetic the network is executed in.
struct Arithmetic {
  bool in_float;  ///< weights are rounded to float first
  double unit;    ///< a rounded result is (1 + d) times the exact one, |d| <= unit
  double bent;    ///< |executed tanh - tanh| at most, for every argument; sigmoid too
};
/// float: measured over all floats by bench/activations; double: argued in docs/certificates.md.
inline constexpr Arithmetic kFloat32{true, 0x1p-24, 0x1p-22}, kFloat64{false, 0x1p-53, 0x1p-47};

/// A result of this program of at most a dozen roundings of terms with sum of magnitudes m is off
/// by less than kOwn * m.
inline constexpr double kOwn = 0x1p-48;

/// Encloses a vector of numbers of the executed network in two ways at once:
///   x_i = centre_i + scale_i sum_j part_ij e_j + r_i   with |r_i| <= radius_i, and e_j in [-1, 1]
///         that all rows and all forms of one step share, the first `ball` of a length of at most 1
///   low_i <= x_i <= high_i
/// Functions take forms of the executed operands and return a form of the executed result: the
/// rounding of the network's arithmetic, the error of its tanh and sigmoid, and the rounding of
/// this program's own are in radius, low and high. No rounding mode is changed.
struct Form {
  Array centre, radius, low, high, reach;  ///< reach: upper bound of what the e_j add up to
  Array scale;
  Index ball = 0;
  std::shared_ptr<const MatrixXd> part;  ///< shared: letters differ in centre and scale alone

  [[nodiscard]] Form rows(Index first, Index count) const;
  [[nodiscard]] Array largest() const { return low.abs().max(high.abs()); }
  [[nodiscard]] Array terms() const { return centre.abs() + reach + radius + largest(); }
  [[nodiscard]] Array middle() const { return 0.5 * (low + high); }
  [[nodiscard]] Array half() const { return 0.5 * (high - low) + kOwn * largest(); }
};

/// A set of R-states: a box; or an ellipsoid, centre + part e with e of a length of at most 1.
struct Region {
  Form form;
  Matrix back;      ///< of an ellipsoid: an approximate inverse of its part
  double most = 0;  ///< x is in it if `back` makes x - centre no longer than this

  [[nodiscard]] bool contains(const Form& image) const;
};
[[nodiscard]] Region box(const Array& low, const Array& high);
[[nodiscard]] Region ellipsoid(const Array& middle, const MatrixXd& shape);

/// What all letters share: the state with its radius as symbols; by layer and gate, U h + c.
struct Prepared {
  Form state;
  std::vector<std::vector<Form>> past;
};

/// What the network does to a set of R-states, computed so that nothing is left out.
class Enclosure {
 public:
  /// `slack` is added to the error of every component of the state after every step.
  Enclosure(const NetworkSpec& spec, Arithmetic arithmetic, double slack, std::size_t symbols);

  [[nodiscard]] Form initial() const;
  [[nodiscard]] Prepared prepare(Form state) const;
  [[nodiscard]] Form step(const Prepared& from, std::size_t letter) const;
  /// Accepts everywhere if the first is above 0, rejects everywhere if the second is not.
  [[nodiscard]] std::pair<double, double> margin(const Form& state) const;

 private:
  [[nodiscard]] bool lstm() const { return stack_.cell == CellKind::Lstm; }

  LayerStack stack_;
  NetworkSpec spec_;  ///< its last dense layer: the accept score less every other
  Arithmetic arithmetic_;
  double slack_;
  std::size_t most_symbols_;
  std::vector<std::vector<Form>> table_;  ///< by letter and gate: W x + b of the first layer
};

/// What a certificate proves, once every obligation in it was found to hold.
struct Theorem {
  std::string sentence;
  double margin = 0;       ///< every word's margin is at least this far on the right side of 0
  double slack = 0;        ///< allowed error of every component of the state in every step
  std::size_t sets = 0;    ///< sets of R-states
  std::size_t images = 0;  ///< images of sets that were computed
};

/// Checks all obligations of a certificate about the network and this automaton. Throws Refused
/// with the first one that fails; a text that is no certificate is refused in the same way.
[[nodiscard]] Theorem check(const NetworkSpec& network, const Dfa& dfa, std::string_view text);

}  // namespace rnnalf::check
