#include "rnnalf/study/summary.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/study/words_table.hpp"

namespace rnnalf {
namespace {

const char* const kEnded = "none-found";

/// Over 0 and 1: accepts the words in which 1s are no more than `most`.
Dfa few_ones(std::size_t most) {
  Dfa dfa(2, most + 2);
  for (std::size_t q = 0; q <= most; ++q) {
    dfa.set_accepting(static_cast<LState>(q), true);
    dfa.set_next(static_cast<LState>(q), Symbol{1}, static_cast<LState>(q + 1));
  }
  return dfa;
}

StudyRow row(const std::string& learner, const std::string& oracle, std::size_t most,
             const std::string& verdict, std::vector<FoundWord> words = {}) {
  StudyRow result;
  result.cell.network = "a.onnx";
  result.cell.learner = learner;
  result.cell.oracle = oracle;
  result.cell.verdict = verdict_from_name(verdict);
  result.cell.states = most + 2;
  result.cell.rnn_steps = 100 * (most + 1);
  result.cell.by_length = {{10, {100, 100, 100, 100}}};
  result.dfa = format_dfa({Alphabet({"0", "1"}), few_ones(most)}, DfaFormat::Json);
  result.counterexamples = std::move(words);
  return result;
}

FoundWord accepted(const std::string& word, const std::string& target = "accept") {
  FoundWord found;
  found.word = word;
  found.answer = "accept";
  found.target = target;
  return found;
}

/// The network accepts up to two 1s, and was meant to accept one. `random` and `pac` end with one,
/// which the words that `pumping` found with both learners and `margin` with one refute.
std::vector<StudyRow> rows() {
  std::vector<StudyRow> all = {
      row("lstar", "random", 1, kEnded, {accepted("1")}),
      row("lstar", "pac", 0, kEnded),
      row("lstar", "pumping", 2, kEnded, {accepted("1"), accepted("0101", "reject")}),
      row("lstar", "margin", 2, "max-steps", {accepted("11", "reject")}),
      row("ttt", "random", 1, kEnded, {accepted("01")}),
      row("ttt", "pumping", 2, kEnded, {accepted("1"), accepted("11", "reject")})};
  for (StudyRow& one : all) one.cell.equals_target = one.cell.states == 3;
  return all;
}

const StudySummary& named(const std::vector<StudySummary>& all, const std::string& group) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const StudySummary& one) { return one.group == group; });
  BOOST_TEST_REQUIRE((found != all.end()), group);
  return *found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_summary)

BOOST_AUTO_TEST_CASE(a_summary_counts_what_each_group_solved_missed_and_found) {
  const auto all = summarised(rows(), By::Oracle);
  BOOST_TEST_REQUIRE(all.size() == 4U);
  BOOST_TEST(all[0].group == "random");  // in order of appearance
  const StudySummary& random = named(all, "random");
  BOOST_TEST(random.runs == 2U);
  BOOST_TEST(random.ended == 2U);
  BOOST_TEST(random.solved == 2U);  // it is the target
  BOOST_TEST(random.missed == 2U);  // and not the network
  BOOST_TEST(random.errors == 0U);
  BOOST_TEST(random.steps_solved == 200);
  BOOST_TEST(named(all, "pac").missed == 1U);
  BOOST_TEST(named(all, "pac").solved == 0U);
  const StudySummary& pumping = named(all, "pumping");
  BOOST_TEST(pumping.solved == 0U);
  BOOST_TEST(pumping.missed == 0U);
  BOOST_TEST(pumping.errors == 2U);
  BOOST_TEST(named(all, "margin").ended == 0U);
  BOOST_TEST(named(all, "margin").errors == 1U);
  for (const StudySummary& one : all) BOOST_TEST(one.alone == 0U);  // several refute all of it
}

BOOST_AUTO_TEST_CASE(alone_is_what_no_other_group_refutes) {
  std::vector<StudyRow> some = rows();
  some.erase(some.begin() + 3);  // margin
  const auto by_oracle = summarised(some, By::Oracle);
  BOOST_TEST(named(by_oracle, "pumping").alone == 2U);  // both of random's; pac's not
  BOOST_TEST(named(by_oracle, "random").alone == 0U);
  // By learner the same words are found by both.
  for (const StudySummary& one : summarised(some, By::Learner)) BOOST_TEST(one.alone == 0U);
}

