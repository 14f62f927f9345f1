#pragma once

#include <Eigen/Core>
#include <stdexcept>
#include <vector>

#include "rnnalf/network/spec.hpp"

// What a network does to a set of R-states, computed so that nothing is left out.
//
// A Form encloses a vector of numbers of the executed network in two ways at once:
//   x_i = centre_i + sum_j part_ij e_j + r_i   for some e_j in [-1, 1] shared by all rows and all
//                                              forms of one step, and some |r_i| <= radius_i;
//                                              the first `ball` e_j have a length of at most 1
//   low_i <= x_i <= high_i
// Every function takes forms of the executed operands and returns a form of the executed result:
// the rounding of the network's arithmetic, the error of its tanh and sigmoid, and the rounding of
// this program's own arithmetic are in radius, low and high. No rounding mode is changed: a result
// of this program is widened by a bound on its error. docs/certificates.md derives the bounds.
namespace rnnalf::check {

using Array = Eigen::ArrayXd;
using Index = Eigen::Index;

/// An obligation that does not hold, or numbers this program does not reason about.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The arithmetic the network is executed in.
struct Arithmetic {
  bool in_float;  ///< weights are rounded to float first
  double unit;    ///< a rounded result is (1 + d) times the exact one, |d| <= unit
  double bent;    ///< |executed tanh - tanh| at most, for every argument; likewise sigmoid
};
/// float: measured over all floats by bench/activations; double: argued in docs/certificates.md.
inline constexpr Arithmetic kFloat32{true, 0x1p-24, 0x1p-22};
inline constexpr Arithmetic kFloat64{false, 0x1p-53, 0x1p-47};

struct Form {
  /// Takes the tighter of the two enclosures, after adding this program's own rounding: `terms` is
  /// the sum of the magnitudes that went into each row.
  Form(Array middle, Eigen::MatrixXd parts, const Array& rest, const Array& lowest,
       const Array& highest, const Array& terms, Index ball);

  [[nodiscard]] Index rows() const { return centre.size(); }
  [[nodiscard]] Form rows(Index first, Index count) const;
  /// The radius of every row becomes a symbol of its own, numbered from `first` on.
  [[nodiscard]] Form fresh(Index first) const;
  /// Upper bounds of |x| and of all terms of x; middle and half of [low, high].
  [[nodiscard]] Array largest() const { return low.abs().max(high.abs()); }
  [[nodiscard]] Array terms() const { return centre.abs() + spread + largest(); }
  [[nodiscard]] Array middle() const { return 0.5 * (low + high); }
  [[nodiscard]] Array half_width() const;

  Array centre, radius, spread, low, high;  ///< spread: upper bound of |x - centre|
  Index ball = 0;
  Eigen::MatrixXd part;  ///< a form with fewer symbols than another has zeros there

 private:
  Form() = default;
};

/// y = W x + b
struct Affine {
  Affine() = default;
  Affine(Eigen::MatrixXd weights, Array offset);
  Eigen::MatrixXd w, positive, negative, magnitude;  ///< W = positive + negative
  Array b;
};

/// What all letters share: the state with its radius as symbols, and U h + c of every layer.
struct Prepared {
  Form state;
  std::vector<Form> recurrent;
};

/// A set of R-states: a box; or an ellipsoid, middle + shape e with e of a length of at most 1.
struct Region {
  Form form;
  Array middle;          ///< of an ellipsoid
  Eigen::MatrixXd back;  ///< an approximate inverse of its shape; no rows: a box
  double most = 0;       ///< x is in the ellipsoid if back (x - middle) is as long at most

  [[nodiscard]] bool contains(const Form& image) const;
};

struct Margin {
  double low, high;  ///< accepts everywhere if low > 0, rejects everywhere if high <= 0
};

/// The network as the checker executes it on forms. Throws Refused for sizes beyond its bounds.
class Enclosure {
 public:
  /// `slack` is added to the error of every component of the state after every step.
  Enclosure(const NetworkSpec& spec, Arithmetic arithmetic, double slack, std::size_t most_symbols);

  [[nodiscard]] std::size_t state_size() const { return initial_.size(); }
  [[nodiscard]] Form initial() const { return box(initial_, initial_); }
  [[nodiscard]] Form box(const std::vector<double>& low, const std::vector<double>& high) const;
  /// `shape`: the rows of a lower triangle, one after the other.
  [[nodiscard]] Region ellipsoid(const std::vector<double>& middle,
                                 const std::vector<double>& shape) const;
  [[nodiscard]] Prepared prepare(const Form& state) const;
  [[nodiscard]] Form step(const Prepared& prepared, std::size_t letter) const;
  [[nodiscard]] Margin margin(const Form& state) const;

 private:
  struct Layer {
    Index hidden, offset;
    Affine input, recurrent, candidate;
  };
  [[nodiscard]] Affine rounded(const Matrix& weights, const std::vector<double>& bias,
                               std::size_t first, std::size_t rows) const;
  [[nodiscard]] Form table(const NetworkSpec& spec, std::size_t letter) const;

  Arithmetic arithmetic_;
  double slack_;
  Index most_symbols_;
  CellKind cell_;
  Index accept_ = 0;
  std::vector<double> initial_;
  std::vector<Layer> layers_;
  std::vector<std::pair<Affine, Activation>> head_;
  std::vector<Form> table_;
};

}  // namespace rnnalf::check
