// Automaton files of random automata: writing and reading is the identity, and no change to the
// text does worse than an AutomatonFileError.

#include <boost/test/unit_test.hpp>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"
#include "support/seeded_random.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::random_dfa;

constexpr std::uint64_t kSeed = 77;
const std::vector<DfaFormat> kFormats = {DfaFormat::Dot, DfaFormat::Json, DfaFormat::Alf};

Alphabet random_alphabet(std::size_t size, Random& random) {
  if (random.below(2) == 0) return Alphabet::numbered(size);
  // Printable ASCII, one to three characters.
  while (true) {
    std::vector<std::string> symbols(size);
    for (std::string& symbol : symbols) {
      for (std::size_t i = 0; i <= random.below(3); ++i) {
        symbol += static_cast<char>(0x21 + random.below(0x7f - 0x21));
      }
    }
    try {
      return Alphabet(symbols);
    } catch (const OptionError&) {
      continue;  // one occurred twice
    }
  }
}

BOOST_AUTO_TEST_SUITE(dfa_file_laws)

BOOST_AUTO_TEST_CASE(reading_what_was_written_gives_it_back) {
  support::SeededRandom random(kSeed);
  for (int round = 0; round < 300; ++round) {
    const Alphabet alphabet = random_alphabet(1 + random.below(12), random);
    const std::size_t answers = round % 3 == 2 ? 3 + random.below(5) : 2;
    const NamedDfa automaton{
        alphabet, canonical(random_dfa(1 + random.below(12), alphabet.size(), random, answers))};
    for (const DfaFormat format : kFormats) {
      BOOST_TEST_CONTEXT("round " << round << ", " << name(format)) {
        const std::string text = format_dfa(automaton, format);
        const DfaFile file = parse_dfa(text, format, "x");
        BOOST_TEST((file.automaton.dfa == automaton.dfa));
        BOOST_TEST((over_alphabet(file, alphabet, answers) == automaton.dfa));
        if (file.has_names) BOOST_TEST((file.automaton.alphabet == alphabet));
        BOOST_TEST(file.missing_transitions == 0U);
        BOOST_TEST(format_dfa({alphabet, file.automaton.dfa}, format) == text);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(equal_automata_are_equal_text_whatever_their_numbering) {
  support::SeededRandom random(kSeed);
  const Alphabet alphabet = Alphabet::parse("ab");
  for (int round = 0; round < 100; ++round) {
    const Dfa dfa = random_dfa(1 + random.below(8), 2, random);
    for (const DfaFormat format : kFormats) {
      BOOST_TEST(format_dfa({alphabet, dfa}, format) ==
                 format_dfa({alphabet, canonical(dfa)}, format));
    }
  }
}

BOOST_AUTO_TEST_CASE(broken_text_is_read_or_refused_and_never_anything_else) {
  support::SeededRandom random(kSeed);
  const NamedDfa automaton{Alphabet::parse("ab cd"), random_dfa(4, 2, random)};
  const std::string pieces = "{}[]\"\\<>/*#;,=:->+ \n\tx019\xff";
  int read = 0, refused = 0;
  const auto try_text = [&](const std::string& text, DfaFormat format) {
    try {
      const DfaFile file = parse_dfa(text, format, "x");
      BOOST_TEST(file.automaton.alphabet.size() == file.automaton.dfa.symbol_count());
      (void)format_dfa(file.automaton, DfaFormat::Json);
      ++read;
    } catch (const AutomatonFileError& error) {
      BOOST_TEST(std::string(error.what()).find('\n') == std::string::npos);
      ++refused;
    }
  };
  for (const DfaFormat format : kFormats) {
    const std::string whole = format_dfa(automaton, format);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      try_text(whole.substr(0, length), format);
    }
    for (int round = 0; round < 3000; ++round) {
      std::string text = whole;
      for (std::size_t edits = 0; edits <= random.below(4); ++edits) {
        const std::size_t at = random.below(text.size());
        const char piece = pieces[random.below(pieces.size())];
        switch (random.below(4)) {
          case 0:
            text[at] = piece;
            break;
          case 1:
            text.insert(at, 1 + random.below(3), piece);
            break;
          case 2:
            text.erase(at, 1 + random.below(8));
            break;
          default:
            text[at] = static_cast<char>(random.below(256));
            break;
        }
        if (text.empty()) text = "x";
      }
      BOOST_TEST_CONTEXT(name(format) << ", round " << round) {
        try_text(text, format);
      }
    }
  }
  BOOST_TEST(read > 100);
  BOOST_TEST(refused > 1000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
