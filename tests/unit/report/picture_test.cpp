#include "rnnalf/report/picture.hpp"

#include <boost/test/unit_test.hpp>

#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// 0*1*, with state 2 for every word that has a 0 after a 1.
NamedDfa with_sink() {
  Dfa dfa(2, 3);
  dfa.set_accepting(LState{0}, true);
  dfa.set_accepting(LState{1}, true);
  dfa.set_next(LState{0}, Symbol{1}, LState{1});
  dfa.set_next(LState{1}, Symbol{0}, LState{2});
  return {Alphabet({"0", "1"}), dfa};
}

BOOST_AUTO_TEST_SUITE(picture)

BOOST_AUTO_TEST_CASE(parallel_transitions_are_one_arrow) {
  Dfa dfa(26, 2);
  dfa.set_accepting(LState{1}, true);
  for (unsigned a = 0; a < 26; ++a) dfa.set_next(LState{0}, Symbol{a}, LState{a < 13 ? 1U : 0U});
  const std::string dot = picture_dot({Alphabet::parse("abcdefghijklmnopqrstuvwxyz"), dfa});
  BOOST_TEST(contains(dot, "s0 -> s1 [id=\"s0-s1\" label=\"a-m\""));
  BOOST_TEST(contains(dot, "s0 -> s0 [id=\"s0-s0\" label=\"n-z\""));
  BOOST_TEST(contains(dot, "s1 -> s1 [id=\"s1-s1\" label=\"any\""));
}

BOOST_AUTO_TEST_CASE(states_carry_a_shortest_access_word) {
  const std::string dot = picture_dot(with_sink());
  BOOST_TEST(contains(dot, "label=<s0<br/><font point-size=\"10\">ε</font>>"));
  BOOST_TEST(contains(dot, "label=<s2<br/><font point-size=\"10\">10</font>>"));
}

BOOST_AUTO_TEST_CASE(sinks_are_dimmed_hidden_or_shown) {
  const std::string dimmed = picture_dot(with_sink());
  BOOST_TEST(contains(dimmed, "class=\"state sink\""));
  BOOST_TEST(contains(dimmed, "class=\"transition sink\""));
  const std::string hidden = picture_dot(with_sink(), {.sinks = Sinks::Hidden});
  BOOST_TEST(!contains(hidden, "s2"));
  const std::string shown = picture_dot(with_sink(), {.sinks = Sinks::Shown});
  BOOST_TEST(contains(shown, "s2"));
  BOOST_TEST(!contains(shown, "sink"));
}

BOOST_AUTO_TEST_CASE(an_accepting_trap_is_no_sink) {
  Dfa dfa(1, 1);
  BOOST_TEST(is_sink(dfa, LState{0}));
  dfa.set_accepting(LState{0}, true);
  BOOST_TEST(!is_sink(dfa, LState{0}));
}

BOOST_AUTO_TEST_CASE(the_empty_language_is_not_hidden_altogether) {
  BOOST_TEST(contains(picture_dot({Alphabet({"a"}), Dfa(1)}, {.sinks = Sinks::Hidden}), "s0 ["));
}

BOOST_AUTO_TEST_CASE(symbols_cannot_end_a_string_or_be_taken_for_entities) {
  Dfa dfa(3, 2);
  dfa.set_next(LState{0}, Symbol{0}, LState{1});
  const std::string dot = picture_dot({Alphabet({"\"", "\\n", "&lt;"}), dfa});
  BOOST_TEST(contains(dot, "s0 -> s1 [id=\"s0-s1\" label=\"\\\"\""));
  BOOST_TEST(contains(dot, "s0 -> s0 [id=\"s0-s0\" label=\"\\\\n &amp;lt;\""));
}

BOOST_AUTO_TEST_CASE(long_classes_are_cut_and_whole_in_the_tooltip) {
  std::vector<std::string> symbols;
  for (char c = 'a'; c <= 'z'; ++c) symbols.push_back(std::string("sym_") + c);
  Dfa dfa(26, 2);
  for (unsigned a = 0; a < 13; ++a) dfa.set_next(LState{0}, Symbol{a}, LState{1});
  const std::string dot = picture_dot({Alphabet(symbols), dfa});
  BOOST_TEST(contains(dot, " label=\"sym_a sym_b ... (13)\""));
  BOOST_TEST(contains(dot, "sym_l sym_m\""));
}

BOOST_AUTO_TEST_CASE(of_a_large_automaton_the_core_is_drawn_and_the_rest_is_one_node) {
  Random random(4);
  const Dfa dfa = support::random_minimal_dfa(400, 2, random);
  BOOST_TEST_REQUIRE(dfa.size() > 150U);
  const std::string text =
      picture_dot({Alphabet({"0", "1"}), dfa}, {.most_states = 20, .core_states = 20});
  BOOST_TEST(text.find("s19 [id=") != std::string::npos);
  BOOST_TEST(text.find("s20 [id=") == std::string::npos);
  BOOST_TEST(text.find("s20 ") == std::string::npos);
  BOOST_TEST(text.find(std::to_string(dfa.size() - 20) + " more states") != std::string::npos);
  BOOST_TEST(text.find("-> more") != std::string::npos);
  BOOST_TEST(contains(text, "The core: 20 of " + std::to_string(dfa.size()) + " states"));
}

BOOST_AUTO_TEST_CASE(a_core_is_smaller_than_what_is_drawn_whole) {
  BOOST_TEST(drawn_states(60, {}) == 60U);
  BOOST_TEST(drawn_states(61, {}) == 30U);
  BOOST_TEST(drawn_states(5, {.most_states = 4, .core_states = 8}) == 5U);
  BOOST_TEST(!contains(picture_dot(with_sink()), "The core"));
}

BOOST_AUTO_TEST_CASE(arrows_lead_to_the_right_or_down) {
  BOOST_TEST(contains(picture_dot(with_sink()), "rankdir=\"LR\""));
  BOOST_TEST(contains(picture_dot(with_sink(), {.direction = Direction::Down}), "rankdir=\"TB\""));
}

BOOST_AUTO_TEST_CASE(transitions_in_words_have_a_line_for_each_state) {
  const std::string svg = transitions_svg(with_sink());
  BOOST_TEST(contains(svg, ">s0, initial, accepting:  0 → s0  1 → s1</text>"));
  BOOST_TEST(contains(svg, ">s2:  0 1 → s2</text>"));
  const NamedDfa hostile{Alphabet({"<script>", "\u202e"}), with_sink().dfa};
  BOOST_TEST(!contains(transitions_svg(hostile), "<script>"));
  BOOST_TEST(!contains(transitions_svg(hostile), "\u202e"));
}

BOOST_AUTO_TEST_CASE(of_many_transitions_in_words_it_is_said_how_many_there_are) {
  const std::string svg = transitions_svg({Alphabet({"a"}), Dfa(1, 100)}, {.rest = "See there."});
  BOOST_TEST(contains(svg, ">s29:"));
  BOOST_TEST(!contains(svg, ">s30:"));
  BOOST_TEST(contains(svg, "The core: 30 of 100 states"));
  BOOST_TEST(contains(svg, "See there."));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
