// Networks that torch and ONNX's reference cells scored: tests/data/make_onnx.py.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "support/layers.hpp"
#include "unit/onnx/onnx_models.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

const std::string kFolder = RNNALF_TEST_DATA "/onnx/";

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".onnx") found.push_back(entry.path().stem());
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct Expected {
  nlohmann::json facts;
  ReadOptions options;
  std::vector<Word> words;
  std::vector<double> probabilities;
};

Expected expected(const std::string& name) {
  Expected result;
  result.facts = nlohmann::json::parse(read_text(kFolder + name + ".json"));
  if (!result.facts["accept_class"].is_null()) {
    result.options.accept_class = result.facts["accept_class"].get<std::size_t>();
  }
  for (const auto& scored : result.facts["words"]) {
    Word word;
    for (const auto& symbol : scored[0])
      word.push_back(static_cast<Symbol>(symbol.get<std::uint32_t>()));
    result.words.push_back(std::move(word));
    result.probabilities.push_back(scored[1]);
  }
  return result;
}

NetworkSpec read(const std::string& name, const ReadOptions& options) {
  return read_onnx(bytes_of(read_text(kFolder + name + ".onnx")), name, options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(onnx_networks)

BOOST_AUTO_TEST_CASE(there_are_networks_of_every_cell_and_every_way_to_write_them) {
  BOOST_TEST(names().size() >= 60U);
}

BOOST_DATA_TEST_CASE(the_file_looks_like_onnx, names()) {
  BOOST_TEST(looks_like_onnx(bytes_of(read_text(kFolder + sample + ".onnx"))));
}

BOOST_DATA_TEST_CASE(cell_sizes_and_output_are_those_the_network_was_made_with, names()) {
  const Expected wanted = expected(sample);
  const NetworkSpec spec = read(sample, wanted.options);
  const LayerStack stack = support::layers(spec);
  BOOST_TEST(name(stack.cell) == wanted.facts["cell"].get<std::string>());
  BOOST_TEST(name(spec.output) == wanted.facts["output"].get<std::string>());
  BOOST_TEST(stack.layers.size() == wanted.facts["layers"].get<std::size_t>());
  BOOST_TEST(stack.layers.back().hidden == wanted.facts["hidden"].get<std::size_t>());
  BOOST_TEST(spec.symbol_count() == wanted.facts["symbols"].get<std::size_t>());
  BOOST_TEST(stack.embedding.has_value() == wanted.facts["embedding"].get<bool>());
}

BOOST_DATA_TEST_CASE(scores_are_those_of_the_program_that_made_the_network, names()) {
  const Expected wanted = expected(sample);
  const NetworkSpec spec = read(sample, wanted.options);
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    const auto answers = classify(*make_acceptor(spec, precision), wanted.words);
    double worst = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      worst = std::max(worst, std::abs(answers[i].probability - wanted.probabilities[i]));
    }
    BOOST_TEST(worst < 1e-5);
  }
}

BOOST_DATA_TEST_CASE(the_words_of_a_network_have_different_scores, names()) {
  // Otherwise equal scores would prove little about how the network was read.
  const std::vector<double> scores = expected(sample).probabilities;
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  BOOST_TEST(*most - *least > 1e-3);
}

BOOST_AUTO_TEST_SUITE_END()
