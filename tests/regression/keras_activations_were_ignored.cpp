// An activation that a Keras file describes by an object, as Keras 3 does for layers and functions,
// or by null was read as tanh in a recurrent layer and as none in a dense one.

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/keras/keras_reader.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "support/keras_files.hpp"

using namespace rnnalf;
using namespace rnnalf::test;
using nlohmann::json;

namespace {

// Embedding, LSTM, Dense with relu, normalisations, ..., Dense with softmax.
const std::string kHead = RNNALF_TEST_DATA "/ways/keras-head.keras";
constexpr std::size_t kLstm = 2;
constexpr std::size_t kDense = 3;

NetworkSpec with_activation(std::size_t layer, const char* key, const json& activation) {
  const std::string bytes =
      changed_keras(kHead, [&](json& layers) { layers[layer]["config"][key] = activation; });
  return read_keras(bytes_of(bytes), "x.keras");
}

std::string refusal_of(std::size_t layer, const char* key, const json& activation) {
  return refusal([&] { static_cast<void>(with_activation(layer, key, activation)); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(keras_activations_were_ignored)

BOOST_AUTO_TEST_CASE(an_object_is_the_activation_it_describes) {
  const auto dense = [](const json& activation) {
    return with_activation(kDense, "activation", activation).head.front();
  };
  const DenseLayer leaky = dense(json::parse(
      R"({"module": "keras.layers", "class_name": "LeakyReLU", "registered_name": null,
          "config": {"name": "leaky_re_lu", "negative_slope": 0.25}})"));
  BOOST_TEST((leaky.activation == Activation::LeakyRelu));
  BOOST_TEST(leaky.slope == 0.25);
  const DenseLayer relu = dense(json::parse(
      R"({"module": "builtins", "class_name": "function", "config": "relu",
          "registered_name": "function"})"));
  BOOST_TEST((relu.activation == Activation::Relu));
  BOOST_TEST((dense("elu").activation == Activation::Elu));
  BOOST_TEST((dense(nullptr).activation != Activation::Tanh));
}

BOOST_AUTO_TEST_CASE(a_recurrent_layer_has_the_activations_it_names) {
  const NetworkSpec usual = with_activation(kLstm, "activation", "tanh");
  BOOST_TEST(stack_of(usual.step).has_value());  // an LSTM
  for (const json& other : {json("relu"), json(nullptr),
                            json::parse(R"({"class_name": "function", "config": "softsign"})")}) {
    BOOST_TEST(!stack_of(with_activation(kLstm, "activation", other).step).has_value());
  }
  const NetworkSpec hard = with_activation(kLstm, "recurrent_activation", "hard_sigmoid");
  BOOST_TEST(!stack_of(hard.step).has_value());
}

BOOST_AUTO_TEST_CASE(what_is_no_activation_of_keras_is_refused) {
  const auto says = [](const json& activation, const std::string& expected) {
    for (const std::size_t layer : {kLstm, kDense}) {
      const std::string message = refusal_of(layer, "activation", activation);
      BOOST_TEST(message.find(expected) != std::string::npos, message);
      BOOST_TEST(message.find('\n') == std::string::npos, message);
    }
  };
  says(7, "activation: expected the name of an activation, found number");
  says(true, "activation: expected the name of an activation, found boolean");
  says(json::array({"relu"}), "activation: expected the name of an activation, found array");
  says("my\nown", "activation: expected a known activation, found 'my?own'; export the network");
  says(json::parse(R"({"class_name": "PReLU", "config": {}})"),
       "activation: expected a known activation, found 'PReLU'");
  says(json::object(), "activation: expected a known activation, found ''");
  // Somebody's own function, whatever its name.
  says(json::parse(R"({"module": "train", "class_name": "function", "config": "relu"})"),
       "activation: expected one of Keras's own, found 'relu' of another module");
  says(json::parse(R"({"class_name": "function", "config": "relu",
                       "registered_name": "mine>relu"})"),
       "activation: expected one of Keras's own, found 'relu' of another module");
  const std::string message = refusal_of(kLstm, "use_bias", "yes");
  BOOST_TEST(message.find("use_bias: expected true or false, found string") != std::string::npos,
             message);
}

BOOST_AUTO_TEST_CASE(a_hard_sigmoid_is_that_of_the_keras_that_wrote_the_file) {
  const auto read = [](const std::string& version) {
    const std::string bytes = changed_keras(
        kHead, [&](json& layers) { layers[kDense]["config"]["activation"] = "hard_sigmoid"; },
        version);
    return read_keras(bytes_of(bytes), "x.keras").head.front().slope;
  };
  BOOST_TEST(read("2.15.0") == 0.2);
  BOOST_TEST(read("3.3.3") == 1.0 / 6);
  for (const std::string version : {"", "4.0"}) {
    const std::string message = refusal([&] { static_cast<void>(read(version)); });
    BOOST_TEST(message.find("expected a 'keras_version' that says which one is meant") !=
                   std::string::npos,
               message);
  }
}

BOOST_AUTO_TEST_CASE(the_cell_state_of_a_layer_is_not_its_output) {
  const auto reads = [](int output) {
    return changed_keras(kHead, [&](json& layers) {
      layers[kDense]["inbound_nodes"][0]["args"][0]["config"]["keras_history"][2] = output;
    });
  };
  const auto said = [&](int output) {
    const std::string bytes = reads(output);
    return refusal([&] { static_cast<void>(read_keras(bytes_of(bytes), "x")); });
  };
  BOOST_TEST(said(0) == "accepted");
  const std::string message = said(2);
  BOOST_TEST(message.find("expected a model that is a chain") != std::string::npos, message);
}

BOOST_AUTO_TEST_SUITE_END()
