// Whatever the bytes, reading ends in a network or in a NetworkFileError, without taking more than
// a small multiple of the file's size. A program of its own, as it counts all memory it is given.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <ostream>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "support/counted_memory.hpp"
#include "unit/onnx/onnx_models.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

enum class Outcome { Read, Refused };

/// Lets out everything but the two outcomes there may be.
Outcome outcome(const std::string& bytes) {
  try {
    static_cast<void>(read_onnx(bytes_of(bytes), "net.onnx"));
  } catch (const NetworkFileError& error) {
    BOOST_TEST(std::string(error.what()).find('\n') == std::string::npos, error.what());
    return Outcome::Refused;
  }
  return Outcome::Read;
}

std::string small_file() {
  return read_text(RNNALF_TEST_DATA "/onnx/layout0-gru-initial.onnx");
}

std::string varint(std::size_t value) {
  std::string text;
  while (value > 127) {
    text += static_cast<char>(value % 128 + 128);
    value /= 128;
  }
  return text + static_cast<char>(value);
}

/// A field of protobuf's wire format that holds bytes or a message.
std::string field(std::size_t number, const std::string& content) {
  return varint(number * 8 + 2) + varint(content.size()) + content;
}

std::string model_of(const std::string& graph) {
  return std::string("\x08\x07", 2) + field(8, std::string("\x10\x0e", 2)) + field(7, graph);
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

void feed_state(ModelBuilder& builder, const std::string& state) {
  for (const std::string& name : {std::string(), state}) builder.find("RNN").add_input(name);
}

/// `count` nodes one after the other between "last" and the head.
std::string chain(const std::string& op, std::size_t count, const std::string& second = {}) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.integers("axes", {0});
  builder.floats("square", {2, 2});
  std::string from = "last";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string to = "t" + std::to_string(i);
    auto& node = builder.node(op, {from}, {to});
    if (!second.empty()) node.add_input(second);
    from = to;
  }
  builder.find("Gemm").set_input(0, from);
  return builder.bytes();
}

/// `count` nodes that each take the one before twice, between "last" and the head.
ModelBuilder doubled(const std::string& op, std::size_t count) {
  ModelBuilder builder = small_network("RNN", 1);
  std::string from = "last";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string to = "t" + std::to_string(i);
    auto& node = builder.node(op, {from, from}, {to});
    if (op == "Concat") set(node, "axis", 1);
    from = to;
  }
  builder.find("Gemm").set_input(0, from);
  return builder;
}

std::string joined_to_itself(std::size_t count) {
  return doubled("Concat", count).bytes();
}

std::string squared(std::size_t count) {
  return doubled("Mul", count).bytes();
}

/// Weights that the graph fills make a wide vector of a small file.
std::string wide(std::size_t count) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.integers("shape", {2, 60000});
  builder.node("ConstantOfShape", {"shape"}, {"filled"});
  builder.node("MatMul", {"last", "filled"}, {"t0"});
  for (std::size_t i = 0; i < count; ++i) {
    builder.node("Mul", {"t" + std::to_string(i), "t" + std::to_string(i)},
                 {"t" + std::to_string(i + 1)});
  }
  builder.integers("back", {60000, 2});
  builder.node("ConstantOfShape", {"back"}, {"narrow"});
  builder.node("MatMul", {"t" + std::to_string(count), "narrow"}, {"small"});
  builder.find("Gemm").set_input(0, "small");
  return builder.bytes();
}

std::string huge_carried_state() {
  ModelBuilder builder = small_network("RNN", 1);
  builder.input("state", {1, 1000000000000});
  builder.node("Tanh", {"state"}, {"next"});
  builder.find("Sigmoid").set_input(0, "next");
  builder.output("next");
  return builder.bytes();
}

std::string symbols_without_weights() {
  ModelBuilder builder = small_network("RNN", 1);
  builder.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::INT64);
  builder.graph()
      .mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim()
      ->RemoveLast();
  builder.floats("table", {1000000000000, 0});
  builder.node("Gather", {"table", "x"}, {"embedded"});
  builder.tensor("W").set_name("unused");
  builder.floats("W", {1, 2, 0});
  builder.find("RNN").set_input(0, "embedded");
  return builder.bytes();
}

