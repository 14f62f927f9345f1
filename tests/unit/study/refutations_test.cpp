#include "rnnalf/study/refutations.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/report/sentences.hpp"
#include "support/seeded_random.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using Rows = std::vector<std::size_t>;

/// A row with this result, which found these words; the network's answer is `network`'s.
StudyRow row(const Alphabet& alphabet, const Dfa& result, const Dfa& network,
             const std::vector<Word>& words, const ClassNames& classes = {}) {
  StudyRow one;
  one.cell.network = "a.onnx";
  one.cell.verdict = RunVerdict::NoneFound;
  one.cell.states = result.size();
  one.dfa = format_dfa({alphabet, result, classes}, DfaFormat::Json);
  for (const Word& word : words) {
    FoundWord found;
    found.word = alphabet.format(word);
    found.answer = answer_name(network.answer(word), network.answer_count(), classes);
    one.counterexamples.push_back(std::move(found));
  }
  return one;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_refutations)

BOOST_AUTO_TEST_CASE(a_word_refutes_every_result_that_is_wrong_on_it_whoever_found_it) {
  support::SeededRandom random(16);
  for (int world = 0; world < 40; ++world) {
    const std::size_t answers = 2 + random.below(2);
    const Alphabet alphabet(world % 2 == 0 ? std::vector<std::string>{"a", "b"}
                                           : std::vector<std::string>{"begin", "end"});
    const ClassNames classes =
        answers == 3 && world % 3 == 0 ? ClassNames({"low", "middle", "high"}) : ClassNames();
    const Dfa network = support::random_dfa(1 + random.below(6), 2, random, answers);
    std::vector<Dfa> results;
    std::vector<std::vector<Word>> words;
    std::vector<StudyRow> rows;
    for (std::size_t i = 0; i < 5; ++i) {
      // Some are right: nothing refutes those.
      results.push_back(random.below(4) == 0 ? network
                                             : support::random_dfa(3, 2, random, answers));
      words.emplace_back();
      const std::size_t count = random.below(4);
      for (std::size_t w = 0; w < count; ++w) {
        words.back().push_back(uniform_word(2, random.below(6), random));
      }
      rows.push_back(row(alphabet, results[i], network, words[i], classes));
    }
    const auto found = refutations(rows);
    BOOST_TEST_REQUIRE(found.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Rows expected;
      for (std::size_t j = 0; j < rows.size(); ++j) {
        if (std::any_of(words[j].begin(), words[j].end(), [&](const Word& word) {
              return results[i].answer(word) != network.answer(word);
            })) {
          expected.push_back(j);
        }
      }
      BOOST_TEST(found[i].by == expected, boost::test_tools::per_element());
      BOOST_TEST(!found[i].measured);
    }
  }
}

BOOST_AUTO_TEST_CASE(words_of_another_network_or_read_with_other_options_refute_nothing) {
  const Alphabet alphabet({"0", "1"});
  const Dfa rejects_all(2);
  Dfa accepts_all(2);
  accepts_all.set_accepting(LState{0}, true);
  std::vector<StudyRow> rows(2, row(alphabet, rejects_all, accepts_all, {Word{Symbol{1}}}));
  BOOST_TEST(refutations(rows)[0].by == (Rows{0, 1}), boost::test_tools::per_element());
  rows[1].cell.options = {{"max-steps", OptionValue(std::uint64_t{5})}};  // the same network
  BOOST_TEST(refutations(rows)[0].by == (Rows{0, 1}), boost::test_tools::per_element());
  rows[1].cell.options = {{"accept-class", OptionValue(std::string("1"))}};
  BOOST_TEST(refutations(rows)[0].by == (Rows{0}), boost::test_tools::per_element());
  rows[1].cell.options.clear();
  rows[1].cell.network = "b.onnx";
  BOOST_TEST(refutations(rows)[0].by == (Rows{0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(measured_words_refute_as_well) {
  StudyRow one;
  one.cell.states = 3;
  one.cell.verdict = RunVerdict::NoneFound;
  one.cell.by_length = {{10, {100, 100, 100, 100}}, {50, {100, 99, 100, 99}}};
  BOOST_TEST(refutations({one})[0].measured);
  one.cell.by_length[1].second.agreed = 100;
  BOOST_TEST(!refutations({one})[0].known());
  one.cell.given = MeasuredWords{10, 9, 10, 9};
  BOOST_TEST(refutations({one})[0].known());
}

BOOST_AUTO_TEST_CASE(a_run_stands_by_its_result_when_it_ended_without_a_known_exception) {
  ComparisonCell cell;
  cell.states = 1;
  for (const auto& [verdict, stands] :
       {std::pair{RunVerdict::NoneFound, true}, std::pair{RunVerdict::Complete, true},
        std::pair{RunVerdict::Settled, false}, std::pair{RunVerdict::MaxSteps, false},
        std::pair{RunVerdict::Died, false}}) {
    cell.verdict = verdict;
    BOOST_TEST(stands_by_result(cell) == stands, name(verdict));
  }
  cell.verdict = RunVerdict::NoneFound;
  cell.states = 0;
  BOOST_TEST(!stands_by_result(cell));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
