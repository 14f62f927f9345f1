#include "rnnalf/network/head_builder.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace rnnalf {

void HeadBuilder::dense(Matrix weights, std::vector<double> bias) {
  if (!scale_.empty() && weights.cols == scale_.size()) {
    // W (scale x + shift) + b
    if (bias.empty()) bias.resize(weights.rows, 0);
    for (std::size_t row = 0; row < weights.rows; ++row) {
      for (std::size_t col = 0; col < weights.cols; ++col) {
        double& weight = weights.values[row * weights.cols + col];
        if (row < bias.size()) bias[row] += weight * shift_[col];
        weight *= scale_[col];
      }
    }
  }
  size_ = weights.rows;
  layers_.push_back({.weights = std::move(weights),
                     .bias = std::move(bias),
                     .normalise = std::exchange(normalise_, std::nullopt)});
  scale_.clear();
  shift_.clear();
}

void HeadBuilder::add_diagonal() {
  if (size_ > (std::size_t{1} << 20) || size_ * size_ > room_) {
    throw std::length_error(
        fmt::format("expected layers in proportion to the file, found an activation or "
                    "normalisation of {} numbers",
                    size_));
  }
  room_ -= size_ * size_;
  Matrix diagonal{size_, size_, std::vector<double>(size_ * size_, 0)};
  for (std::size_t i = 0; i < size_; ++i) diagonal.values[i * size_ + i] = 1;
  dense(std::move(diagonal), {});
}

void HeadBuilder::activate(Activation activation, double slope) {
  if (activation == Activation::None) return;
  if (waiting() || layers_.empty() || layers_.back().activation != Activation::None) {
    add_diagonal();
  }
  layers_.back().activation = activation;
  layers_.back().slope = slope;
}

void HeadBuilder::rescale(std::vector<double> scale, std::vector<double> shift) {
  if (scale.size() != size_ || shift.size() != size_) {
    throw std::length_error(fmt::format("expected a normalisation of {} numbers, found one of {}",
                                        size_, scale.size()));
  }
  if (!waiting() && !layers_.empty() && layers_.back().activation == Activation::None) {
    DenseLayer& layer = layers_.back();
    if (layer.bias.empty()) layer.bias.resize(size_, 0);
    for (std::size_t row = 0; row < size_; ++row) {
      for (std::size_t col = 0; col < layer.weights.cols; ++col) {
        layer.weights.values[row * layer.weights.cols + col] *= scale[row];
      }
      layer.bias[row] = layer.bias[row] * scale[row] + shift[row];
    }
    return;
  }
  for (std::size_t i = 0; i < size_ && !scale_.empty(); ++i) {
    shift[i] += scale[i] * shift_[i];
    scale[i] *= scale_[i];
  }
  scale_ = std::move(scale);
  shift_ = std::move(shift);
}

void HeadBuilder::normalise(double epsilon) {
  if (waiting()) add_diagonal();
  normalise_ = epsilon;
}

std::vector<DenseLayer> HeadBuilder::take() {
  if (waiting()) add_diagonal();
  return std::move(layers_);
}

}  // namespace rnnalf
