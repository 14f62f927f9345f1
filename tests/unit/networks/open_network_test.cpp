#include "rnnalf/networks/open_network.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/acceptor/run_words.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

const std::string kWays = RNNALF_TEST_DATA "/ways/";

NetworkOptions with(const std::vector<std::pair<std::string, std::string>>& given) {
  NetworkOptions options;
  for (const auto& [name, text] : given) {
    for (const OptionField<NetworkOptions>& field : NetworkOptions::table()) {
      if (field.name == name) field.read(options, text);
    }
  }
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(open_network_options)

BOOST_AUTO_TEST_CASE(tokens_mean_the_same_for_every_format) {
  // The ways' networks have the symbols 0, 1, 2: words of 1 and 0 between a 2 and a 0 and a 2.
  const NetworkOptions tokens = with({{"begin", "2"}, {"end", "0 2"}, {"over", "1 0"}});
  for (const std::string file :
       {"gru.pt", "gru.module.pt", "gru.script.pt", "gru.safetensors", "gru.9.onnx", "gru.17.onnx",
        "two-cells.13.onnx", "mean.13.onnx", "keras-gru-after.h5", "keras-lstm-one-hot.keras"}) {
    const Network plain = open_network(kWays + file).network;
    const Network shown = open_network(kWays + file, tokens).network;
    BOOST_TEST((shown.summary.alphabet == Alphabet({"1", "0"})));
    BOOST_TEST((shown.summary.begin == std::vector<std::string>{"2"}));
    BOOST_TEST((shown.summary.end == std::vector<std::string>{"0", "2"}));
    for (const Word& word : support::all_words(2, 5)) {
      Word read = support::word("2");
      for (const Symbol symbol : word) read.push_back(static_cast<Symbol>(1 - index(symbol)));
      for (const Symbol symbol : support::word("02")) read.push_back(symbol);
      BOOST_TEST_REQUIRE(classify(*shown.acceptor, {&word, 1})[0].probability ==
                             classify(*plain.acceptor, {&read, 1})[0].probability,
                         file);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_symbol_that_is_left_out_is_named) {
  const Network shown = open_network(kWays + "gru.pt", with({{"over", "02"}})).network;
  BOOST_TEST((shown.summary.left_out == std::vector<std::string>{"1"}));
  BOOST_TEST(shown.acceptor->symbol_count() == 2U);
}

BOOST_AUTO_TEST_CASE(what_an_option_of_tokens_shows_can_be_read_again) {
  const NetworkOptions options = with({{"begin", " <s>  <t> "}, {"end", "</s>"}, {"over", "ab c"}});
  for (const OptionField<NetworkOptions>& field : NetworkOptions::table()) {
    if (field.name == "begin") BOOST_TEST(field.text(options) == "<s> <t>");
    if (field.name == "end") BOOST_TEST(field.text(options) == "</s>");
    if (field.name == "over") BOOST_TEST(field.text(options) == "ab c");
  }
  BOOST_CHECK_THROW(with({{"begin", " "}}), OptionError);
}

BOOST_AUTO_TEST_CASE(what_the_options_of_classes_show_can_be_read_again) {
  const NetworkOptions options =
      with({{"classes", "  low middle  high "}, {"accept-class", "middle"}});
  for (const OptionField<NetworkOptions>& field : NetworkOptions::table()) {
    if (field.name == "classes") {
      BOOST_TEST(field.text(options) == "low middle high");
      BOOST_TEST(field.text({}) == "none");
    }
    if (field.name == "accept-class") {
      BOOST_TEST(field.text(options) == "middle");
      BOOST_TEST(field.text({}) == "none");
    }
  }
  BOOST_CHECK_THROW(with({{"classes", ""}}), OptionError);
  BOOST_CHECK_THROW(with({{"classes", "low low"}}), OptionError);
  BOOST_CHECK_THROW(with({{"accept-class", "two words"}}), OptionError);
  // `none` is how an option that is not given is shown.
  BOOST_CHECK_THROW(with({{"accept-class", "none"}}), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
