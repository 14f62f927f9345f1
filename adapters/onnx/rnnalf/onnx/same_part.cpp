#include "rnnalf/onnx/same_part.hpp"

#include <algorithm>
#include <functional>

namespace rnnalf::onnx_impl {
namespace {

bool same(const Numbers& a, const Numbers& b, Meter& meter) {
  if (a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    if (a.dims[i].value != b.dims[i].value) return false;
  }
  if (a.data == b.data && a.offset == b.offset && a.strides == b.strides) return true;
  const auto left = a.entries(meter);
  const auto right = b.entries(meter);
  return left && right && *left == *right;
}

template <class Kind>
bool same(const std::optional<Kind>& a, const std::optional<Kind>& b, Meter& meter) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b, meter));
}

bool same(const std::vector<double>& a, const std::vector<double>& b, Meter& meter) {
  return meter.spend(a.size()) && a == b;
}

bool same(const EmbeddingPart& a, const EmbeddingPart& b, Meter& meter) {
  return same(a.table, b.table, meter) && same(a.bias, b.bias, meter);
}
bool same(const CellPart& a, const CellPart& b, Meter& meter) {
  return a.weights.cell == b.weights.cell && a.weights.activations == b.weights.activations &&
         a.weights.hidden == b.weights.hidden &&
         same(a.weights.input_weights, b.weights.input_weights, meter) &&
         same(a.weights.recurrent_weights, b.weights.recurrent_weights, meter) &&
         same(a.weights.bias, b.weights.bias, meter);
}
bool same(const DensePart& a, const DensePart& b, Meter& meter) {
  return a.scale == b.scale && a.outputs == b.outputs && a.activation == b.activation &&
         a.slope == b.slope && same(a.weights, b.weights, meter) && same(a.bias, b.bias, meter);
}
bool same(const RescalePart& a, const RescalePart& b, Meter& meter) {
  return same(a.scale, b.scale, meter) && same(a.shift, b.shift, meter);
}
bool same(const ConstantPart& a, const ConstantPart& b, Meter& meter) {
  return same(a.values, b.values, meter);
}
bool same(const NormalisePart& a, const NormalisePart& b, Meter&) {
  return a.epsilon == b.epsilon;
}
bool same(const CombinePart& a, const CombinePart& b, Meter&) {
  return a.operation == b.operation;
}
bool same(const SlicePart& a, const SlicePart& b, Meter&) {
  return a.from == b.from && a.size == b.size;
}
bool same(const OneHotPart& a, const OneHotPart& b, Meter&) {
  return a.symbols == b.symbols;
}
bool same(const StatePart& a, const StatePart& b, Meter&) {
  return a.number == b.number;
}
bool same(const CellStatePart&, const CellStatePart&, Meter&) {
  return true;
}
bool same(const JoinPart&, const JoinPart&, Meter&) {
  return true;
}
bool same(const PickPart&, const PickPart&, Meter&) {
  return true;
}
/// What is no part of a step.
template <class Other>
bool same(const Other&, const Other&, Meter&) {
  return false;
}

std::size_t shape_of(const std::vector<double>& values) {
  std::size_t shape = values.size();
  for (std::size_t i = 0; i < std::min<std::size_t>(8, values.size()); ++i) {
    shape = mixed(shape, std::hash<double>()(values[i]));
  }
  return shape;
}

/// Of eight numbers of it.
std::size_t shape_of(const Numbers& numbers) {
  const std::size_t count = numbers.count().value_or(0);
  std::size_t shape = count;
  for (std::size_t i = 0; i < std::min<std::size_t>(8, count); ++i) {
    std::size_t entry = i * (count / std::min<std::size_t>(8, count));
    std::size_t at = numbers.offset;
    for (std::size_t axis = numbers.rank(); axis-- > 0;) {
      const auto length = static_cast<std::size_t>(*numbers.dims[axis].value);
      at += entry % length * numbers.strides[axis];
      entry /= length;
    }
    shape = mixed(shape, std::hash<double>()((*numbers.data)[at]));
  }
  return shape;
}

}  // namespace

bool same_part(const Part& a, const Part& b, Meter& meter) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& part) {
        return same(part, std::get<std::decay_t<decltype(part)>>(b), meter);
      },
      a);
}

std::size_t mixed(std::size_t a, std::size_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15U)) * 0xff51afd7ed558ccdU;
}

std::size_t shape_of(const Part& part) {
  std::size_t shape = part.index();
  if (const auto* dense = std::get_if<DensePart>(&part)) {
    shape = mixed(shape, static_cast<std::size_t>(dense->activation));
    shape = mixed(shape, shape_of(dense->bias));
    if (dense->weights) shape = mixed(shape, shape_of(*dense->weights));
  } else if (const auto* rescale = std::get_if<RescalePart>(&part)) {
    shape = mixed(mixed(shape, shape_of(rescale->scale)), shape_of(rescale->shift));
  } else if (const auto* combine = std::get_if<CombinePart>(&part)) {
    shape = mixed(shape, static_cast<std::size_t>(combine->operation));
  } else if (const auto* slice = std::get_if<SlicePart>(&part)) {
    shape = mixed(shape, slice->from);
  } else if (const auto* cell = std::get_if<CellPart>(&part)) {
    shape = mixed(shape, shape_of(cell->weights.input_weights));
  }
  return shape;
}

}  // namespace rnnalf::onnx_impl
