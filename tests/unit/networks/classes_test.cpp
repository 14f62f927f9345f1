// A network with five classes, trained by tests/data/make_classes.py: its answers are PyTorch's.

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

const std::string kFolder = RNNALF_TEST_DATA "/classes/";

struct Expected {
  std::vector<Word> words;
  std::vector<std::size_t> classes;
  std::vector<std::vector<double>> probabilities;
};

Expected expected() {
  std::ifstream file(kFolder + "five.json");
  Expected all;
  for (const auto& entry : nlohmann::json::parse(file)) {
    Word word;
    for (const auto& letter : entry[0]) word.push_back(static_cast<Symbol>(letter.get<int>()));
    all.words.push_back(std::move(word));
    all.classes.push_back(entry[1].get<std::size_t>());
    all.probabilities.push_back(entry[2].get<std::vector<double>>());
  }
  return all;
}

std::string refusal(const std::string& file, const NetworkOptions& options) {
  try {
    static_cast<void>(open_network(kFolder + file, options));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(networks_with_classes)

BOOST_AUTO_TEST_CASE(every_class_is_an_answer_of_its_own) {
  const Expected all = expected();
  BOOST_TEST_REQUIRE(all.words.size() == 200U);
  for (const std::string file : {"five.pt", "five.onnx"}) {
    const Network network = open_network(kFolder + file).network;
    BOOST_TEST(network.summary.answers == 5U);
    const auto found = classify(*network.acceptor, all.words);
    for (std::size_t i = 0; i < found.size(); ++i) {
      BOOST_TEST(index(found[i].answer) == all.classes[i], file << ", word " << i);
      BOOST_TEST(std::abs(found[i].probability - all.probabilities[i][all.classes[i]]) < 2e-5);
    }
  }
}

BOOST_AUTO_TEST_CASE(one_class_can_be_asked_for) {
  const Expected all = expected();
  NetworkOptions options;
  options.read.accept_class = 3;
  const Network network = open_network(kFolder + "five.pt", options).network;
  BOOST_TEST(network.summary.answers == 2U);
  const auto found = classify(*network.acceptor, all.words);
  for (std::size_t i = 0; i < found.size(); ++i) {
    BOOST_TEST(found[i].accepted() == (all.classes[i] == 3U));
    BOOST_TEST(std::abs(found[i].probability - all.probabilities[i][3]) < 2e-5);
  }
}

BOOST_AUTO_TEST_CASE(probes_have_a_probability_for_each_class) {
  const support::TemporaryFolder folder;
  const Expected all = expected();
  nlohmann::json probes = nlohmann::json::array();
  for (std::size_t i = 0; i < 20; ++i) {
    std::vector<std::size_t> letters;
    for (const Symbol symbol : all.words[i]) letters.push_back(index(symbol));
    probes.push_back({letters, all.probabilities[i]});
  }
  NetworkOptions options;
  options.read.probes = folder.file("probes.json", probes.dump());
  BOOST_TEST(open_network(kFolder + "five.pt", options).network.summary.probes == 20U);
  options.read.accept_class = 2;
  BOOST_TEST(open_network(kFolder + "five.pt", options).network.summary.probes == 20U);
  options.read.accept_class.reset();

  std::swap(probes[0][1][0], probes[0][1][4]);
  options.read.probes = folder.file("wrong.json", probes.dump());
  BOOST_TEST(refusal("five.pt", options).find("class 4: expected") != std::string::npos);
  options.read.probes = folder.file("one.json", "[[[0], 0.5]]");
  BOOST_TEST(refusal("five.pt", options)
                 .find("probe: expected 5 probabilities, one for each class, found 1") !=
             std::string::npos);
  options.read.probes = folder.file("short.json", "[[[0], [0.5]]]");
  BOOST_TEST(refusal("five.pt", options).find("expected a probability for each class, found 1") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_empty_word_can_be_given_a_class_there_is) {
  NetworkOptions options;
  options.empty_word = Answer{4};
  const Network network = open_network(kFolder + "five.pt", options).network;
  const Word empty;
  BOOST_TEST(index(classify(*network.acceptor, {&empty, 1}, network.empty_word)[0].answer) == 4U);
  options.empty_word = Answer{5};
  BOOST_TEST(refusal("five.pt", options).find("empty word: expected a class below 5, found 5") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
