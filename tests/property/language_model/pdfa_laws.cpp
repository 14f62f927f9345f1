// Laws of random probabilistic automata, and of learning them through their probabilities alone.

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>

#include "rnnalf/extraction/language_model_extraction.hpp"
#include "rnnalf/language_model/contexts.hpp"
#include "rnnalf/language_model/fit.hpp"
#include "rnnalf/language_model/pdfa_file.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/random_pdfa.hpp"
#include "support/seeded_random.hpp"

namespace rnnalf {
namespace {

using support::random_pdfa;

bool close(const Pdfa& a, const Pdfa& b, double tolerance) {
  if (a.size() != b.size() || a.symbol_count() != b.symbol_count()) return false;
  for (std::size_t q = 0; q < a.size(); ++q) {
    const auto state = static_cast<LState>(q);
    for (std::size_t s = 0; s < a.symbol_count(); ++s) {
      if (a.next(state, static_cast<Symbol>(s)) != b.next(state, static_cast<Symbol>(s)))
        return false;
    }
    for (std::size_t e = 0; e < a.row_size(); ++e) {
      if (std::abs(a.row(state)[e] - b.row(state)[e]) > tolerance) return false;
    }
  }
  return true;
}

BOOST_AUTO_TEST_SUITE(pdfa_laws)

BOOST_AUTO_TEST_CASE(the_probabilities_of_all_words_sum_to_one) {
  support::SeededRandom random(1);
  for (int round = 0; round < 20; ++round) {
    const Pdfa pdfa = random_pdfa(1 + random.below(3), 1 + random.below(6), random, round % 2 == 1);
    // By state, the probability of being there after so many symbols; what has ended.
    std::vector<double> at(pdfa.size(), 0);
    at[index(pdfa.initial())] = 1;
    double ended = 0;
    for (int length = 0; length < 400; ++length) {
      std::vector<double> next(pdfa.size(), 0);
      for (std::size_t q = 0; q < pdfa.size(); ++q) {
        const auto state = static_cast<LState>(q);
        ended += at[q] * pdfa.end(state);
        for (std::size_t a = 0; a < pdfa.symbol_count(); ++a) {
          const auto symbol = static_cast<Symbol>(a);
          next[index(pdfa.next(state, symbol))] += at[q] * pdfa.probability(state, symbol);
        }
      }
      at = next;
    }
    BOOST_TEST(ended == 1, boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(words_are_drawn_as_often_as_they_are_likely) {
  support::SeededRandom random(2);
  const Pdfa pdfa = random_pdfa(2, 4, random, true);
  constexpr int kDrawn = 20'000;
  std::map<Word, int> seen;
  for (int i = 0; i < kDrawn; ++i) ++seen[pdfa.sample(random)];
  for (const auto& [word, count] : seen) {
    const double p = pdfa.probability(word);
    if (kDrawn * p < 20) continue;  // too rare for a statement
    BOOST_TEST(std::abs(count - kDrawn * p) <= 5 * std::sqrt(kDrawn * p));
  }
}

BOOST_AUTO_TEST_CASE(reading_a_file_gives_back_what_was_written) {
  support::SeededRandom random(3);
  for (int round = 0; round < 50; ++round) {
    const Pdfa pdfa = random_pdfa(1 + random.below(4), 1 + random.below(9), random, true);
    const NamedPdfa written{Alphabet::numbered(pdfa.symbol_count()), pdfa};
    const NamedPdfa json =
        parse_pdfa(format_pdfa(written, PdfaFormat::Json), PdfaFormat::Json, "f");
    BOOST_CHECK(json.alphabet == written.alphabet);
    BOOST_CHECK(close(json.pdfa, pdfa, 0));
    const NamedPdfa pautomac =
        parse_pdfa(format_pdfa(written, PdfaFormat::Pautomac), PdfaFormat::Pautomac, "f");
    BOOST_CHECK(close(pautomac.pdfa, pdfa, 1e-12));
  }
}

BOOST_AUTO_TEST_CASE(no_change_to_a_file_does_worse_than_an_error) {
  support::SeededRandom random(4);
  const NamedPdfa written{Alphabet::numbered(2), random_pdfa(2, 3, random)};
  for (const PdfaFormat format : {PdfaFormat::Json, PdfaFormat::Pautomac}) {
    const std::string text = format_pdfa(written, format);
    for (int round = 0; round < 500; ++round) {
      std::string changed = text;
      for (std::size_t i = 0; i <= random.below(3); ++i) {
        changed[random.below(changed.size())] = static_cast<char>(random.below(256));
      }
      try {
        const NamedPdfa read = parse_pdfa(changed, format, "f");
        BOOST_TEST(read.pdfa.size() >= 1U);
      } catch (const AutomatonFileError&) {
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_learner_learns_a_random_pdfa_exactly_from_its_classes) {
  support::SeededRandom random(5);
  for (const char* const learner : {"lstar", "ttt", "lsharp"}) {
    for (int round = 0; round < 5; ++round) {
      const Pdfa meant = minimise(random_pdfa(2, 1 + random.below(20), random));
      const LanguageModel model = as_language_model(NamedPdfa{Alphabet::numbered(2), meant});
      Progress progress;
      const Budget no_limit;
      const Pdfa found = learn_distribution_classes(model, libalf_learners(), 1e-4,
                                                    {.learner = learner}, no_limit, progress);
      BOOST_CHECK(close(found, meant, 1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_extraction_is_close_to_a_small_pdfa_and_within_its_limit) {
  support::SeededRandom random(6);
  for (int round = 0; round < 3; ++round) {
    const Pdfa meant = random_pdfa(2, 4, random);
    const LanguageModel model = as_language_model(NamedPdfa{Alphabet::numbered(2), meant});
    ExtractionOptions options{.max_states = 16, .threads = 1};
    const LanguageModelRun run = extract_language_model(model, libalf_learners(), options);
    BOOST_TEST(run.pdfa.size() <= 16U);
    const Budget no_limit;
    const ModelWords words = sample_words(model, {.words = 500, .seed = 77}, no_limit);
    BOOST_TEST(run.judgement.sampled.decades < 0.7 * decades(ngram_automaton(words, 0), words));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