std::string nested_ifs(std::size_t depth) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.integers("true", {1});
  onnx::GraphProto inner;
  inner.add_output()->set_name("last");
  for (std::size_t i = 0; i < depth; ++i) {
    onnx::GraphProto outer;
    auto* node = outer.add_node();
    node->set_op_type("If");
    node->add_input("true");
    node->add_output("inside");
    auto& branch = attribute(*node, "then_branch", onnx::AttributeProto::GRAPH);
    *branch.mutable_g() = inner;
    outer.add_output()->set_name("inside");
    inner = outer;
  }
  auto* node = builder.graph().add_node();
  *node = inner.node(0);
  builder.find("Gemm").set_input(0, "inside");
  return builder.bytes();
}

std::string huge_initial_state(std::initializer_list<std::int64_t> shape) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.integers("shape", shape);
  builder.node("ConstantOfShape", {"shape"}, {"h0"});
  feed_state(builder, "h0");
  return builder.bytes();
}

std::string huge_weights() {
  ModelBuilder builder = small_network("RNN", 1);
  builder.integers("shape", {1, 1 << 20, 1 << 20});
  builder.node("ConstantOfShape", {"shape"}, {"big"});
  builder.find("RNN").set_input(2, "big");
  builder.find("RNN").clear_attribute();
  return builder.bytes();
}

/// Constants doubled by Concat again and again.
std::string doubling(std::size_t times) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.floats("c0", {1, 1, 2});
  for (std::size_t i = 0; i < times; ++i) {
    const std::string from = "c" + std::to_string(i);
    set(builder.node("Concat", {from, from}, {"c" + std::to_string(i + 1)}), "axis", 2);
  }
  feed_state(builder, "c" + std::to_string(times));
  return builder.bytes();
}

/// Lengths doubled in the same way.
std::string doubling_lengths(std::size_t times) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.node("Shape", {"x"}, {"c0"});
  for (std::size_t i = 0; i < times; ++i) {
    const std::string from = "c" + std::to_string(i);
    set(builder.node("Concat", {from, from}, {"c" + std::to_string(i + 1)}), "axis", 0);
  }
  builder.node("ConstantOfShape", {"c" + std::to_string(times)}, {"h0"});
  feed_state(builder, "h0");
  return builder.bytes();
}

/// One large matrix used by many dense layers.
std::string shared_weights(std::size_t layers) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.floats("wide", {2, 300});
  builder.floats("square", {300, 300});
  builder.floats("narrow", {300, 2});
  builder.node("MatMul", {"last", "wide"}, {"t0"});
  for (std::size_t i = 0; i < layers; ++i) {
    builder.node("MatMul", {"t" + std::to_string(i), "square"}, {"t" + std::to_string(i + 1)});
  }
  builder.node("MatMul", {"t" + std::to_string(layers), "narrow"}, {"end"});
  builder.find("Gemm").set_input(0, "end");
  return builder.bytes();
}

std::string long_name() {
  ModelBuilder builder = small_network("RNN", 1);
  const std::string name(100000, 'n');
  builder.graph().mutable_input(0)->set_name(name);
  std::string from = name;
  for (std::size_t i = 0; i < 1000; ++i) {
    auto& node = builder.node("Transpose", {from}, {"t" + std::to_string(i)});
    for (const int axis : {0, 1, 2}) {
      attribute(node, "perm", onnx::AttributeProto::INTS).add_ints(axis);
    }
    from = "t" + std::to_string(i);
  }
  builder.find("RNN").set_input(0, from);
  return builder.bytes();
}

/// A loop written out step by step, with many copies that share their weights; the last one is
/// another if `differ`.
std::string written_out(std::size_t copies, bool differ) {
  ModelBuilder builder;
  builder.input("x", {1, -1}, onnx::TensorProto::INT64);
  builder.floats("E", {3, 2});
  builder.floats("R", {2, 2});
  builder.floats("V", {2, 1});
  builder.floats("h0", {1, 2});
  builder.node("Gather", {"E", "x"}, {"e"});
  std::string state = "h0";
  for (std::size_t t = 0; t < copies; ++t) {
    const std::string i = std::to_string(t);
    builder.integers("i" + i, {static_cast<std::int64_t>(t)});
    set(builder.node("Gather", {"e", "i" + i}, {"y" + i}), "axis", 1);
    builder.node("Squeeze", {"y" + i, "i1"}, {"x" + i});
    builder.node("MatMul", {state, "R"}, {"r" + i});
    builder.node("Add", {"x" + i, "r" + i}, {"s" + i});
    builder.node(differ && t + 1 == copies ? "Sigmoid" : "Tanh", {"s" + i}, {"h" + i + "'"});
    state = "h" + i + "'";
  }
  builder.node("MatMul", {state, "V"}, {"score"});
  builder.output("score");
  return builder.bytes();
}

