// libalf's own automata against ours: it reads what we write, and we read what it writes.

#include <libalf/alf.h>

#include <boost/test/unit_test.hpp>

#include "rnnalf/automaton/dfa_file.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"
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

/// A law of an automaton, libalf's reading of our text, and that text.
template <class Law>
void check_random_automata(const Law& law) {
  support::SeededRandom random(4);
  for (int round = 0; round < 100; ++round) {
    const std::size_t symbols = 1 + random.below(3);
    const Dfa drawn = random_dfa(1 + random.below(8), symbols, random);
    support::check_law(drawn, [&](const Dfa& candidate) -> std::string {
      const Dfa dfa = canonical(candidate);
      libalf::finite_automaton theirs;
      const std::string text = format_dfa({Alphabet::numbered(symbols), dfa}, DfaFormat::Alf);
      RNNALF_HOLDS(theirs.read(text));
      return law(dfa, theirs, text);
    });
  }
}

BOOST_AUTO_TEST_SUITE(libalf_text)

BOOST_AUTO_TEST_CASE(libalf_reads_our_text_as_the_same_language) {
  check_random_automata([](const Dfa& dfa, const libalf::finite_automaton& theirs,
                           const std::string&) -> std::string {
    RNNALF_HOLDS(static_cast<std::size_t>(theirs.state_count) == dfa.size());
    for (const Word& word : all_words(dfa.symbol_count(), 6)) {
      RNNALF_HOLDS(theirs.contains(as_list(word)) == dfa.accepts(word));
    }
    return "";
  });
}

BOOST_AUTO_TEST_CASE(libalf_writes_the_text_that_we_write) {
  check_random_automata([](const Dfa&, const libalf::finite_automaton& theirs,
                           const std::string& text) -> std::string {
    RNNALF_HOLDS(theirs.write() == text);
    return "";
  });
}

BOOST_AUTO_TEST_CASE(we_read_libalfs_text_and_picture_as_the_same_automaton) {
  check_random_automata([](const Dfa& dfa, const libalf::finite_automaton& theirs,
                           const std::string&) -> std::string {
    RNNALF_HOLDS(parse_dfa(theirs.write(), DfaFormat::Alf, "x").automaton.dfa == dfa);
    const DfaFile picture = parse_dfa(theirs.visualize(), DfaFormat::Dot, "x");
    RNNALF_HOLDS(picture.missing_transitions == 0);
    const Alphabet alphabet = Alphabet::numbered(dfa.symbol_count());
    RNNALF_HOLDS(canonical(over_alphabet(picture, alphabet)) == dfa);
    return "";
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
