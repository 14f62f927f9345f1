// A network with five classes, trained by tests/data/make_classes.py: its answers are PyTorch's.

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "support/message_of.hpp"
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
  return support::message_of([&] { static_cast<void>(open_network(kFolder + file, options)); });
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

BOOST_AUTO_TEST_CASE(classes_can_be_named_in_every_format) {
  NetworkOptions options;
  options.read.classes = ClassNames::parse("a b c d e");
  for (const std::string file : {"five.pt", "five.onnx"}) {
    const OpenNetwork open = open_network(kFolder + file, options);
    BOOST_TEST((open.spec().classes == *options.read.classes));
    BOOST_TEST((open.network.summary.classes == *options.read.classes));
  }
  // One file says nothing of them, the other one has names.
  BOOST_TEST(open_network(kFolder + "five.pt").network.summary.classes.empty());
  BOOST_TEST((open_network(kFolder + "five.onnx").network.summary.classes ==
              ClassNames::parse("empty low middle high full")));
}

BOOST_AUTO_TEST_CASE(a_safetensors_file_can_name_its_classes) {
  const auto file = [](const std::string& names) {
    const std::string header =
        R"({"__metadata__":{"rnnalf.classes":")" + names + R"("},)" +
        R"("gru.weight_ih_l0":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},)" +
        R"("gru.weight_hh_l0":{"dtype":"F32","shape":[3,1],"data_offsets":[24,36]},)" +
        R"("fc.weight":{"dtype":"F32","shape":[3,1],"data_offsets":[36,48]}})";
    std::string bytes;
    for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> 8 * i & 0xffU);
    return bytes + header + std::string(48, '\0');
  };
  NetworkOptions options;
  const std::string bytes = file(R"([\"low\",\"middle\",\"high\"])");
  const ClassNames named({"low", "middle", "high"});
  BOOST_TEST((open_network(bytes, "x", options).network.summary.classes == named));
  options.read.accept_class = GivenClass(std::string_view("high"));
  BOOST_TEST((open_network(bytes, "x", options).spec().accept_class == std::size_t{2}));
  options.read.classes = ClassNames({"high", "b", "c"});
  BOOST_TEST((open_network(bytes, "x", options).spec().accept_class == std::size_t{0}));
  BOOST_CHECK_EXCEPTION(static_cast<void>(open_network(file(R"([\"a\",\"b\"])"), "x", {})),
                        NetworkFileError, [](const NetworkFileError& error) {
                          return std::string(error.what()) ==
                                 "x: classes: expected 3 names, one for each output, found 2";
                        });
}

BOOST_AUTO_TEST_CASE(the_class_that_accepts_can_be_given_by_name) {
  NetworkOptions options;
  options.read.classes = ClassNames::parse("empty low middle high full");
  options.read.accept_class = GivenClass(std::string_view("high"));
  const OpenNetwork open = open_network(kFolder + "five.pt", options);
  BOOST_TEST((open.spec().accept_class == std::size_t{3}));
  BOOST_TEST(open.network.summary.answers == 2U);
  // It accepts and rejects: there are no classes to be named.
  BOOST_TEST(open.network.summary.classes.empty());
  const Expected all = expected();
  const auto found = classify(*open.network.acceptor, all.words);
  for (std::size_t i = 0; i < found.size(); ++i) {
    BOOST_TEST(found[i].accepted() == (all.classes[i] == 3U));
  }
}

BOOST_AUTO_TEST_CASE(names_that_do_not_fit_are_refused_in_one_line) {
  NetworkOptions options;
  const auto says = [&](const std::string& message) {
    BOOST_TEST(refusal("five.pt", options) == kFolder + "five.pt: " + message);
  };
  options.read.accept_class = GivenClass(std::string_view("high"));
  says("accept class: expected a number, as the classes have no names, found 'high'");
  options.read.classes = ClassNames::parse("a b c d e");
  says("accept class: expected a number or one of the names a b c d e, found 'high'");
  options.read.accept_class = 5;
  says("accept class: expected 0 to 4, found 5");
  options.read.accept_class.reset();
  options.read.classes = ClassNames::parse("low middle high");
  says("classes: expected 5 names, one for each output, found 3");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
