#include "rnnalf/network/step_graph.hpp"

#include <algorithm>

namespace rnnalf {

std::size_t StepGraph::state_size() const {
  std::size_t size = 0;
  for (const StepState& state : states) size += state.size;
  return size;
}

std::size_t StepBuilder::add(StepNode node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

std::size_t StepBuilder::state(std::size_t number, std::size_t size) {
  return add({.operation = StepOperation::State, .size = size, .from = number});
}

std::size_t StepBuilder::constant(std::vector<double> values) {
  const std::size_t size = values.size();
  return add({.operation = StepOperation::Constant, .size = size, .values = std::move(values)});
}

std::size_t StepBuilder::one_hot(std::size_t symbols) {
  return add({.operation = StepOperation::Symbol, .size = symbols});
}

std::size_t StepBuilder::product(const Matrix& weights, std::vector<double> bias,
                                 std::size_t input) {
  const StepNode& from = nodes_[input];
  if (from.operation != StepOperation::Symbol || !from.weights.values.empty()) {
    return add({.operation = StepOperation::Product,
                .size = weights.rows,
                .inputs = {input},
                .weights = weights,
                .values = std::move(bias)});
  }
  Matrix table{weights.cols, weights.rows, std::vector<double>(weights.values.size())};
  for (std::size_t row = 0; row < weights.rows; ++row) {
    for (std::size_t col = 0; col < weights.cols; ++col) {
      table.values[col * table.cols + row] = weights.at(row, col) + (bias.empty() ? 0 : bias[row]);
    }
  }
  const std::size_t size = table.cols;
  return add({.operation = StepOperation::Symbol, .size = size, .weights = std::move(table)});
}

std::size_t StepBuilder::activate(Activation activation, std::size_t input, double slope) {
  return add({.operation = StepOperation::Activate,
              .size = size(input),
              .inputs = {input},
              .activation = activation,
              .slope = slope});
}

std::size_t StepBuilder::combine(StepOperation operation, std::size_t left, std::size_t right) {
  return add(
      {.operation = operation, .size = std::max(size(left), size(right)), .inputs = {left, right}});
}

std::size_t StepBuilder::part(std::size_t input, std::size_t from, std::size_t size) {
  return add({.operation = StepOperation::Part, .size = size, .inputs = {input}, .from = from});
}

}  // namespace rnnalf
