#pragma once

#include "rnnalf/onnx/node.hpp"

// The meaning of each operator we know. What a node does to constants and lengths is computed; what
// it does to a signal becomes a part of the network, or must move axes only.

namespace rnnalf::onnx_impl {

// constant_operators.cpp: constants and lengths alone
[[nodiscard]] Outputs constant(const Node& node);
[[nodiscard]] Outputs constant_of_shape(const Node& node);
[[nodiscard]] Outputs shape(const Node& node);
[[nodiscard]] Outputs expand(const Node& node);
[[nodiscard]] Outputs tile(const Node& node);
/// Add, Sub, Mul, Equal of constants and lengths.
[[nodiscard]] Outputs length_arithmetic(const Node& node);
/// Product of the numbers in a row, as exporters take it of shapes.
[[nodiscard]] Outputs reduce_prod(const Node& node);
[[nodiscard]] Outputs range(const Node& node);
[[nodiscard]] Outputs where(const Node& node);

// axis_operators.cpp: which axis is where, for constants and signals
[[nodiscard]] Outputs pass(const Node& node);
[[nodiscard]] Outputs dropout(const Node& node);
[[nodiscard]] Outputs cast(const Node& node);
[[nodiscard]] Outputs transpose(const Node& node);
[[nodiscard]] Outputs squeeze(const Node& node);
[[nodiscard]] Outputs unsqueeze(const Node& node);
[[nodiscard]] Outputs reshape(const Node& node);
[[nodiscard]] Outputs flatten(const Node& node);

// selection_operators.cpp: parts of a tensor, and tensors put together
[[nodiscard]] Outputs gather(const Node& node);
[[nodiscard]] Outputs slice(const Node& node);
[[nodiscard]] Outputs gather_elements(const Node& node);
[[nodiscard]] Outputs split(const Node& node);
/// What packed sequences do to the lengths of a batch.
[[nodiscard]] Outputs top_k(const Node& node);
[[nodiscard]] Outputs scatter_elements(const Node& node);

// concat_operators.cpp
[[nodiscard]] Outputs concat(const Node& node);

// recurrent_operators.cpp
[[nodiscard]] Outputs recurrent(const Node& node);

// dense_operators.cpp: embedding, head and scores
[[nodiscard]] Outputs one_hot(const Node& node);
/// Gather of a table's rows by symbol index.
[[nodiscard]] Outputs embed(const Node& node, const Numbers& table, const Signal& symbols);
[[nodiscard]] Outputs gemm(const Node& node);
[[nodiscard]] Outputs matmul(const Node& node);
/// Add of a constant to a signal: the bias after a MatMul.
[[nodiscard]] Outputs add(const Node& node);
[[nodiscard]] Outputs activation(const Node& node);
[[nodiscard]] Outputs softmax(const Node& node);
/// Log of a Softmax: a LogSoftmax in two steps.
[[nodiscard]] Outputs log(const Node& node);

// vector_operators.cpp: what a step computes besides products
/// Add, Sub, Mul, Div, Max, Min, Pow, Neg where one side depends on the word; else
/// length_arithmetic.
[[nodiscard]] Outputs arithmetic(const Node& node);
[[nodiscard]] Outputs layer_normalization(const Node& node);
[[nodiscard]] Outputs batch_normalization(const Node& node);
/// ReduceMean, ReduceSum, ReduceMax, GlobalAveragePool, GlobalMaxPool
[[nodiscard]] Outputs reduce(const Node& node);

/// A new part of the network behind `signal`, whose axes the result has.
[[nodiscard]] Outputs output_signal(const Node& node, Signal signal, Stage stage, Link link);
/// The link of a signal; one-hot symbols get one of their own.
[[nodiscard]] std::size_t link_of(const Node& node, const Signal& signal);
/// A signal with features, refused unless it is one that can be computed with.
[[nodiscard]] Signal featured_input(const Node& node, std::size_t slot, const char* expected);
/// A constant that stands for a state.
struct ConstantState {
  std::vector<Axis> axes{};  ///< features last
  std::size_t size = 0;
  std::vector<double> values{};  ///< size, or empty for zeros
};
/// The state before the first step; refused unless it is the same for all words of a batch.
[[nodiscard]] ConstantState constant_state(const Node& node, std::size_t slot,
                                           const char* expected);
/// Position of the axis of features.
[[nodiscard]] std::size_t feature_axis(const Node& node, std::size_t slot, const Signal& signal);
/// The axes of a result of two signals that are combined entry by entry; refused unless they fit.
[[nodiscard]] std::vector<Axis> combined_axes(const Node& node, const Signal& a, const Signal& b);
/// A constant of one number per feature, or of a single number.
[[nodiscard]] std::vector<double> feature_constant(const Node& node, std::size_t slot,
                                                   const Signal& signal);

/// The graph input as one-hot symbols, features last; other signals as they are.
[[nodiscard]] Signal with_features(Signal signal);

}  // namespace rnnalf::onnx_impl