BOOST_AUTO_TEST_CASE(the_matrix_says_whose_words_refute_what_each_missed) {
  const RefutationMatrix matrix = refutation_matrix(rows(), By::Oracle);
  using Names = std::vector<std::string>;
  using Counts = std::vector<std::size_t>;
  BOOST_TEST(matrix.groups == (Names{"random", "pac", "pumping", "margin"}),
             boost::test_tools::per_element());
  BOOST_TEST(matrix.missed == (Counts{2, 1, 0, 0}), boost::test_tools::per_element());
  const std::vector<Counts> expected = {{0, 1, 0, 0}, {0, 0, 0, 0}, {2, 1, 0, 0}, {2, 1, 0, 0}};
  for (std::size_t finder = 0; finder < expected.size(); ++finder) {
    BOOST_TEST(matrix.refuted[finder] == expected[finder], boost::test_tools::per_element());
  }
  const PlainTable table = matrix_table(matrix, By::Oracle);
  BOOST_TEST(table.headings.back() == "B");  // only those that missed something
  BOOST_TEST(table.rows.size() == 5U);
  BOOST_TEST(table.rows[2] == (Names{"C", "pumping", "2", "1"}), boost::test_tools::per_element());
  BOOST_TEST(table.rows.back() == (Names{"", "missed in all", "2", "1"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_row_without_a_result_is_counted_and_has_a_column_only_then) {
  std::vector<StudyRow> some = rows();
  const auto has_column = [&] {
    const auto headings = summary_table(summarised(some, By::Oracle), By::Oracle).headings;
    return std::find(headings.begin(), headings.end(), "no result") != headings.end();
  };
  BOOST_TEST(!has_column());
  some[1].cell.states = 0;
  some[1].cell.verdict = RunVerdict::Died;
  BOOST_TEST(has_column());
  BOOST_TEST(named(summarised(some, By::Oracle), "pac").without_result == 1U);
}

BOOST_AUTO_TEST_CASE(words_are_listed_with_the_errors_of_the_network_marked) {
  const PlainTable table = words_table(rows(), 1);
  using Names = std::vector<std::string>;
  BOOST_TEST(table.headings == (Names{"way", "", "word", "s", "network says", "target", "oracle"}),
             boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(table.rows.size() == 5U);  // pac found nothing
  BOOST_TEST(table.rows[2] == (Names{"lstar margin", "!", "11", "0.000", "accept", "reject", ""}),
             boost::test_tools::per_element());
  BOOST_TEST(table.rows[1][1].empty());
  BOOST_TEST(words_table(rows(), 9).rows.size() == 7U);
}

BOOST_AUTO_TEST_CASE(the_shortest_error_of_each_network_is_told_by_who_found_it) {
  std::vector<StudyRow> all = rows();
  all[3].cell.network = "b.onnx";
  const PlainTable table = errors_table(all, By::Oracle);
  using Names = std::vector<std::string>;
  BOOST_TEST(table.headings == (Names{"shortest error found", "A", "B"}),
             boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(table.rows.size() == 4U);
  BOOST_TEST(table.rows[0] == (Names{"random", "-", "-"}), boost::test_tools::per_element());
  BOOST_TEST(table.rows[2] == (Names{"pumping", "2", "-"}), boost::test_tools::per_element());
  BOOST_TEST(table.rows[3] == (Names{"margin", "-", "2"}), boost::test_tools::per_element());
  BOOST_TEST(table.notes[0] == "Networks: A a, B b.");
}

BOOST_AUTO_TEST_CASE(every_row_of_a_table_has_an_entry_for_each_heading) {
  for (const By by : {By::Way, By::Learner, By::Oracle, By::Network}) {
    for (const PlainTable& table : {summary_table(summarised(rows(), by), by),
                                    matrix_table(refutation_matrix(rows(), by), by)}) {
      BOOST_TEST(table.columns.size() == table.headings.size());
      for (const auto& entries : table.rows) BOOST_TEST(entries.size() == table.headings.size());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
