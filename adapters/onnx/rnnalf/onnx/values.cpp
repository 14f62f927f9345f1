#include "rnnalf/onnx/values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rnnalf::onnx_impl {

std::optional<std::size_t> Numbers::count() const {
  std::size_t product = 1;
  for (const Integer& dim : dims) {
    if (!dim.value) return std::nullopt;
    if (__builtin_mul_overflow(product, static_cast<std::size_t>(*dim.value), &product)) {
      return std::nullopt;
    }
  }
  return product;
}

bool Numbers::is_uniform() const {
  return !data->empty() && std::all_of(strides.begin(), strides.end(),
                                       [](std::size_t stride) { return stride == 0; });
}

std::optional<std::vector<double>> Numbers::entries(Meter& meter) const {
  const auto total = count();
  if (!total || !meter.spend(*total)) return std::nullopt;
  std::vector<double> values;
  values.reserve(*total);
  std::vector<std::size_t> index(rank(), 0);
  std::size_t at = offset;
  while (values.size() < *total) {
    values.push_back((*data)[at]);
    for (std::size_t axis = rank(); axis-- > 0;) {
      at += strides[axis];
      if (++index[axis] < static_cast<std::size_t>(*dims[axis].value)) break;
      at -= strides[axis] * index[axis];
      index[axis] = 0;
    }
  }
  return values;
}

Numbers Numbers::contiguous(std::vector<Integer> dims, std::vector<double> values) {
  Numbers numbers;
  numbers.strides.resize(dims.size());
  std::size_t stride = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    numbers.strides[axis] = stride;
    stride *= static_cast<std::size_t>(*dims[axis].value);
  }
  numbers.dims = std::move(dims);
  numbers.data = std::make_shared<const std::vector<double>>(std::move(values));
  return numbers;
}

Numbers Numbers::filled(std::vector<Integer> dims, double value) {
  Numbers numbers;
  numbers.strides.assign(dims.size(), 0);
  numbers.dims = std::move(dims);
  numbers.data = std::make_shared<const std::vector<double>>(1, value);
  return numbers;
}

std::string shape_text(const std::vector<Integer>& dims) {
  std::string text = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ", ";
    text += dims[i].value ? std::to_string(*dims[i].value) : "?";
  }
  return text + "]";
}

std::string describe(const Signal& signal) {
  std::string name = quoted(signal.name);
  switch (signal.stage) {
    case Stage::Input:
      return "the graph input " + name;
    case Stage::OneHot:
      return "the one-hot symbols " + name;
    case Stage::Embedded:
      return "the embedded symbols " + name;
    case Stage::Hidden:
      return "the hidden state " + name;
    case Stage::Cell:
      return "the cell state " + name;
    case Stage::Dense:
      return "the dense layer " + name;
    case Stage::Scores:
      return "the class scores " + name;
  }
  return name;
}

std::string describe(const Value& value) {
  if (const auto* numbers = std::get_if<Numbers>(&value)) {
    return "a constant of shape " + shape_text(numbers->dims);
  }
  if (const auto* signal = std::get_if<Signal>(&value)) return describe(*signal);
  if (const auto* stack = std::get_if<Stack>(&value)) {
    return fmt::format("a stack of {} states", stack->parts.size());
  }
  if (std::holds_alternative<Position>(value)) return "the same index everywhere";
  if (std::holds_alternative<LoopIndex>(value)) return "the number of a loop's step";
  if (std::holds_alternative<BatchOrder>(value)) return "an order of the batch";
  return "the length of an axis";
}

std::optional<std::int64_t> to_integer(double number) {
  if (!(std::trunc(number) == number)) return std::nullopt;
  if (number >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
  if (number < -0x1p63) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

}  // namespace rnnalf::onnx_impl
