// Automaton files: what other tools write is read, what is wrong is said with its line.

#include "rnnalf/automaton/dfa_file.hpp"

#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"
#include "support/temporary_folder.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::all_words;
using support::word;
namespace data = boost::unit_test::data;

DfaFile dot(const std::string& text) {
  return parse_dfa(text, DfaFormat::Dot, "x.dot");
}

/// All four say the same: words over {0, 1} with an even number of 1s.
struct Written {
  const char* by;
  DfaFormat format;
  const char* text;
};
std::ostream& operator<<(std::ostream& out, const Written& written) {
  return out << written.by;
}

const std::vector<Written> even_ones = {
    {"AALpy", DfaFormat::Dot, R"(digraph learnedModel {
s0 [label="s0", shape=doublecircle];
s1 [label="s1"];
s0 -> s0  [label="0"];
s0 -> s1  [label="1"];
s1 -> s1  [label="0"];
s1 -> s0  [label="1"];
__start0 [label="", shape=none];
__start0 -> s0  [label=""];
}
)"},
    {"AALpy with pydot of old", DfaFormat::Dot, R"(digraph "TrainingData/even" {
q0 [label=q0, shape=doublecircle];
q1 [label=sink];
q0 -> q0  [label=0];
q0 -> q1  [label=1];
q1 -> q1  [label=0];
q1 -> q0  [label=1];
__start0 [label="", shape=none];
__start0 -> q0  [label=""];
}
)"},
    {"AutomataLib", DfaFormat::Dot, R"(digraph g {

	s0 [shape="doublecircle" label="0"];
	s1 [shape="circle" label="1"];
	s0 -> s0 [label="0"];
	s0 -> s1 [label="1"];
	s1 -> s1 [label="0"];
	s1 -> s0 [label="1"];

__start0 [label="" shape="none" width="0" height="0"];
__start0 -> s0;

}
)"},
    {"libalf's visualize", DfaFormat::Dot, R"(digraph finite_automaton {
	graph[fontsize=8]
	rankdir=LR;
	size=8;

	node [shape=doublecircle, style="", color=black]; q0;
	node [shape=circle, style="", color=black]; q1;
	node [shape=plaintext, label="", style=""]; iq0;
	iq0 -> q0 [color=blue];
	q0 -> q0 [label="0"];
	q0 -> q1 [label="1"];
	q1 -> q1 [label="0"];
	q1 -> q0 [label="1"];
}
)"},
    {"dot -Tdot", DfaFormat::Dot, R"(digraph dfa {
	graph [bb="0,0,107.89,217.79"];
	node [label="\N"];
	s0	[height=0.70689,
		label=s0,
		pos="32.439,123.34",
		shape=doublecircle,
		width=0.70689];
	s0 -> s0	[label=0,
		lp="76.887,123.34",
		pos="e,53.944,119.84 53.944,126.85 63.566,127.19"];
	s1	[label=s1, shape=circle];
	s0 -> s1	[label=1];
	s1 -> s0	[label=1];
	s1 -> s1	[label=0];
	__start0	[label="", shape=none];
	__start0 -> s0	[pos="e,32.439,144.96 32.439,181.53"];
}
)"},
    {"hand, with everything the grammar allows", DfaFormat::Dot, R"(/* even
   number of ones */
strict DIGRAPH "even" {
# 1 "preprocessor"
  rankdir = LR // left to right
  # a comment for AutomataLib
  graph [label=<an <b>even</b> number>];
  edge [fontsize=9]
  init [shape=point];
  subgraph cluster_accepting { node [peripheries=2]; even }
  { rank = same; even; "o" + "dd" }
  even -> even [label="0"]; odd -> odd [weight=2 label="0";];
  even -> odd -> even [label="1"][color=red] init -> even:w
}
)"},
    {"merged edges", DfaFormat::Dot, R"(digraph { even [shape=doublecircle]; __start0 [shape=none]
__start0 -> even
even -> even [label="0\n"]  even -> odd [label="1"]
odd -> odd [label=0]; odd -> even [label=1] })"},
    {"JSON", DfaFormat::Json,
     R"({"alphabet": ["0", "1"], "initial": 0, "accepting": [true, false], "transitions": [[0, 1], [1, 0]]})"},
    {"an extraction", DfaFormat::Json,
     R"({"format": "rnnalf.extraction/1", "verdict": "none-found", "dfa": {"alphabet": ["0", "1"],
        "initial": 1, "accepting": [false, true], "transitions": [[0, 1], [1, 0]]}})"},
    {"libalf's write", DfaFormat::Alf,
     "[general]\n\tis dfa = true;\n\talphabet size = 2;\n\tnumber of states = 2;\n[initial "
     "states]\n\t0;\n"
     "[final states]\n\t0;\n[transitions]\n\t0, 0, 0;\n\t0, 1, 1;\n\t1, 0, 1;\n\t1, 1, 0;\n"},
    {"hand, for libalf", DfaFormat::Alf,
     "# even\r\n[GENERAL]\r\nAlphabet Size=2; number of   states = 2; is dfa = no; # really\n"
     "[Transitions]\n0,0,0;0,1,1;1,0,1;1,1,0;\n[initial states] 0; [final states] 0;"}};

