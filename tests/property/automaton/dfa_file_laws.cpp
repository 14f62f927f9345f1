// Automaton files of random automata: writing and reading is the identity, and no change to the
// text does worse than an AutomatonFileError.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::random_dfa;

constexpr std::uint64_t kSeed = 77;
const std::vector<DfaFormat> kFormats = {DfaFormat::Dot, DfaFormat::Json, DfaFormat::Alf};

/// An Alphabet or ClassNames of printable ASCII, one to three characters each.
template <class Names>
Names random_names(std::size_t size, Random& random) {
  while (true) {
    std::vector<std::string> names(size);
    for (std::string& name : names) {
      for (std::size_t i = 0; i <= random.below(3); ++i) {
        name += static_cast<char>(0x21 + random.below(0x7f - 0x21));
      }
    }
    try {
      return Names(names);
    } catch (const OptionError&) {
      continue;  // one occurred twice, or has a character that is not allowed
    }
  }
}

Alphabet random_alphabet(std::size_t size, Random& random) {
  return random.below(2) == 0 ? Alphabet::numbered(size) : random_names<Alphabet>(size, random);
}

/// A file without names of classes knows no class above those that it uses.
bool gives_last_answer(const Dfa& dfa) {
  const auto last = static_cast<Answer>(dfa.answer_count() - 1);
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    if (dfa.answer(static_cast<LState>(q)) == last) return true;
  }
  return !dfa.is_moore();
}

BOOST_AUTO_TEST_SUITE(dfa_file_laws)

BOOST_AUTO_TEST_CASE(reading_what_was_written_gives_it_back) {
  support::SeededRandom random(kSeed);
  for (int round = 0; round < 300; ++round) {
    const Alphabet alphabet = random_alphabet(1 + random.below(12), random);
    const std::size_t answers = round % 3 == 2 ? 3 + random.below(5) : 2;
    const Dfa drawn = random_dfa(1 + random.below(12), alphabet.size(), random, answers);
    for (const DfaFormat format : kFormats) {
      BOOST_TEST_CONTEXT("round " << round << ", " << name(format)) {
        support::check_law(drawn, [&](const Dfa& candidate) -> std::string {
          const Dfa dfa = canonical(candidate);
          if (!gives_last_answer(dfa)) return "";
          const std::string text = format_dfa({alphabet, dfa}, format);
          const DfaFile file = parse_dfa(text, format, "x");
          RNNALF_HOLDS(file.automaton.dfa == dfa);
          RNNALF_HOLDS(over_alphabet(file, alphabet, answers) == dfa);
          RNNALF_HOLDS(!file.has_names || file.automaton.alphabet == alphabet);
          RNNALF_HOLDS(file.missing_transitions == 0);
          RNNALF_HOLDS(format_dfa({alphabet, file.automaton.dfa}, format) == text);
          return "";
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(names_of_classes_come_back_and_mean_the_same_in_any_order) {
  support::SeededRandom random(kSeed);
  for (int round = 0; round < 300; ++round) {
    const Alphabet alphabet = random_alphabet(1 + random.below(4), random);
    const auto classes = random_names<ClassNames>(3 + random.below(5), random);
    const Dfa drawn = random_dfa(1 + random.below(8), alphabet.size(), random, classes.size());
    std::vector<std::string> turned = classes.names();
    std::rotate(turned.begin(), turned.begin() + 1 + static_cast<std::ptrdiff_t>(random.below(2)),
                turned.end());
    std::optional<ClassNames> other;
    try {
      other = ClassNames(turned);
    } catch (const OptionError&) {
      // a number is the name of its own class alone
    }
    for (const DfaFormat format : {DfaFormat::Dot, DfaFormat::Json}) {
      BOOST_TEST_CONTEXT("round " << round << ", " << name(format)) {
        support::check_law(drawn, [&](const Dfa& candidate) -> std::string {
          const NamedDfa automaton{alphabet, canonical(candidate), classes};
          if (!gives_last_answer(automaton.dfa)) return "";
          const std::string text = format_dfa(automaton, format);
          const DfaFile file = parse_dfa(text, format, "x");
          RNNALF_HOLDS(format_dfa(file.automaton, format) == text);
          RNNALF_HOLDS(over_alphabet(file, alphabet, classes.size(), classes) == automaton.dfa);
          RNNALF_HOLDS(!separating_word(file.automaton, automaton));
          // libalf's text has numbers alone.
          RNNALF_HOLDS(format_dfa(automaton, DfaFormat::Alf) ==
                       format_dfa({alphabet, automaton.dfa}, DfaFormat::Alf));
          if (!other) return "";
          const Dfa renumbered = over_alphabet(file, alphabet, classes.size(), *other);
          for (std::size_t q = 0; q < renumbered.size(); ++q) {
            const auto state = static_cast<LState>(q);
            RNNALF_HOLDS(other->name(renumbered.answer(state)) ==
                         classes.name(automaton.dfa.answer(state)));
          }
          return "";
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(equal_automata_are_equal_text_whatever_their_numbering) {
  support::SeededRandom random(kSeed);
  const Alphabet alphabet = Alphabet::parse("ab");
  for (int round = 0; round < 100; ++round) {
    const Dfa drawn = random_dfa(1 + random.below(8), 2, random);
    support::check_law(drawn, [&](const Dfa& dfa) -> std::string {
      for (const DfaFormat format : kFormats) {
        RNNALF_HOLDS(format_dfa({alphabet, dfa}, format) ==
                     format_dfa({alphabet, canonical(dfa)}, format));
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(broken_text_is_read_or_refused_and_never_anything_else) {
  support::SeededRandom random(kSeed);
  const std::vector<NamedDfa> automata = {
      {Alphabet::parse("ab cd"), random_dfa(4, 2, random)},
      {Alphabet::parse("a b"), random_dfa(3, 2, random, 3), ClassNames({"low", "middle", "high"})}};
  const std::string pieces = "{}[]\"\\<>/*#;,=:->+ \n\tx019\xff";
  int read = 0, refused = 0;
  const auto try_text = [&](const std::string& text, DfaFormat format) {
    support::check_law(text, [&](const std::string& candidate) -> std::string {
      try {
        const DfaFile file = parse_dfa(candidate, format, "x");
        RNNALF_HOLDS(file.automaton.alphabet.size() == file.automaton.dfa.symbol_count());
        (void)format_dfa(file.automaton, DfaFormat::Json);
        ++read;
      } catch (const AutomatonFileError& error) {
        RNNALF_HOLDS(std::string(error.what()).find('\n') == std::string::npos);
        ++refused;
      }
      return "";
    });
  };
  for (std::size_t kind = 0; kind < automata.size() * kFormats.size(); ++kind) {
    const DfaFormat format = kFormats[kind % kFormats.size()];
    const std::string whole = format_dfa(automata[kind / kFormats.size()], format);
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
