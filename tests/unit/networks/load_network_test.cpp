#include "rnnalf/networks/load_network.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

using namespace rnnalf;

namespace {

const std::string kWays = RNNALF_TEST_DATA "/ways/";

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

BOOST_AUTO_TEST_CASE(a_vocabulary_may_be_what_keras_and_torchtext_save) {
  const support::TemporaryFolder folder;
  struct Case {
    std::string text;
    std::vector<std::string> symbols;
    std::vector<std::string> said;
  };
  const std::string unnamed =
      "1 of 3 symbols, which the vocabulary does not name, are called by their numbers, the first"
      " one ";
  const std::string beyond =
      "1 symbols of the vocabulary, beyond the 3 that the network has, are left out";
  const std::vector<Case> cases = {
      // Tokenizer.word_index, with 0 for padding; more words than num_words
      {"{\"a\": 1, \"b\": 2}", {"#0", "a", "b"}, {unnamed + "#0"}},
      {"{\"a\": 1, \"b\": 2, \"c\": 3}", {"#0", "a", "b"}, {unnamed + "#0", beyond}},
      {"{\"word_index\": {\"a\": 1, \"b\": 2}}", {"#0", "a", "b"}, {unnamed + "#0"}},
      // Tokenizer.to_json
      {"{\"class_name\": \"Tokenizer\", \"config\": {\"num_words\": 3, \"word_index\":"
       " \"{\\\"a\\\": 1, \\\"#\\\": 2}\"}}",
       {"##0", "a", "#"},
       {unnamed + "##0"}},
      // TextVectorization.get_vocabulary
      {"[\"\", \"[UNK]\", \"a\"]", {"#0", "[UNK]", "a"}, {unnamed + "#0"}},
      {"[\"a\", \"b\", \"c\", \"d\"]", {"a", "b", "c"}, {beyond}},
      // torchtext, tokenizers
      {"{\"stoi\": {\"a\": 0, \"b\": 1, \"c\": 2}, \"freqs\": [[1, 2]]}", {"a", "b", "c"}, {}},
      {"{\"itos\": [\"a\", \"b\", \"c\"]}", {"a", "b", "c"}, {}},
      {"{\"model\": {\"vocab\": {\"a\": 0, \"b\": 1, \"c\": 2}}}", {"a", "b", "c"}, {}},
      // symbols that are called like that
      {"{\"stoi\": 0, \"config\": 1, \"vocab\": 2}", {"stoi", "config", "vocab"}, {}},
  };
  for (const Case& c : cases) {
    ReadOptions options;
    options.vocabulary = folder.file("vocabulary", c.text);
    const NetworkSpec spec = load_network(kWays + "gru.13.onnx", options).spec;
    BOOST_TEST((spec.alphabet == Alphabet(c.symbols)), c.text);
    BOOST_TEST((spec.assumed == c.said), c.text);
  }
}

BOOST_AUTO_TEST_CASE(a_vocabulary_that_does_not_fit_is_refused) {
  const support::TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    ReadOptions options;
    options.vocabulary = folder.file("vocabulary", text);
    return support::message_of([&] { static_cast<void>(load_network(kWays + "gru.pt", options)); });
  };
  const auto says = [&](const std::string& text, const std::string& expected) {
    BOOST_TEST(message(text).find(expected) != std::string::npos, message(text));
  };
  // What is missing in a list may be missing at its beginning.
  says("a\nb\n", "expected 3 symbols, as the network has, found 2; a dictionary from symbol to");
  says("[\"a\", \"b\"]", "expected 3 symbols, as the network has, found 2");
  says("a\nb\nb\n", "vocabulary: ");
  says("a\n\nb\nc\n", "line 2: expected a symbol, found nothing; a vocabulary is a JSON list");
  says("{\"a\": 0, \"b\": 1, \"c\": 1}", "expected each index once, found 1 twice");
  says("{\"a\": 3, \"b\": 4}", "expected an index below 3, the symbols of the network, found none");
  says("{\"a\": 0, \"b\": -1, \"c\": 2}", "symbol 'b': expected an index and a symbol");
  says("{\"a\": {\"b\": 1}}", "found object; a vocabulary is a JSON list of symbols, a JSON dict");
  says("{\"word_index\": true}", "\"vocab\"), or one symbol per line, found boolean");
  says("{\"config\": {\"word_index\": \"{\"}}", "word_index: line 1, column 2: expected JSON");
  says("{}", "found no symbol");
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
  const std::vector<std::string> forms = {
      "[[[\"0\",\"2\",\"2\",\"1\"]," + number + "]]", "[[[0,2,2,1]," + number + "]]",
      "[[\"0221\"," + number + "]]",
      "[{\"word\": [\"0\",\"2\",\"2\",\"1\"], \"score\": " + number + "}]",
      "[{\"score\": " + number + ", \"word\": [0,2,2,1], \"target\": true}]"};
  for (const std::string& form : forms) {
    options.probes = folder.file("probes.json", form);
    options.head_from = {HeadFrom::Mean};
    const NetworkSpec right = load_network(kWays + "mean.pt", options).spec;
    BOOST_TEST(right.probes.size() == 1U);
    BOOST_CHECK_NO_THROW(static_cast<void>(make_acceptor(right)));
    options.head_from.clear();
    const NetworkSpec wrong = load_network(kWays + "mean.pt", options).spec;
    const std::string message =
        support::message_of([&] { static_cast<void>(make_acceptor(wrong)); });
    BOOST_TEST(message.find("probe '0221': expected " + number) != std::string::npos, message);
  }
}

