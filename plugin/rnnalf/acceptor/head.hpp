#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "rnnalf/acceptor/activate.hpp"
#include "rnnalf/acceptor/packed_matrix.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// The dense layers behind the recurrent part of a network, and what their outputs mean.
///
/// Immutable; may be used from several threads at once.
template <class T>
class Head {
 public:
  explicit Head(const NetworkSpec& spec)
      : kernels_(kernels::best<T>()),
        output_(spec.output),
        answers_(spec.answer_count()),
        accept_(spec.accept_class.value_or(spec.output_count() == 1 ? 0 : 1)) {
    for (const DenseLayer& dense : spec.head) {
      const Matrix& w = dense.weights;
      const auto bias = [&](std::size_t r) { return dense.bias.empty() ? 0.0 : dense.bias[r]; };
      layers_.push_back(
          {kernels::PackedMatrix<T>(
               w.rows, w.cols, [&](std::size_t r, std::size_t c) { return w.at(r, c); }, bias),
           dense.activation, dense.slope, dense.normalise});
    }
  }

  /// Calls use(j, scores, count) with the outputs for the columns of x.
  template <class Use>
  void run(const T* x, std::size_t stride, std::size_t count, Use use) const {
    thread_local kernels::Buffer<T> from, to;
    for (const Layer& layer : layers_) {
      const std::size_t rows = kernels::padded<T>(layer.matrix.rows());
      if (layer.normalise) {
        const std::size_t inputs = layer.matrix.view().depth;
        const std::size_t width = kernels::padded<T>(inputs);
        T* const y = to.at_least(width * count);
        for (std::size_t j = 0; j < count; ++j) {
          rnnalf::normalise(x + j * stride, inputs, *layer.normalise, y + j * width);
        }
        std::swap(from, to);
        x = from.data();
        stride = width;
      }
      T* const y = to.at_least(rows * count);
      kernels_.multiply(layer.matrix.view(), x, stride, count, y, rows);
      activate(kernels_, layer.activation, layer.slope, y, rows * count);
      std::swap(from, to);
      x = from.data();
      stride = rows;
    }
    for (std::size_t j = 0; j < count; ++j) use(j, x + j * stride, layers_.back().matrix.rows());
  }

  [[nodiscard]] std::size_t answer_count() const { return answers_; }

  /// One output: its logit. Several: the accept class, or of many answers the best, against the
  /// best of the others. NaN among the outputs makes the margin NaN.
  [[nodiscard]] Judgement judge(const T* scores, std::size_t count) const {
    if (count == 1) return {accept_if(scores[0] > 0), scores[0]};
    if (std::any_of(scores, scores + count, [](T score) { return std::isnan(score); })) {
      return {Answer::Reject, std::numeric_limits<double>::quiet_NaN()};
    }
    const std::size_t chosen = answers_ == 2 ? accept_ : best(scores, count);
    double rival = -HUGE_VAL;
    for (std::size_t i = 0; i < count; ++i) {
      if (i != chosen) rival = std::max(rival, static_cast<double>(scores[i]));
    }
    const double margin = static_cast<double>(scores[chosen]) - rival;
    return {answers_ == 2 ? accept_if(margin > 0) : static_cast<Answer>(chosen), margin};
  }

  /// Of accept, or of many answers that of the best.
  [[nodiscard]] double probability(const T* scores, std::size_t count) const {
    return probability(scores, count, answers_ == 2 ? accept_ : best(scores, count));
  }

  /// Of an answer, of which there are answer_count().
  [[nodiscard]] double probability_of(const T* scores, std::size_t count,
                                      std::size_t answer) const {
    if (answers_ > 2) return probability(scores, count, answer);
    const double accept = probability(scores, count);
    return answer == 1 ? accept : 1 - accept;
  }

 private:
  /// The first of the highest scores.
  static std::size_t best(const T* scores, std::size_t count) {
    return static_cast<std::size_t>(std::max_element(scores, scores + count) - scores);
  }

  [[nodiscard]] double probability(const T* scores, std::size_t count, std::size_t of) const {
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    if (count == 1 || output_ == Output::Sigmoid) return sigmoid(scores[of]);
    // 1 / sum exp(s_i - s_of): the softmax of this class.
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += std::exp(static_cast<double>(scores[i]) - static_cast<double>(scores[of]));
    }
    return 1 / sum;
  }

  struct Layer {
    kernels::PackedMatrix<T> matrix;
    Activation activation;
    double slope;
    std::optional<double> normalise;
  };

  const kernels::Kernels<T>& kernels_;  // static storage
  Output output_;
  std::size_t answers_;
  std::size_t accept_;
  std::vector<Layer> layers_;
};

}  // namespace rnnalf
