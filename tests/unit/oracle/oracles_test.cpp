// Each testing oracle on networks whose language is known exactly.

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/combinators.hpp"
#include "rnnalf/oracle/samples_oracle.hpp"
#include "rnnalf/oracle/search_oracles.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;
const Alphabet kBits = Alphabet::numbered(2);

Word bits(std::string_view text) {
  return kBits.parse_word(text);
}

/// Accepts words that contain at least `count` symbols 1 in a row at their end.
Dfa run_of_ones(std::size_t count) {
  Dfa dfa(2, count + 1);
  for (std::size_t q = 0; q <= count; ++q) {
    const auto state = static_cast<LState>(q);
    dfa.set_next(state, Symbol{0}, LState{0});
    dfa.set_next(state, Symbol{1}, static_cast<LState>(std::min(q + 1, count)));
  }
  dfa.set_accepting(static_cast<LState>(count), true);
  return dfa;
}

struct World {
  explicit World(const Dfa& dfa) : acceptor(dfa, 4, 0.2, 1), tree(acceptor, {}) {}
  support::CodedDfa acceptor;
  StateTree tree;
};

Budget& spent_budget() {
  static Budget budget;
  budget.interrupt();
  return budget;
}

/// Answers what it was told to.
class Scripted final : public EquivalenceOracle {
 public:
  Scripted(std::string name, Verdict verdict, Word word = {})
      : name_(std::move(name)), verdict_(verdict), word_(std::move(word)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa&, const Budget&) override {
    EquivalenceAnswer answer;
    answer.verdict = verdict_;
    if (verdict_ == Verdict::Counterexample)
      answer.counterexample =
          Counterexample{.word = word_, .answer = Answer::Accept, .oracle = name_};
    answer.evidence.push_back({.oracle = name_, .words_tested = 10});
    return answer;
  }

 private:
  std::string name_;
  Verdict verdict_;
  Word word_;
};

