#include "word_source.hpp"

#include <boost/test/unit_test.hpp>

#include "support/temporary_folder.hpp"
#include "support/words.hpp"

namespace rnnalf::cli {
namespace {

using support::word;

const Budget kNoLimit;
const Alphabet kBits = Alphabet::parse("01");

BOOST_AUTO_TEST_SUITE(word_source)

BOOST_AUTO_TEST_CASE(a_line_is_a_word_and_an_empty_line_the_empty_word) {
  const support::TemporaryFolder folder;
  const auto path = folder.file("words", "01\n\n1\r\n0");
  const std::vector<Word> expected = {word("01"), word(""), word("1"), word("0")};
  BOOST_TEST((read_words(path.string(), kBits, kNoLimit) == expected));
}

BOOST_AUTO_TEST_CASE(a_last_line_break_makes_no_word) {
  const support::TemporaryFolder folder;
  BOOST_TEST(read_words(folder.file("one", "01\n").string(), kBits, kNoLimit).size() == 1U);
  BOOST_TEST(read_words(folder.file("two", "01\n\n").string(), kBits, kNoLimit).size() == 2U);
  BOOST_TEST(read_words(folder.file("none", "").string(), kBits, kNoLimit).empty());
}

BOOST_AUTO_TEST_CASE(large_files_come_in_pieces_and_whole) {
  const support::TemporaryFolder folder;
  Random random(1);
  std::string text;
  std::vector<Word> expected;
  for (int i = 0; i < 20000; ++i) {
    Word any(random.below(40));
    for (Symbol& symbol : any) symbol = static_cast<Symbol>(random.below(2));
    text += kBits.format(any) + "\n";
    expected.push_back(std::move(any));
  }
  const auto path = folder.file("words", text);
  BOOST_TEST((read_words(path.string(), kBits, kNoLimit) == expected));
  WordSource source(path.string(), kBits, kNoLimit);
  BOOST_TEST(source.next().size() < 5000U);
}

BOOST_AUTO_TEST_CASE(a_line_longer_than_a_piece_is_one_word) {
  const support::TemporaryFolder folder;
  const auto path = folder.file("long", std::string(300000, '1') + "\n0\n");
  const auto words = read_words(path.string(), kBits, kNoLimit);
  BOOST_TEST_REQUIRE(words.size() == 2U);
  BOOST_TEST(words[0].size() == 300000U);
}

BOOST_AUTO_TEST_CASE(a_wrong_symbol_is_reported_with_its_line_after_the_words_before_it) {
  const support::TemporaryFolder folder;
  const auto path = folder.file("words", "01\n10\n0x\n11\n");
  WordSource source(path.string(), kBits, kNoLimit);
  BOOST_TEST(source.next().size() == 2U);
  BOOST_CHECK_EXCEPTION((void)source.next(), FileError, [&](const FileError& error) {
    return std::string(error.what()).starts_with(path.string() + ":3: ") &&
           std::string(error.what()).find("'x'") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_spent_budget_ends_it) {
  const support::TemporaryFolder folder;
  Budget budget;
  budget.interrupt();
  BOOST_TEST(read_words(folder.file("words", "01\n").string(), kBits, budget).empty());
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_an_error) {
  const support::TemporaryFolder folder;
  BOOST_CHECK_THROW(WordSource((folder / "none").string(), kBits, kNoLimit), FileError);
  BOOST_CHECK_THROW((void)read_words(folder.path().string(), kBits, kNoLimit), FileError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf::cli