BOOST_AUTO_TEST_SUITE(dfa_file)

BOOST_DATA_TEST_CASE(what_tools_and_people_write_is_read, data::make(even_ones), written) {
  const DfaFile file = parse_dfa(written.text, written.format, "even");
  BOOST_TEST(file.missing_transitions == 0U);
  const Dfa dfa = over_alphabet(file, Alphabet::parse("01"));
  for (const Word& tried : all_words(2, 6)) {
    const auto ones = std::count(tried.begin(), tried.end(), Symbol{1});
    BOOST_TEST(dfa.accepts(tried) == (ones % 2 == 0));
  }
}

BOOST_AUTO_TEST_CASE(our_dot_is_this_text) {
  // Fixed, because people compare files: AutomataLib's attributes, one statement per line for
  // AALpy.
  const NamedDfa even{Alphabet::parse("01"),
                      parse_dfa(even_ones[0].text, DfaFormat::Dot, "").automaton.dfa};
  BOOST_TEST(format_dfa(even, DfaFormat::Dot) == R"(digraph dfa {
  s0 [shape="doublecircle" label="s0"];
  s1 [shape="circle" label="s1"];
  __start0 [label="" shape="none"];
  __start0 -> s0;
  s0 -> s0 [label="0"];
  s0 -> s1 [label="1"];
  s1 -> s1 [label="0"];
  s1 -> s0 [label="1"];
}
)");
}

BOOST_AUTO_TEST_CASE(our_libalf_text_is_the_one_libalf_writes) {
  const DfaFile even = parse_dfa(even_ones[0].text, DfaFormat::Dot, "");
  for (const Written& written : even_ones) {
    if (std::string(written.by) != "libalf's write") continue;
    BOOST_TEST(format_dfa(even.automaton, DfaFormat::Alf) == written.text);
  }
}

BOOST_AUTO_TEST_CASE(symbols_with_quotes_backslashes_and_unicode_survive) {
  const Alphabet alphabet({"\"", "\\", "\\n", "->", "λ", "];", "0,1", "<b>", "//", "{"});
  Random random(5);
  const NamedDfa automaton{alphabet, canonical(support::random_dfa(4, alphabet.size(), random))};
  for (const DfaFormat format : {DfaFormat::Dot, DfaFormat::Json}) {
    BOOST_TEST((parse_dfa(format_dfa(automaton, format), format, "x").automaton == automaton));
  }
}

BOOST_AUTO_TEST_CASE(missing_transitions_lead_to_a_rejecting_state_and_are_counted) {
  const DfaFile file = dot(
      R"(digraph { a [shape=doublecircle]; __start0 -> a; a -> b [label=x]; b -> a [label=y] })");
  BOOST_TEST(file.missing_transitions == 2U);
  BOOST_TEST(file.first_missing == "state 'a', symbol 'y'");
  const Dfa& dfa = file.automaton.dfa;
  BOOST_TEST(dfa.size() == 3U);
  BOOST_TEST(dfa.accepts(word("01")));
  BOOST_TEST(!dfa.accepts(word("1")));
  BOOST_TEST(!dfa.accepts(word("101")));
}

