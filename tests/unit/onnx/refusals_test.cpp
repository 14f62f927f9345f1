// What cannot be read is refused by name: one line with file, node or tensor, expected and found.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <limits>
#include <ostream>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "unit/onnx/onnx_models.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

/// The message of the refusal; empty when the network is read.
std::string refusal(const std::string& bytes, const ReadOptions& options = {}) {
  try {
    static_cast<void>(read_onnx(bytes_of(bytes), "net.onnx", options));
  } catch (const NetworkFileError& error) {
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool reads_whole_words(const std::string& bytes) {
  try {
    return read_onnx(bytes_of(bytes), "net.onnx").word_graph.has_value();
  } catch (const NetworkFileError&) {
    return false;
  }
}

/// A change to the small network, and what the refusal has to name.
struct Change {
  std::string what;
  std::string op;
  std::function<void(ModelBuilder&)> apply;
  std::vector<std::string> named;
};

std::ostream& operator<<(std::ostream& out, const Change& change) {
  return out << change.what;
}

/// Renames what `from` was read as, so that a node can be put in between.
void reroute(ModelBuilder& builder, const std::string& op, int input, const std::string& to) {
  builder.find(op).set_input(input, to);
}

void strings(onnx::NodeProto& node, std::initializer_list<std::string> values) {
  auto& list = attribute(node, "activations", onnx::AttributeProto::STRINGS);
  for (const auto& value : values) list.add_strings(value);
}

const std::vector<Change> kChanges = {
    {"bidirectional",
     "GRU",
     [](ModelBuilder& b) { set(b.find("GRU"), "direction", "bidirectional"); },
     {"'the_GRU' (GRU)", "'bidirectional' is not supported because", "symbols that come later"}},
    {"reverse",
     "LSTM",
     [](ModelBuilder& b) { set(b.find("LSTM"), "direction", "reverse"); },
     {"'the_LSTM' (LSTM)", "'reverse' is not supported because"}},
    {"clip",
     "LSTM",
     [](ModelBuilder& b) {
       attribute(b.find("LSTM"), "clip", onnx::AttributeProto::FLOAT).set_f(3);
     },
     {"'the_LSTM'", "'clip' is not supported because"}},
    {"input_forget",
     "LSTM",
     [](ModelBuilder& b) { set(b.find("LSTM"), "input_forget", 1); },
     {"'input_forget' is not supported because"}},
    {"peepholes",
     "LSTM",
     [](ModelBuilder& b) {
       b.floats("P", {1, 6});
       for (const char* name : {"", "", "", "P"}) b.find("LSTM").add_input(name);
     },
     {"'P' (peepholes) is not supported because"}},
    {"sequence_lens",
     "RNN",
     [](ModelBuilder& b) {
       b.integers("lens", {4});
       b.find("RNN").add_input("lens");
     },
     {"'sequence_lens' other than the lengths of the words is not supported because"}},
    {"activations of an RNN",
     "RNN",
     [](ModelBuilder& b) { strings(b.find("RNN"), {"Softplus"}); },
     {"activation 'Softplus' is not supported because", "HardSigmoid, Affine and ScaledTanh"}},
    {"an activation without its numbers",
     "RNN",
     [](ModelBuilder& b) { strings(b.find("RNN"), {"Affine"}); },
     {"attribute 'activation_alpha': expected a number for 'Affine', found none"}},
    {"an activation with a number that is none",
     "RNN",
     [](ModelBuilder& b) {
       strings(b.find("RNN"), {"Elu"});
       attribute(b.find("RNN"), "activation_alpha", onnx::AttributeProto::FLOATS)
           .add_floats(std::numeric_limits<float>::infinity());
     },
     {"activation 'Elu': expected finite numbers, found others"}},
    {"activations of a GRU",
     "GRU",
     [](ModelBuilder& b) { strings(b.find("GRU"), {"HardSigmoid"}); },
     {"attribute 'activations': expected 2 names, found 1"}},
    {"activations of an LSTM",
     "LSTM",
     [](ModelBuilder& b) {
       strings(b.find("LSTM"), {"Sigmoid", "Tanh", "ThresholdedRelu"});
     },
     {"activation 'ThresholdedRelu' is not supported because"}},
    {"an unknown node in the head",
     "RNN",
     [](ModelBuilder& b) {
       b.node("InstanceNormalization", {"last"}, {"normal"});
       reroute(b, "Gemm", 0, "normal");
     },
     {"'the_InstanceNormalization' (InstanceNormalization)",
      "expected a dense layer or activation of the head", "input 1 of node 'the_Gemm' (Gemm)",
      "found 'InstanceNormalization'"}},
    {"an unknown node in front of the cell",
     "RNN",
     [](ModelBuilder& b) {
       b.node("Conv", {"x"}, {"filtered"});
       reroute(b, "RNN", 0, "filtered");
     },
     {"'the_Conv' (Conv)", "expected the word's symbols", "input 1 of node 'the_RNN'"}},
    {"an unknown node behind a squeeze",
     "RNN",
     [](ModelBuilder& b) {
       b.node("ReduceL2", {"Y"}, {"norm"});
       reroute(b, "Squeeze", 0, "norm");
     },
     {"'the_ReduceL2'", "last step of a recurrent layer", "node 'the_Gemm'"}},
    {"weights that are computed",
     "RNN",
     [](ModelBuilder& b) {
       b.node("RandomNormal", {}, {"noise"});
       reroute(b, "RNN", 1, "noise");
     },
     {"'the_RandomNormal'", "expected constant weights", "input 2 of node 'the_RNN'"}},
    {"an initial state that is an input of another size",
     "RNN",
     [](ModelBuilder& b) {
       b.input("h0", {1, 1, 3});
       for (const char* name : {"", "h0"}) b.find("RNN").add_input(name);
     },
     {"'the_RNN'", "'h0'", "expected a constant or zero-filled initial state"}},
    {"an initial state that is an input of free size",
     "RNN",
     [](ModelBuilder& b) {
       b.input("h0", {1, 1, -1});
       for (const char* name : {"", "h0"}) b.find("RNN").add_input(name);
     },
     {"graph input 'h0'", "expected a state of a known size"}},
    {"the length of words as a table",
     "RNN",
     [](ModelBuilder& b) {
       b.input("lens", {1, 2}, onnx::TensorProto::INT64);
       b.find("RNN").add_input("lens");
     },
     {"graph input 'lens'", "expected the length of each word, found 2 axes"}},
    {"the mean of two axes",
     "RNN",
     [](ModelBuilder& b) {
       b.node("ReduceMean", {"Y"}, {"mean"});
       reroute(b, "Squeeze", 0, "mean");
     },
     {"'the_ReduceMean'", "expected one axis to reduce, found several"}},
    {"the largest feature",
     "RNN",
     [](ModelBuilder& b) {
       set(b.node("ReduceMax", {"last"}, {"most"}), "keepdims", 0);
       reroute(b, "Gemm", 0, "most");
     },
     {"'the_ReduceMax'", "a reduction of features other than their mean or sum"}},
    {"a power of 1.5",
     "RNN",
     [](ModelBuilder& b) {
       b.floats("exponent", {});
       b.node("Pow", {"last", "exponent"}, {"power"});
       reroute(b, "Gemm", 0, "power");
     },
     {"'the_Pow'", "a power other than 0.5, 2 or 3 is not supported because"}},
    {"a loop without an end",
     "RNN",
     [](ModelBuilder& b) {
       b.integers("many", {9});
       auto& loop = b.node("Loop", {"many", "", "last"}, {"looped"});
       attribute(loop, "body", onnx::AttributeProto::GRAPH).mutable_g()->add_output();
       reroute(b, "Gemm", 0, "looped");
     },
     {"'the_Loop'", "expected as many steps as the word is long"}},
    {"an initial state of another size",
     "RNN",
     [](ModelBuilder& b) {
       b.floats("h0", {1, 1, 3});
       for (const char* name : {"", "h0"}) b.find("RNN").add_input(name);
     },
     {"'h0'", "expected an initial state of shape [1, batch, 2]",
      "found a constant of shape [1, 1, 3]"}},
    {"an initial state that differs in a batch",
     "RNN",
     [](ModelBuilder& b) {
       b.floats("h0", {1, 2, 2});
       for (const char* name : {"", "h0"}) b.find("RNN").add_input(name);
     },
     {"'h0'", "the same initial state for every word"}},
    {"the first time step",
     "RNN",
     [](ModelBuilder& b) {
       b.integers("first", {0});
       b.node("Gather", {"Y", "first"}, {"first_step"});
       reroute(b, "Squeeze", 0, "first_step");
     },
     {"'the_Gather'", "expected the last time step", "found index 0"}},
    {"a head on the cell state",
     "LSTM",
     [](ModelBuilder& b) {
       b.find("LSTM").add_output("Y_c");
       reroute(b, "Squeeze", 0, "Y_c");
     },
     {"'the_Gemm'", "a head that reads the cell state 'Y_c' is not supported because"}},
    {"every step and the last one in one sum",
     "RNN",
     [](ModelBuilder& b) {
       b.node("Add", {"Y", "Y_h"}, {"sum"});
       reroute(b, "Squeeze", 0, "sum");
     },
     {"'the_Add'", "to be combined entry by entry and step by step, found axes that do not fit"}},
    {"hidden_size that is not the weights'",
     "RNN",
     [](ModelBuilder& b) { set(b.find("RNN"), "hidden_size", 5); },
     {"'hidden_size'", "expected 2", "found 5"}},
    {"input weights of another width",
     "RNN",
     [](ModelBuilder& b) {
       b.tensor("W").set_name("unused");
       b.floats("W", {1, 2, 4});
     },
     {"'W'", "[1, 2, 3]", "found a constant of shape [1, 2, 4]"}},
    {"recurrent weights of another height",
     "GRU",
     [](ModelBuilder& b) {
       b.tensor("R").set_name("unused");
       b.floats("R", {1, 4, 2});
     },
     {"'R'", "[1, 6, 2]", "[1, 4, 2]"}},
    {"a dense layer of another width",
     "RNN",
     [](ModelBuilder& b) {
       b.tensor("V").set_name("unused");
       b.floats("V", {7, 1});
     },
     {"'the_Gemm'", "'V'", "expected weights for 2 features", "[7, 1]"}},
    {"dims that do not fit the data",
     "RNN",
     [](ModelBuilder& b) { b.tensor("W").set_dims(2, 30); },
     {"tensor 'W'", "expected 60 numbers for shape [1, 2, 30]", "found 6 numbers"}},
    {"dims that overflow",
     "RNN",
     [](ModelBuilder& b) {
       b.tensor("W").set_dims(1, std::int64_t{1} << 62);
       b.tensor("W").set_dims(2, std::int64_t{1} << 62);
     },
     {"tensor 'W'", "overflows"}},
    {"negative dims",
     "RNN",
     [](ModelBuilder& b) { b.tensor("W").set_dims(1, -2); },
     {"tensor 'W'", "found -2"}},
    {"weights in another file",
     "RNN",
     [](ModelBuilder& b) { b.tensor("R").set_data_location(onnx::TensorProto::EXTERNAL); },
     {"tensor 'R'", "expected the numbers inside of the model, found them in another file"}},
    {"weights that are strings",
     "RNN",
     [](ModelBuilder& b) { b.tensor("R").set_data_type(onnx::TensorProto::STRING); },
     {"tensor 'R'", "expected numbers", "found element type 8"}},
    {"a weight that is not a number",
     "RNN",
     [](ModelBuilder& b) {
       b.tensor("R").set_float_data(1, std::numeric_limits<float>::quiet_NaN());
     },
     {"elman-tanh layer 1: recurrent weights", "expected finite numbers", "nan"}},
    {"an infinite weight",
     "RNN",
     [](ModelBuilder& b) {
       b.tensor("v").set_float_data(0, std::numeric_limits<float>::infinity());
     },
     {"dense layer 1: bias", "expected finite numbers", "inf"}},
    {"a cycle",
     "RNN",
     [](ModelBuilder& b) { reroute(b, "Gemm", 2, "score"); },
     {"'the_Sigmoid'", "without cycles"}},
    {"a tensor computed twice",
     "RNN",
     [](ModelBuilder& b) { b.node("Relu", {"last"}, {"score"}); },
     {"tensor 'score'", "found two"}},
    {"a tensor nobody computes",
     "RNN",
     [](ModelBuilder& b) { reroute(b, "Gemm", 0, "nowhere"); },
     {"tensor 'nowhere'", "found none"}},
    {"no output",
     "RNN",
     [](ModelBuilder& b) { b.graph().clear_output(); },
     {"expected a graph with an output"}},
    {"an output that is the input",
     "RNN",
     [](ModelBuilder& b) { b.graph().mutable_output(0)->set_name("x"); },
     {"graph output 'x'", "expected the scores", "found the graph input 'x'"}},
    {"scores that are no scores",
     "RNN",
     [](ModelBuilder& b) {
       b.node("ArgMax", {"logit"}, {"best"});
       b.graph().mutable_output(0)->set_name("best");
     },
     {"'the_ArgMax'", "expected the scores of the network", "found 'ArgMax'"}},
    {"a softmax over one score",
     "RNN",
     [](ModelBuilder& b) { b.find("Sigmoid").set_op_type("Softmax"); },
     {"expected several outputs before a softmax, found 1"}},
    {"a softmax over the batch",
     "RNN",
     [](ModelBuilder& b) {
       b.find("Sigmoid").set_op_type("Softmax");
       set(b.find("Softmax"), "axis", 0);
     },
     {"'axis'", "expected the axis of the classes"}},
    {"a class that is picked",
     "RNN",
     [](ModelBuilder& b) {
       b.integers("class", {0});
       set(b.node("Gather", {"score", "class"}, {"picked"}), "axis", 1);
       b.graph().mutable_output(0)->set_name("picked");
     },
     {"'the_Gather'", "one class picked from the dense layer 'score' is not supported because"}},
    {"a logarithm of no softmax",
     "RNN",
     [](ModelBuilder& b) {
       b.node("Log", {"score"}, {"log"});
       b.graph().mutable_output(0)->set_name("log");
     },
     {"'the_Log'", "expected the scores of a Softmax"}},
    {"a domain of its own",
     "RNN",
     [](ModelBuilder& b) { b.find("Gemm").set_domain("com.example"); },
     {"'the_Gemm'", "of domain 'com.example'"}},
    {"no operator set",
     "RNN",
     [](ModelBuilder& b) { b.model.clear_opset_import(); },
     {"expected an operator set"}},
    {"no recurrent node",
     "RNN",
     [](ModelBuilder& b) {
       b.input("h", {1, 2});
       reroute(b, "Gemm", 0, "h");
     },
     {"graph input 'h'", "expected the state after the step among the graph's outputs"}},
    {"what is computed of a probability",
     "RNN",
     [](ModelBuilder& b) {
       b.floats("one", {1});
       b.node("Sub", {"one", "score"}, {"opposite"});
       b.graph().mutable_output(0)->set_name("opposite");
     },
     {"expected logits, or probabilities of a sigmoid or softmax, at the end of the network"}},
    {"a hard sigmoid at the end",
     "RNN",
     [](ModelBuilder& b) { b.find("Sigmoid").set_op_type("HardSigmoid"); },
     {"expected logits, or probabilities of a sigmoid or softmax, at the end of the network"}},
    {"no state at all",
     "RNN",
     [](ModelBuilder& b) {
       b.floats("V3", {3, 2});
       b.node("MatMul", {"x", "V3"}, {"embedded"});
       reroute(b, "Gemm", 0, "embedded");
     },
     {"expected a recurrent node (RNN, GRU or LSTM), a loop or a carried state"}},
    {"names with line breaks",
     "RNN",
     [](ModelBuilder& b) {
       b.find("Gemm").set_name("a\nb\x1b[31m");
       b.find("Gemm").set_op_type("Con\nv");
     },
     {"'a?b?[31m' (Con?v)"}},
    {"alphabet metadata that is no JSON",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.alphabet", "[\"a\","); },
     {"'rnnalf.alphabet'", "expected JSON", "column"}},
    {"alphabet metadata that is no array",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.alphabet", "{}"); },
     {"'rnnalf.alphabet'", "expected an array of strings, found object"}},
    {"alphabet metadata with a number",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.alphabet", "[\"a\", 1, \"c\"]"); },
     {"'rnnalf.alphabet'", "symbol 1", "found number"}},
    {"alphabet metadata with a symbol twice",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.alphabet", R"(["a", "b", "a"])"); },
     {"'rnnalf.alphabet'", "'a' occurs twice"}},
    {"alphabet metadata of another size",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.alphabet", R"(["a", "b"])"); },
     {"'rnnalf.alphabet'", "expected 3 symbols, found 2"}},
    {"alphabet metadata twice",
     "RNN",
     [](ModelBuilder& b) {
       b.metadata("rnnalf.alphabet", R"(["a", "b", "c"])");
       b.metadata("rnnalf.alphabet", R"(["c", "b", "a"])");
     },
     {"'rnnalf.alphabet'", "found it twice"}},
    {"alphabet metadata of brackets",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.alphabet", std::string(100000, '[')); },
     {"'rnnalf.alphabet'", "inside of each other"}},
    {"names of classes that are no JSON",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.classes", "low high"); },
     {"'rnnalf.classes'", "expected JSON", "column"}},
    {"names of classes with a number",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.classes", R"(["low", 1])"); },
     {"'rnnalf.classes'", "class 1: expected a string, found number"}},
    {"no names of classes",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.classes", "[]"); },
     {"'rnnalf.classes'", "expected the names of the classes, found none"}},
    {"a name of two classes",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.classes", R"(["low", "low"])"); },
     {"'rnnalf.classes'", "class 1: expected a name that no other class has, found 'low'"}},
    {"a name that is the number of another class",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.classes", R"(["1", "2"])"); },
     {"'rnnalf.classes'", "class 0: expected no number but its own as its name, found '1'"}},
    {"names of classes where there is one output",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.classes", R"(["low", "high"])"); },
     {"classes: expected several outputs to name, found 1"}},
    {"a probe with an unknown symbol",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.probes", R"([[["0","7"],0.5]])"); },
     {"'rnnalf.probes'", "probe 0", "'7'"}},
    {"a probe that is no pair",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.probes", R"([[["0"],0.5],["1"]])"); },
     {"'rnnalf.probes'", "probe 1", "expected [array of symbols, probability]"}},
    {"a probe with a probability above 1",
     "RNN",
     [](ModelBuilder& b) { b.metadata("rnnalf.probes", R"([[["0"],1.5]])"); },
     {"'rnnalf.probes'", "probe 0", "found 1.5"}},
};

