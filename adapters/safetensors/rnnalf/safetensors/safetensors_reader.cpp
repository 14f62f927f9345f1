#include "rnnalf/safetensors/safetensors_reader.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/json.hpp"
#include "rnnalf/network/metadata.hpp"
#include "rnnalf/tensors/network_from_tensors.hpp"

namespace rnnalf {
namespace {

using json = nlohmann::ordered_json;
using namespace tensors;

constexpr std::size_t kMostTensors = 4096;
constexpr std::size_t kMostAxes = 8;
// A number of JSON takes some 50 times its text in memory. 4096 tensors have headers below this.
constexpr std::size_t kLargestHeader = std::size_t{1} << 20;

class Reader {
 public:
  Reader(Bytes bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  NamedTensors read() {
    const json header = parse_header();
    NamedTensors named{.kind = "safetensors file", .in_order = false};
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        read_metadata(entry);
        continue;
      }
      if (named.tensors.size() >= kMostTensors) {
        refuse(fmt::format("expected at most {} tensors, found more", kMostTensors));
      }
      auto tensor = read_tensor(name, entry);
      if (tensor) named.tensors.push_back(*std::move(tensor));
    }
    return named;
  }

  std::optional<std::string> alphabet, classes, probes, cell;  ///< of the metadata

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw NetworkFileError(file_, message);
  }

  json parse_header() {
    const std::uint64_t length = bytes_.size() < 8 ? 0 : little_endian(bytes_, 0, 8);
    if (bytes_.size() < 8 || !within(bytes_, 8, length) || length > kLargestHeader) {
      refuse(fmt::format("expected a header of at most {} bytes that the file has, found {}",
                         kLargestHeader, length));
    }
    data_ = bytes_.subspan(8 + static_cast<std::size_t>(length));
    const std::string_view text = text_at(bytes_, 8, static_cast<std::size_t>(length));
    json header =
        parse_json(text, 3, [&](const std::string& message) { refuse("header: " + message); });
    if (!header.is_object()) refuse("header: expected an object, found " + type(header));
    return header;
  }

  static std::string type(const json& value) { return value.type_name(); }

  void read_metadata(const json& entry) {
    if (!entry.is_object()) refuse("metadata: expected an object, found " + type(entry));
    const auto text = [&](const char* key) -> std::optional<std::string> {
      const auto found = entry.find(key);
      if (found == entry.end()) return std::nullopt;
      if (!found->is_string()) {
        refuse(std::string("metadata '") + key + "': expected a string, found " + type(*found));
      }
      return found->get<std::string>();
    };
    alphabet = text("rnnalf.alphabet");
    classes = text("rnnalf.classes");
    probes = text("rnnalf.probes");
    cell = text("rnnalf.cell");
  }

  static ElementType element_type(const std::string& dtype) {
    if (dtype == "F16") return ElementType::Float16;
    if (dtype == "BF16") return ElementType::BFloat16;
    if (dtype == "F32") return ElementType::Float32;
    if (dtype == "F64") return ElementType::Float64;
    return ElementType::NotReal;
  }

  /// None for counters and masks: of other kinds than real numbers, so no part of what is computed.
  std::optional<Tensor> read_tensor(const std::string& name, const json& entry) {
    const auto broken = [&](const std::string& message) {
      refuse("tensor " + quoted(name) + ": " + message);
    };
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
        !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
        !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2) {
      broken("expected dtype, shape and two data_offsets, found something else");
    }
    Tensor tensor{.name = name, .element = element_type(entry["dtype"].get<std::string>())};
    if (tensor.element == ElementType::NotReal) {
      if (!is_recurrent_name(name)) return std::nullopt;
      broken("expected real numbers (F16, BF16, F32, F64), found " +
             quoted(entry["dtype"].get<std::string>()));
    }
    if (entry["shape"].size() > kMostAxes) {
      broken(fmt::format("expected at most {} axes, found {}", kMostAxes, entry["shape"].size()));
    }
    std::size_t bytes = element_size(tensor.element);
    for (const json& size : entry["shape"]) {
      if (!size.is_number_unsigned()) broken("expected sizes of 0 or more, found " + type(size));
      tensor.sizes.push_back(size.get<std::size_t>());
      if (__builtin_mul_overflow(bytes, tensor.sizes.back(), &bytes)) {
        broken("expected a shape that fits in the file, found " + tensor.shape());
      }
    }
    const json& offsets = entry["data_offsets"];
    if (!offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) {
      broken("expected offsets of 0 or more, found " + type(offsets[0]) + " and " +
             type(offsets[1]));
    }
    const auto begin = offsets[0].get<std::uint64_t>();
    const auto end = offsets[1].get<std::uint64_t>();
    if (end < begin || !within(data_, begin, end - begin) || end - begin != bytes) {
      broken(fmt::format(
          "expected {} bytes for shape {} inside of the file's {}, found offsets {} to {}", bytes,
          tensor.shape(), data_.size(), begin, end));
    }
    tensor.storage = data_.subspan(static_cast<std::size_t>(begin), bytes);
    tensor.lay_out_in_rows();
    return tensor;
  }

  Bytes bytes_;
  Bytes data_;
  const std::string& file_;
};

}  // namespace

bool looks_like_safetensors(std::span<const std::byte> bytes) {
  if (bytes.size() < 10 || std::to_integer<char>(bytes[8]) != '{') return false;
  return within(bytes, 8, little_endian(bytes, 0, 8));
}

NetworkSpec read_safetensors(std::span<const std::byte> bytes, const std::string& file,
                             const ReadOptions& options) {
  Reader reader(bytes, file);
  NamedTensors named = reader.read();
  // Probes are over the file's own alphabet, whatever the options say.
  ReadOptions of_file = options;
  of_file.alphabet.reset();
  if (reader.alphabet) {
    of_file.alphabet = parse_alphabet(*reader.alphabet, {file, "metadata 'rnnalf.alphabet'"});
  }
  if (reader.classes && !options.classes) {
    of_file.classes = parse_classes(*reader.classes, {file, "metadata 'rnnalf.classes'"});
  }
  if (reader.cell && !options.cell) of_file.cell = *reader.cell;
  NetworkSpec spec = network_from_tensors(std::move(named), bytes.size(), file, of_file);
  if (reader.probes) {
    spec.probes = parse_probes(*reader.probes, spec.alphabet, {file, "metadata 'rnnalf.probes'"});
  }
  if (options.alphabet) spec.alphabet = *options.alphabet;
  validate(spec);
  return spec;
}

}  // namespace rnnalf
