// Networks in every way that people build and save them: tests/data/make_ways.py and make_keras.py.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/networks/load_network.hpp"

using namespace rnnalf;

namespace {

const std::string kFolder = RNNALF_TEST_DATA "/ways/";

struct Way {
  std::string file;
  nlohmann::json options;
  std::vector<double> probabilities;
};

std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.file;
}

struct Table {
  std::vector<Word> words;
  std::vector<Way> ways;
};

void add(Table& table, const std::string& name) {
  std::ifstream file(kFolder + name);
  const auto json = nlohmann::json::parse(file);
  table.words.clear();
  for (const auto& symbols : json["words"]) {
    Word word;
    for (const auto& symbol : symbols)
      word.push_back(static_cast<Symbol>(symbol.get<std::uint32_t>()));
    table.words.push_back(std::move(word));
  }
  for (const auto& entry : json["files"]) {
    table.ways.push_back(
        {entry["file"], entry,
         json["networks"][entry["network"].get<std::string>()].get<std::vector<double>>()});
  }
}

const Table& table() {
  static const Table all = [] {
    Table made;
    add(made, "ways.json");
    add(made, "keras.json");
    return made;
  }();
  return all;
}

ReadOptions options(const Way& way) {
  ReadOptions result;
  const auto text = [&](const char* key) { return way.options.value(key, std::string()); };
  if (!text("cell").empty()) result.cell = name(cell_from_name(text("cell")).value());
  const std::string from = text("head_from");
  for (std::size_t at = 0; at < from.size();) {
    const std::size_t end = std::min(from.find('+', at), from.size());
    result.head_from.push_back(head_from_name(from.substr(at, end - at)).value());
    at = end + 1;
  }
  if (!text("activation").empty()) {
    result.activations.push_back(activation_from_name(text("activation")).value());
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ways)

BOOST_DATA_TEST_CASE(a_network_is_read_with_the_framework_s_answers_or_refused_in_words,
                     table().ways) {
  if (sample.options.contains("refusal")) {
    const auto expected = sample.options["refusal"].template get<std::string>();
    try {
      (void)load_network(kFolder + sample.file, options(sample));
      BOOST_ERROR("read, expected: " + expected);
    } catch (const NetworkFileError& error) {
      BOOST_TEST(std::string(error.what()).find(expected) != std::string::npos, error.what());
    }
    return;
  }
  NetworkSpec spec = load_network(kFolder + sample.file, options(sample)).spec;
  if (sample.options.contains("assumed_wrongly")) {
    // Said aloud, and found by probes.
    BOOST_TEST(spec.assumed.size() == 1U);
    for (std::size_t i = 0; i < table().words.size(); ++i) {
      spec.probes.push_back({table().words[i], sample.probabilities[i]});
    }
    BOOST_CHECK_THROW(static_cast<void>(make_acceptor(spec)), NetworkFileError);
    return;
  }
  const auto [least, most] =
      std::minmax_element(sample.probabilities.begin(), sample.probabilities.end());
  BOOST_TEST(*most - *least > 1e-2);  // else equal scores would prove little
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    const auto answers = classify(*make_acceptor(spec, precision), table().words);
    double worst = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      worst = std::max(worst, std::abs(answers[i].probability - sample.probabilities[i]));
    }
    BOOST_TEST(worst < 2e-5);
  }
}

BOOST_AUTO_TEST_CASE(what_a_file_of_tensors_does_not_say_is_said_aloud) {
  const auto assumed = [](const std::string& file, const ReadOptions& given = {}) {
    return load_network(kFolder + file, given).spec.assumed;
  };
  using Sentences = std::vector<std::string>;
  BOOST_TEST((assumed("gru.pt") == Sentences{"last state of the last layer, then fc"}));
  ReadOptions mean;
  mean.head_from = {HeadFrom::Mean};
  mean.activations = {{Activation::Relu, 0}};
  BOOST_TEST((assumed("gru.pt", mean) ==
              Sentences{"mean over time of the last layer's states, then relu, then fc"}));
  BOOST_TEST((assumed("layer-norm-first.safetensors") ==
              Sentences{"last state of the last layer, then fc.0 (epsilon 1e-5), then fc.1"}));
  BOOST_TEST(
      (assumed("dropout-first.pt") ==
       Sentences{"last state of the last layer, then nothing that counts at fc.0, then fc.1"}));
  ReadOptions relu;
  relu.activations = {{Activation::Relu, 0}};
  // fc.1 has no tensors: the activation stands before the normalisation.
  BOOST_TEST((assumed("head-relu-norm.pt", relu) ==
              Sentences{"last state of the last layer, then fc.0, then relu, then fc.2"
                        " (epsilon 1e-5), then fc.3"}));
  BOOST_TEST((assumed("head-softmax.module.pt") ==
              Sentences{"last state of the last layer, then fc.0, then softmax"}));
  BOOST_TEST((assumed("head-leaky.module.pt") ==
              Sentences{"last state of the last layer, then fc.0, then leaky-relu, then fc.2"}));
  BOOST_TEST(assumed("gru.13.onnx").empty());
  BOOST_TEST(
      (assumed("state-in-out.13.onnx") ==
       Sentences{"the state 'hidden', an input of the graph, is zero at the start of a word"}));
  BOOST_TEST(assumed("keras-max.keras").empty());
}

BOOST_AUTO_TEST_SUITE_END()
