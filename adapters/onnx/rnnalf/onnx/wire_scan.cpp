#include "rnnalf/onnx/wire_scan.hpp"

#include <google/protobuf/descriptor.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <vector>

namespace rnnalf::onnx_impl {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// What protobuf's wire format calls the ways a field is stored.
enum WireType : std::size_t { kVarint = 0, kEightBytes = 1, kLengthAndBytes = 2, kFourBytes = 5 };

/// The depth up to which protobuf reads messages inside messages.
constexpr std::size_t kDeepest = 100;

constexpr std::size_t kStringSize = sizeof(std::string) + sizeof(void*);

class SizeOfMessages {
 public:
  std::size_t operator()(const Descriptor* type) {
    auto& size = sizes_[type];
    if (size == 0) {
      auto* factory = google::protobuf::MessageFactory::generated_factory();
      size = factory->GetPrototype(type)->SpaceUsedLong() + sizeof(void*);
    }
    return size;
  }

 private:
  std::map<const Descriptor*, std::size_t> sizes_;
};

struct Open {
  const Descriptor* type;
  std::span<const std::byte> bytes;
};

}  // namespace

std::optional<std::size_t> take_varint(std::span<const std::byte>& bytes) noexcept {
  std::size_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = std::to_integer<std::size_t>(bytes.front());
    bytes = bytes.subspan(1);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<std::size_t> parsed_size(std::span<const std::byte> bytes) {
  SizeOfMessages size_of;
  std::size_t size = 0;
  std::vector<Open> open = {{::onnx::ModelProto::descriptor(), bytes}};
  while (!open.empty()) {
    Open& top = open.back();
    if (top.bytes.empty()) {
      open.pop_back();
      continue;
    }
    const auto tag = take_varint(top.bytes);
    if (!tag) return std::nullopt;
    std::size_t skipped = 0;
    switch (*tag % 8) {
      case kVarint:
        if (!take_varint(top.bytes)) return std::nullopt;
        break;
      case kEightBytes:
        skipped = 8;
        break;
      case kFourBytes:
        skipped = 4;
        break;
      case kLengthAndBytes: {
        const auto length = take_varint(top.bytes);
        if (!length) return std::nullopt;
        skipped = *length;
        break;
      }
      default:
        return std::nullopt;  // groups, which ONNX does not use
    }
    if (skipped > top.bytes.size()) return std::nullopt;
    const std::span<const std::byte> content = top.bytes.first(skipped);
    top.bytes = top.bytes.subspan(skipped);
    if (*tag % 8 != kLengthAndBytes) continue;
    const FieldDescriptor* field = *tag / 8 <= static_cast<std::size_t>(FieldDescriptor::kMaxNumber)
                                       ? top.type->FindFieldByNumber(static_cast<int>(*tag / 8))
                                       : nullptr;
    if (field == nullptr || field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      size += kStringSize;
      continue;
    }
    size += size_of(field->message_type());
    if (open.size() > kDeepest) return std::nullopt;
    open.push_back({field->message_type(), content});
  }
  return size;
}

}  // namespace rnnalf::onnx_impl
