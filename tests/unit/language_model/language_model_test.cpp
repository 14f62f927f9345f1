#include "rnnalf/language_model/language_model.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/language_model/contexts.hpp"
#include "rnnalf/language_model/fit.hpp"
#include "rnnalf/language_model/judge_pdfa.hpp"
#include "support/message_of.hpp"
#include "support/random_pdfa.hpp"

namespace rnnalf {
namespace {

using support::message_of;
using support::random_pdfa;

/// Says the same row after every word.
class OneRow final : public RnnAcceptor {
 public:
  OneRow(std::size_t symbols, std::vector<double> row) : symbols_(symbols), row_(std::move(row)) {}
  [[nodiscard]] std::size_t state_size() const override { return 1; }
  [[nodiscard]] std::size_t symbol_count() const override { return symbols_; }
  [[nodiscard]] std::size_t answer_count() const override { return row_.size(); }
  [[nodiscard]] std::vector<double> initial_state() const override { return {0}; }
  void step(ConstRStates states, std::span<const Symbol>, RStates next) const override {
    std::copy_n(states.data, states.count, next.data);
  }
  void margins(ConstRStates, std::span<double> margins) const override {
    std::fill(margins.begin(), margins.end(), 1.0);
  }
  void all_probabilities(ConstRStates states, std::span<double> out) const override {
    for (std::size_t i = 0; i < states.count; ++i) {
      std::copy(row_.begin(), row_.end(),
                out.begin() + static_cast<std::ptrdiff_t>(i * row_.size()));
    }
  }

