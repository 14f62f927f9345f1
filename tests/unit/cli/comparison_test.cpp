#include "comparison.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

namespace rnnalf::cli {
namespace {

ComparedCell cell(std::string learner, std::uint64_t seed, std::uint64_t states) {
  ComparedCell result;
  result.network = "nets/a_b.onnx";
  result.method = learner.empty() ? "quantization:q=2" : "abstraction-refinement";
  result.learner = std::move(learner);
  result.oracle = result.learner.empty() ? "" : "samples,random:per-length=7";
  result.seed = seed;
  result.limits = "time-limit=5";
  result.verdict = "none-found";
  result.states = result.last_states = states;
  result.seconds = 2;
  result.agreement = 0.75;
  result.equals_target = states == 4;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(a_cell_survives_the_store) {
  ComparedCell original = cell("ttt", 3, 4);
  original.words_agreement = 0.5;
  const auto read = parse_cell(cell_json(original));
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(cell_json(*read) == cell_json(original));
  BOOST_TEST(read->key() == original.key());
}

BOOST_AUTO_TEST_CASE(half_a_line_is_no_cell) {
  const std::string line = cell_json(cell("ttt", 3, 4));
  for (std::size_t length = 0; length < line.size(); ++length) {
    BOOST_TEST(!parse_cell(line.substr(0, length)).has_value());
  }
  BOOST_TEST(!parse_cell("{}").has_value());
  BOOST_TEST(!parse_cell("[1, 2]").has_value());
  BOOST_TEST(!parse_cell(R"({"network": 3})").has_value());
}

BOOST_AUTO_TEST_CASE(seeds_and_limits_make_cells_different) {
  ComparedCell other = cell("ttt", 1, 4);
  other.limits = "time-limit=6";
  BOOST_TEST(cell("ttt", 1, 4).key() != cell("ttt", 2, 4).key());
  BOOST_TEST(cell("ttt", 1, 4).row_key() == cell("ttt", 2, 9).row_key());
  BOOST_TEST(cell("ttt", 1, 4).key() != other.key());
}

BOOST_AUTO_TEST_CASE(repetitions_are_one_row_of_the_table_and_rows_of_their_own_in_csv) {
  const std::vector<ComparedCell> cells = {cell("ttt", 1, 4), cell("ttt", 2, 6), cell("", 1, 9)};
  const std::string text = comparison_text(cells);
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 3);
  BOOST_TEST(text.find("4-6") != std::string::npos);
  BOOST_TEST(text.find("1/2") != std::string::npos);
  BOOST_TEST(text.find("a_b  ") != std::string::npos);
  const std::string csv = comparison_csv(cells);
  BOOST_TEST(std::count(csv.begin(), csv.end(), '\n') == 4);
  BOOST_TEST(csv.find("\"samples,random:per-length=7\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(latex_escapes_what_it_must) {
  const std::string latex = comparison_latex({cell("ttt", 1, 4)});
  BOOST_TEST(latex.find("a\\_b") != std::string::npos);
  BOOST_TEST(latex.find("agree \\%") != std::string::npos);
  BOOST_TEST(latex.find("\\toprule") != std::string::npos);
  BOOST_TEST(latex.find("75.00") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_cells_make_empty_tables) {
  BOOST_TEST(comparison_json({}) == "{\"format\": \"rnnalf.comparison/1\",\n \"cells\": [\n]}\n");
  const std::string text = comparison_text({});
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 1);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf::cli
