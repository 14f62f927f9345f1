#pragma once

#include "rnnalf/onnx/node.hpp"

namespace rnnalf::onnx_impl {

/// Turns the parts behind `scores` into cell, layers and head of `spec`, or into a step graph where
/// the layers differ in type or size. Throws NetworkFileError.
void assemble(const Signal& scores, Context& context, NetworkSpec& spec);

/// The step graph that computes the link `root`. Throws NetworkFileError.
[[nodiscard]] StepGraph step_graph(std::size_t root, Context& context);

}  // namespace rnnalf::onnx_impl