 private:
  std::size_t symbols_;
  std::vector<double> row_;
};

Network network_of(const std::string& alphabet, std::vector<double> row) {
  Network network;
  network.summary.file = "net";
  network.summary.alphabet = Alphabet::parse(alphabet);
  network.acceptor = std::make_shared<OneRow>(network.summary.alphabet.size(), std::move(row));
  return network;
}

BOOST_AUTO_TEST_SUITE(language_model)

BOOST_AUTO_TEST_CASE(without_an_end_token_the_last_output_ends_the_word) {
  const LanguageModel model = as_language_model(network_of("ab", {0.2, 0.3, 0.5}), {});
  BOOST_TEST(model.symbol_count() == 2);
  const Budget no_limit;
  const ModelWords words = read_words(model, std::vector<Word>{{Symbol{1}}}, 1, no_limit);
  BOOST_TEST(std::exp(words.log_probability(0)) == 0.15, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(tokens_are_no_symbols_of_words_and_their_outputs_no_part_of_them) {
  const LanguageModel model =
      as_language_model(network_of("ab<>", {0.2, 0.3, 0.1, 0.4}), {.begin = {"<"}, .end = {">"}});
  BOOST_CHECK(model.alphabet() == Alphabet::parse("ab"));
  const Budget no_limit;
  const ModelWords words = read_words(model, std::vector<Word>{{Symbol{0}}}, 1, no_limit);
  BOOST_TEST(std::exp(words.log_probability(0)) == 0.08, boost::test_tools::tolerance(1e-6));
  const PdfaJudgement judged = judge_pdfa(model, Pdfa(2, 1), {.words = 50}, no_limit);
  BOOST_TEST(judged.left_out == 0.1, boost::test_tools::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(what_is_no_language_model_is_refused_in_one_line) {
  const auto refused = [](const std::string& alphabet, std::vector<double> row,
                          const Tokens& tokens = {}) {
    return message_of([&] {
      static_cast<void>(as_language_model(network_of(alphabet, std::move(row)), tokens));
    });
  };
  BOOST_TEST(
      refused("ab", {0.5, 0.5}) ==
      "net: language model over 2 symbols: expected 3 outputs, one for each and the last for "
      "the end of the word, found 2. If one of the symbols ends every word, name it with "
      "`end`");
  BOOST_TEST(refused("abcd", {0.5, 0.5}).find("accepts and rejects") != std::string::npos);
  BOOST_TEST(refused("ab", {0.5, 0.9, 0.6}) ==
             "net: language model: expected outputs that sum to 1, found the sum 2 for the empty "
             "word. The head must end with a softmax, or with the scores in front of one");
  BOOST_TEST(refused("ab", {NAN, 0.5, 0.5}).find("found the sum nan") != std::string::npos);
  BOOST_TEST(
      refused("abc", {0.5, 0.25, 0.25}, {.end = {"b", "c"}}).find("end: expected one symbol") !=
      std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_seed_determines_the_words_whatever_the_threads) {
  Random random(5);
  const LanguageModel model =
      as_language_model(NamedPdfa{Alphabet::parse("ab"), random_pdfa(2, 6, random)});
  const Budget no_limit;
  const ModelWords one = sample_words(model, {.words = 300, .seed = 9, .threads = 1}, no_limit);
  const ModelWords two = sample_words(model, {.words = 300, .seed = 9, .threads = 3}, no_limit);
  BOOST_CHECK(
      std::equal(one.words().begin(), one.words().end(), two.words().begin(), two.words().end()));
  const ModelWords other = sample_words(model, {.words = 300, .seed = 10}, no_limit);
  BOOST_CHECK(!std::equal(one.words().begin(), one.words().end(), other.words().begin(),
                          other.words().end()));
}

BOOST_AUTO_TEST_CASE(an_ngram_model_looks_back_that_many_symbols) {
  // Which symbol is likely depends on the last one alone.
  Pdfa chain(2, 2);
  for (const std::uint32_t q : {0U, 1U}) {
    chain.set_next(LState{q}, Symbol{0}, LState{0});
    chain.set_next(LState{q}, Symbol{1}, LState{1});
  }
  chain.set_row(LState{0}, std::vector<double>{0.7, 0.1, 0.2});
  chain.set_row(LState{1}, std::vector<double>{0.1, 0.7, 0.2});
  const LanguageModel model = as_language_model(NamedPdfa{Alphabet::parse("ab"), chain});
  const Budget no_limit;
  const ModelWords words = sample_words(model, {.words = 500}, no_limit);
  BOOST_TEST(ngram_automaton(words, 0).size() == 1);
  BOOST_TEST(decades(ngram_automaton(words, 0), words) > 0.1);
  BOOST_TEST(ngram_automaton(words, 1).size() == 3);
  BOOST_TEST(decades(ngram_automaton(words, 1), words) < 1e-5);
}

BOOST_AUTO_TEST_CASE(symbols_that_are_impossible_stay_impossible) {
  Random random(3);
  const Pdfa meant = random_pdfa(3, 5, random, true);
  const LanguageModel model = as_language_model(NamedPdfa{Alphabet::parse("abc"), meant});
  const Budget no_limit;
  const ModelWords words = sample_words(model, {.words = 800, .powers = {0, 1, 2}}, no_limit);
  const Pdfa found = fit(context_automaton(words, 12), words, words, {.rounds = 2}, no_limit);
  const ModelWords sampled = sample_words(model, {.words = 500, .seed = 2}, no_limit);
  BOOST_TEST(judge_words(found, sampled).impossible_to_network == 0U);
  for (std::size_t q = 0; q < found.size(); ++q) {
    for (std::size_t b = 0; b < found.row_size(); ++b) {
      const double p = found.row(static_cast<LState>(q))[b];
      BOOST_TEST((p == 0 || p > 1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_judgement_of_a_perfect_copy_has_no_error) {
  Random random(4);
  const Pdfa meant = random_pdfa(2, 6, random);
  const LanguageModel model = as_language_model(NamedPdfa{Alphabet::parse("ab"), meant});
  const Budget no_limit;
  const PdfaJudgement judged =
      judge_pdfa(model, meant, {.words = 300, .given = {{Symbol{0}}}}, no_limit);
  BOOST_TEST(judged.sampled.decades < 1e-5);
  BOOST_TEST(judged.uniform.decades < 1e-5);
  BOOST_TEST(judged.given->words == 1U);
  BOOST_TEST(judged.divergence < 1e-6);
  BOOST_TEST(judged.word_error_rate == 0);
  BOOST_TEST(judged.ndcg == 1, boost::test_tools::tolerance(1e-9));
  const PdfaJudgement other = judge_pdfa(model, Pdfa(2, 1), {.words = 300}, no_limit);
  BOOST_TEST(other.sampled.decades > 0.01);
  BOOST_TEST(other.divergence > 0.01);
  BOOST_TEST(!other.worst.empty());
  BOOST_TEST(other.sampled.perplexity > other.sampled.network_perplexity);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
