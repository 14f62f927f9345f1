#include "rnnalf/network/presentation.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/message_of.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

const Alphabet kSentences({"<pad>", "<s>", "</s>", "a", "b"});

std::string refusal(const Tokens& tokens, const Alphabet& alphabet = kSentences) {
  return support::message_of<NetworkFileError>(
      [&] { static_cast<void>(present(tokens, alphabet, "net.pt")); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(presentation)

BOOST_AUTO_TEST_CASE(symbols_that_begin_and_end_words_are_not_in_them) {
  const Presentation shown = present({.begin = {"<s>"}, .end = {"</s>"}}, kSentences, "net.pt");
  BOOST_TEST((shown.begin == support::word("1")));
  BOOST_TEST((shown.end == support::word("2")));
  BOOST_TEST((shown.over == support::word("034")));
  BOOST_TEST((shown.alphabet == Alphabet({"<pad>", "a", "b"})));
}

BOOST_AUTO_TEST_CASE(over_says_which_symbols_words_have_and_in_which_order) {
  const Presentation shown = present(
      {.begin = {"<s>", "<s>"}, .end = {"</s>"}, .over = {"b", "a", "<s>"}}, kSentences, "net.pt");
  BOOST_TEST((shown.begin == support::word("11")));
  BOOST_TEST((shown.over == support::word("431")));
  BOOST_TEST((shown.alphabet == Alphabet({"b", "a", "<s>"})));
}

BOOST_AUTO_TEST_CASE(symbols_of_one_character_need_no_spaces_between_them) {
  const Presentation shown = present({.begin = {"^"}, .over = {"ba"}}, Alphabet::parse("ab^$"), "");
  BOOST_TEST((shown.over == support::word("10")));
}

BOOST_AUTO_TEST_CASE(a_name_that_the_network_does_not_have_is_refused_with_those_it_has) {
  const std::string has = "expected some of the 5 symbols <pad> <s> </s> a b, found ";
  BOOST_TEST(refusal({.begin = {"<S>"}}) == "net.pt: begin: " + has + "'<S>'");
  BOOST_TEST(refusal({.end = {"</s>", "x"}}) == "net.pt: end: " + has + "'x'");
  BOOST_TEST(refusal({.over = {"ab"}}) == "net.pt: over: " + has + "'ab'");
  const std::string many = refusal({.over = {"x"}}, Alphabet::numbered(1000));
  BOOST_TEST(many.find("the 1000 symbols 0 1 2 ") != std::string::npos, many);
  BOOST_TEST(many.find(" 19 ..., found 'x'") != std::string::npos, many);
}

BOOST_AUTO_TEST_CASE(words_have_symbols_each_of_them_once) {
  BOOST_TEST(refusal({.over = {"a", "b", "a"}}) ==
             "net.pt: over: expected every symbol once, found 'a' twice");
  BOOST_TEST(refusal({.begin = {"0"}, .end = {"1"}}, Alphabet::parse("01")) ==
             "net.pt: expected symbols besides those that begin and end words, found none; say "
             "which words are made of (over) among the 2 symbols 0 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