BOOST_AUTO_TEST_CASE(the_same_edge_twice_is_one_edge) {
  const DfaFile file = dot("digraph { __start0 -> a; a -> a [label=x]; a -> a [label=x] }");
  BOOST_TEST(file.automaton.dfa.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_plain_looking_node_that_is_entered_is_a_state) {
  const DfaFile file =
      dot("digraph { node [shape=plaintext]; __start0 -> a; a -> b [label=x]; b -> a [label=x]; b "
          "[shape=doublecircle] }");
  BOOST_TEST(file.automaton.dfa.size() == 2U);
  BOOST_TEST(file.automaton.dfa.accepts(word("0")));
}

BOOST_AUTO_TEST_CASE(symbol_numbers_are_matched_by_position_and_names_by_name) {
  const DfaFile by_number = parse_dfa(even_ones.back().text, DfaFormat::Alf, "x.alf");
  BOOST_TEST(!by_number.has_names);
  BOOST_TEST(!over_alphabet(by_number, Alphabet::parse("ab")).accepts(word("1")));
  BOOST_CHECK_THROW((void)over_alphabet(by_number, Alphabet::parse("abc")), AutomatonFileError);
  const DfaFile by_name = dot(even_ones[0].text);
  BOOST_TEST(!over_alphabet(by_name, Alphabet::parse("10")).accepts(word("0")));
  BOOST_CHECK_THROW((void)over_alphabet(by_name, Alphabet::parse("ab")), AutomatonFileError);
}

BOOST_AUTO_TEST_CASE(the_extension_says_the_format) {
  BOOST_TEST((dfa_format_of("a/b.dot") == DfaFormat::Dot));
  BOOST_TEST((dfa_format_of("a.b.json") == DfaFormat::Json));
  BOOST_TEST((dfa_format_of("x.alf") == DfaFormat::Alf));
  for (const char* other : {"x", "dot", ".dot", "x.DOT.txt", "x.", ""}) {
    BOOST_CHECK_THROW((void)dfa_format_of(other), OptionError);
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named) {
  const support::TemporaryFolder folder;
  BOOST_CHECK_THROW((void)read_dfa_file(folder / "none.dot"), FileError);
  BOOST_CHECK_THROW((void)read_dfa_file(folder.path(), DfaFormat::Dot), FileError);
}

/// The number of 1s, up to two: of class 0, 1 and 4.
const std::vector<Written> counters = {
    {"AALpy", DfaFormat::Dot, R"(digraph learnedModel {
s0 [label="s0|0", shape=record, style=rounded];
s1 [label="s1|1", shape=record, style=rounded];
s2 [label="s2|4", shape=record, style=rounded];
s0 -> s0 [label="0"];
s0 -> s1 [label="1"];
s1 -> s1 [label="0"];
s1 -> s2 [label="1"];
s2 -> s2 [label="0"];
s2 -> s2 [label="1"];
__start0 [shape=none, label=""];
__start0 -> s0 [label=""];
}
)"},
    {"AutomataLib", DfaFormat::Dot, R"(digraph g {

	s0 [shape="circle" label="0 / 0"];
	s1 [shape="circle" label="1 / 1"];
	s2 [shape="circle" label="2 / 4"];
	s0 -> s0 [label="0"];
	s0 -> s1 [label="1"];
	s1 -> s1 [label="0"];
	s1 -> s2 [label="1"];
	s2 -> s2 [label="0"];
	s2 -> s2 [label="1"];

__start0 [label="" shape="none" width="0" height="0"];
__start0 -> s0;

}
)"},
    {"JSON", DfaFormat::Json,
     R"({"alphabet": ["0", "1"], "initial": 0, "accepting": null, "outputs": [0, 1, 4],
 "transitions": [[0, 1], [1, 2], [2, 2]]})"},
    {"libalf's moore_machine<int>", DfaFormat::Alf, R"([general]
	is dfa = true;
	alphabet size = 2;
	number of states = 3;
[initial states]
	0;
[outputs]
	0, 0;
	1, 1;
	2, 4;
[transitions]
	0, 0, 0;
	0, 1, 1;
	1, 0, 1;
	1, 1, 2;
	2, 0, 2;
	2, 1, 2;
)"}};

