#include "rnnalf/onnx/external_data.hpp"

#include <fmt/core.h>

#include <onnx/onnx_pb.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "rnnalf/base/text.hpp"

namespace rnnalf::onnx_impl {
namespace {

namespace fs = std::filesystem;

/// As much as a model itself may have.
constexpr std::size_t kLargest = std::size_t{2} << 30U;

[[noreturn]] void refuse(const std::string& message) {
  throw std::runtime_error(message);
}

/// Where a tensor's bytes lie.
struct Place {
  std::string name{};
  std::size_t offset = 0;
  std::optional<std::size_t> length{};
};

std::size_t number(const std::string& key, const std::string& text) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end) {
    refuse("external data: expected '" + key + "' to be a number of bytes, found " +
           in_quotes(text));
  }
  return value;
}

Place place_of(const ::onnx::TensorProto& tensor) {
  Place place;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") place.name = entry.value();
    if (entry.key() == "offset") place.offset = number(entry.key(), entry.value());
    if (entry.key() == "length") place.length = number(entry.key(), entry.value());
  }
  // fs::path would take a zero byte for the end of the name.
  const bool plain = !place.name.empty() && place.name != "." && place.name != ".." &&
                     place.name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
  if (!plain) {
    refuse("external data: expected the name of a file in the folder of the model, found " +
           in_quotes(place.name));
  }
  return place;
}

}  // namespace

const ExternalData::File& ExternalData::open(const std::string& name, Meter& meter) {
  const auto known = files_.find(name);
  if (known != files_.end()) return known->second;
  const std::string what = "external data: expected ";
  std::error_code error;
  const fs::path folder = fs::canonical(folder_, error);
  const fs::path path = error ? fs::path() : fs::canonical(folder / name, error);
  if (error) {
    refuse(what + "the file " + in_quotes(name) + " next to the model, found " +
           (error == std::errc::no_such_file_or_directory ? "none" : error.message()) +
           "; the two belong together");
  }
  if (path.parent_path() != folder) {
    refuse(what + in_quotes(name) + " to be in the folder of the model, found a link out of it");
  }
  if (!fs::is_regular_file(path, error) || error) {
    refuse(what + in_quotes(name) + " to be a plain file, found something else");
  }
  const std::size_t size = fs::file_size(path, error);
  if (error) refuse(what + in_quotes(name) + " to have a size, found " + error.message());
  if (size > kLargest - total_) {
    refuse(fmt::format("{}at most {} MiB next to the model, found {} to be larger", what,
                       kLargest >> 20U, in_quotes(name)));
  }
  total_ += size;
  meter.add_file(size);
  return files_.emplace(name, File{path.string(), size}).first->second;
}

std::string ExternalData::bytes(const ::onnx::TensorProto& tensor, std::size_t length,
                                Meter& meter) {
  if (folder_.empty()) {
    refuse(
        "expected the numbers inside of the model, found them in another file, and the model was "
        "not read from a folder");
  }
  const Place place = place_of(tensor);
  const File& file = open(place.name, meter);
  if (place.offset > file.size || file.size - place.offset < place.length.value_or(length) ||
      place.length.value_or(file.size - place.offset) != length) {
    refuse(fmt::format(
        "external data: expected {} bytes from byte {} of {}, found {}{} in the file", length,
        place.offset, in_quotes(place.name),
        (place.length ? fmt::format("{} asked for and ", *place.length) : ""), file.size));
  }
  std::string bytes(length, '\0');
  std::ifstream stream(file.path, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(place.offset));
  stream.read(bytes.data(), static_cast<std::streamsize>(length));
  if (!stream) {
    refuse(fmt::format(
        "external data: expected {} bytes from byte {} of {}, found that it cannot be read", length,
        place.offset, in_quotes(place.name)));
  }
  return bytes;
}

std::vector<std::string> ExternalData::files() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

}  // namespace rnnalf::onnx_impl
