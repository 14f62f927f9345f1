#include "rnnalf/states/prefix_batch.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

#include "rnnalf/base/random.hpp"
#include "support/random_networks.hpp"

namespace rnnalf {
namespace {

std::vector<const Word*> pointers(const std::vector<Word>& words) {
  std::vector<const Word*> result;
  for (const Word& word : words) result.push_back(&word);
  return result;
}

Word head(const Word& word, std::size_t length) {
  return {word.begin(), word.begin() + static_cast<std::ptrdiff_t>(length)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(prefix_batch)

BOOST_AUTO_TEST_CASE(without_words_there_is_nothing_to_read) {
  PrefixBatch batch({});
  BOOST_TEST(batch.ended().empty());
  BOOST_TEST(batch.advance().empty());
}

BOOST_AUTO_TEST_CASE(words_with_a_common_prefix_share_it_and_one_may_be_a_prefix_of_the_other) {
  const Symbol o{0}, i{1};
  const std::vector<Word> words = {{}, {o}, {o, i}, {o, i, i}, {i, i}};
  const auto given = pointers(words);
  PrefixBatch batch(given);
  BOOST_TEST(batch.ended().size() == 1U);
  BOOST_TEST(batch.advance().size() == 2U);  // 0, 1
  BOOST_TEST(batch.ended().size() == 1U);
  BOOST_TEST(batch.advance().size() == 2U);  // 01, 11
  BOOST_TEST(batch.ended().size() == 2U);
  const auto last = batch.advance();
  BOOST_TEST_REQUIRE(last.size() == 1U);  // 011
  BOOST_TEST(last[0].prefix == 0U);
  BOOST_TEST((last[0].symbol == i));
  BOOST_TEST(batch.advance().empty());
}

BOOST_AUTO_TEST_CASE(every_distinct_prefix_is_made_once_and_every_word_ends_with_its_own) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const std::size_t symbols = 1 + random.below(3);
    std::vector<Word> words;
    for (std::size_t i = random.below(40); i-- > 0;)
      words.push_back(support::random_word(symbols, random.below(7), random));
    std::sort(words.begin(), words.end());
    const auto given = pointers(words);
    PrefixBatch batch(given);
    std::vector<Word> prefixes = {{}};
    std::vector<std::size_t> ends(words.size(), 0);
    for (std::size_t length = 0;; ++length) {
      BOOST_TEST_REQUIRE(batch.length() == length);
      std::set<Word> expected;
      for (const Word& word : words) {
        if (word.size() >= length) expected.insert(head(word, length));
      }
      // A set is in order and has nothing twice, as the prefixes are to be.
      if (length > 0) {
        BOOST_TEST_REQUIRE((prefixes == std::vector<Word>(expected.begin(), expected.end())));
      }
      for (const std::uint32_t word : batch.ended()) {
        BOOST_TEST_REQUIRE((prefixes[batch.prefix(word)] == words[word]));
        ++ends[word];
      }
      std::vector<Word> longer;
      for (const auto& [prefix, symbol, word] : batch.advance()) {
        longer.push_back(prefixes[prefix]);
        longer.back().push_back(symbol);
        BOOST_TEST_REQUIRE((longer.back() == head(words[word], length + 1)));
      }
      if (longer.empty()) break;
      prefixes = longer;
    }
    BOOST_TEST_REQUIRE((ends == std::vector<std::size_t>(words.size(), 1)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
