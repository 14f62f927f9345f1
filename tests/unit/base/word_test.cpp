#include "rnnalf/base/word.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>

#include "support/seeded_random.hpp"
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

BOOST_AUTO_TEST_CASE(
    the_lexicographic_order_is_that_of_the_standard_library_with_equal_words_as_given) {
  support::SeededRandom random(5);
  for (const std::size_t symbols : {1U, 2U, 3U, 300U, 70'000U}) {
    std::vector<Word> words(200);
    for (Word& word : words) {
      word.resize(random.below(80));
      // Runs make long common prefixes.
      for (Symbol& symbol : word) {
        symbol = static_cast<Symbol>(random.below(8) == 0 ? random.below(symbols) : 0);
      }
    }
    std::vector<std::uint32_t> expected(words.size());
    std::iota(expected.begin(), expected.end(), 0U);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return words[a] < words[b]; });
    BOOST_TEST(lexicographic_order(words) == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_common_prefix_ends_where_words_differ_or_one_ends) {
  const Word long_one(40, Symbol{1});
  for (std::size_t length = 0; length <= long_one.size(); ++length) {
    Word other(long_one.begin(), long_one.begin() + static_cast<std::ptrdiff_t>(length));
    BOOST_TEST(common_prefix(long_one, other) == length);
    other.resize(60, Symbol{2});
    BOOST_TEST(common_prefix(long_one, other) == length);
    BOOST_TEST(common_prefix(other, long_one) == length);
  }
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
