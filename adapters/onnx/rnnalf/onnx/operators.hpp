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
[[nodiscard]] Outputs arithmetic(const Node& node);
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

/// The graph input as one-hot symbols, features last; other signals as they are.
[[nodiscard]] Signal with_features(Signal signal);

}  // namespace rnnalf::onnx_impl
