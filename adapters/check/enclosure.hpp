#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "rnnalf/network/spec.hpp"

// What a network does to a set of R-states, computed so that nothing is left out.
//
// A Form encloses a vector of numbers of the executed network in two ways at once:
//   x_i = centre_i + sum_j part_ji e_j + r_i   for some e_j in [-1, 1] shared by all rows and all
//                                              forms of one step, and some |r_i| <= radius_i
//   low_i <= x_i <= high_i
// Every function takes forms of the executed operands and returns a form of the executed result:
// the rounding of the network's arithmetic, the error of its tanh and sigmoid, and the rounding of
// this program's own arithmetic are in radius, low and high. No rounding mode is changed: a result
// of this program is widened by a bound on its error. docs/certificates.md derives the bounds.
namespace rnnalf::check {

/// An obligation that does not hold, or numbers this program does not reason about.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The arithmetic the network is executed in.
struct Arithmetic {
  bool in_float;         ///< weights are rounded to float first
  double unit;           ///< a rounded result is (1 + d) times the exact one, |d| <= unit
  double tanh_error;     ///< |executed tanh - tanh|, for every argument
  double sigmoid_error;  ///< |executed sigmoid - sigmoid|, for every argument
};
/// float: measured over all floats by bench/activations; double: argued in docs/certificates.md.
inline constexpr Arithmetic kFloat32{true, 0x1p-24, 0x1p-22, 0x1p-22};
inline constexpr Arithmetic kFloat64{false, 0x1p-53, 0x1p-47, 0x1p-47};

struct Form {
  Form(std::size_t rows, std::size_t count)
      : symbols(count), centre(rows), radius(rows), low(rows), high(rows), part(rows * count) {}

  [[nodiscard]] std::size_t rows() const { return centre.size(); }
  /// Upper bound of |x_i - centre_i|, of |x_i| and of all terms of x_i; middle and half width.
  [[nodiscard]] double spread(std::size_t i) const;
  [[nodiscard]] double largest(std::size_t i) const;
  [[nodiscard]] double terms(std::size_t i) const;
  [[nodiscard]] double middle(std::size_t i) const { return 0.5 * (low[i] + high[i]); }
  [[nodiscard]] double half_width(std::size_t i) const;

  std::size_t symbols;  ///< e_0 .. e_(symbols-1); a form with fewer than another has zeros there
  std::vector<double> centre, radius, low, high;
  std::vector<double> part;  ///< part[j * rows + i]: symbol j in row i
};

/// What all letters share: the state with its radius as symbols, and U h + c of every layer.
struct Prepared {
  Form state;
  std::vector<Form> recurrent;
};

struct Margin {
  double low, high;  ///< accepts everywhere if low > 0, rejects everywhere if high <= 0
};

/// The network as the checker executes it on forms. Throws Refused for sizes beyond its bounds.
class Enclosure {
 public:
  /// `slack` is added to the error of every component of the state after every step.
  Enclosure(const NetworkSpec& spec, Arithmetic arithmetic, double slack, std::size_t most_symbols);

  [[nodiscard]] std::size_t state_size() const { return size_; }
  [[nodiscard]] Form initial() const;
  [[nodiscard]] Form box(const std::vector<double>& low, const std::vector<double>& high) const;
  [[nodiscard]] Prepared prepare(const Form& state) const;
  [[nodiscard]] Form step(const Prepared& prepared, std::size_t letter) const;
  [[nodiscard]] Margin margin(const Form& state) const;

 private:
  struct Affine {
    std::size_t rows, cols;
    std::vector<double> columns, bias;  ///< W column after column; rounded as the network does it
  };
  struct Layer {
    std::size_t hidden, offset;
    Affine input, recurrent, candidate;
  };
  [[nodiscard]] Affine rounded(const Matrix& weights, const std::vector<double>& bias,
                               std::size_t first, std::size_t rows) const;
  [[nodiscard]] Form table(const NetworkSpec& spec, std::size_t letter) const;
  [[nodiscard]] Form apply(const Affine& map, const Form& x) const;
  [[nodiscard]] Form sum(const Form& a, const Form& b) const;
  [[nodiscard]] Form product(const Form& a, const Form& b, double unit) const;
  [[nodiscard]] Form blend(const Form& z, const Form& h, const Form& n) const;
  [[nodiscard]] Form activated(const Form& x, Activation activation) const;
  [[nodiscard]] Form slackened(const Form& x) const;
  [[nodiscard]] Form reduced(const Form& state) const;

  Arithmetic arithmetic_;
  double slack_;
  std::size_t most_symbols_;
  CellKind cell_;
  std::size_t size_ = 0;
  std::size_t accept_ = 0;
  std::vector<double> initial_;
  std::vector<Layer> layers_;
  std::vector<Affine> head_;
  std::vector<Activation> activations_;
  std::vector<Form> table_;
};

}  // namespace rnnalf::check
