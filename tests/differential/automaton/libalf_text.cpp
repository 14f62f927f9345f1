// libalf's own automata against ours: it reads what we write, and we read what it writes.

#include <libalf/alf.h>

#include <boost/test/unit_test.hpp>

#include "rnnalf/automaton/dfa_file.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::all_words;
using support::random_dfa;

std::list<int> as_list(const Word& word) {
  std::list<int> letters;
  for (const Symbol symbol : word) letters.push_back(static_cast<int>(index(symbol)));
  return letters;
}

template <class Law>
void for_random_automata(Law law) {
  constexpr std::uint64_t kSeed = 4;
  Random random(kSeed);
  for (int round = 0; round < 100; ++round) {
    const std::size_t symbols = 1 + random.below(3);
    const Dfa dfa = canonical(random_dfa(1 + random.below(8), symbols, random));
    libalf::finite_automaton theirs;
    const std::string text = format_dfa({Alphabet::numbered(symbols), dfa}, DfaFormat::Alf);
    BOOST_TEST_CONTEXT("seed " << kSeed << ", round " << round << "\n" << text) {
      BOOST_TEST_REQUIRE(theirs.read(text));
      law(dfa, theirs, text);
    }
  }
}

BOOST_AUTO_TEST_SUITE(libalf_text)

BOOST_AUTO_TEST_CASE(libalf_reads_our_text_as_the_same_language) {
  for_random_automata(
      [](const Dfa& dfa, const libalf::finite_automaton& theirs, const std::string&) {
        BOOST_TEST(static_cast<std::size_t>(theirs.state_count) == dfa.size());
        for (const Word& word : all_words(dfa.symbol_count(), 6)) {
          BOOST_TEST(theirs.contains(as_list(word)) == dfa.accepts(word));
        }
      });
}

BOOST_AUTO_TEST_CASE(libalf_writes_the_text_that_we_write) {
  for_random_automata([](const Dfa&, const libalf::finite_automaton& theirs,
                         const std::string& text) { BOOST_TEST(theirs.write() == text); });
}

BOOST_AUTO_TEST_CASE(we_read_libalfs_text_and_picture_as_the_same_automaton) {
  for_random_automata([](const Dfa& dfa, const libalf::finite_automaton& theirs,
                         const std::string&) {
    BOOST_TEST((parse_dfa(theirs.write(), DfaFormat::Alf, "x").automaton.dfa == dfa));
    const DfaFile picture = parse_dfa(theirs.visualize(), DfaFormat::Dot, "x");
    BOOST_TEST(picture.missing_transitions == 0U);
    BOOST_TEST((canonical(over_alphabet(picture, Alphabet::numbered(dfa.symbol_count()))) == dfa));
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
