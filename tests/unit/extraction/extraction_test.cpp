// The use case over learners of any kind: here one that proposes automata it is given.
#include "rnnalf/extraction/extraction.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/oracle/oracle_chain.hpp"
#include "rnnalf/report/text_report.hpp"
#include "support/coded_dfa.hpp"
#include "support/graded_pattern.hpp"
#include "support/network_of.hpp"
#include "support/whole_words.hpp"

namespace rnnalf {
namespace {

/// Asks nothing; every counterexample makes it propose the next automaton.
class Proposes final : public Learner {
 public:
  explicit Proposes(const std::vector<Dfa>& automata) : automata_(automata) {}

  std::optional<Dfa> advance(const Budget&) override { return automata_.at(next_); }
  std::uint64_t pending() override { return 0; }
  bool answer_pending(Teacher&, const Budget&) override { return true; }
  bool add_counterexample(const Word&) override { return ++next_ < automata_.size(); }

 private:
  const std::vector<Dfa>& automata_;
  std::size_t next_ = 0;
};

class Proposals final : public Learners {
 public:
  explicit Proposals(std::vector<Dfa> automata) : automata_(std::move(automata)) {}

  std::unique_ptr<Learner> make(std::string_view, std::size_t, std::size_t) const override {
    return std::make_unique<Proposes>(automata_);
  }
  std::optional<Dfa> merged(const AnsweredWords&, std::size_t, const Budget&) const override {
    return std::nullopt;
  }
  std::optional<Dfa> smallest(const AnsweredWords&, std::size_t, const Budget&) const override {
    return std::nullopt;
  }

