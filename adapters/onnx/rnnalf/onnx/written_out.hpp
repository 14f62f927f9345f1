#pragma once

#include "rnnalf/onnx/node.hpp"

namespace rnnalf::onnx_impl {

/// Folds a loop that the exporter wrote out, a copy of the step for every symbol of the word, into
/// one step with states that are carried; returns what `root` is then. Without such a loop, `root`.
///
/// Copies are told apart by the last symbol they depend on. All but the first must be the same in
/// structure and in numbers. The first starts in constants, which exporters compute with, so it is
/// compared by what it gives: after every symbol the states must be those that the step gives.
/// Throws NetworkFileError where copies differ.
[[nodiscard]] std::size_t fold_written_out(std::size_t root, Context& context);

}  // namespace rnnalf::onnx_impl
