#pragma once

#include <cstddef>
#include <vector>

#include "rnnalf/acceptor/packed_matrix.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/certify/box.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf::certify {

/// A set of R-states as the search computes with it: those that lie in a box and have the form
///   centre + sum_j e_j column_j + r,  |e_j| <= 1, |r_i| <= radius_i,
/// where the first e_j, those of the ball, together have a length of at most 1.
/// docs/certificates.md has the formulas; the checkers have their own, rounded outward.
struct Image {
  std::vector<double> centre, radius;
  Box box;
  std::size_t columns = 0;
  std::size_t ball = 0;       ///< columns that are the ball's: they come first
  std::vector<double> parts;  ///< column after column
};

/// Bounds for the margins of all R-states of an image.
struct MarginRange {
  double low = 0, high = 0;
};

struct ImagerOptions {
  Precision precision = Precision::Float;
  double slack = 0;  ///< added to the error of every component of the state in every step
  std::size_t columns =
      0;  ///< of an image beside the ball, at most; the smallest are put into the radius
};

/// What a network does to images. The errors of the network's arithmetic are in the result; those
/// of this computation are not: they are below 1e-10, and the search leaves room for them.
///
/// Immutable; every member may be called from several threads at once.
class Imager {
 public:
  Imager(const NetworkSpec& spec, const ImagerOptions& options);

  [[nodiscard]] std::size_t state_size() const { return size_; }
  [[nodiscard]] Image of(Box box) const;
  [[nodiscard]] MarginRange margin(const Image& image) const;

 private:
  friend class Successors;

  /// y = W x + b
  struct Map {
    std::size_t rows = 0, cols = 0;
    kernels::PackedMatrix<double> weights;    ///< with b
    kernels::PackedMatrix<double> magnitude;  ///< |W|, without b
    std::vector<double> plain;                ///< W, column after column
    std::vector<double> bias_magnitude;
  };
  struct Layer {
    std::size_t hidden = 0, offset = 0;
    Map input, recurrent, candidate;
  };
  /// One number of the network: |x - centre| <= spread + radius, where spread is what the columns
  /// give, and low <= x <= high.
  struct Row {
    double centre = 0, radius = 0, spread = 0, low = 0, high = 0;
    void tighten();
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
    [[nodiscard]] double half() const { return 0.5 * (high - low); }
    [[nodiscard]] double largest() const;
  };
  struct Rows {
    std::vector<Row> row;
    std::size_t stride = 0, columns = 0, ball = 0;
    std::vector<double> parts;  ///< column j begins at j * stride
    void measure();             ///< every row's spread
  };
  /// f(x) is in slope x + offset +- bend
  struct Bent {
    double slope = 0;
    Row row;
  };
  [[nodiscard]] Map map(const Matrix& weights, const std::vector<double>& bias, std::size_t first,
                        std::size_t rows) const;
  [[nodiscard]] double rounded(double value) const;
  void apply(const Map& map, const double* parts, std::size_t stride, std::size_t columns,
             std::size_t ball, const Row* x, Rows& y) const;
  [[nodiscard]] Row sum(const Row& a, const Row& b) const;
  [[nodiscard]] Row product(const Row& a, const Row& b, double unit) const;
  [[nodiscard]] Bent tanh(const Row& x) const;
  [[nodiscard]] Bent sigmoid(const Row& x) const;
  [[nodiscard]] Bent bent(const Row& x, Activation activation) const;

  double unit_, tanh_error_, sigmoid_error_, slack_;
  bool in_float_;
  std::size_t most_columns_;
  CellKind cell_{};
  std::size_t size_ = 0, accept_ = 0;
  std::vector<Layer> layers_;
  std::vector<Map> head_;
  std::vector<Activation> activations_;
  std::vector<std::vector<Row>> table_;  ///< by letter: W x + b of the first layer
};

/// The images of one image by each letter. What the letters share is computed once.
class Successors {
 public:
  /// Both outlive this.
  Successors(const Imager& imager, const Image& image);

  /// False when numbers grow beyond what the checkers reason about.
  [[nodiscard]] bool step(std::size_t letter, Image& next);

 private:
  using Row = Imager::Row;
  using Rows = Imager::Rows;
  void elman(std::size_t layer);
  void gru(std::size_t layer);
  void lstm(std::size_t layer);
  /// Rows of the next state, from `first` on; their radius becomes columns when `named`.
  void finish(std::size_t first, std::size_t rows, bool named);
  void reduce(Image& next) const;

  const Imager& imager_;
  std::size_t columns_ = 0;    ///< of the state, its radius among them
  std::size_t ball_ = 0;       ///< columns of the ball
  std::vector<double> state_;  ///< columns_ x size
  std::vector<Row> state_rows_;
  std::vector<Rows> recurrent_;  ///< by layer: U h + c
  Rows gates_, product_, candidate_, below_;
  std::vector<double> next_;  ///< columns of the next state
  std::vector<Row> next_rows_;
  std::size_t next_columns_ = 0;
};

}  // namespace rnnalf::certify
