#include "rnnalf/onnx/onnx_reader.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/layers.hpp"
#include "unit/onnx/onnx_models.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

NetworkSpec read(const std::string& bytes, const ReadOptions& options = {}) {
  return read_onnx(bytes_of(bytes), "net.onnx", options);
}

std::vector<double> numbers(const onnx::TensorProto& tensor,
                            std::initializer_list<std::size_t> positions) {
  std::vector<double> result;
  for (const std::size_t position : positions) {
    result.push_back(static_cast<double>(tensor.float_data(static_cast<int>(position))));
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(onnx_reader)

BOOST_AUTO_TEST_CASE(gru_gates_z_r_h_become_r_z_n) {
  ModelBuilder builder = small_network("GRU", 3);
  const NetworkSpec spec = read(builder.bytes());
  // Hidden size 2: z is rows 0 and 1 of R, r rows 2 and 3, h rows 4 and 5.
  BOOST_TEST(support::layers(spec).layers[0].recurrent_weights.values ==
                 numbers(builder.tensor("R"), {4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11}),
             boost::test_tools::per_element());
  BOOST_TEST(support::layers(spec).layers[0].input_bias ==
                 numbers(builder.tensor("B"), {2, 3, 0, 1, 4, 5}),
             boost::test_tools::per_element());
  BOOST_TEST(support::layers(spec).layers[0].recurrent_bias ==
                 numbers(builder.tensor("B"), {8, 9, 6, 7, 10, 11}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lstm_gates_i_o_f_c_become_i_f_g_o) {
  ModelBuilder builder = small_network("LSTM", 4);
  const NetworkSpec spec = read(builder.bytes());
  BOOST_TEST(support::layers(spec).layers[0].input_bias ==
                 numbers(builder.tensor("B"), {0, 1, 4, 5, 6, 7, 2, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_reset_variant_of_a_gru_follows_linear_before_reset) {
  ModelBuilder builder = small_network("GRU", 3);
  BOOST_TEST((support::layers(read(builder.bytes())).cell == CellKind::GruResetBefore));
  set(builder.find("GRU"), "linear_before_reset", 1);
  BOOST_TEST((support::layers(read(builder.bytes())).cell == CellKind::Gru));
}

BOOST_AUTO_TEST_CASE(raw_bytes_and_number_fields_are_the_same_weights) {
  ModelBuilder builder = small_network("RNN", 1);
  const NetworkSpec fields = read(builder.bytes());
  onnx::TensorProto& weights = builder.tensor("W");
  const std::vector<float> values(weights.float_data().begin(), weights.float_data().end());
  weights.clear_float_data();
  weights.set_raw_data(values.data(), values.size() * sizeof(float));
  const NetworkSpec raw = read(builder.bytes());
  BOOST_TEST(support::layers(raw).layers[0].input_weights.values ==
                 support::layers(fields).layers[0].input_weights.values,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_state_filled_with_zeros_by_the_graph_is_zero) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.node("Shape", {"x"}, {"lengths"});
  builder.integers("one", {1});
  builder.node("Gather", {"lengths", "one"}, {"batch"});
  builder.integers("size", {2});
  set(builder.node("Concat", {"one", "batch", "size"}, {"state"}), "axis", 0);
  builder.node("ConstantOfShape", {"state"}, {"h0"});
  for (const char* name : {"", "h0"}) builder.find("RNN").add_input(name);
  BOOST_TEST(support::layers(read(builder.bytes())).layers[0].initial_hidden.empty());
}

BOOST_AUTO_TEST_CASE(a_state_filled_with_another_number_is_that_number) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.integers("state", {1, 1000000, 2});
  auto& fill = builder.node("ConstantOfShape", {"state"}, {"h0"});
  auto* value = attribute(fill, "value", onnx::AttributeProto::TENSOR).mutable_t();
  value->set_data_type(onnx::TensorProto::FLOAT);
  value->add_dims(1);
  value->add_float_data(0.5F);
  for (const char* name : {"", "h0"}) builder.find("RNN").add_input(name);
  BOOST_TEST(support::layers(read(builder.bytes())).layers[0].initial_hidden ==
                 std::vector<double>({0.5, 0.5}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_batch_of_an_initial_state_is_second_and_with_layout_1_first) {
  ModelBuilder builder = small_network("RNN", 1);
  auto& state = builder.floats("h0", {1, 2, 2});
  state.clear_float_data();
  for (const float number : {0.25F, 0.5F, 0.25F, 0.5F}) state.add_float_data(number);
  for (const char* name : {"", "h0"}) builder.find("RNN").add_input(name);
  BOOST_TEST(support::layers(read(builder.bytes())).layers[0].initial_hidden ==
                 std::vector<double>({0.25, 0.5}),
             boost::test_tools::per_element());

  set(builder.find("RNN"), "layout", 1);
  builder.integers("axis1", {1});
  builder.find("Squeeze").set_input(1, "axis1");
  auto& input = *builder.graph().mutable_input(0)->mutable_type()->mutable_tensor_type();
  input.mutable_shape()->mutable_dim()->SwapElements(0, 1);
  BOOST_CHECK_THROW(static_cast<void>(read(builder.bytes())), NetworkFileError);
  builder.tensor("h0").mutable_dims()->SwapElements(0, 1);
  BOOST_TEST(support::layers(read(builder.bytes())).layers[0].initial_hidden ==
                 std::vector<double>({0.25, 0.5}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_sigmoid_at_the_end_is_the_output_and_before_a_layer_an_activation) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.floats("V2", {1, 1});
  builder.node("MatMul", {"score", "V2"}, {"end"});
  BOOST_TEST((read(builder.bytes()).output == Output::Sigmoid));
  builder.graph().mutable_output(0)->set_name("end");
  const NetworkSpec spec = read(builder.bytes());
  BOOST_TEST((spec.output == Output::Raw));
  BOOST_TEST((spec.head.at(0).activation == Activation::Sigmoid));
}

BOOST_AUTO_TEST_CASE(nodes_the_scores_do_not_depend_on_are_not_looked_at) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.node("Unheard", {"nothing"}, {"of"});
  BOOST_CHECK_NO_THROW(static_cast<void>(read(builder.bytes())));
}

BOOST_AUTO_TEST_CASE(the_alphabet_is_the_options_else_the_files_else_numbers) {
  ModelBuilder builder = small_network("RNN", 1);
  BOOST_TEST(read(builder.bytes()).alphabet.names() == std::vector<std::string>({"0", "1", "2"}),
             boost::test_tools::per_element());
  builder.metadata("rnnalf.alphabet", R"(["a", "bb", "ü"])");
  BOOST_TEST(read(builder.bytes()).alphabet.names() == std::vector<std::string>({"a", "bb", "ü"}),
             boost::test_tools::per_element());
  BOOST_TEST(read(builder.bytes(), {.alphabet = Alphabet::parse("xyz")}).alphabet.names() ==
                 std::vector<std::string>({"x", "y", "z"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_of_classes_are_the_options_else_the_files_else_none) {
  ModelBuilder builder = small_network("RNN", 1, 3);
  BOOST_TEST(read(builder.bytes()).classes.empty());
  builder.metadata("rnnalf.classes", R"(["low", "middle", "größer"])");
  BOOST_TEST((read(builder.bytes()).classes == ClassNames({"low", "middle", "größer"})));
  BOOST_TEST((read(builder.bytes(), {.accept_class = GivenClass(std::string_view("middle"))})
                  .accept_class == std::size_t{1}));
  const ClassNames given({"a", "b", "c"});
  BOOST_TEST((read(builder.bytes(), {.classes = given}).classes == given));
}

BOOST_AUTO_TEST_CASE(probes_are_words_over_the_files_alphabet_whatever_the_options_say) {
  ModelBuilder builder = small_network("RNN", 1);
  builder.metadata("rnnalf.alphabet", R"(["a", "bb", "c"])");
  builder.metadata("rnnalf.probes", R"([[["bb", "a"], 0.25], [[], 1]])");
  const NetworkSpec spec = read(builder.bytes(), {.alphabet = Alphabet::parse("xyz")});
  BOOST_REQUIRE(spec.probes.size() == 2U);
  BOOST_TEST((spec.probes[0].word == Word{Symbol{1}, Symbol{0}}));
  BOOST_TEST(spec.probes[0].probability == 0.25);
  BOOST_TEST(spec.probes[1].word.empty());
}

BOOST_AUTO_TEST_CASE(other_formats_do_not_look_like_onnx) {
  for (const std::string& other :
       {std::string(), std::string("PK\x03\x04 archive"), std::string("\x80\x02}q\x00.", 6),
        std::string("digraph g {}"), std::string("{\"format\": 1}"), std::string("\x08\x07", 2)}) {
    BOOST_TEST(!looks_like_onnx(bytes_of(other)), other);
  }
}

BOOST_AUTO_TEST_SUITE_END()
