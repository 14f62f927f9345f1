#include "rnnalf/base/word.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::word;

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(shortlex_puts_shorter_words_first_and_then_smaller_symbols) {
  const std::vector<Word> ordered = {word(""),   word("0"),  word("1"),  word("00"),
                                     word("01"), word("10"), word("11"), word("000")};
  std::vector<Word> sorted(ordered.rbegin(), ordered.rend());
  std::sort(sorted.begin(), sorted.end(), ShortlexLess{});
  BOOST_TEST((sorted == ordered));
}

BOOST_AUTO_TEST_CASE(shortlex_is_irreflexive) {
  BOOST_TEST(!shortlex_less(word("01"), word("01")));
  BOOST_TEST(!shortlex_less(word(""), word("")));
}

BOOST_AUTO_TEST_CASE(concat_keeps_both_words_in_order) {
  BOOST_TEST((concat(word("01"), word("2")) == word("012")));
  BOOST_TEST((concat(word(""), word("2")) == word("2")));
  BOOST_TEST((concat(word("01"), word("")) == word("01")));
}

BOOST_AUTO_TEST_CASE(the_hash_depends_on_length_and_order) {
  const WordHash hash;
  BOOST_TEST(hash(word("")) != hash(word("0")));
  BOOST_TEST(hash(word("0")) != hash(word("00")));
  BOOST_TEST(hash(word("01")) != hash(word("10")));
  BOOST_TEST(hash(word("01")) == hash(word("01")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