std::vector<OraclePtr> chain(std::vector<Scripted> oracles) {
  std::vector<OraclePtr> result;
  for (Scripted& oracle : oracles) result.push_back(std::make_unique<Scripted>(oracle));
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(samples)

BOOST_AUTO_TEST_CASE(given_words_are_tried_shortest_first) {
  World world(support::tomita(1));  // 1*
  SamplesOracle oracle(world.tree,
                       {.words = {bits("111"), bits("11"), bits("0")}, .search = {}, .found = {}});
  const EquivalenceAnswer answer = oracle.find(Dfa(2), kNoLimit);
  BOOST_TEST((answer.verdict == Verdict::Counterexample));
  BOOST_TEST((answer.counterexample->word == bits("11")));
  BOOST_TEST((answer.counterexample->answer == Answer::Accept));
}

BOOST_AUTO_TEST_CASE(without_words_the_shortest_of_each_class_are_found) {
  World world(run_of_ones(5));
  const ClassSamples samples = find_samples(world.tree, {}, kNoLimit);
  BOOST_TEST((samples.of(Answer::Accept) == bits("11111")));
  BOOST_TEST((samples.of(Answer::Reject) == bits("0")));
}

BOOST_AUTO_TEST_CASE(random_words_and_the_beam_go_where_the_ordered_search_does_not) {
  World world(run_of_ones(6));
  // Six symbols are beyond 20 words in order; each of the other two ways finds them.
  const ClassSamples random =
      find_samples(world.tree, {.shortest_first = 20, .random = 2000, .beam = 0}, kNoLimit);
  BOOST_TEST(random.complete());
  // The score of a coded DFA does not lead the beam, but 64 words wide it is an ordered search.
  const ClassSamples beam =
      find_samples(world.tree, {.shortest_first = 20, .random = 0, .beam = 64}, kNoLimit);
  BOOST_TEST((beam.of(Answer::Accept) == bits("111111")));
}

BOOST_AUTO_TEST_CASE(a_language_with_one_class_has_one_sample) {
  World world{Dfa(2)};
  SamplesOracle oracle(world.tree, {});
  const EquivalenceAnswer answer = oracle.find(Dfa(2), kNoLimit);
  BOOST_TEST((answer.verdict == Verdict::NoneFound));
  BOOST_TEST(answer.evidence[0].words_tested == 1U);
}

BOOST_AUTO_TEST_CASE(a_spent_budget_is_said_and_the_search_is_done_later) {
  World world(support::tomita(1));
  SamplesOracle oracle(world.tree, {});
  BOOST_TEST((oracle.find(Dfa(2), spent_budget()).verdict == Verdict::BudgetSpent));
  BOOST_TEST((oracle.find(Dfa(2), kNoLimit).verdict == Verdict::Counterexample));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(random_words)

BOOST_AUTO_TEST_CASE(lengths_with_few_words_are_tested_completely) {
  World world(run_of_ones(6));
  RandomOracle oracle(world.tree, {.per_length = 64, .max_length = 6, .all = 0});
  const EquivalenceAnswer answer = oracle.find(Dfa(2), kNoLimit);
  BOOST_TEST((answer.counterexample->word == bits("111111")));
  BOOST_TEST(answer.evidence[0].words_tested == 127U);  // all words of up to six symbols
}

BOOST_AUTO_TEST_CASE(short_words_are_all_tested_as_far_as_the_budget_goes) {
  World world(run_of_ones(9));
  RandomOracle complete(world.tree, {.per_length = 1, .max_length = 30, .all = 1023, .guided = 0});
  const EquivalenceAnswer answer = complete.find(run_of_ones(9), kNoLimit);
  BOOST_TEST(answer.evidence[0].words_tested ==
             1023U + 21U);  // up to nine symbols, then one of each length
  const auto complete_to = [](const EquivalenceAnswer& given) {
    return std::get<WordsCompared>(given.evidence[0].looked_at).complete_to.value_or(0);
  };
  BOOST_TEST(complete_to(answer) == 9U);
  RandomOracle one_less(world.tree, {.per_length = 1, .max_length = 30, .all = 1022, .guided = 0});
  BOOST_TEST(complete_to(one_less.find(run_of_ones(9), kNoLimit)) == 8U);
}

BOOST_AUTO_TEST_CASE(every_length_gets_its_number_of_words) {
  World world(support::tomita(4));
  for (const RandomMode mode : {RandomMode::Increasing, RandomMode::Uniform}) {
    RandomOracle oracle(world.tree, {.per_length = 1, .max_length = 50, .all = 0, .mode = mode});
    BOOST_TEST(oracle.find(support::tomita(4), kNoLimit).evidence[0].words_tested == 51U);
  }
}

BOOST_AUTO_TEST_CASE(guided_words_find_what_uniform_words_do_not) {
  // The hypothesis is (10)*, the network accepts (10)^n for n < 10 alone: the shortest difference
  // is one word of 2^20.
  constexpr std::uint32_t kSink = 20;
  Dfa network(2, kSink + 1);
  for (std::uint32_t q = 0; q <= kSink; ++q) {
    network.set_accepting(LState{q}, q < kSink && q % 2 == 0);
    for (std::uint32_t a = 0; a < 2; ++a) {
      network.set_next(LState{q}, Symbol{a}, LState{q < kSink && q % 2 != a ? q + 1 : kSink});
    }
  }
  World world(network);
  RandomOracle uniform(world.tree, {.per_length = 100, .max_length = 60, .guided = 0});
  RandomOracle guided(world.tree, {.per_length = 100, .max_length = 60, .guided = 0.2});
  BOOST_TEST((uniform.find(support::tomita(2), kNoLimit).verdict == Verdict::NoneFound));
  BOOST_TEST((guided.find(support::tomita(2), kNoLimit).verdict == Verdict::Counterexample));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(pumping)

BOOST_AUTO_TEST_CASE(the_smallest_number_of_times_that_refutes_is_reported) {
  // The network accepts after 23 and more symbols 1 in a row, the hypothesis never.
  World world(run_of_ones(23));
  PumpingOracle oracle(world.tree, {});
  const EquivalenceAnswer answer = oracle.find(Dfa(2), kNoLimit);
  BOOST_TEST_REQUIRE((answer.verdict == Verdict::Counterexample));
  BOOST_TEST((answer.counterexample->word == Word(23, Symbol{1})));
  BOOST_TEST_REQUIRE(answer.counterexample->pumped.has_value());
  BOOST_TEST(answer.counterexample->pumped->text(kBits) == "1^23");
}

BOOST_AUTO_TEST_CASE(a_pumped_word_is_written_as_its_parts) {
  const PumpedWord pumped{bits("1"), bits("01"), 3, bits("0")};
  BOOST_TEST(pumped.text(kBits) == "1 (01)^3 0");
  BOOST_TEST((pumped.word() == bits("10101010")));
  BOOST_TEST((PumpedWord{{}, bits("01"), 2, {}}.text(kBits)) == "(01)^2");
  BOOST_TEST((PumpedWord{bits("1"), bits("01"), 0, bits("0")}.text(kBits)) == "10");
}

BOOST_AUTO_TEST_CASE(a_prefix_of_a_pumped_word_is_a_pumped_word) {
  for (const PumpedWord& pumped :
       {PumpedWord{bits("1"), bits("01"), 3, bits("011")}, PumpedWord{bits("10"), {}, 0, {}},
        PumpedWord{{}, bits("1"), 4, {}}}) {
    const Word word = pumped.word();
    for (std::size_t length = 0; length <= word.size(); ++length) {
      const PumpedWord prefix = pumped.prefix_of_length(length);
      BOOST_TEST((prefix.word() == concat(WordView(word).first(length), {})));
    }
  }
  BOOST_TEST((PumpedWord{bits("1"), bits("01"), 3, bits("0")}.prefix_of_length(6).text(kBits)) ==
             "1 (01)^2 0");
}

BOOST_AUTO_TEST_CASE(prefixes_of_the_words_are_compared_too) {
  // The network accepts after exactly 23 symbols 1; k is never 23 where loops are walked.
  Dfa exactly = run_of_ones(23);
  const LState last = exactly.run(Word(23, Symbol{1}));
  const LState sink = exactly.add_state(false);
  exactly.set_next(last, Symbol{1}, sink);
  World world(exactly);
  PumpingOracle oracle(world.tree, {.words = 200, .max_loop = 1});
  const EquivalenceAnswer answer = oracle.find(Dfa(2), kNoLimit);
  BOOST_TEST_REQUIRE((answer.verdict == Verdict::Counterexample));
  BOOST_TEST((answer.counterexample->word == Word(23, Symbol{1})));
}

BOOST_AUTO_TEST_CASE(no_word_is_longer_than_the_limit_and_no_more_are_tested_than_asked) {
  World world(run_of_ones(23));
  PumpingOracle short_words(world.tree, {.max_length = 22});
  BOOST_TEST((short_words.find(Dfa(2), kNoLimit).verdict == Verdict::NoneFound));
  World same(support::tomita(5));
  for (const std::size_t words : {1U, 10U, 1000U}) {
    PumpingOracle oracle(same.tree, {.words = words});
    BOOST_TEST(oracle.find(support::tomita(5), kNoLimit).evidence[0].words_tested == words);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(combinators)

BOOST_AUTO_TEST_CASE(first_stops_at_the_first_counterexample_and_names_its_finder) {
  FirstOf first(chain({{"a", Verdict::NoneFound},
                       {"b", Verdict::Counterexample, bits("111")},
                       {"c", Verdict::Counterexample, bits("1")}}));
  const EquivalenceAnswer answer = first.find(Dfa(2), kNoLimit);
  BOOST_TEST((answer.verdict == Verdict::Counterexample));
  BOOST_TEST(answer.counterexample->oracle == "b");
  BOOST_TEST(answer.evidence.size() == 2U);
}

BOOST_AUTO_TEST_CASE(first_stops_when_the_budget_is_spent) {
  FirstOf first(chain({{"a", Verdict::BudgetSpent}, {"b", Verdict::Counterexample, bits("1")}}));
  BOOST_TEST((first.find(Dfa(2), kNoLimit).verdict == Verdict::BudgetSpent));
}

BOOST_AUTO_TEST_CASE(shortest_asks_all_and_takes_the_shortlex_first) {
  ShortestOf shortest(chain({{"a", Verdict::Counterexample, bits("10")},
                             {"b", Verdict::Counterexample, bits("01")},
                             {"c", Verdict::Counterexample, bits("01")},
                             {"d", Verdict::NoneFound}}));
  const EquivalenceAnswer answer = shortest.find(Dfa(2), kNoLimit);
  BOOST_TEST((answer.verdict == Verdict::Counterexample));
  BOOST_TEST(answer.counterexample->oracle == "b");
  BOOST_TEST(answer.evidence.size() == 4U);
}

BOOST_AUTO_TEST_CASE(shortest_keeps_a_counterexample_when_the_budget_ends_after_it) {
  ShortestOf shortest(
      chain({{"a", Verdict::Counterexample, bits("10")}, {"b", Verdict::BudgetSpent}}));
  BOOST_TEST((shortest.find(Dfa(2), kNoLimit).verdict == Verdict::Counterexample));
  ShortestOf none(chain({{"a", Verdict::NoneFound}, {"b", Verdict::BudgetSpent}}));
  BOOST_TEST((none.find(Dfa(2), kNoLimit).verdict == Verdict::BudgetSpent));
}

BOOST_AUTO_TEST_CASE(a_spent_box_is_not_a_spent_budget) {
  // Enough work that a microsecond cannot be enough.
  World world(support::tomita(4));
  const auto boxed = [&] {
    return TimeBoxed(std::make_unique<RandomOracle>(world.tree, RandomOptions{.per_length = 2000}),
                     std::chrono::duration<double>(1e-6));
  };
  const EquivalenceAnswer answer = boxed().find(support::tomita(4), kNoLimit);
  BOOST_TEST((answer.verdict == Verdict::NoneFound));
  BOOST_TEST((answer.evidence[0].end == Evidence::End::Stopped));
  BOOST_TEST((boxed().find(support::tomita(4), spent_budget()).verdict == Verdict::BudgetSpent));
  BOOST_CHECK_THROW(TimeBoxed(std::make_unique<RandomOracle>(world.tree, RandomOptions{}),
                              std::chrono::duration<double>(0)),
                    OptionError);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