 private:
  std::vector<Dfa> automata_;
};

/// Words with an even number of 1s.
Dfa even() {
  Dfa dfa(2, 2);
  dfa.set_answer(LState{0}, Answer::Accept);
  dfa.set_next(LState{0}, Symbol{0}, LState{0});
  dfa.set_next(LState{0}, Symbol{1}, LState{1});
  dfa.set_next(LState{1}, Symbol{0}, LState{1});
  dfa.set_next(LState{1}, Symbol{1}, LState{0});
  return dfa;
}

/// The same, but words that begin with `zeros` 0s are rejected.
Dfa even_unless_long(std::size_t zeros) {
  Dfa dfa(2, zeros + 3);
  const auto state = [](std::size_t q) { return static_cast<LState>(q); };
  const LState is_even = state(zeros + 1), is_odd = state(zeros + 2);
  for (std::size_t q = 0; q < zeros; ++q) {
    dfa.set_answer(state(q), Answer::Accept);
    dfa.set_next(state(q), Symbol{0}, state(q + 1));
    dfa.set_next(state(q), Symbol{1}, is_odd);
  }
  for (const Symbol symbol : {Symbol{0}, Symbol{1}}) {
    dfa.set_next(state(zeros), symbol, state(zeros));
  }
  dfa.set_answer(is_even, Answer::Accept);
  dfa.set_next(is_even, Symbol{0}, is_even);
  dfa.set_next(is_even, Symbol{1}, is_odd);
  dfa.set_next(is_odd, Symbol{0}, is_odd);
  dfa.set_next(is_odd, Symbol{1}, is_even);
  return minimise(dfa);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(extraction)

BOOST_AUTO_TEST_CASE(a_smaller_result_of_a_run_that_ended_by_itself_did_not_stop_early) {
  const Dfa language = even_unless_long(40);
  const support::CodedDfa acceptor(language, 6, 0.01, 1);
  const Proposals learners({even(), language});
  const Run run = Extraction(support::network_of(acceptor), learners,
                             {.oracles = parse_oracles("pumping"), .until = Until::Exact})
                      .run();
  BOOST_TEST_REQUIRE(run.hypotheses.size() == 2U);
  BOOST_TEST((run.ended() == Ending::NoCounterexample));
  BOOST_TEST((run.selection() == Selection::Smaller));
  BOOST_TEST((verdict(run) == RunVerdict::Settled));
  BOOST_TEST((run.dfa() == even()));
  BOOST_TEST(run.is_refuted());
  BOOST_TEST(extraction_text(run, {}).find("The result is smaller") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(words_on_which_the_network_is_unsure_teach_nothing_but_are_listed) {
  // It accepts 01 alone, with a margin of 0.5.
  const support::GradedPattern acceptor({{Symbol{0}}, {Symbol{1}}}, 2);
  const Word accepted{Symbol{0}, Symbol{1}};
  Dfa only_that(2, 4);
  for (std::uint32_t q = 0; q < 4; ++q) {
    only_that.set_next(LState{q}, Symbol{0}, LState{q == 0 ? 1U : 3U});
    only_that.set_next(LState{q}, Symbol{1}, LState{q == 1 ? 2U : 3U});
  }
  only_that.set_answer(LState{2}, Answer::Accept);
  const Proposals learners({Dfa(2), only_that});
  const auto hypotheses = [&](double unsure) {
    return Extraction(support::network_of(acceptor), learners, {.unsure = unsure}).run();
  };
  BOOST_TEST(hypotheses(0.4).hypotheses.size() == 2U);
  const Run run = hypotheses(0.6);
  BOOST_TEST(run.hypotheses.size() == 1U);
  BOOST_TEST((run.ended() == Ending::NoCounterexample));
  BOOST_TEST_REQUIRE(run.exceptions.size() == 1U);
  BOOST_TEST((run.exceptions[0].word == accepted));
  BOOST_TEST(!run.unanswered.has_value());
}

BOOST_AUTO_TEST_CASE(the_users_words_are_explained_before_what_the_network_answered_elsewhere) {
  const Dfa language = even_unless_long(3);
  const support::CodedDfa acceptor(language, 6, 0.01, 1);
  const Word given(3, Symbol{0});
  const Run run = Extraction(support::network_of(acceptor), Proposals({even(), language}),
                             {.samples = {given}, .max_rounds = 1})
                      .run();
  BOOST_TEST_REQUIRE(run.counterexamples.size() == 1U);
  BOOST_TEST((run.counterexamples[0].word == given));
  BOOST_TEST(run.counterexamples[0].oracle == "samples");
  BOOST_TEST((run.dfa() == language));
}

BOOST_AUTO_TEST_CASE(what_is_far_too_large_ends_learning_early) {
  const Dfa language = even_unless_long(40);
  const support::CodedDfa acceptor(language, 6, 0.01, 1);
  const Run run = Extraction(support::network_of(acceptor), Proposals({even(), language}),
                             {.oracles = parse_oracles("pumping")})
                      .run();
  BOOST_TEST((run.ended() == Ending::NotWorthIt));
  BOOST_TEST((run.dfa() == even()));
}

BOOST_AUTO_TEST_CASE(the_library_measures_the_last_hypothesis_as_the_program_does) {
  const support::CodedDfa acceptor(even(), 4, 0.05, 1);
  const Run run =
      Extraction(support::network_of(acceptor), Proposals({even()}), {.exact = true}).run();
  BOOST_TEST((run.selection() == Selection::Last));
  BOOST_TEST_REQUIRE(run.rung() != nullptr);
  BOOST_TEST(run.rung()->agreement.uniform.front().agreed ==
             run.rung()->agreement.uniform.front().words);
}

BOOST_AUTO_TEST_CASE(a_budget_that_ends_earlier_is_the_time_limit_and_the_options_stay) {
  const support::CodedDfa acceptor(even(), 4, 0.05, 1);
  const ExtractionOptions options{.time_limit = std::chrono::seconds(50)};
  const Run run = Extraction(support::network_of(acceptor), Proposals({even()}), options)
                      .run(Budget(std::chrono::seconds(0)));
  BOOST_TEST((run.ended() == Ending::Limit));
  BOOST_TEST((run.limit == Limit::Time));
  BOOST_TEST(run.options.time_limit.count() == 50.0);
}

BOOST_AUTO_TEST_CASE(r_states_are_plotted_where_the_options_ask_for_them) {
  const support::CodedDfa acceptor(even(), 4, 0.05, 1);
  const auto points = [&](std::uint64_t wanted) {
    return Extraction(support::network_of(acceptor), Proposals({even()}),
                      {.plotted_r_states = wanted})
        .run()
        .plot.points.size();
  };
  BOOST_TEST(points(0) == 0U);
  BOOST_TEST(points(5) == 5U);
}

BOOST_AUTO_TEST_CASE(a_network_that_reads_whole_words_is_not_asked_for_states) {
  const Network network = make_network(support::same_at_both_ends());
  // The first symbol and whether the last one is the same; the empty word either way.
  Dfa language(2, 5);
  for (std::uint32_t q = 0; q < 5; ++q) {
    const bool began_with_b = q > 2;
    language.set_next(LState{q}, Symbol{0}, LState{q > 0 && began_with_b ? 4U : 1U});
    language.set_next(LState{q}, Symbol{1}, LState{q > 0 && !began_with_b ? 2U : 3U});
  }
  language.set_answer(LState{1}, Answer::Accept);
  language.set_answer(LState{3}, Answer::Accept);
  Dfa with_empty = language;
  with_empty.set_answer(LState{0}, Answer::Accept);
  const Proposals learners({language, with_empty});
  const Run run = Extraction(network, learners, {}).run();
  BOOST_TEST(oracles_text(run.options.oracles).find("abstraction") == std::string::npos);
  BOOST_TEST(oracles_text(run.options.oracles).find("pumping") != std::string::npos);
  BOOST_TEST(extraction_text(run, {}).find("The network reads whole words") != std::string::npos);

  const auto refused = [&](ExtractionOptions options) {
    BOOST_CHECK_THROW(Extraction(network, learners, std::move(options)), OptionError);
  };
  refused({.oracles = {{AbstractionOptions{}, {}}}, .given = {"oracle"}});
  refused({.preset = Preset::Paper});
  ExtractionOptions quantized;
  quantized.method.method = Method::Quantization;
  refused(quantized);
  refused({.plotted_r_states = 5, .given = {"plotted-r-states"}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
