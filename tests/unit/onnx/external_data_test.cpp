// Weights in a file beside the model, as newer exporters write them: read from the model's own
// folder, and from nowhere else.

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <functional>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"
#include "unit/onnx/onnx_models.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

/// Moves a tensor's numbers to the end of `data`, and says in the model that they are there.
void move_out(onnx::TensorProto& tensor, std::string& data, const std::string& file) {
  const std::size_t offset = data.size();
  for (const float number : tensor.float_data()) {
    data.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  tensor.clear_float_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  const auto say = [&](const char* key, const std::string& value) {
    auto* entry = tensor.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  };
  say("location", file);
  say("offset", std::to_string(offset));
  say("length", std::to_string(data.size() - offset));
}

/// A small network with W, R and B in a file beside it.
struct Outside {
  ModelBuilder builder = small_network("GRU", 3);
  std::string data = "head";

  explicit Outside(const std::string& file = "net.onnx.data") {
    for (const char* name : {"W", "R", "B"}) move_out(builder.tensor(name), data, file);
  }
  onnx::TensorProto& tensor() { return builder.tensor("W"); }
  void say(const std::string& key, const std::string& value) {
    for (auto& entry : *tensor().mutable_external_data()) {
      if (entry.key() == key) entry.set_value(value);
    }
  }
};

NetworkSpec read(const ModelBuilder& builder, const std::filesystem::path& folder) {
  ReadOptions options;
  options.folder = folder;
  return read_onnx(bytes_of(builder.bytes()), "net.onnx", options);
}

std::string refusal(const ModelBuilder& builder, const std::filesystem::path& folder) {
  return support::message_of<NetworkFileError>([&] { static_cast<void>(read(builder, folder)); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(external_data)

BOOST_AUTO_TEST_CASE(numbers_beside_the_model_are_those_inside) {
  const support::TemporaryFolder folder;
  Outside outside;
  static_cast<void>(folder.file("net.onnx.data", outside.data));
  const NetworkSpec inside = read(small_network("GRU", 3), folder.path());
  const NetworkSpec beside = read(outside.builder, folder.path());
  BOOST_TEST(inside.beside.empty());
  BOOST_TEST((beside.beside == std::vector<std::string>{"net.onnx.data"}));
  BOOST_TEST((beside.step == inside.step));
  // A link that stays in the folder, and a folder that is given by one.
  std::filesystem::rename(folder / "net.onnx.data", folder / "other");
  std::filesystem::create_symlink("other", folder / "net.onnx.data");
  std::filesystem::create_directory_symlink(folder.path(), folder / "way");
  BOOST_TEST(refusal(outside.builder, folder / "way") == "accepted");
}

BOOST_AUTO_TEST_CASE(nothing_outside_of_the_folder_is_read) {
  const support::TemporaryFolder folder;
  const support::TemporaryFolder elsewhere;
  Outside outside;
  const std::filesystem::path secret = elsewhere.file("secret", outside.data);
  static_cast<void>(folder.file("net.onnx.data", outside.data));
  std::filesystem::create_directory(folder / "inner");
  std::filesystem::create_symlink(secret, folder / "link");
  std::filesystem::create_symlink("loop", folder / "loop");
  const auto says = [&](const std::string& location, const std::string& expected) {
    Outside changed;
    changed.say("location", location);
    const std::string message = refusal(changed.builder, folder.path());
    BOOST_TEST(message.find("tensor 'W': external data: expected " + expected) != std::string::npos,
               message);
    BOOST_TEST(message.find('\n') == std::string::npos, message);
  };
  const std::string plain = "the name of a file in the folder of the model, found ";
  says(secret.string(), plain);
  says("../" + elsewhere.path().filename().string() + "/secret", plain);
  says("inner/../net.onnx.data", plain);
  says("./net.onnx.data", plain);
  says("..", plain + "'..'");
  says("", plain + "''");
  says(std::string("net.onnx.data\0x", 15), plain);
  says("a\nb", "the file 'a?b' next to the model, found none");
  says("missing", "the file 'missing' next to the model, found none; the two belong together");
  says("loop", "the file 'loop' next to the model, found ");
  says("inner", "'inner' to be a plain file, found something else");
  says("link", "'link' to be in the folder of the model, found a link out of it");
  // Bytes without a folder.
  BOOST_TEST(refusal(outside.builder, "").find("the model was not read from a folder") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_tensor_has_as_many_bytes_as_its_shape_says) {
  const support::TemporaryFolder folder;
  Outside outside;
  static_cast<void>(folder.file("net.onnx.data", outside.data));
  const auto says = [&](const std::function<void(Outside&)>& change, const std::string& expected) {
    Outside changed;
    change(changed);
    const std::string message = refusal(changed.builder, folder.path());
    BOOST_TEST(message.find(expected) != std::string::npos, message);
  };
  const std::string wanted = "expected 72 bytes from byte ";  // 6 x 3 floats
  says([](Outside& o) { o.say("length", "71"); }, wanted + "4 of 'net.onnx.data', found 71 asked");
  says([](Outside& o) { o.say("offset", "100000"); }, wanted + "100000 of");
  says([](Outside& o) { o.say("offset", "18446744073709551615"); },
       wanted + "18446744073709551615 of");
  says([](Outside& o) { o.say("offset", "-1"); },
       "expected 'offset' to be a number of bytes, found '-1'");
  says([](Outside& o) { o.say("length", "1e3"); }, "expected 'length' to be a number of bytes");
  says(
      [](Outside& o) {
        o.tensor().set_dims(1, std::int64_t{1} << 31);
        o.tensor().set_dims(2, std::int64_t{1} << 31);
      },
      "expected a size that fits in memory, found one that overflows");
  // Without a length, all to the end of the file.
  says([](Outside& o) { o.tensor().mutable_external_data()->RemoveLast(); }, wanted + "4 of");
}

BOOST_AUTO_TEST_SUITE_END()