/// Steps that all compute a thousand vectors in the same way, so that each may be any of the
/// others.
std::string alike_vectors() {
  ModelBuilder builder;
  builder.input("x", {1, -1}, onnx::TensorProto::INT64);
  builder.floats("E", {3, 2});
  builder.floats("V", {2, 1});
  builder.floats("h0", {1, 2});
  builder.node("Gather", {"E", "x"}, {"e"});
  std::string state = "h0";
  std::string sum;
  for (std::size_t t = 0; t < 4; ++t) {
    const std::string i = std::to_string(t);
    builder.integers("i" + i, {static_cast<std::int64_t>(t)});
    set(builder.node("Gather", {"e", "i" + i}, {"y" + i}), "axis", 1);
    builder.node("Squeeze", {"y" + i, "i1"}, {"x" + i});
    sum = "x" + i;
    for (std::size_t k = 0; k < 1000; ++k) {
      const std::string name = i + "_" + std::to_string(k);
      const std::string from =
          t == 0 ? "h0" : "h" + std::to_string(t - 1) + "_" + std::to_string(k);
      builder.node("Add", {"x" + i, from}, {"h" + name});
      builder.node("Add", {sum, "h" + name}, {"s" + name});
      sum = "s" + name;
    }
  }
  builder.node("MatMul", {sum, "V"}, {"score"});
  builder.output("score");
  return builder.bytes();
}

/// A symbol far behind all others.
std::string far_symbol() {
  ModelBuilder builder;
  builder.input("x", {1, -1}, onnx::TensorProto::INT64);
  builder.floats("E", {3, 2});
  builder.floats("V", {2, 1});
  builder.integers("far", {std::int64_t{1} << 60});
  builder.node("Gather", {"E", "x"}, {"e"});
  set(builder.node("Gather", {"e", "far"}, {"y"}), "axis", 1);
  builder.node("MatMul", {"y", "V"}, {"score"});
  builder.output("score");
  return builder.bytes();
}

struct Hostile {
  std::string what;
  std::function<std::string()> bytes;
  Outcome outcome;
};

std::ostream& operator<<(std::ostream& out, const Hostile& hostile) {
  return out << hostile.what;
}

