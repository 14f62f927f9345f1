#include "rnnalf/language_model/pdfa.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "rnnalf/language_model/pdfa_file.hpp"
#include "support/message_of.hpp"

namespace rnnalf {
namespace {

using support::message_of;

/// a with probability 0.5 and again; b, 0.25, leads to a state where every word ends.
Pdfa small_pdfa() {
  Pdfa pdfa(2, 2);
  pdfa.set_row(LState{0}, std::vector<double>{0.5, 0.25, 0.25});
  pdfa.set_row(LState{1}, std::vector<double>{0, 0, 1});
  pdfa.set_next(LState{0}, Symbol{1}, LState{1});
  return pdfa;
}

std::string refused(const std::string& text, PdfaFormat format) {
  return message_of([&] { static_cast<void>(parse_pdfa(text, format, "f")); });
}

BOOST_AUTO_TEST_SUITE(pdfa)

BOOST_AUTO_TEST_CASE(the_probability_of_a_word_is_a_product_with_its_end) {
  const Pdfa pdfa = small_pdfa();
  BOOST_TEST(pdfa.probability(Word{}) == 0.25);
  BOOST_TEST(pdfa.probability(Word{Symbol{0}, Symbol{1}}) == 0.125,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(pdfa.probability(Word{Symbol{1}, Symbol{0}}) == 0);
  BOOST_TEST(std::isinf(pdfa.log_probability(Word{Symbol{1}, Symbol{1}})));
}

BOOST_AUTO_TEST_CASE(a_row_is_scaled_and_no_other_numbers_are_taken) {
  Pdfa pdfa(1, 1);
  pdfa.set_row(LState{0}, std::vector<double>{1, 3});
  BOOST_TEST(pdfa.end(LState{0}) == 0.75);
  BOOST_CHECK_THROW(pdfa.set_row(LState{0}, std::vector<double>{1}), std::invalid_argument);
  BOOST_CHECK_THROW(pdfa.set_row(LState{0}, std::vector<double>{0, 0}), std::invalid_argument);
  BOOST_CHECK_THROW(pdfa.set_row(LState{0}, std::vector<double>{-1, 2}), std::invalid_argument);
  BOOST_CHECK_THROW(pdfa.set_row(LState{0}, std::vector<double>{NAN, 1}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(perplexity_is_one_where_nothing_is_open) {
  Pdfa pdfa(1, 1);
  pdfa.set_row(LState{0}, std::vector<double>{0, 1});
  const std::vector<Word> words{{}};
  BOOST_TEST(perplexity(pdfa, words) == 1);
  BOOST_TEST(perplexity(pdfa, {}) == 1);
  const std::vector<Word> impossible{{Symbol{0}}};
  BOOST_TEST(std::isinf(perplexity(pdfa, impossible)));
}

BOOST_AUTO_TEST_CASE(the_most_probable_words_come_first) {
  const auto words = most_probable_words(small_pdfa(), 4);
  BOOST_REQUIRE(words.size() == 4);
  // The empty word and b have 0.25 each, a and ab 0.125.
  BOOST_CHECK((words[0].word == Word{}));
  BOOST_CHECK((words[1].word == Word{Symbol{1}}));
  BOOST_CHECK((words[2].word == Word{Symbol{0}}));
  BOOST_CHECK((words[3].word == Word{Symbol{0}, Symbol{1}}));
}

BOOST_AUTO_TEST_CASE(states_that_go_on_alike_are_merged) {
  Pdfa pdfa(1, 3);
  for (const std::uint32_t q : {0U, 1U, 2U}) {
    pdfa.set_row(LState{q}, std::vector<double>{0.5, 0.5});
    pdfa.set_next(LState{q}, Symbol{0}, LState{(q + 1) % 3});
  }
  BOOST_TEST(minimise(pdfa).size() == 1);
  pdfa.set_row(LState{2}, std::vector<double>{0.25, 0.75});
  BOOST_TEST(minimise(pdfa).size() == 3);
}

BOOST_AUTO_TEST_CASE(dot_leaves_out_what_is_impossible) {
  const std::string text = format_pdfa({Alphabet::parse("ab"), small_pdfa()}, PdfaFormat::Dot);
  BOOST_TEST(text.find("s0 -> s1 [label=\"b:0.25\"") != std::string::npos);
  BOOST_TEST(text.find("s1 -> ") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_bad_json_file_is_refused_with_the_member) {
  const auto json = [](const std::string& rows, const std::string& transitions) {
    return R"({"alphabet": ["a"], "initial": 0, "transitions": )" + transitions +
           R"(, "probabilities": )" + rows + "}";
  };
  BOOST_TEST(refused(json("[[0.5, 0.5]]", "[[0]]"), PdfaFormat::Json) == "accepted");
  BOOST_TEST(refused(json("[[0.5, 0.6]]", "[[0]]"), PdfaFormat::Json) ==
             "f: probabilities[0]: expected the sum 1, found 1.1");
  BOOST_TEST(
      refused(json("[[0.5]]", "[[0]]"), PdfaFormat::Json).find("probabilities[0]: expected 2") !=
      std::string::npos);
  BOOST_TEST(refused(json("[[0.5, 0.5]]", "[[1]]"), PdfaFormat::Json).find("transitions[0]") !=
             std::string::npos);
  BOOST_TEST(refused("[]", PdfaFormat::Json).find("pdfa: expected an object") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(pautomac_files_mean_symbols_of_words_that_go_on) {
  const std::string text =
      "I: (state)\n\t(0) 1.0\nF: (state)\n\t(0) 0.5\nS: (state,symbol)\n\t(0,0) 0.25\n\t(0,1) "
      "0.75\n"
      "T: (state,symbol,state)\n\t(0,0,0) 1.0\n\t(0,1,0) 1.0\n";
  const NamedPdfa found = parse_pdfa(text, PdfaFormat::Pautomac, "f");
  BOOST_TEST(found.pdfa.probability(LState{0}, Symbol{0}) == 0.125);
  BOOST_TEST(found.pdfa.end(LState{0}) == 0.5);
}

BOOST_AUTO_TEST_CASE(a_pautomac_file_of_another_automaton_is_refused_with_its_line) {
  const std::string start =
      "I: (state)\n(0) 1.0\nF: (state)\n(0) 0.5\n(1) 1\nS: (state,symbol)\n(0,0) 1\n";
  BOOST_TEST(
      refused(start + "T: (state,symbol,state)\n(0,0,0) 0.5\n(0,0,1) 0.5\n",
              PdfaFormat::Pautomac) ==
      "f: line 10: expected one successor, as of a deterministic automaton, found a second one");
  BOOST_TEST(refused("nonsense", PdfaFormat::Pautomac) ==
             "f: line 1: expected I: (state), found 'nonsense'");
  BOOST_TEST(refused("I: (state)\n(0) 1.0\nF: (state)\n(0) 0.5\nS: (state,symbol)\n(0,0) 1\n",
                     PdfaFormat::Pautomac) ==
             "f: T: expected a successor of state 0 by symbol 0, found none");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
