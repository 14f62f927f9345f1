#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "rnnalf/report/comparison_json.hpp"
#include "rnnalf/report/comparison_table.hpp"
#include "rnnalf/report/printable.hpp"

namespace rnnalf {
namespace {

ComparisonCell cell(std::string learner, std::uint64_t seed, std::uint64_t states) {
  ComparisonCell result;
  result.network = "nets/a_b.onnx";
  if (learner.empty()) result.method = parse_method("quantization:q=2");
  result.learner = std::move(learner);
  result.oracle = result.learner.empty() ? "" : "samples,random:per-length=7";
  result.seed = seed;
  result.options = {{"time-limit", "5"}, {"exact", "false"}, {"preset", "none"}};
  result.inputs = "0123456789abcdef";
  result.program = "rnnalf 1.2.3";
  result.verdict = RunVerdict::NoneFound;
  result.states = result.last_states = states;
  result.seconds = 2;
  result.by_length = {{10, {100, 100, 100, 100}}, {50, {100, 51, 100, 51}}};
  result.equals_target = states == 4;
  return result;
}

Comparison comparison(std::vector<ComparisonCell> cells) {
  return {"rnnalf compare", "rnnalf", std::move(cells)};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

constexpr TextStyle kWide{.width = 200};

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison_without_results)

BOOST_AUTO_TEST_CASE(a_row_without_a_result_says_why_and_counts_nothing) {
  ComparisonCell died = cell("ttt", 2, 0);
  died.verdict = RunVerdict::Died;
  died.by_length.clear();
  died.equals_target.reset();
  const std::string csv = comparison_csv({cell("ttt", 1, 4), died});
  const std::vector<std::string> lines = lines_of(csv);
  BOOST_TEST_REQUIRE(lines.size() == 3U);
  BOOST_TEST(contains(lines[2], ",2,died,,,,,,,,,"));
  // Medians are those of the runs that have one.
  const std::string text = comparison_text({cell("ttt", 1, 4), died}, {"verdict", "states"}, kWide);
  BOOST_TEST(contains(text, "died 1x, none-found 1x       4"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(comparison_cells)

BOOST_AUTO_TEST_CASE(a_cell_is_read_as_it_was_written) {
  ComparisonCell original = cell("ttt", 18446744073709551615U, 4);
  original.given = {7, 6, 5, 4};
  original.a_states = 77;
  original.milestone = "depth \"3\"\n";
  const auto read = parse_cell(cell_json(original));
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(cell_json(*read) == cell_json(original));
  BOOST_TEST(cell_key(*read) == cell_key(original));
  BOOST_TEST(read->seed == original.seed);
  BOOST_TEST(read->a_states == 77U);
  BOOST_TEST(read->given->agreed_covered == 4U);
  BOOST_TEST(read->by_length[1].second.agreed == 51U);
  BOOST_TEST(*read->milestone == "depth \"3\"\n");
  BOOST_TEST(!contains(cell_json(original), "\n"));
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

BOOST_AUTO_TEST_CASE(everything_that_decides_a_result_makes_cells_different) {
  const ComparisonCell one = cell("ttt", 1, 4);
  BOOST_TEST(cell_key(one) == cell_key(cell("ttt", 1, 9)));  // what came out does not matter
  BOOST_TEST(row_key(one) == row_key(cell("ttt", 2, 9)));
  BOOST_TEST(cell_key(one) != cell_key(cell("ttt", 2, 4)));
  const auto differs = [&](auto change) {
    ComparisonCell other = one;
    change(other);
    BOOST_TEST(row_key(one) != row_key(other));
  };
  differs([](ComparisonCell& c) { c.network = "nets/a_c.onnx"; });
  differs([](ComparisonCell& c) { c.method = parse_method("kmeans"); });
  differs([](ComparisonCell& c) { c.learner = "lstar"; });
  differs([](ComparisonCell& c) { c.oracle = "samples"; });
  differs([](ComparisonCell& c) { c.options[0].second = "6"; });
  differs([](ComparisonCell& c) { c.inputs = "0123456789abcdee"; });
  differs([](ComparisonCell& c) { c.program = "rnnalf 1.2.4"; });
}

BOOST_AUTO_TEST_CASE(a_cell_with_a_method_or_verdict_that_does_not_exist_is_not_read) {
  const std::string line = cell_json(cell("", 1, 4));
  BOOST_TEST(parse_cell(line).has_value());
  const auto with = [&](const std::string& old, const std::string& other) {
    std::string changed = line;
    return changed.replace(changed.find(old), old.size(), other);
  };
  BOOST_TEST(!parse_cell(with("quantization:q=2", "magic")).has_value());
  BOOST_TEST(!parse_cell(with("none-found", "proved")).has_value());
}

BOOST_AUTO_TEST_CASE(every_verdict_has_a_name_of_its_own) {
  for (int i = 0; i <= static_cast<int>(RunVerdict::Lost); ++i) {
    const auto verdict = static_cast<RunVerdict>(i);
    BOOST_TEST(!name(verdict).empty());
    BOOST_TEST((verdict_from_name(name(verdict)) == verdict));
  }
  BOOST_TEST(!verdict_from_name("").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(comparison_tables)

BOOST_AUTO_TEST_CASE(repetitions_are_one_row_with_median_and_range) {
  std::vector<ComparisonCell> cells = {cell("ttt", 1, 4), cell("ttt", 2, 9), cell("ttt", 3, 5),
                                       cell("", 1, 9)};
  cells[1].verdict = RunVerdict::TimeLimit;
  const std::string text = comparison_text(cells, {}, kWide);
  const auto lines = lines_of(text);
  BOOST_TEST(lines[0].starts_with("method "));
  BOOST_TEST(contains(lines[1], "none-found 2x, time-limit 1x"));
  BOOST_TEST(contains(lines[1], " 5 (4-9) "));
  BOOST_TEST(contains(lines[1], " 1/3"));  // equal to the target
  BOOST_TEST(contains(lines[2], "quantization:q=2"));
  BOOST_TEST(contains(lines[2], " 9 "));
  BOOST_TEST(contains(text,
                      "Each row: median (least-most) of 3 runs, seeds 1 to 3; some have "
                      "fewer, as few as 1."));
}

BOOST_AUTO_TEST_CASE(an_even_number_of_runs_has_a_median_between_two) {
  const auto lines =
      lines_of(comparison_text({cell("ttt", 1, 4), cell("ttt", 2, 9)}, {"states"}, kWide));
  BOOST_TEST(lines[1] == "6.5 (4-9)");
}

BOOST_AUTO_TEST_CASE(what_all_rows_have_in_common_is_said_once) {
  const std::string text = comparison_text({cell("ttt", 1, 4), cell("lstar", 1, 5)}, {}, kWide);
  BOOST_TEST(lines_of(text)[0].starts_with("method  verdict"));
  BOOST_TEST(
      contains(text, "All rows: network a_b; oracle samples,random:per-length=7; time limit 5 s."));
  BOOST_TEST(contains(text, "of 100 uniform words of each length 10, 50."));
  BOOST_TEST(contains(text, "One run each, seed 1."));
  BOOST_TEST(contains(comparison_text({cell("ttt", 1, 4), cell("", 1, 5)}, {}, kWide),
                      "oracle samples,random:per-length=7 where one is asked;"));
}

BOOST_AUTO_TEST_CASE(shares_are_rounded_down_so_that_100_means_all) {
  ComparisonCell nearly = cell("ttt", 1, 4);
  nearly.by_length = {{10, {1000000, 999999, 1000000, 999999}}};
  BOOST_TEST(lines_of(comparison_text({nearly}, {"agreement"}, kWide))[1] == "  99.99");
  nearly.by_length = {{10, {3, 3, 3, 3}}};
  BOOST_TEST(lines_of(comparison_text({nearly}, {"agreement"}, kWide))[1] == " 100.00");
  nearly.by_length = {{10, {7, 0, 7, 0}}};
  BOOST_TEST(lines_of(comparison_text({nearly}, {"agreement"}, kWide))[1] == "   0.00");
}

BOOST_AUTO_TEST_CASE(coverage_is_shown_where_a_dfa_is_partial) {
  ComparisonCell partial = cell("", 1, 500);
  BOOST_TEST(!contains(comparison_text({partial}, {}, kWide), "cover"));
  partial.by_length[1].second = {100, 40, 20, 19};
  const std::string text = comparison_text({partial}, {}, kWide);
  BOOST_TEST(contains(text, "cover %"));
  BOOST_TEST(contains(text, " 60.00"));  // 120 of 200
  BOOST_TEST(contains(text, "a partial DFA rejects all other words"));
  const auto chosen = lines_of(
      comparison_text({partial}, {"coverage_50", "covered_agreement_50", "agreement_50"}, kWide));
  BOOST_TEST(contains(chosen[1], "20.00"));
  BOOST_TEST(contains(chosen[1], "95.00"));
  BOOST_TEST(contains(chosen[1], "40.00"));
}

BOOST_AUTO_TEST_CASE(a_table_fits_its_screen_and_explains_what_it_shortened_or_left_out) {
  ComparisonCell one = cell("ttt", 1, 4), two = cell("ttt", 1, 4);
  two.oracle = "samples,abstraction:depth=10:depth-limit=14,pumping:words=6000,random:mode=uniform";
  for (const std::size_t width : {40U, 60U, 80U, 100U}) {
    const std::string text = comparison_text({one, two}, {}, {.width = width});
    const auto lines = lines_of(text);
    for (const std::string& line : lines) BOOST_TEST(display_width(line) <= width);
    BOOST_TEST(lines[1].starts_with("A "));
    BOOST_TEST(lines[2].starts_with("B "));
    BOOST_TEST(contains(text, "\noracle A: samples,random:per-length=7\n"));
    BOOST_TEST(contains(text, "\noracle B:"));
    BOOST_TEST(contains(text, "samples,abstraction:depth=10"));
    BOOST_TEST(contains(text, "Not shown, too wide: steps") == (width <= 60));
  }
  const std::string wide = comparison_text({one, two}, {}, kWide);
  BOOST_TEST(!contains(wide, "Left out"));
  BOOST_TEST(lines_of(wide)[2].starts_with("samples,abstraction:"));
}

BOOST_AUTO_TEST_CASE(names_are_plain_where_the_screen_cannot_show_them) {
  ComparisonCell odd = cell("ttt", 1, 4);
  odd.network = "nets/\u202e\x1b[31m\u00e4.onnx";
  for (const char c : comparison_text({odd}, {}, {.width = 60, .utf8 = false}))
    BOOST_TEST((c == '\n' || (c >= ' ' && static_cast<unsigned char>(c) < 0x7f)));
}

BOOST_AUTO_TEST_CASE(a_csv_entry_is_never_a_formula) {
  for (const std::string begin : {"=", "+", "-", "@", "\t", "\r"}) {
    BOOST_TEST(csv_field(begin + "1") == "\"'" + begin + "1\"");
  }
  BOOST_TEST(csv_field("=\"a\",b") == "\"'=\"\"a\"\",b\"");
  BOOST_TEST(csv_field("a=1") == "a=1");
  BOOST_TEST(csv_field("") == "");
}

BOOST_AUTO_TEST_CASE(csv_quotes_what_it_must_and_keeps_every_extraction) {
  ComparisonCell odd = cell("ttt", 2, 6);
  odd.network = "a,\"b\"\nc.onnx";
  const std::string csv = comparison_csv({cell("ttt", 1, 4), odd});
  BOOST_TEST(csv.starts_with("network,method,learner,oracle,seed,verdict,states,"));
  BOOST_TEST(contains(csv,
                      "\n\"a,\"\"b\"\"\nc.onnx\",abstraction-refinement,ttt,"
                      "\"samples,random:per-length=7\",2,none-found,6,6,0,"));
  BOOST_TEST(contains(csv, ",agreement_50,coverage_50,"));
  BOOST_TEST(contains(csv, ",0.51,1,0.51,"));
  BOOST_TEST(contains(csv, ",false,"));
}

BOOST_AUTO_TEST_CASE(latex_escapes_what_it_must) {
  ComparisonCell odd = cell("ttt", 1, 4);
  odd.milestone = "[*]\\{}$&#^_%~<>|\"";
  const std::string latex = comparison_latex({odd, cell("ttt", 2, 6)}, {});
  BOOST_TEST(contains(latex,
                      "{[}{*}]\\textbackslash{}\\{\\}\\$\\&\\#\\textasciicircum{}\\_\\%"
                      "\\textasciitilde{}\\textless{}\\textgreater{}\\textbar{}''"));
  BOOST_TEST(contains(latex, "agree \\%"));
  odd.milestone = "ε (ab)¹²";
  BOOST_TEST(contains(comparison_latex({odd}, {}), "$\\varepsilon$ (ab)$^1$$^2$"));
  BOOST_TEST(contains(latex, "5 (4--6) & "));
  BOOST_TEST(contains(latex, "% Each row: median (least-most) of 2 runs, seeds 1 to 2.\n"));
  BOOST_TEST(contains(latex, "\\toprule\n"));
  BOOST_TEST(contains(latex, "\\bottomrule\n\\end{tabular}\n"));
  // As many separators in each row as the tabular has columns, less one.
  const auto lines = lines_of(latex);
  const std::size_t begin = latex.find("{tabular}{") + 10;
  const auto columns = static_cast<std::ptrdiff_t>(latex.find('}', begin) - begin);
  for (const std::string& line : lines) {
    if (!line.ends_with(" \\\\")) continue;
    std::ptrdiff_t separators = 0;
    for (std::size_t at = line.find(" & "); at != std::string::npos; at = line.find(" & ", at + 1))
      ++separators;
    BOOST_TEST(separators == columns - 1);
  }
}

BOOST_AUTO_TEST_CASE(no_cells_make_empty_tables) {
  BOOST_TEST(contains(comparison_json(comparison({})), "\"cells\": [\n]}"));
  BOOST_TEST(comparison_text({}, {}, kWide) == "No extraction was completed.\n");
  BOOST_TEST(lines_of(comparison_csv({})).size() == 1U);
  BOOST_TEST(contains(comparison_latex({}, {}), "\\end{tabular}"));
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