const std::vector<Hostile> kHostile = {
    {"a million empty nodes",
     [] { return model_of(repeated(std::string("\x0a\x00", 2), 1000000)); }, Outcome::Refused},
    {"a million empty attributes",
     [] { return model_of(field(1, repeated(std::string("\x2a\x00", 2), 1000000))); },
     Outcome::Refused},
    {"a million empty tensors",
     [] { return model_of(repeated(std::string("\x2a\x00", 2), 1000000)); }, Outcome::Refused},
    {"a million empty names",
     [] { return model_of(field(1, repeated(std::string("\x0a\x00", 2), 1000000))); },
     Outcome::Refused},
    {"a million dims", [] { return model_of(field(5, field(1, std::string(1000000, '\x01')))); },
     Outcome::Refused},
    {"messages in messages without end",
     [] {
       std::string inner;
       for (int i = 0; i < 2000; ++i) inner = field(1, field(5, field(6, inner)));
       return model_of(inner);
     },
     Outcome::Refused},
    {"a chain of 100000 nodes that do nothing", [] { return chain("Identity", 100000); },
     Outcome::Read},
    {"a chain of 30000 nodes that move axes", [] { return chain("Flatten", 30000); },
     Outcome::Read},
    {"a chain of 30000 activations", [] { return chain("Relu", 30000); }, Outcome::Read},
    {"a chain of 2000 dense layers that share weights",
     [] { return chain("MatMul", 2000, "square"); }, Outcome::Read},
    {"a large matrix shared by 300 layers", [] { return shared_weights(300); }, Outcome::Refused},
    {"a thousand signals with a long name", long_name, Outcome::Read},
    {"graphs in graphs", [] { return nested_ifs(20); }, Outcome::Read},
    {"graphs in graphs, deeper than protobuf reads", [] { return nested_ifs(60); },
     Outcome::Refused},
    {"a batch of 10^15 zeros",
     [] {
       return huge_initial_state({1, 1000000000000000, 2});
     },
     Outcome::Read},
    {"an initial state whose size overflows",
     [] {
       return huge_initial_state({1, std::int64_t{1} << 62, std::int64_t{1} << 62});
     },
     Outcome::Refused},
    {"a negative initial state",
     [] {
       return huge_initial_state({1, -5, 2});
     },
     Outcome::Refused},
    {"10^12 recurrent weights made by the graph", huge_weights, Outcome::Refused},
    {"a constant doubled 60 times", [] { return doubling(60); }, Outcome::Refused},
    {"a length doubled 60 times", [] { return doubling_lengths(60); }, Outcome::Refused},
    {"a vector joined to itself 60 times", [] { return joined_to_itself(60); }, Outcome::Refused},
    {"a vector multiplied with itself 200 times", [] { return squared(200); }, Outcome::Read},
    {"200 operations on a vector of 60000 numbers", [] { return wide(200); }, Outcome::Refused},
    {"a state of 10^12 numbers that the caller carries", huge_carried_state, Outcome::Refused},
    {"10^12 symbols without weights", symbols_without_weights, Outcome::Refused},
    {"a loop written out for 3000 symbols", [] { return written_out(3000, false); }, Outcome::Read},
    {"a loop written out for 3000 symbols whose last step differs",
     [] { return written_out(3000, true); }, Outcome::Refused},
    {"a thousand states that are alike", alike_vectors, Outcome::Read},
    {"a symbol at position 10^18", far_symbol, Outcome::Refused},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(onnx_hostile_files)

BOOST_AUTO_TEST_CASE(a_file_cut_anywhere_is_refused_or_ends_where_a_field_ends) {
  const std::string whole = small_file();
  BOOST_REQUIRE((outcome(whole) == Outcome::Read));
  std::size_t read = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    if (outcome(whole.substr(0, size)) == Outcome::Read) ++read;
  }
  // The operator set is the last field; without it nothing is read.
  BOOST_TEST(read == 0U);
}

BOOST_AUTO_TEST_CASE(a_file_with_one_bit_changed_is_read_or_refused) {
  const std::string whole = small_file();
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    if (outcome(changed) == Outcome::Refused) ++refused;
  }
  BOOST_TEST(refused > whole.size());  // one bit in eight at least: names, shapes, operators
}

BOOST_AUTO_TEST_CASE(a_file_with_one_byte_set_to_the_extremes_is_read_or_refused) {
  const std::string whole = small_file();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\x00', '\x7f', '\x80', '\xff'}) {
      std::string changed = whole;
      changed[at] = value;
      static_cast<void>(outcome(changed));
    }
  }
}

BOOST_AUTO_TEST_CASE(random_bytes_are_refused) {
  std::string bytes(4096, '\0');
  std::uint32_t state = 1;
  for (int round = 0; round < 200; ++round) {
    for (char& byte : bytes) {
      state = state * 1664525U + 1013904223U;
      byte = static_cast<char>(state >> 24U);
    }
    BOOST_TEST((outcome(bytes) == Outcome::Refused));
  }
}

BOOST_DATA_TEST_CASE(what_multiplies_itself_is_read_in_proportion_to_the_file,
                     boost::unit_test::data::make(kHostile)) {
  const std::string bytes = sample.bytes();
  CountedMemory::begin();
  const Outcome found = outcome(bytes);
  const std::size_t taken = CountedMemory::taken();
  BOOST_TEST((found == sample.outcome));
  BOOST_TEST(taken < 64 * bytes.size() + (std::size_t{4} << 20U),
             taken << " bytes of memory for a file of " << bytes.size());
}

BOOST_AUTO_TEST_SUITE_END()
