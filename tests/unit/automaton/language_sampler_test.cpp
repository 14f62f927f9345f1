#include "rnnalf/automaton/language_sampler.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>

#include "support/coded_dfa.hpp"

namespace rnnalf {

BOOST_AUTO_TEST_SUITE(language_sampler)

BOOST_AUTO_TEST_CASE(every_drawn_word_has_the_length_and_the_class_asked_for) {
  Random random(1);
  for (int world = 0; world < 50; ++world) {
    const Dfa dfa = support::random_minimal_dfa(6, 1 + random.below(3), random);
    const LanguageSampler sampler(dfa, 40);
    for (const std::size_t length : {0U, 1U, 5U, 40U}) {
      for (const bool accepted : {true, false}) {
        const auto word = sampler.draw(length, accept_if(accepted), random);
        if (!word) continue;
        BOOST_TEST(word->size() == length);
        BOOST_TEST(dfa.accepts(*word) == accepted);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_class_without_words_of_the_length_gives_none) {
  const LanguageSampler sampler(support::tomita(2), 7);  // (10)*
  Random random(1);
  BOOST_TEST(!sampler.draw(7, Answer::Accept, random).has_value());
  BOOST_TEST((sampler.draw(4, Answer::Accept, random) ==
              Word{Symbol{1}, Symbol{0}, Symbol{1}, Symbol{0}}));
  BOOST_TEST(!sampler.draw(0, Answer::Reject, random).has_value());
}

BOOST_AUTO_TEST_CASE(words_of_a_class_are_drawn_equally_often) {
  // Tomita 4 (no 000) has 13 of the 16 words of length 4.
  const LanguageSampler sampler(support::tomita(4), 4);
  Random random(3);
  std::map<Word, int> count;
  for (int i = 0; i < 13000; ++i) ++count[*sampler.draw(4, Answer::Accept, random)];
  BOOST_TEST(count.size() == 13U);
  for (const auto& [word, times] : count) {
    BOOST_TEST(times > 850);  // 1000 expected, standard deviation 30
    BOOST_TEST(times < 1150);
  }
}

BOOST_AUTO_TEST_CASE(rare_words_of_long_lengths_are_found) {
  // One of 28^300 words: only the symbol 27, over and over.
  Dfa dfa(28, 2);
  dfa.set_accepting(LState{0}, true);
  for (std::uint32_t a = 0; a < 27; ++a) dfa.set_next(LState{0}, Symbol{a}, LState{1});
  Random random(1);
  BOOST_TEST(
      (LanguageSampler(dfa, 300).draw(300, Answer::Accept, random) == Word(300, Symbol{27})));
}

BOOST_AUTO_TEST_CASE(by_paths_parallel_symbols_count_once) {
  // Nine letters that change nothing and one that leads to the accepting state for good: of the
  // accepted words of length 3, by paths, a third leaves with the first, second or last symbol.
  Dfa dfa(10, 2);
  dfa.set_accepting(LState{1}, true);
  dfa.set_next(LState{0}, Symbol{9}, LState{1});
  const LanguageSampler sampler(dfa, 3, LanguageSampler::Uniform::Paths);
  Random random(5);
  std::map<std::size_t, int> left_at;
  for (int i = 0; i < 9000; ++i) {
    const auto word = sampler.draw(3, Answer::Accept, random);
    ++left_at[static_cast<std::size_t>(std::find(word->begin(), word->end(), Symbol{9}) -
                                       word->begin())];
  }
  for (const std::size_t at : {0U, 1U, 2U}) {
    BOOST_TEST(left_at[at] > 2800);  // 3000 expected, standard deviation 45
    BOOST_TEST(left_at[at] < 3200);
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
