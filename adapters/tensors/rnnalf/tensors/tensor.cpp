#include "rnnalf/tensors/tensor.hpp"

#include <fmt/core.h>

#include <bit>
#include <cmath>

#include "rnnalf/base/float16.hpp"

namespace rnnalf::tensors {
namespace {

double real_number(ElementType type, std::uint64_t bits) {
  switch (type) {
    case ElementType::Float16:
      return from_float16(static_cast<std::uint16_t>(bits));
    case ElementType::BFloat16:
      return from_bfloat16(static_cast<std::uint16_t>(bits));
    case ElementType::Float32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ElementType::Float64:
      return std::bit_cast<double>(bits);
    case ElementType::NotReal:
      break;
  }
  return std::nan("");
}

}  // namespace

std::size_t element_size(ElementType type) noexcept {
  switch (type) {
    case ElementType::Float16:
    case ElementType::BFloat16:
      return 2;
    case ElementType::Float32:
      return 4;
    case ElementType::Float64:
      return 8;
    case ElementType::NotReal:
      return 0;
  }
  return 0;
}

std::size_t Tensor::count() const {
  std::size_t product = 1;
  for (const std::size_t size : sizes) product *= size;
  return product;
}

std::string Tensor::shape() const {
  if (sizes.empty()) return "a single number";
  std::string text;
  for (const std::size_t size : sizes) text += fmt::format("{}{}", text.empty() ? "" : " x ", size);
  return text;
}

std::vector<double> Tensor::numbers() const {
  std::vector<double> result(count());
  const std::size_t width = element_size(element);
  std::vector<std::size_t> position(sizes.size(), 0);
  std::size_t at = offset;
  for (double& number : result) {
    number = real_number(element, little_endian(storage, at * width, width));
    // The next position, last dimension fastest.
    for (std::size_t i = sizes.size(); i > 0; --i) {
      at += strides[i - 1];
      if (++position[i - 1] < sizes[i - 1]) break;
      at -= strides[i - 1] * sizes[i - 1];
      position[i - 1] = 0;
    }
  }
  return result;
}

void Tensor::lay_out_in_rows() {
  strides.resize(sizes.size());
  std::size_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
}

bool is_recurrent_name(std::string_view name) noexcept {
  const std::size_t dot = name.rfind('.');
  const std::string_view leaf = dot == std::string_view::npos ? name : name.substr(dot + 1);
  for (const std::string_view stem :
       {"weight_ih", "weight_hh", "weight_hr", "bias_ih", "bias_hh"}) {
    if (leaf.starts_with(stem)) return true;
  }
  return false;
}

}  // namespace rnnalf::tensors
