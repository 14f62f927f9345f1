#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rnnalf/network/activation.hpp"
#include "rnnalf/network/matrix.hpp"

namespace rnnalf {

enum class StepOperation : std::uint8_t {
  Symbol,    ///< the row of `weights` of the symbol being read; no weights: its one-hot vector
  State,     ///< state number `from`: before the step, in a readout after it
  Constant,  ///< `values`
  Product,   ///< weights * x + values; `values` may be empty for zeros
  Activate,  ///< `activation` with `slope`, entry by entry
  Add,
  Subtract,
  Multiply,
  Divide,
  Maximum,
  Minimum,
  Join,      ///< its inputs one behind the other
  Part,      ///< `size` entries of x, the first at `from`
  Normalise  ///< (x - mean(x)) / sqrt(variance(x) + slope)
};

/// One vector that is computed from earlier ones. Operations on two vectors work entry by entry; a
/// vector of one entry stands for as many as the other has.
struct StepNode {
  StepOperation operation = StepOperation::Constant;
  std::size_t size = 0;               ///< entries of the vector
  std::vector<std::size_t> inputs{};  ///< positions of earlier nodes
  std::size_t from = 0;
  Matrix weights{};
  std::vector<double> values{};
  Activation activation = Activation::None;
  double slope = 0;
};

/// Part of an R-state.
struct StepState {
  std::size_t size = 0;
  std::vector<double> initial{};  ///< size, or empty for zeros
  std::size_t next = 0;           ///< the node of the step that is its next value
};

/// A recurrent network as a small graph of products and operations on vectors: how R-states follow
/// each other, and what of an R-state the head reads.
struct StepGraph {
  std::size_t symbols = 0;
  std::vector<StepState> states{};  ///< an R-state is these one behind the other
  std::vector<StepNode> step{};
  std::vector<StepNode> readout{};  ///< of states alone; the last node is what the head reads

  [[nodiscard]] std::size_t state_size() const;
  [[nodiscard]] std::size_t readout_size() const {
    return readout.empty() ? 0 : readout.back().size;
  }
};

/// Puts a StepGraph together; every function returns the position of the node it adds.
class StepBuilder {
 public:
  std::size_t add(StepNode node);
  std::size_t state(std::size_t number, std::size_t size);
  std::size_t constant(std::vector<double> values);
  std::size_t one_hot(std::size_t symbols);
  /// Of a one-hot vector: the columns of `weights` as a table, at once.
  std::size_t product(const Matrix& weights, std::vector<double> bias, std::size_t input);
  std::size_t activate(Activation activation, std::size_t input, double slope = 0);
  std::size_t combine(StepOperation operation, std::size_t left, std::size_t right);
  std::size_t part(std::size_t input, std::size_t from, std::size_t size);

  [[nodiscard]] std::size_t size(std::size_t node) const { return nodes_[node].size; }
  [[nodiscard]] std::vector<StepNode> take() { return std::move(nodes_); }

 private:
  std::vector<StepNode> nodes_;
};

}  // namespace rnnalf