BOOST_DATA_TEST_CASE(moore_machines_that_tools_write_are_read, data::make(counters), written) {
  const Dfa machine = parse_dfa(written.text, written.format, "x").automaton.dfa;
  BOOST_TEST(machine.is_moore());
  BOOST_TEST(machine.answer_count() == 5U);
  for (const Word& w : all_words(2, 5)) {
    const auto ones = std::count(w.begin(), w.end(), Symbol{1});
    BOOST_TEST(index(machine.answer(w)) == (ones == 0 ? 0U : ones == 1 ? 1U : 4U));
  }
}

BOOST_AUTO_TEST_CASE(a_moore_machine_has_the_classes_of_a_network_or_is_refused) {
  const DfaFile file = parse_dfa(counters[0].text, counters[0].format, "x");
  const Alphabet alphabet = Alphabet::parse("10");
  BOOST_TEST(over_alphabet(file, alphabet, 7).answer_count() == 7U);
  BOOST_TEST(index(over_alphabet(file, alphabet, 5).answer(word("00"))) == 4U);
  const auto message = [&](std::size_t answers) {
    try {
      (void)over_alphabet(file, alphabet, answers);
    } catch (const AutomatonFileError& error) {
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };
  BOOST_TEST(message(4) == "x: expected classes below 4, found 4");
  BOOST_TEST(message(2) ==
             "x: expected a DFA, as the network has two answers, found a Moore machine");
}

/// The same with names, where outputs stand in labels: `s0|none` for `s0|0`.
std::string with_names(std::string text, const std::string& before_output) {
  const std::array<std::pair<char, const char*>, 3> names = {
      {{'0', "none"}, {'1', "one"}, {'4', "many"}}};
  for (const auto& [number, name] : names) {
    const std::size_t at = text.find(before_output + number + '"');
    text.replace(at + before_output.size(), 1, name);
  }
  return text;
}

const char* const named_json =
    R"({"alphabet": ["0", "1"], "initial": 0, "accepting": null, "outputs": [2, 0, 3],
 "classes": 4, "class_names": ["one", "two", "none", "many"],
 "transitions": [[0, 1], [1, 2], [2, 2]]})";

BOOST_AUTO_TEST_CASE(moore_machines_with_names_are_read_and_matched_by_them) {
  const ClassNames classes({"many", "none", "one"});
  const Alphabet alphabet = Alphabet::parse("01");
  for (const DfaFile& file :
       {parse_dfa(with_names(counters[0].text, "|"), DfaFormat::Dot, "AALpy"),
        parse_dfa(with_names(counters[1].text, " / "), DfaFormat::Dot, "AutomataLib"),
        parse_dfa(named_json, DfaFormat::Json, "JSON")}) {
    BOOST_TEST_CONTEXT(file.file) {
      BOOST_TEST(file.automaton.dfa.is_moore());
      BOOST_TEST(file.automaton.classes.size() == file.automaton.dfa.answer_count());
      const Dfa machine = over_alphabet(file, alphabet, 3, classes);
      for (const Word& w : all_words(2, 5)) {
        const auto ones = std::count(w.begin(), w.end(), Symbol{1});
        const std::string expected = ones == 0 ? "none" : ones == 1 ? "one" : "many";
        BOOST_TEST(classes.name(machine.answer(w)) == expected);
      }
      BOOST_CHECK_THROW((void)over_alphabet(file, alphabet, 5), AutomatonFileError);
    }
  }
}

