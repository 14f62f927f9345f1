#pragma once

#include <cstddef>

#include "rnnalf/onnx/meter.hpp"
#include "rnnalf/onnx/network_parts.hpp"

namespace rnnalf::onnx_impl {

/// Whether two parts compute the same of the same inputs; never of what is no part of a step.
[[nodiscard]] bool same_part(const Part& a, const Part& b, Meter& meter);

/// A number that parts share when they compute the same, and few others.
[[nodiscard]] std::size_t shape_of(const Part& part);
[[nodiscard]] std::size_t mixed(std::size_t a, std::size_t b);

}  // namespace rnnalf::onnx_impl
