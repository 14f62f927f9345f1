#include "rnnalf/network/step_graph.hpp"

#include <algorithm>

namespace rnnalf {

std::optional<FusedSum> fused_sum(const std::vector<StepNode>& nodes, std::size_t at) {
  if (nodes[at].operation != StepOperation::Add) return std::nullopt;
  const std::size_t left = nodes[at].inputs[0];
  const std::size_t right = nodes[at].inputs[1];
  if (nodes[left].operation == StepOperation::Multiply) return FusedSum{left, right};
  if (nodes[right].operation == StepOperation::Multiply) return FusedSum{right, left};
  return std::nullopt;
}

bool is_symbol_table(const std::vector<StepNode>& nodes, std::size_t at) {
  return nodes[at].operation == StepOperation::Product &&
         nodes[nodes[at].inputs.front()].operation == StepOperation::Symbol;
}

double symbol_table_entry(const std::vector<StepNode>& nodes, std::size_t at, std::size_t symbol,
                          std::size_t row) {
  const Matrix& w = nodes[at].weights;
  const Matrix& vectors = nodes[nodes[at].inputs.front()].weights;
  double sum = nodes[at].values.empty() ? 0.0 : nodes[at].values[row];
  if (vectors.values.empty()) return sum + w.at(row, symbol);
  for (std::size_t c = 0; c < w.cols; ++c) sum += w.at(row, c) * vectors.at(symbol, c);
  return sum;
}

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

std::size_t StepBuilder::product(Matrix weights, std::vector<double> bias, std::size_t input) {
  const std::size_t size = weights.rows;
  return add({.operation = StepOperation::Product,
              .size = size,
              .inputs = {input},
              .weights = std::move(weights),
              .values = std::move(bias)});
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
