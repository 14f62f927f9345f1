// ONNX's own tests of the recurrent operators, from Debian's libonnx-testdata. Their models have no
// head and real-valued inputs: each input vector becomes the embedding of a symbol of its own, a
// head is added, and the R-states are compared with the expected hidden states.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "support/layers.hpp"
#include "unit/onnx/onnx_models.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

const std::filesystem::path kNodeTests = "/usr/share/libonnx-testdata/data/node";

/// Every test of RNN, GRU and LSTM, and for those out of scope what the reader says about them.
const std::map<std::string, std::string> kTests = {
    {"test_gru_batchwise", ""},
    {"test_gru_defaults", ""},
    {"test_gru_seq_length", ""},
    {"test_gru_with_initial_bias", ""},
    {"test_lstm_batchwise", ""},
    {"test_lstm_defaults", ""},
    {"test_lstm_with_initial_bias", ""},
    // Peepholes let the gates see the cell state; PyTorch has no such cell, and neither do we. The
    // test gives the lengths of its sequences too, which is what the reader comes across first.
    {"test_lstm_with_peepholes", "input 'sequence_lens' other than the lengths of the words"},
    {"test_rnn_seq_length", ""},
    {"test_simple_rnn_batchwise", ""},
    {"test_simple_rnn_defaults", ""},
    {"test_simple_rnn_with_initial_bias", ""},
};

bool is_recurrent(const onnx::ModelProto& model) {
  for (const auto& node : model.graph().node()) {
    if (node.op_type() == "RNN" || node.op_type() == "GRU" || node.op_type() == "LSTM") return true;
  }
  return false;
}

template <class Message>
Message load(const std::filesystem::path& path) {
  Message message;
  if (!message.ParseFromString(read_text(path)))
    throw std::runtime_error(path.string() + ": not read");
  return message;
}

std::vector<double> floats_of(const onnx::TensorProto& tensor) {
  BOOST_REQUIRE(tensor.data_type() == onnx::TensorProto::FLOAT);
  if (!tensor.has_raw_data()) return {tensor.float_data().begin(), tensor.float_data().end()};
  std::vector<float> values(tensor.raw_data().size() / sizeof(float));
  std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
  return {values.begin(), values.end()};
}

/// A node test as a network: all inputs but the word become stored tensors, and a head that the
/// test ignores reads the last hidden state.
struct NodeTest {
  onnx::ModelProto model;
  std::string last;  ///< name of the node's final state
  std::size_t batch = 0;
  std::size_t time = 0;
  std::size_t inputs = 0;
  bool batch_first = false;
  std::vector<double> words;   ///< X, time first
  std::vector<double> hidden;  ///< Y_h, one row per word of the batch
};

NodeTest load_test(const std::string& name) {
  const auto folder = kNodeTests / name;
  NodeTest test;
  test.model = load<onnx::ModelProto>(folder / "model.onnx");
  auto& graph = *test.model.mutable_graph();
  BOOST_REQUIRE(graph.node_size() == 1);
  for (const auto& attribute : graph.node(0).attribute()) {
    if (attribute.name() == "layout") test.batch_first = attribute.i() == 1;
  }
  for (int i = 0; i < graph.input_size(); ++i) {
    const auto file = folder / "test_data_set_0" / ("input_" + std::to_string(i) + ".pb");
    auto tensor = load<onnx::TensorProto>(file);
    tensor.set_name(graph.input(i).name());
    if (i > 0) {
      *graph.add_initializer() = tensor;
      continue;
    }
    const auto dim = [&](int axis) { return static_cast<std::size_t>(tensor.dims(axis)); };
    test.time = dim(test.batch_first ? 1 : 0);
    test.batch = dim(test.batch_first ? 0 : 1);
    test.inputs = dim(2);
    test.words = floats_of(tensor);
  }
  for (int i = 0; i < graph.output_size(); ++i) {
    if (graph.output(i).name() != "Y_h") continue;
    const auto file = folder / "test_data_set_0" / ("output_" + std::to_string(i) + ".pb");
    test.hidden = floats_of(load<onnx::TensorProto>(file));
  }
  BOOST_REQUIRE(!test.hidden.empty());
  return test;
}

