#include "rnnalf/networks/load_network.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/errors.hpp"
#include "support/temporary_folder.hpp"

using namespace rnnalf;

namespace {

const std::string kWays = RNNALF_TEST_DATA "/ways/";

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(load_network_options)

BOOST_AUTO_TEST_CASE(a_vocabulary_beside_the_file_names_its_symbols) {
  const support::TemporaryFolder folder;
  for (const std::string text :
       {"[\"a\", \" \", \"</s>\"]", "{\"</s>\": 2, \"a\": 0, \" \": 1}",
        "{\"2\": \"</s>\", \"0\": \"a\", \"1\": \" \"}", "a\n \n</s>\n", "a\r\n \r\n</s>"}) {
    ReadOptions options;
    options.vocabulary = folder.file("vocabulary", text);
    const NetworkSpec spec = load_network(kWays + "gru.pt", options).spec;
    BOOST_TEST((spec.alphabet == Alphabet({"a", "\u2423", "</s>"})), text);
  }
}

BOOST_AUTO_TEST_CASE(a_vocabulary_that_does_not_fit_is_refused) {
  const support::TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    ReadOptions options;
    options.vocabulary = folder.file("vocabulary", text);
    return message_of([&] { static_cast<void>(load_network(kWays + "gru.pt", options)); });
  };
  const auto says = [&](const std::string& text, const std::string& expected) {
    BOOST_TEST(message(text).find(expected) != std::string::npos, message(text));
  };
  says("a\nb\n", "alphabet: expected 3 symbols, found 2");
  says("a\nb\nb\n", "vocabulary: ");
  says("{\"a\": 0, \"b\": 1, \"c\": 1}", "expected each index from 0 to 2 once, found 1 twice");
  says("{\"a\": 0, \"b\": 1, \"c\": 3}", "expected each index from 0 to 2 once, found 3");
  says("{\"a\": 0, \"b\": -1, \"c\": 2}", "symbol 'b': expected an index and a symbol");
  says("[\"a\", 1, \"c\"]", "symbol 1: expected a string, found number");
  says(" \n", "expected symbols, found none");
}

BOOST_AUTO_TEST_CASE(probes_beside_the_file_check_what_a_state_dict_does_not_say) {
  const support::TemporaryFolder folder;
  const NetworkSpec mean = load_network(kWays + "mean.13.onnx").spec;
  // What the trainer computed, from the file that says it all.
  const auto acceptor = make_acceptor(mean, Precision::Double);
  std::vector<double> state = acceptor->initial_state(), next(state.size());
  for (const Symbol symbol : {Symbol{0}, Symbol{2}, Symbol{2}, Symbol{1}}) {
    acceptor->step({state.data(), state.size(), 1}, {&symbol, 1}, {next.data(), next.size(), 1});
    state.swap(next);
  }
  double score = 0;
  acceptor->probabilities({state.data(), state.size(), 1}, {&score, 1});
  const std::string number = std::to_string(score);

  ReadOptions options;
  for (const std::string word : {"[\"0\",\"2\",\"2\",\"1\"]", "[0,2,2,1]", "\"0221\""}) {
    options.probes = folder.file("probes.json", "[[" + word + "," + number + "]]");
    options.head_from = HeadFrom::Mean;
    const NetworkSpec right = load_network(kWays + "mean.pt", options).spec;
    BOOST_TEST(right.probes.size() == 1U);
    BOOST_CHECK_NO_THROW(static_cast<void>(make_acceptor(right)));
    options.head_from.reset();
    const NetworkSpec wrong = load_network(kWays + "mean.pt", options).spec;
    const std::string message = message_of([&] { static_cast<void>(make_acceptor(wrong)); });
    BOOST_TEST(message.find("probe '0221': expected " + number) != std::string::npos, message);
  }
}

BOOST_AUTO_TEST_CASE(probes_that_cannot_be_read_are_refused) {
  const support::TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    ReadOptions options;
    options.probes = folder.file("probes.json", text);
    return message_of([&] { static_cast<void>(load_network(kWays + "gru.pt", options)); });
  };
  const auto says = [&](const std::string& text, const std::string& expected) {
    BOOST_TEST(message(text).find("probes.json: " + expected) != std::string::npos, message(text));
  };
  says("[]", "expected probes, found none");
  says("{", "expected JSON, found an error at byte");
  says("{}", "expected an array of [word, probability], found object");
  says("[[[0],1.5]]", "probe 0: expected a probability from 0 to 1, found 1.5");
  says("[[[0],0.5],[[3],0.5]]", "probe 1: expected indices below 3, found 3");
  says("[[[\"x\"],0.5]]", "probe 0: expected one of the 3 symbols of the alphabet, found 'x'");
  says("[[[[0]],0.5]]", "expected no deeper nesting, found it");
  says("[[[null],0.5]]", "probe 0: expected symbols as strings or indices, found null");
  says("[[\"0x\",0.5]]", "probe 0: ");
}

BOOST_AUTO_TEST_CASE(what_a_file_says_itself_cannot_be_asked_otherwise) {
  ReadOptions mean;
  mean.head_from = HeadFrom::Mean;
  ReadOptions relu;
  relu.activations = {{Activation::Relu, 0}};
  for (const std::string file : {"gru.13.onnx", "two-cells.13.onnx", "keras-gru-after.h5"}) {
    for (const ReadOptions& options : {mean, relu}) {
      const std::string message =
          message_of([&] { static_cast<void>(load_network(kWays + file, options)); });
      BOOST_TEST(
          message.find("as asked for, found") + message.find("to be asked for, found some") !=
              2 * std::string::npos,
          message);
    }
  }
  ReadOptions three;
  three.activations = {{Activation::Relu, 0}, {Activation::Relu, 0}, {Activation::Relu, 0}};
  const std::string message =
      message_of([&] { static_cast<void>(load_network(kWays + "gru.pt", three)); });
  BOOST_TEST(message.find("activations: expected one, one for each of the 1 dense layers") !=
                 std::string::npos,
             message);
}

BOOST_AUTO_TEST_CASE(each_format_is_told_from_its_content) {
  const auto format = [](const std::string& file) {
    return std::string(name(load_network(kWays + file).format));
  };
  BOOST_TEST(format("gru.pt") == "PyTorch state_dict");
  BOOST_TEST(format("gru.safetensors") == "safetensors");
  BOOST_TEST(format("gru.13.onnx") == "ONNX");
  BOOST_TEST(format("keras-gru-after.h5") == "Keras");
  BOOST_TEST(format("keras-gru-after.keras") == "Keras");
}

BOOST_AUTO_TEST_SUITE_END()
