// The functions of dfa.hpp against brute force over all short words, on small random automata.

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "rnnalf/automaton/dfa.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::all_words;
using support::random_dfa;

constexpr std::uint64_t kSeed = 20240611;
constexpr int kRounds = 300;

struct World {
  Dfa dfa;
  std::vector<Word> words;  // all that matter: states of these automata differ on one of them
};

/// Checks a law of worlds for automata of up to 6 states over 1 to 3 symbols, every third with 3 to
/// 5 answers; two states differ on a word shorter than 6.
template <class Law>
void check_random_worlds(const Law& law) {
  support::SeededRandom random(kSeed);
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t symbols = 1 + random.below(3);
    const std::size_t states = 1 + random.below(6);
    const std::size_t answers = round % 3 == 2 ? 3 + random.below(3) : 2;
    BOOST_TEST_CONTEXT("round " << round << ": " << states << " states, " << symbols
                                << " symbols") {
      const std::vector<Word> words = all_words(symbols, 6);
      support::check_law(random_dfa(states, symbols, random, answers), [&](const Dfa& dfa) {
        return law(World{dfa, words});
      });
    }
  }
}

/// What a state does on every word.
std::vector<Answer> behaviour(const World& world, LState state) {
  std::vector<Answer> answers;
  for (const Word& word : world.words) {
    answers.push_back(world.dfa.answer(world.dfa.run(state, word)));
  }
  return answers;
}

std::vector<LState> states_of(const Dfa& dfa) {
  std::vector<LState> states;
  for (std::size_t q = 0; q < dfa.size(); ++q) states.push_back(static_cast<LState>(q));
  return states;
}

BOOST_AUTO_TEST_SUITE(dfa_laws)

BOOST_AUTO_TEST_CASE(minimise_keeps_the_language_and_has_one_state_per_behaviour) {
  check_random_worlds([](const World& world) -> std::string {
    const Dfa& dfa = world.dfa;
    const Dfa minimal = minimise(dfa);
    std::set<std::vector<Answer>> behaviours;
    for (const Word& word : world.words) {
      if (minimal.answer(word) != dfa.answer(word)) return "the language is another";
      behaviours.insert(behaviour(world, dfa.run(word)));
    }
    if (minimal.size() != behaviours.size()) {
      return std::to_string(minimal.size()) + " states for " + std::to_string(behaviours.size()) +
             " behaviours";
    }
    return canonical(minimal) == minimal ? "" : "the numbering is not canonical";
  });
}

BOOST_AUTO_TEST_CASE(equal_languages_minimise_to_equal_values) {
  // The same automaton with its states shuffled and one of them doubled.
  check_random_worlds([](const World& world) -> std::string {
    Random random(world.dfa.size());
    const Dfa& dfa = world.dfa;
    std::vector<LState> place = states_of(dfa);
    for (std::size_t i = place.size(); i > 1; --i) std::swap(place[i - 1], place[random.below(i)]);
    Dfa other(dfa.symbol_count(), dfa.size() + 1, dfa.answer_count());
    const auto copy_of = static_cast<LState>(random.below(dfa.size()));
    const auto twin = static_cast<LState>(dfa.size());
    for (const LState q : states_of(dfa)) {
      for (const LState at : {place[index(q)], q == copy_of ? twin : place[index(q)]}) {
        other.set_answer(at, dfa.answer(q));
        for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
          const LState to = dfa.next(q, static_cast<Symbol>(a));
          const bool to_twin = to == copy_of && random.below(2) == 0;
          other.set_next(at, static_cast<Symbol>(a), to_twin ? twin : place[index(to)]);
        }
      }
    }
    other.set_initial(place[index(dfa.initial())]);
    RNNALF_HOLDS(minimise(other) == minimise(dfa));
    RNNALF_HOLDS(equivalent(other, dfa));
    return "";
  });
}

BOOST_AUTO_TEST_CASE(separating_word_is_the_shortlex_first_difference) {
  support::SeededRandom random(kSeed);
  int different = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t symbols = 1 + random.below(2);
    // Two automata of at most 4 states that differ at all do so below length 7.
    const std::size_t answers = 2 + (round % 4 == 3 ? random.below(3) : 0);
    const Dfa a = random_dfa(1 + random.below(4), symbols, random, answers);
    const Dfa b = random_dfa(1 + random.below(4), symbols, random, answers);
    const std::vector<Word> words = all_words(symbols, 7);
    different += equivalent(a, b) ? 0 : 1;
    support::check_law(std::pair(a, b), [&](const std::pair<Dfa, Dfa>& both) -> std::string {
      const auto& [first, second] = both;
      std::optional<Word> expected;
      for (const Word& word : words) {
        if (first.answer(word) == second.answer(word)) continue;
        expected = word;
        break;
      }
      RNNALF_HOLDS(separating_word(first, second) == expected);
      RNNALF_HOLDS(equivalent(first, second) == !expected.has_value());
      return "";
    });
  }
  BOOST_TEST(different > kRounds / 2);
  BOOST_TEST(different < kRounds);  // both cases were seen
}

BOOST_AUTO_TEST_CASE(access_words_are_the_shortlex_first_words_into_every_state) {
  check_random_worlds([](const World& world) -> std::string {
    std::map<LState, Word> expected;
    for (const Word& word : world.words) expected.emplace(world.dfa.run(word), word);
    const auto found = access_words(world.dfa);
    RNNALF_HOLDS(found.size() == world.dfa.size());
    for (const LState q : states_of(world.dfa)) {
      RNNALF_HOLDS(found[index(q)].has_value() == expected.contains(q));
      RNNALF_HOLDS(!found[index(q)] || *found[index(q)] == expected.at(q));
    }
    return "";
  });
}

BOOST_AUTO_TEST_CASE(a_distinguishing_suffix_is_the_shortlex_first_one) {
  check_random_worlds([](const World& world) -> std::string {
    const Distinguisher distinguisher(world.dfa);
    for (const LState p : states_of(world.dfa)) {
      for (const LState q : states_of(world.dfa)) {
        std::optional<Word> expected;
        for (const Word& word : world.words) {
          if (world.dfa.answer(world.dfa.run(p, word)) ==
              world.dfa.answer(world.dfa.run(q, word))) {
            continue;
          }
          expected = word;
          break;
        }
        RNNALF_HOLDS(distinguisher.suffix(p, q) == expected);
      }
    }
    return "";
  });
}

BOOST_AUTO_TEST_CASE(the_characterising_set_tells_apart_what_can_be_told_apart) {
  check_random_worlds([](const World& world) -> std::string {
    const std::vector<Word> suffixes = Distinguisher(world.dfa).characterising_set();
    std::set<std::vector<Answer>> behaviours, signatures;
    for (const LState q : states_of(world.dfa)) {
      behaviours.insert(behaviour(world, q));
      std::vector<Answer> signature;
      for (const Word& suffix : suffixes) {
        signature.push_back(world.dfa.answer(world.dfa.run(q, suffix)));
      }
      signatures.insert(signature);
    }
    RNNALF_HOLDS(signatures.size() == behaviours.size());
    RNNALF_HOLDS(suffixes.size() < world.dfa.size() + (world.dfa.size() == 1 ? 1 : 0));
    RNNALF_HOLDS(std::is_sorted(suffixes.begin(), suffixes.end(), ShortlexLess{}));
    return "";
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
