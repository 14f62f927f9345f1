// Tensors as ONNX stores them -> numbers.

#include <fmt/core.h>
#include <onnx/onnx_pb.h>

#include <bit>
#include <cstring>
#include <stdexcept>

#include "rnnalf/base/float16.hpp"
#include "rnnalf/onnx/node.hpp"

namespace rnnalf::onnx_impl {
namespace {

using ::onnx::TensorProto;

/// Reads one tensor; the message part of every refusal is the same.
class TensorReader {
 public:
  TensorReader(const TensorProto& tensor, const std::string& what, Context& context)
      : tensor_(tensor), what_(what), context_(context) {}

  Numbers read() {
    if (tensor_.has_segment()) refuse("expected a whole tensor, found a segment of one");
    std::vector<Integer> dims = read_dims();
    std::vector<double> values = read_values();
    return Numbers::contiguous(std::move(dims), std::move(values));
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    context_.refuse(what_ + ": " + message);
  }

  std::vector<Integer> read_dims() {
    if (tensor_.dims_size() > static_cast<int>(kMostAxes)) {
      refuse(fmt::format("expected at most {} axes, found {}", kMostAxes, tensor_.dims_size()));
    }
    std::vector<Integer> dims;
    for (const std::int64_t dim : tensor_.dims()) {
      if (dim < 0) refuse(fmt::format("expected sizes of 0 or more, found {}", dim));
      if (__builtin_mul_overflow(count_, static_cast<std::size_t>(dim), &count_)) {
        refuse("expected a size that fits in memory, found one that overflows");
      }
      dims.push_back(known(dim));
    }
    return dims;
  }

  std::vector<double> read_values() {
    switch (tensor_.data_type()) {
      case TensorProto::FLOAT:
        return stored_or_raw<float>(tensor_.float_data());
      case TensorProto::DOUBLE:
        return stored_or_raw<double>(tensor_.double_data());
      case TensorProto::INT64:
        return stored_or_raw<std::int64_t>(tensor_.int64_data());
      case TensorProto::INT32:
        return stored_or_raw<std::int32_t>(tensor_.int32_data());
      case TensorProto::INT16:
        return stored_or_raw<std::int16_t>(tensor_.int32_data());
      case TensorProto::INT8:
        return stored_or_raw<std::int8_t>(tensor_.int32_data());
      case TensorProto::UINT8:
      case TensorProto::BOOL:
        return stored_or_raw<std::uint8_t>(tensor_.int32_data());
      case TensorProto::FLOAT16:
        return stored_or_raw<std::uint16_t>(tensor_.int32_data(), from_float16);
      case TensorProto::BFLOAT16:
        return stored_or_raw<std::uint16_t>(tensor_.int32_data(), from_bfloat16);
      default:
        refuse(
            fmt::format("expected numbers (float, double, float16, bfloat16, int64, int32, int16, "
                        "int8, uint8 or bool), found element type {}",
                        tensor_.data_type()));
    }
  }

  static double plain(auto number) { return static_cast<double>(number); }

  template <class Element, class Stored>
  std::vector<double> stored_or_raw(const Stored& stored,
                                    double (*convert)(Element) = plain<Element>) {
    if (tensor_.data_location() == TensorProto::EXTERNAL) {
      return from_raw<Element>(external_bytes(sizeof(Element)), convert);
    }
    if (tensor_.has_raw_data()) {
      const std::string& raw = tensor_.raw_data();
      // Dividing, as the product of a hostile count could overflow.
      if (raw.size() % sizeof(Element) != 0 || raw.size() / sizeof(Element) != count_) {
        refuse_count(fmt::format("{} bytes of {} each", raw.size(), sizeof(Element)));
      }
      return from_raw<Element>(raw, convert);
    }
    std::vector<double> values;
    if (static_cast<std::size_t>(stored.size()) != count_) {
      refuse_count(fmt::format("{} numbers", stored.size()));
    }
    spend();
    values.reserve(count_);
    for (const auto number : stored) values.push_back(convert(static_cast<Element>(number)));
    return values;
  }

  /// Numbers one behind the other; there are count_ of them.
  template <class Element>
  std::vector<double> from_raw(const std::string& raw, double (*convert)(Element)) {
    spend();
    std::vector<double> values;
    values.reserve(count_);
    for (std::size_t at = 0; at < raw.size(); at += sizeof(Element)) {
      // ONNX stores little-endian, as this machine does.
      static_assert(std::endian::native == std::endian::little);
      Element element;
      std::memcpy(&element, raw.data() + at, sizeof(Element));
      values.push_back(convert(element));
    }
    return values;
  }

  std::string external_bytes(std::size_t element_size) {
    std::size_t length = 0;
    if (__builtin_mul_overflow(count_, element_size, &length)) {
      refuse("expected a size that fits in memory, found one that overflows");
    }
    try {
      return context_.external.bytes(tensor_, length, context_.meter);
    } catch (const std::runtime_error& error) {
      refuse(error.what());
    }
  }

  [[noreturn]] void refuse_count(const std::string& found) const {
    std::vector<Integer> dims;
    for (const std::int64_t dim : tensor_.dims()) dims.push_back(known(dim));
    refuse(
        fmt::format("expected {} numbers for shape {}, found {}", count_, shape_text(dims), found));
  }

  void spend() {
    if (!context_.meter.spend(count_)) {
      refuse("expected a graph in proportion to its file, found one that multiplies its tensors");
    }
  }

  const TensorProto& tensor_;
  const std::string& what_;
  Context& context_;
  std::size_t count_ = 1;
};

}  // namespace

Numbers read_tensor(const TensorProto& tensor, const std::string& what, Context& context) {
  return TensorReader(tensor, what, context).read();
}

}  // namespace rnnalf::onnx_impl