BOOST_AUTO_TEST_CASE(probes_that_cannot_be_read_are_refused) {
  const support::TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    ReadOptions options;
    options.probes = folder.file("probes.json", text);
    return support::message_of([&] { static_cast<void>(load_network(kWays + "gru.pt", options)); });
  };
  const auto says = [&](const std::string& text, const std::string& expected) {
    BOOST_TEST(message(text).find("probes.json: " + expected) != std::string::npos, message(text));
  };
  says("[]", "expected probes, found none");
  says("{", "line 1, column 2: expected JSON, found the end of the text");
  says("[[\"a\", 1e999]]", "line 1, column 8: expected a number below 1.8e308, found '1e999'");
  says("{}",
       "expected an array of [word, score] or {\"word\": word, \"score\": score}, found object");
  says("[{\"word\": [0]}]", "probe 0: expected [array of symbols, probability], or the same as");
  says("[{\"word\": 0, \"score\": 0.5}]", "probe 0: expected [array of symbols");
  says("[{\"word\": [0], \"score\": \"0.5\"}]", "probe 0: expected [array of symbols");
  says("[{\"word\": [0], \"score\": [0.5]}]", "probe 0: expected a probability for each class");
  says("[[[0],1.5]]", "probe 0: expected a probability from 0 to 1, found 1.5");
  says("[[[0],0.5],[[3],0.5]]", "probe 1: expected indices below 3, found 3");
  says("[[[\"x\"],0.5]]", "probe 0: expected one of the 3 symbols of the alphabet, found 'x'");
  says("[[[[0]],0.5]]", "expected at most 3 arrays and objects inside of each other");
  says("[[[null],0.5]]", "probe 0: expected symbols as strings or indices, found null");
  says("[[\"0x\",0.5]]", "probe 0: expected a word over the 3 symbols of the alphabet, found '0x'");
  BOOST_TEST(message("[[\"0\\n\",0.5]]").find('\n') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_a_file_says_itself_cannot_be_asked_otherwise) {
  ReadOptions mean;
  mean.head_from = {HeadFrom::Mean};
  ReadOptions joined;
  joined.head_from = {HeadFrom::Last, HeadFrom::Mean};
  ReadOptions relu;
  relu.activations = {{Activation::Relu, 0}};
  for (const std::string file : {"gru.13.onnx", "two-cells.13.onnx", "keras-gru-after.h5"}) {
    for (const ReadOptions& options : {mean, joined, relu}) {
      const std::string message =
          support::message_of([&] { static_cast<void>(load_network(kWays + file, options)); });
      BOOST_TEST(
          message.find("as asked for, found") + message.find("to be asked for, found some") !=
              2 * std::string::npos,
          message);
    }
  }
  ReadOptions three;
  three.activations = {{Activation::Relu, 0}, {Activation::Relu, 0}, {Activation::Relu, 0}};
  const std::string message =
      support::message_of([&] { static_cast<void>(load_network(kWays + "gru.pt", three)); });
  BOOST_TEST(message.find("activations: expected one, one for each of the 1 dense layers") !=
                 std::string::npos,
             message);
}

BOOST_AUTO_TEST_CASE(each_format_is_told_from_its_content) {
  const auto format = [](const std::string& file) {
    const LoadedNetwork network = load_network(kWays + file);
    return kind_of(network.format, network.spec);
  };
  BOOST_TEST(format("gru.module.pt") == "PyTorch module");
  BOOST_TEST(format("gru.script.pt") == "TorchScript");
  BOOST_TEST(format("checkpoint.pt") == "PyTorch checkpoint");
  BOOST_TEST(format("checkpoint.module.pt") == "PyTorch checkpoint");
  BOOST_TEST(format("gru.pt") == "PyTorch state_dict");
  BOOST_TEST(format("gru.safetensors") == "safetensors");
  BOOST_TEST(format("gru.13.onnx") == "ONNX");
  BOOST_TEST(format("keras-gru-after.h5") == "Keras");
  BOOST_TEST(format("keras-gru-after.keras") == "Keras");
}

BOOST_AUTO_TEST_CASE(states_that_are_joined_may_be_in_any_order) {
  // The columns of the dense layer are for last, mean and max; another order is another network.
  ReadOptions options;
  options.head_from = {HeadFrom::Last, HeadFrom::Mean, HeadFrom::Max};
  const NetworkSpec as_trained = load_network(kWays + "last-mean-max.pt", options).spec;
  BOOST_TEST((as_trained.assumed ==
              std::vector<std::string>{
                  "last+mean+max over time of the last layer's states, joined, then fc"}));
  options.head_from = {HeadFrom::Max, HeadFrom::Last, HeadFrom::Mean};
  const NetworkSpec otherwise = load_network(kWays + "last-mean-max.pt", options).spec;
  BOOST_TEST(as_trained.state_size() == otherwise.state_size());
  const Word word = as_trained.alphabet.parse_word("0212");
  BOOST_TEST(classify(*make_acceptor(as_trained), {&word, 1})[0].probability !=
             classify(*make_acceptor(otherwise), {&word, 1})[0].probability);
}

BOOST_AUTO_TEST_SUITE_END()