std::int64_t gates(const std::string& op) {
  return op == "RNN" ? 1 : op == "GRU" ? 3 : 4;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(onnx_refusals)

BOOST_AUTO_TEST_CASE(the_small_networks_are_read_unless_something_is_changed) {
  for (const std::string op : {"RNN", "GRU", "LSTM"}) {
    BOOST_TEST(refusal(small_network(op, gates(op)).bytes()) == "");
  }
}

BOOST_DATA_TEST_CASE(one_line_names_the_file_the_place_expected_and_found,
                     boost::unit_test::data::make(kChanges)) {
  ModelBuilder builder = small_network(sample.op, gates(sample.op));
  sample.apply(builder);
  if (reads_whole_words(builder.bytes())) return;  // no step, but a graph that can be run on words
  const std::string message = refusal(builder.bytes());
  BOOST_TEST(message.rfind("net.onnx: ", 0) == 0U, "'" << message << "'");
  BOOST_TEST(!contains(message, "\n"));
  for (const std::string& part : sample.named) {
    BOOST_TEST(contains(message, part), "expected " << part << " in: " << message);
  }
}

BOOST_AUTO_TEST_CASE(a_cell_that_contradicts_the_file_is_refused) {
  const std::string bytes = small_network("GRU", 3).bytes();
  BOOST_TEST(contains(refusal(bytes, {.cell = "lstm"}),
                      "expected cell lstm as asked for, found gru-reset-before"));
  BOOST_TEST(refusal(bytes, {.cell = "gru-reset-before"}) == "");
}

BOOST_AUTO_TEST_CASE(an_alphabet_of_another_size_is_refused) {
  const std::string bytes = small_network("RNN", 1).bytes();
  BOOST_TEST(
      contains(refusal(bytes, {.alphabet = Alphabet::parse("ab")}), "expected 3 symbols, found 2"));
}

BOOST_AUTO_TEST_CASE(an_accept_class_that_is_not_there_is_refused) {
  const std::string bytes = small_network("RNN", 1).bytes();
  BOOST_TEST(contains(refusal(bytes, {.accept_class = 1}), "accept class"));
}

BOOST_AUTO_TEST_SUITE_END()
