// Damaged files of every format: each is a network that passes its checks, or refused in one line.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <functional>
#include <iterator>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/keras/keras_reader.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "rnnalf/pytorch/state_dict_reader.hpp"
#include "rnnalf/safetensors/safetensors_reader.hpp"
#include "support/sanitizer.hpp"

using namespace rnnalf;

namespace {

using Reader = NetworkSpec (*)(std::span<const std::byte>, const std::string&, const ReadOptions&);

struct Format {
  std::string file;
  Reader read;
};

std::ostream& operator<<(std::ostream& out, const Format& format) {
  return out << format.file;
}

const std::vector<Format> kFormats = {
    {"gru.safetensors", read_safetensors}, {"keras-head.h5", read_keras},
    {"keras-max.h5", read_keras},          {"keras-gru-before.keras", read_keras},
    {"gru.module.pt", read_state_dict},    {"checkpoint.old.module.pt", read_state_dict},
    {"lstm-cell-loop.13.onnx", read_onnx}, {"hand-written-joined.13.onnx", read_onnx},
    {"last-mean-max.13.onnx", read_onnx},
};

/// One in so many places of a file is tried; under the sanitizers, where HDF5 takes 30 times as
/// long, the fuzzers do the rest.
#ifdef RNNALF_UNDER_ASAN
constexpr std::size_t kSparse = 7;
#else
constexpr std::size_t kSparse = 1;
#endif

std::vector<char> content(const std::string& name) {
  std::ifstream file(RNNALF_TEST_DATA "/ways/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Empty when the bytes are a network.
std::string refusal(const Format& format, const std::vector<char>& bytes) {
  try {
    validate(format.read(std::as_bytes(std::span(bytes)), "x", {}));
  } catch (const NetworkFileError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile_files)

BOOST_DATA_TEST_CASE(a_file_cut_anywhere_is_refused, kFormats) {
  const std::vector<char> whole = content(sample.file);
  BOOST_TEST_REQUIRE(refusal(sample, whole) == "");
  const std::size_t step = whole.size() > 4000 ? 31 * kSparse : kSparse;
  for (std::size_t length = 0; length + 1 < whole.size(); length += step) {
    // An exact allocation, so that a sanitizer sees a read behind the end.
    const std::vector<char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    const std::string message = refusal(sample, cut);
    // HDF5 and protobuf may end in bytes that mean nothing.
    if (message.empty()) BOOST_TEST(length > whole.size() / 2);
    BOOST_TEST(message.find('\n') == std::string::npos, message);
  }
}

BOOST_DATA_TEST_CASE(a_changed_byte_gives_a_valid_network_or_a_refusal, kFormats) {
  std::vector<char> bytes = content(sample.file);
  std::size_t refused = 0;
  const std::size_t step = bytes.size() > 4000 ? 5 * kSparse : kSparse;
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    for (const unsigned mask : {0x01U, 0x80U, 0xffU}) {
      const char before = bytes[i];
      bytes[i] = static_cast<char>(static_cast<unsigned char>(before) ^ mask);
      const std::string message = refusal(sample, bytes);
      if (!message.empty()) ++refused;
      BOOST_TEST_REQUIRE(message.find('\n') == std::string::npos, message);
      bytes[i] = before;
    }
  }
  BOOST_TEST(refused > 0U);
}

BOOST_AUTO_TEST_CASE(a_safetensors_file_must_hold_what_its_header_says) {
  const auto file = [](const std::string& header, std::size_t data) {
    std::string text;
    for (std::size_t i = 0; i < 8; ++i) text += static_cast<char>(header.size() >> 8 * i & 0xffU);
    text += header + std::string(data, '\0');
    return std::vector<char>(text.begin(), text.end());
  };
  const Format format{"", read_safetensors};
  const auto tensor = [](const std::string& fields) {
    return "{\"weight_ih_l0\":{" + fields + "}}";
  };
  struct Case {
    std::string header;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"[]", "header: expected an object, found array"},
      {"{\"a\":[[[[0]]]]}", "header: expected at most 3 arrays and objects inside of each other"},
      {"{", "header: line 1, column 2: expected JSON, found the end of the text"},
      {"{\"a\":1e999}", "header: line 1, column 6: expected a number below 1.8e308, found '1e999'"},
      {"{}", "expected recurrent weights"},
      {"{\"__metadata__\":{\"rnnalf.alphabet\":3}}", "expected a string, found number"},
      {"{\"__metadata__\":{\"rnnalf.classes\":3}}",
       "metadata 'rnnalf.classes': expected a string, found number"},
      {"{\"__metadata__\":{\"rnnalf.classes\":\"[3]\"}}",
       "metadata 'rnnalf.classes': class 0: expected a string, found number"},
      {tensor("\"dtype\":\"F32\",\"shape\":[2]"), "expected dtype, shape and two data_offsets"},
      {tensor("\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]"),
       "expected real numbers (F16, BF16, F32, F64), found 'I64'"},
      {tensor("\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]"), "expected sizes of 0"},
      {tensor("\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]"),
       "expected 8 bytes for shape 2 inside of the file's 16, found offsets 0 to 4"},
      {tensor("\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[12,20]"),
       "found offsets 12 to 20"},
      {tensor("\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]"), "found offsets 8 to 0"},
      {tensor("\"dtype\":\"F32\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,0]"),
       "expected a shape that fits in the file"},
  };
  for (const Case& c : cases) {
    const std::string message = refusal(format, file(c.header, 16));
    BOOST_TEST(message.find(c.message) != std::string::npos, message + " | expected: " + c.message);
  }
}

BOOST_AUTO_TEST_SUITE_END()
