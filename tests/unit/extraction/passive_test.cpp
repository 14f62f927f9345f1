#include "rnnalf/extraction/passive.hpp"

#include <boost/test/unit_test.hpp>

#include <libalf/alf.h>

#include <set>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/report/claims.hpp"
#include "support/coded_dfa.hpp"
#include "support/network_of.hpp"
#include "support/seeded_random.hpp"

namespace rnnalf {
namespace {

namespace utf = boost::unit_test;

const Budget kNoLimit;

/// Upstream libalf's RPNI takes a minute for a thousand words of up to 9 symbols, and does not end
/// in many for hundreds of long ones. What is asked of a network does not depend on the learner, so
/// tests that ask so much run over the toolkit alone, and all others with few words.
#ifdef LIBALF_TOOLKIT
constexpr bool kLearnsFromManyWords = true;
#else
constexpr bool kLearnsFromManyWords = false;
#endif

/// All words of up to so many symbols, shortest first.
std::vector<Word> words_up_to(std::size_t longest, std::size_t symbols) {
  std::vector<Word> words{{}};
  for (std::size_t at = 0; at < words.size() && words[at].size() < longest; ++at) {
    for (std::size_t a = 0; a < symbols; ++a) {
      words.push_back(words[at]);
      words.back().push_back(static_cast<Symbol>(a));
    }
  }
  return words;
}

/// Enough for both methods to find the language: the access word of every state, alone and with one
/// symbol more, followed by suffixes that tell all states apart.
std::vector<Word> characteristic_sample(const Dfa& language) {
  std::set<Word> words;
  for (const auto& access : access_words(language)) {
    for (const Word& step : words_up_to(1, language.symbol_count())) {
      for (const Word& suffix : Distinguisher(language).characterising_set()) {
        Word word = access.value();
        word.insert(word.end(), step.begin(), step.end());
        word.insert(word.end(), suffix.begin(), suffix.end());
        words.insert(std::move(word));
      }
    }
  }
  return {words.begin(), words.end()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(passive)

BOOST_AUTO_TEST_CASE(from_few_words_both_methods_agree_with_all_of_them_and_biermann_is_no_larger) {
  support::SeededRandom random(31);
  for (int world = 0; world < 20; ++world) {
    const Dfa language = support::random_minimal_dfa(6, 2, random);
    const support::CodedDfa network(language, 5, 0.1, random.bits());
    std::vector<Word> words;
    for (int i = 0; i < 40; ++i) {
      words.emplace_back();
      for (std::size_t length = random.below(9); length > 0; --length) {
        words.back().push_back(static_cast<Symbol>(random.below(2)));
      }
    }
    std::size_t size_of_rpni = 0;
    for (const char* const name : {"rpni", "biermann"}) {
      StateTree tree(network, {});
      const BaselineResult result = learn_from_answers(tree, parse_method(name), {.words = words},
                                                       libalf_learners(), kNoLimit);
      BOOST_TEST(result.complete);
      for (const Word& word : words) {
        BOOST_TEST(result.automaton.dfa.accepts(word) == language.accepts(word));
      }
      if (size_of_rpni == 0) size_of_rpni = result.automaton.dfa.size();
      // A conjecture may lack transitions, and to_dfa adds the state that they lead to.
      BOOST_TEST(result.automaton.dfa.size() <= size_of_rpni + 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(from_a_characteristic_sample_both_methods_find_the_language) {
  for (const char* const name : {"rpni", "biermann"}) {
    for (int number = 1; number <= 7; ++number) {
      const Dfa language = support::tomita(number);
      const support::CodedDfa network(language, 4, 0.1, 7);
      StateTree tree(network, {});
      const BaselineResult result =
          learn_from_answers(tree, parse_method(name), {.words = characteristic_sample(language)},
                             libalf_learners(), kNoLimit);
      BOOST_TEST(equivalent(result.automaton.dfa, language),
                 name << " on Tomita " << number << ": " << result.automaton.dfa.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(words_names_how_many_of_the_given_words_are_learnt_from_or_of_random_ones) {
  const support::CodedDfa network(support::tomita(4), 4, 0.1, 7);
  const std::vector<Word> given = words_up_to(4, 2);
  const auto tested = [&](const char* method, const std::vector<Word>& words) {
    StateTree tree(network, {});
    return learn_from_answers(tree, parse_method(method), {.words = words}, libalf_learners(),
                              kNoLimit)
        .evidence.at(0)
        .words_tested;
  };
  BOOST_TEST(tested("rpni", given) == given.size());
  BOOST_TEST(tested("rpni:words=7", given) == 7U);
  BOOST_TEST(tested("rpni:words=5", {}) == 5U);
  if (kLearnsFromManyWords) BOOST_TEST(tested("rpni", {}) == 500U);
}

BOOST_AUTO_TEST_CASE(more_words_than_are_given_are_refused) {
  const support::CodedDfa network(support::tomita(4), 4, 0.1, 7);
  ExtractionOptions options;
  options.method = parse_method("rpni:words=32");
  options.samples = words_up_to(4, 2);
  const auto says = [](const OptionError& error) {
    return std::string(error.what()) ==
           "method: rpni:words=32: expected at most the 31 words that were given, found 32";
  };
  BOOST_CHECK_EXCEPTION(Extraction(support::network_of(network), libalf_learners(), options),
                        OptionError, says);
}

BOOST_AUTO_TEST_CASE(with_few_steps_the_first_words_are_learnt_from_and_no_step_more_is_taken) {
  const Dfa language = support::tomita(5);
  const support::CodedDfa network(language, 4, 0.1, 7);
  const std::vector<Word> words = words_up_to(9, 2);
  for (const char* const name : {"rpni", "biermann"}) {
    for (const std::size_t steps : {std::size_t{1}, std::size_t{40}, std::size_t{150}}) {
      ExtractionOptions options;
      options.method = parse_method(name);
      options.samples = words;
      options.max_steps = steps;
      const Run run =
          Extraction(support::network_of(network), libalf_learners(), options).run(kNoLimit);
      BOOST_TEST((run.limit == Limit::Steps));
      // Every word but the empty one is one symbol longer than one before: a step for each.
      BOOST_TEST(run.statistics.rnn_steps == steps);
      BOOST_TEST(run.evidence.at(0).words_tested == steps + 1);
      for (std::size_t i = 0; i <= steps; ++i) {
        BOOST_TEST(run.dfa().accepts(words[i]) == language.accepts(words[i]));
      }
      BOOST_TEST(claim(run.evidence.at(0)).find("a limit stopped at these of 1,023 words") !=
                 std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_may_be_asked_does_not_depend_on_how_the_tree_reads_words,
                     *utf::enable_if<kLearnsFromManyWords>()) {
  // Thousands of words: the tree reads them in several lots and some prefixes twice.
  const support::CodedDfa network(support::tomita(5), 4, 0.1, 7);
  for (const std::uint64_t steps : {std::uint64_t{20'000}, std::uint64_t{100'000}}) {
    StateTree tree(network, {});
    const BaselineResult result =
        learn_from_answers(tree, parse_method("rpni:words=1000000"), {.max_steps = steps},
                           libalf_learners(), kNoLimit);
    BOOST_TEST((result.limit == Limit::Steps));
    BOOST_TEST(tree.stats().steps <= steps);
    BOOST_TEST(tree.stats().steps > steps - steps / 50);
    BOOST_TEST(equivalent(result.automaton.dfa, support::tomita(5)));
  }
}

BOOST_AUTO_TEST_CASE(words_that_no_memory_is_left_to_learn_from_are_not_asked,
                     *utf::enable_if<kLearnsFromManyWords>()) {
  const support::CodedDfa network(support::tomita(5), 4, 0.1, 7);
  StateTree tree(network, {});
  const BaselineResult result = learn_from_answers(
      tree, parse_method("rpni:words=1000000"), {.memory = 1'000'000}, libalf_learners(), kNoLimit);
  BOOST_TEST((result.limit == Limit::Memory));
  BOOST_TEST(result.evidence.at(0).words_tested > 50U);
  BOOST_TEST(result.evidence.at(0).words_tested < 10'000U);
}

BOOST_AUTO_TEST_CASE(a_larger_dfa_than_allowed_is_the_result_and_says_so) {
  const support::CodedDfa network(support::tomita(5), 4, 0.1, 7);
  StateTree tree(network, {});
  const BaselineResult result =
      learn_from_answers(tree, parse_method("rpni"),
                         {.words = characteristic_sample(support::tomita(5)), .max_states = 3},
                         libalf_learners(), kNoLimit);
  BOOST_TEST(!result.complete);
  BOOST_TEST((result.limit == Limit::States));
  BOOST_TEST(equivalent(result.automaton.dfa, support::tomita(5)));
}

BOOST_AUTO_TEST_CASE(a_budget_that_has_ended_leaves_a_dfa_that_says_it_is_not_complete) {
  const support::CodedDfa network(support::tomita(5), 4, 0.1, 7);
  Budget over;
  over.restrict_time(std::chrono::seconds(0));
  for (const char* const name : {"rpni", "biermann"}) {
    StateTree tree(network, {});
    const BaselineResult result = learn_from_answers(
        tree, parse_method(name), {.words = words_up_to(6, 2)}, libalf_learners(), over);
    BOOST_TEST(!result.complete);
    BOOST_TEST(claim(result.evidence.at(0)).starts_with("a limit stopped the search"));
  }
}

BOOST_AUTO_TEST_CASE(an_extraction_by_a_passive_method_counts_what_its_words_cost) {
  const support::CodedDfa network(support::tomita(6), 4, 0.1, 7);
  ExtractionOptions options;
  options.method = parse_method("rpni");
  options.samples = words_up_to(6, 2);
  const Run run =
      Extraction(support::network_of(network), libalf_learners(), options).run(kNoLimit);
  BOOST_TEST(equivalent(run.dfa(), support::tomita(6)));
  // All words of up to 6 symbols share their prefixes: one step for each but the empty one.
  BOOST_TEST(run.statistics.rnn_steps == options.samples.size() - 1);
  BOOST_TEST(claim(run.evidence.at(0)).starts_with("agrees on all 127 words"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
