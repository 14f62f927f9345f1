// "Already run on both sides" was said of words that the tree had answered before: nothing was run
// again. The last check is now a run of the word on its own, without the tree. Later, a
// counterexample that refuted the next hypothesis too was given out without a new run, and what
// leaves with a result (exceptions, families, disagreements) was run with up to 255 other words.
#include <boost/test/unit_test.hpp>
#include <map>
#include <stdexcept>

#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/evaluate/families.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/word_tester.hpp"
#include "support/coded_dfa.hpp"
#include "support/forgetful.hpp"
#include "support/network_of.hpp"
#include "support/recorded_words.hpp"
#include "support/seeded_random.hpp"

namespace rnnalf {
namespace {

/// Breaks the promise that a column does not depend on the others: among others it accepts.
class AcceptsInCompany final : public RnnAcceptor {
 public:
  [[nodiscard]] std::size_t state_size() const override { return 1; }
  [[nodiscard]] std::size_t symbol_count() const override { return 2; }
  [[nodiscard]] std::vector<double> initial_state() const override { return {-1}; }
  void step(ConstRStates states, std::span<const Symbol>, RStates next) const override {
    for (std::size_t i = 0; i < states.count; ++i) next.data[i] = states.count > 1 ? 1 : -1;
  }
  void margins(ConstRStates states, std::span<double> margins) const override {
    for (std::size_t i = 0; i < states.count; ++i) margins[i] = states.data[i];
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_word_that_only_the_tree_answers_differently_is_not_a_counterexample) {
  const AcceptsInCompany acceptor;
  StateTree tree(acceptor, {});
  // The tree computes the two words together and takes both for accepted.
  const Word word{Symbol{0}};
  const Node nodes[] = {tree.add(word), tree.add(Word{Symbol{1}})};
  BOOST_TEST_REQUIRE(tree.compute(nodes, Budget()));
  BOOST_TEST_REQUIRE(tree.accepted(nodes[0]));
  BOOST_CHECK_THROW((void)checked_counterexample(tree, Dfa(2), word, "known"), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_word_that_refutes_on_its_own_is_one) {
  const support::CodedDfa acceptor(support::tomita(1), 4, 0.1, 1);  // 1*
  StateTree tree(acceptor, {});
  const Counterexample found = checked_counterexample(tree, Dfa(2), {Symbol{1}}, "known");
  BOOST_TEST((found.answer == Answer::Accept));
  BOOST_TEST(found.oracle == "known");
}

BOOST_AUTO_TEST_CASE(words_that_differ_in_company_alone_do_not_leave_with_a_result) {
  const AcceptsInCompany acceptor;
  StateTree tree(acceptor, {});
  BOOST_TEST(run_alone({Word{Symbol{0}}, Word{Symbol{1}}}, Dfa(2), tree).empty());
  // 0^k is accepted for every k when the words are run together, for none of them when alone.
  const Counterexample met{.word = Word(12, Symbol{0}), .answer = Answer::Accept};
  BOOST_TEST(families({&met, 1}, Dfa(2), tree, {}, Budget()).empty());
}

BOOST_AUTO_TEST_CASE(every_word_that_leaves_with_a_result_was_run_alone) {
  const support::RecordedWords acceptor(support::forgetful(12));
  ExtractionOptions options;
  options.oracles = parse_oracles("samples,pumping:words=300,random:per-length=30:max-length=20");
  options.threads = 1;
  options.max_states = 3;  // fewer than the language has
  const Run run = Extraction(support::network_of(acceptor), libalf_learners(), options).run();
  BOOST_TEST_REQUIRE(!run.exceptions.empty());
  for (const Counterexample& one : run.exceptions) {
    BOOST_TEST(acceptor.times_alone(one.word) > 0U);
  }
  for (const Family& family : run.families) {
    BOOST_TEST(acceptor.times_alone(family.shortest()) > 0U);
  }

  const support::RecordedWords again(support::forgetful(12));
  StateTree tree(again, {});
  const Evaluation found = evaluate(tree, support::tomita(5), nullptr, {}, Budget());
  BOOST_TEST_REQUIRE(!found.disagreements.empty());
  for (const Counterexample& one : found.disagreements) {
    BOOST_TEST(again.times_alone(one.word) > 0U);
  }
}

BOOST_AUTO_TEST_CASE(a_counterexample_is_run_alone_as_often_as_it_is_given) {
  support::SeededRandom random(7);
  for (int world = 0; world < 20; ++world) {
    const support::RecordedWords acceptor(support::random_minimal_dfa(12, 2, random));
    ExtractionOptions options;
    options.learner = world % 2 == 0 ? "rivest-schapire" : "kearns-vazirani";
    options.oracles = parse_oracles("samples,random:per-length=30:max-length=12");
    options.threads = 1;
    options.exact = true;
    const Run run = Extraction(support::network_of(acceptor), libalf_learners(), options).run();
    std::map<Word, std::size_t> given;
    for (const Counterexample& one : run.counterexamples) ++given[one.word];
    for (const auto& [word, times] : given) {
      if (!word.empty()) BOOST_TEST(acceptor.times_alone(word) >= times);
    }
  }
}

}  // namespace rnnalf
