#pragma once

#include <cstdint>
#include <string_view>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {

/// How much an operator changes what its first input has to be: see expected_in_place_of.
enum class Kind : std::uint8_t { Transparent, Head, Recurrent, Other };

struct Operator {
  std::string_view name;
  Outputs (*meaning)(const Node&);
  Kind kind;
};

/// What we know of the operator of a node; null: nothing.
[[nodiscard]] const Operator* find_operator(const ::onnx::NodeProto& node);

}  // namespace rnnalf::onnx_impl
