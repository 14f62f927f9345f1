#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// Puts the dense layers of a head together from what files have: products, activations, batch and
/// layer normalisations, in the order they are applied.
class HeadBuilder {
 public:
  /// `inputs`: size of what the head reads; `room`: numbers that weights which the file does not
  /// have (of an activation or normalisation that stands alone) may take.
  HeadBuilder(std::size_t inputs, std::size_t room) : size_(inputs), room_(room) {}

  /// W x + b; an empty bias is zero. Sizes are checked by `validate` later.
  void dense(Matrix weights, std::vector<double> bias);
  void activate(Activation activation, double slope = 0);
  /// scale * x + shift, entry by entry: a batch normalisation that is no longer trained.
  void rescale(std::vector<double> scale, std::vector<double> shift);
  /// (x - mean(x)) / sqrt(variance(x) + epsilon)
  void normalise(double epsilon);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Ends the head. Throws std::length_error when the weights that had to be made up do not fit in
  /// `room`; so may the functions above.
  [[nodiscard]] std::vector<DenseLayer> take();

 private:
  /// Whether something waits for the product that comes behind it.
  [[nodiscard]] bool waiting() const { return normalise_ || !scale_.empty(); }
  void add_diagonal();

  std::size_t size_;
  std::size_t room_;
  std::vector<DenseLayer> layers_;
  std::optional<double> normalise_;  // then scale and shift, then the product
  std::vector<double> scale_;        // size_, or empty
  std::vector<double> shift_;
};

}  // namespace rnnalf