std::string with_head(const NodeTest& test, std::int64_t hidden) {
  ModelBuilder builder;
  builder.model = test.model;
  builder.floats("V", {hidden, 1});
  builder.graph().clear_output();
  builder.node("MatMul", {"Y_h", "V"}, {"score"});
  builder.output("score");
  return builder.bytes();
}

NetworkSpec read_test(const NodeTest& test) {
  const auto hidden = static_cast<std::int64_t>(test.hidden.size() / test.batch);
  return read_onnx(bytes_of(with_head(test, hidden)), "model.onnx");
}

/// Hidden states after each word of the batch.
std::vector<double> run(const NodeTest& test, NetworkSpec spec) {
  support::change_layers(spec, [&](LayerStack& stack) {
    stack.embedding = Matrix{test.time * test.batch, test.inputs, test.words};
  });
  spec.alphabet = Alphabet::numbered(spec.symbol_count());
  const auto acceptor = make_acceptor(spec);
  std::vector<double> result;
  for (std::size_t word = 0; word < test.batch; ++word) {
    Word symbols;
    for (std::size_t at = 0; at < test.time; ++at) {
      symbols.push_back(
          static_cast<Symbol>(test.batch_first ? word * test.time + at : at * test.batch + word));
    }
    const std::vector<double> state = state_after(*acceptor, symbols);
    result.insert(result.end(), state.begin(),
                  state.begin() + static_cast<std::ptrdiff_t>(spec.step.readout_size()));
  }
  return result;
}

std::vector<std::string> names(bool passed) {
  std::vector<std::string> found;
  for (const auto& [name, refusal] : kTests) {
    if (refusal.empty() == passed) found.push_back(name);
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(onnx_backend_node)

BOOST_AUTO_TEST_CASE(every_recurrent_node_test_of_the_installed_package_is_in_the_table) {
  BOOST_REQUIRE_MESSAGE(std::filesystem::is_directory(kNodeTests),
                        kNodeTests.string() + ": not there; install Debian's libonnx-testdata");
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kNodeTests)) {
    if (!std::filesystem::exists(entry.path() / "model.onnx")) continue;
    if (!is_recurrent(load<onnx::ModelProto>(entry.path() / "model.onnx"))) continue;
    ++found;
    BOOST_TEST(kTests.contains(entry.path().filename()), entry.path().filename().string());
  }
  BOOST_TEST(found == kTests.size());
}

BOOST_DATA_TEST_CASE(hidden_states_are_those_onnx_expects, names(true)) {
  const NodeTest test = load_test(sample);
  const std::vector<double> found = run(test, read_test(test));
  BOOST_REQUIRE(found.size() == test.hidden.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    BOOST_TEST(std::abs(found[i] - test.hidden[i]) < 1e-6);
}

BOOST_DATA_TEST_CASE(what_is_out_of_scope_is_refused_in_words, names(false)) {
  const NodeTest test = load_test(sample);
  BOOST_CHECK_EXCEPTION(
      static_cast<void>(read_test(test)), NetworkFileError, [&](const auto& error) {
        return std::string(error.what()).find(kTests.at(sample)) != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(peepholes_are_refused_by_name) {
  NodeTest test = load_test("test_lstm_with_peepholes");
  test.model.mutable_graph()->mutable_node(0)->set_input(4, "");  // no sequence_lens
  BOOST_CHECK_EXCEPTION(
      static_cast<void>(read_test(test)), NetworkFileError, [](const auto& error) {
        return std::string(error.what()).find("'P' (peepholes) is not supported because") !=
               std::string::npos;
      });
}

BOOST_AUTO_TEST_SUITE_END()
