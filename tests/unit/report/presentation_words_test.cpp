#include "rnnalf/report/presentation_words.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {

BOOST_AUTO_TEST_SUITE(presentation_words_of_a_network)

BOOST_AUTO_TEST_CASE(a_network_that_reads_words_as_they_are_needs_none) {
  BOOST_TEST(presentation_words({.alphabet = Alphabet::numbered(3)}).empty());
}

BOOST_AUTO_TEST_CASE(tokens_and_symbols_that_are_left_out_are_named) {
  BOOST_TEST(presentation_words({.alphabet = Alphabet({"a", "b"}),
                                 .begin = {"<s>"},
                                 .end = {"</s>"},
                                 .left_out = {"<pad>"}}) ==
             "read as <s> w </s>, w over 2 of 5 symbols; left out: <pad>");
  // A token that words may have as well is one symbol.
  BOOST_TEST(presentation_words({.alphabet = Alphabet({"a", "b"}), .end = {"b"}}) ==
             "read as w b, w over 2 of 2 symbols");
}

BOOST_AUTO_TEST_CASE(a_large_vocabulary_is_not_listed) {
  NetworkSummary network{.alphabet = Alphabet({"a"})};
  for (int i = 0; i < 999; ++i) network.left_out.push_back(std::to_string(i));
  BOOST_TEST(presentation_words(network) ==
             "read as w, w over 1 of 1000 symbols; left out: 0 1 2 3 4 5 6 7 ...");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