BOOST_AUTO_TEST_CASE(two_named_classes_are_no_accept_and_reject) {
  const DfaFile file = parse_dfa(
      "digraph { __start0 -> q; q [label=\"q|no\"]; p [label=\"p|yes\"]; q -> p [label=a];"
      " p -> p [label=a]; }",
      DfaFormat::Dot, "x");
  BOOST_TEST(file.automaton.dfa.is_moore());
  BOOST_TEST(file.automaton.classes.names() == (std::vector<std::string>{"no", "yes", "2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(named_classes_keep_their_numbers_in_dot) {
  NamedDfa machine{Alphabet::parse("a"), Dfa(1, 2, 5),
                   ClassNames({"a", "b", "c", "d[e]", "fließend"})};
  machine.dfa.set_answer(LState{0}, Answer{4});
  machine.dfa.set_answer(LState{1}, Answer{3});
  machine.dfa.set_next(LState{0}, Symbol{0}, LState{1});
  const std::string text = format_dfa(machine, DfaFormat::Dot);
  BOOST_TEST(text.find("s0 [label=\"s0|fließend\" shape=\"record\" style=\"rounded\" class=\"4\" "
                       "label=\"s0 / fließend\"];\n") != std::string::npos);
  const NamedDfa read = parse_dfa(text, DfaFormat::Dot, "x").automaton;
  BOOST_TEST((read.dfa == machine.dfa));
  BOOST_TEST(read.classes.names() == (std::vector<std::string>{"0", "1", "2", "d[e]", "fließend"}),
             boost::test_tools::per_element());
}

struct Refused {
  DfaFormat format;
  std::string text;
  std::string message;  // has this in it
};
std::ostream& operator<<(std::ostream& out, const Refused& refused) {
  return out << refused.text.substr(0, 80);
}

const std::string alf_head =
    "[general]\nis dfa = true;\nalphabet size = 2;\nnumber of states = 2;\n";

const std::vector<Refused> refusals = {
    {DfaFormat::Dot, "", "x:1: expected digraph, found the end of the file"},
    {DfaFormat::Dot, "graph { a -- b }", "expected digraph, found 'graph'"},
    {DfaFormat::Dot, "digraph", "expected { after digraph, found the end of the file"},
    {DfaFormat::Dot, "digraph {", "expected a node, an edge or }, found the end of the file"},
    {DfaFormat::Dot, "digraph { }", "expected an edge into the initial state"},
    {DfaFormat::Dot, "digraph { a -> a [label=x] }", "expected an edge into the initial state"},
    {DfaFormat::Dot, "digraph {\n__start0 -> a;\n__start0 -> b;}",
     "x:3: expected one initial state, found 'a' and 'b'"},
    {DfaFormat::Dot, "digraph {\n__start0 -> a;\na -> a;}", "x:3: 'a' -> 'a': expected a label"},
    {DfaFormat::Dot, "digraph { __start0 -> a; a -> a [label=\"\"]; }", "expected one symbol"},
    {DfaFormat::Dot, "digraph { __start0 -> a; a -> a [label=\"x / y\"]; }", "expected one symbol"},
    {DfaFormat::Dot, "digraph { __start0 -> a; a -> a [label=\"0, 1\"]; }", "expected one symbol"},
    {DfaFormat::Dot, "digraph { __start0 -> a; a -> a [label=<x>]; }", "expected a plain label"},
    {DfaFormat::Dot,
     "digraph { __start0 -> a; a -> a [label=0];\na -> b [label=1];\nb -> b [label=\"0,1\"]; }",
     "x:3: expected one symbol per edge, found '0,1'"},
    {DfaFormat::Dot, "digraph { __start0 -> a; a -> a [label=x]\na -> b [label=x]; }",
     "x:2: expected a deterministic automaton, found a second transition of state 'a' for symbol "
     "'x'"},
    {DfaFormat::Dot, "digraph { a -> b [label=\"x }", "expected a closing quote"},
    {DfaFormat::Dot, "digraph { a [label=<x }", "expected a closing >"},
    {DfaFormat::Dot, "digraph { /* a }", "expected */"},
    {DfaFormat::Dot, "digraph { a -- b }", "expected a directed edge"},
    {DfaFormat::Dot, "digraph { a -> {b c} }", "expected edges between single nodes"},
    {DfaFormat::Dot, "digraph { {b c} -> a }", "expected edges between single nodes"},
    {DfaFormat::Dot, "digraph { a [label= }", "expected a value after ="},
    {DfaFormat::Dot, "digraph { \"a\" + b }", "expected a quoted string after +"},
    {DfaFormat::Dot, "digraph { __start0 -> a } digraph { }", "expected nothing after the graph"},
    {DfaFormat::Dot, "digraph { __start0 -> a; a -> a [label=\"\xff\"] }", "malformed UTF-8"},
    {DfaFormat::Dot, "digraph " + std::string(100000, '{'), "nested subgraphs"},
    {DfaFormat::Json, "", "expected JSON"},
    {DfaFormat::Json, "{\"alphabet\": [\n}", "line 2"},
    {DfaFormat::Json, std::string(100000, '['), "inside of each other"},
    {DfaFormat::Json, "{\"alphabet\": [\n1e999]}", "line 2, column 1: expected a number below"},
    {DfaFormat::Json, "[]", "dfa: expected an object"},
    {DfaFormat::Json, "{}", "alphabet: expected a member of this name"},
    {DfaFormat::Json, R"({"dfa": {"alphabet": 3}})", "dfa.alphabet: expected an array, found '3'"},
    {DfaFormat::Json, R"({"alphabet": [3]})", "alphabet: expected strings, found '3'"},
    {DfaFormat::Json, R"({"alphabet": ["a"], "accepting": []})",
     "accepting: expected at least one state"},
    {DfaFormat::Json, R"({"alphabet": ["a"], "accepting": [1]})",
     "accepting: expected true or false"},
    {DfaFormat::Json, R"({"alphabet": ["a"], "accepting": [true], "initial": 1})",
     "initial: expected a state from 0 to 0, found '1'"},
    {DfaFormat::Json, R"({"alphabet": ["a"], "accepting": [true], "initial": -1})",
     "initial: expected a state"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "accepting": [true], "initial": 0, "transitions": []})",
     "transitions: expected 1 rows"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "accepting": [true], "initial": 0, "transitions": [[]]})",
     "transitions[0]: expected 1 states"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "accepting": [true], "initial": 0, "transitions": [[0.5]]})",
     "transitions[0]: expected a state"},
    {DfaFormat::Json,
     R"({"alphabet": ["a", "a"], "accepting": [true], "initial": 0, "transitions": [[0, 0]]})",
     "occurs twice"},
    {DfaFormat::Json,
     R"({"alphabet": [""], "accepting": [true], "initial": 0, "transitions": [[0]]})", "is empty"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "accepting": null, "outputs": [-1], "initial": 0, "transitions": [[0]]})",
     "outputs: expected classes below 65535, found '-1'"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "outputs": [65535], "initial": 0, "transitions": [[0]]})",
     "outputs: expected classes below 65535, found '65535'"},
    {DfaFormat::Json, R"({"alphabet": ["a"], "outputs": [], "initial": 0, "transitions": []})",
     "outputs: expected at least one state"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "outputs": [0], "classes": 1, "initial": 0, "transitions": [[0]]})",
     "classes: expected a number from 2 to 65535, found '1'"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "outputs": [0], "classes": 3, "class_names": ["low", "high"],
         "initial": 0, "transitions": [[0]]})",
     "class_names: expected 3 names, one per class, found 2"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "outputs": [0], "classes": 3, "class_names": ["low", 1, "high"],
         "initial": 0, "transitions": [[0]]})",
     "class_names: expected strings, found '1'"},
    {DfaFormat::Json,
     R"({"alphabet": ["a"], "outputs": [0], "classes": 3, "class_names": ["low", "low", "high"],
         "initial": 0, "transitions": [[0]]})",
     "x: class 1: expected a name that no other class has, found 'low'"},
    {DfaFormat::Dot, "digraph { __start0 -> q; q [label=\"q / so high\"]; q -> q [label=a]; }",
     "class 0: expected a name without white space"},
    {DfaFormat::Dot,
     "digraph { __start0 -> q; q [label=\"q / 1\"]; p [label=\"p / high\"]; q -> p [label=a]; }",
     "class 0: expected no number but its own as its name, found '1'"},
    {DfaFormat::Dot,
     "digraph { __start0 -> q; q [label=\"q / low\" class=1]; p [label=\"p / high\" class=1]; }",
     "state 'p': expected 'low', as class 1 is called elsewhere, found 'high'"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0;\n[outputs]\n0, 1, 2;",
     "x:8: expected an output 'state, class', found '0, 1, 2'"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0;\n[outputs]\n2, 1;",
     "x:8: state with an output: expected a number below 2, found 2"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0;\n[final states]\n0;\n[outputs]\n0, 1;",
     "x:10: expected final states or outputs, found both"},
    {DfaFormat::Alf, "", "[general]: expected 'alphabet size"},
    {DfaFormat::Alf, "0, 0, 0;", "expected a section"},
    {DfaFormat::Alf, "[mealy]", "x:1: expected a section"},
    {DfaFormat::Alf, "[general]\nalphabet size = 2", "expected a semicolon"},
    {DfaFormat::Alf, "[general]\nalphabet size = two;",
     "x:2: alphabet size: expected a number, found 'two'"},
    {DfaFormat::Alf, "[general]\nalphabet size = 99999999999;", "expected a number"},
    {DfaFormat::Alf, "[general]\ncolour = 2;", "found 'colour'"},
    {DfaFormat::Alf, "[general]\nis dfa = maybe;", "expected true or false"},
    {DfaFormat::Alf, alf_head, "[initial states]: expected one state"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0, 1;",
     "expected one state, as a deterministic automaton has, found 2"},
    {DfaFormat::Alf, alf_head + "[initial states]\n2;",
     "x:6: initial state: expected a number below 2, found 2"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0;\n[final states]\n7;",
     "final state: expected a number below 2"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0;\n[transitions]\n0, 0;",
     "expected a transition"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0;\n[transitions]\n0, -1, 0;",
     "expected a number, found '-1'"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0;\n[transitions]\n0, 2, 0;",
     "x:8: symbol: expected a number below 2"},
    {DfaFormat::Alf, alf_head + "[initial states]\n0;\n[transitions]\n0, 0, 0;\n0, 0, 1;",
     "x:9: expected a deterministic automaton"},
    {DfaFormat::Alf,
     "[general] is dfa = true; alphabet size = 4000000000; number of states = 4000000000; [initial "
     "states] 0;",
     "expected sizes that fit"},
};

BOOST_DATA_TEST_CASE(what_is_wrong_is_said_in_one_line, data::make(refusals), refused) {
  BOOST_CHECK_EXCEPTION((void)parse_dfa(refused.text, refused.format, "x"), AutomatonFileError,
                        [&](const AutomatonFileError& error) {
                          const std::string text = error.what();
                          BOOST_TEST_INFO("message: " << text);
                          BOOST_TEST(text.find(refused.message) != std::string::npos);
                          BOOST_TEST(text.find('\n') == std::string::npos);
                          return text.starts_with("x:");
                        });
}

BOOST_AUTO_TEST_CASE(a_small_file_cannot_ask_for_a_huge_table) {
  // 20000 states and 20000 symbols, one transition each: as a table 400 million entries.
  std::string text = "digraph { __start0 -> 0;\n";
  for (int i = 0; i < 20000; ++i) {
    text += std::to_string(i) + " -> " + std::to_string(i + 1) + " [label=a" + std::to_string(i) +
            "];\n";
  }
  BOOST_CHECK_THROW((void)dot(text + "}"), AutomatonFileError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
