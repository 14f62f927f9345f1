#include <libalf/alf.h>

#include <boost/test/unit_test.hpp>

#include <list>
#include <set>
#include <sstream>
#include <string>

#include "rnnalf/automaton/dfa_file.hpp"
#include "support/words.hpp"

namespace {

using libalf::finite_automaton;
using libalf::moore_machine;

/// Words with an odd number of ones.
finite_automaton odd_ones() {
  finite_automaton automaton;
  automaton.is_deterministic = true;
  automaton.input_alphabet_size = 2;
  automaton.state_count = 2;
  automaton.initial_states = {0};
  automaton.output_mapping = {{0, false}, {1, true}};
  automaton.transitions[0][0] = {0};
  automaton.transitions[0][1] = {1};
  automaton.transitions[1][0] = {1};
  automaton.transitions[1][1] = {0};
  automaton.valid = true;
  return automaton;
}

const char* const odd_ones_text =
    "[general]\n\tis dfa = true;\n\talphabet size = 2;\n\tnumber of states = 2;\n"
    "[initial states]\n\t0;\n[final states]\n\t1;\n"
    "[transitions]\n\t0, 0, 0;\n\t0, 1, 1;\n\t1, 0, 1;\n\t1, 1, 0;\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(conjecture)

BOOST_AUTO_TEST_CASE(an_automaton_accepts_what_it_should) {
  const finite_automaton automaton = odd_ones();
  BOOST_TEST(!automaton.contains({}));
  BOOST_TEST(automaton.contains({1}));
  BOOST_TEST(!automaton.contains({1, 0, 1}));
  BOOST_TEST(!automaton.contains({1, 5}));  // an unknown letter rejects
}

BOOST_AUTO_TEST_CASE(an_invalid_automaton_accepts_nothing_and_has_no_text) {
  finite_automaton automaton = odd_ones();
  automaton.valid = false;
  BOOST_TEST(!automaton.contains({1}));
  BOOST_TEST(automaton.write().empty());
  BOOST_TEST(automaton.visualize().empty());
}

BOOST_AUTO_TEST_CASE(nondeterminism_and_epsilon_moves_are_followed) {
  finite_automaton automaton = odd_ones();
  automaton.transitions[0][1] = {0, 1};
  automaton.transitions[1] = {{-1, {0}}};
  BOOST_TEST(automaton.contains({1, 1}));
  BOOST_TEST(!automaton.contains({1, 0}));
  BOOST_TEST(!automaton.calc_determinism());
}

BOOST_AUTO_TEST_CASE(validity_checks_every_range) {
  BOOST_TEST(odd_ones().calc_validity());
  const auto broken = [](auto damage) {
    finite_automaton automaton = odd_ones();
    damage(automaton);
    return !automaton.calc_validity() && !automaton.valid;
  };
  BOOST_TEST(broken([](auto& a) { a.initial_states = {2}; }));
  BOOST_TEST(broken([](auto& a) { a.transitions[0][2] = {0}; }));
  BOOST_TEST(broken([](auto& a) { a.transitions[0][0] = {-1}; }));
  BOOST_TEST(broken([](auto& a) { a.transitions[7][0] = {0}; }));
  BOOST_TEST(broken([](auto& a) { a.output_mapping.erase(1); }));
  BOOST_TEST(broken([](auto& a) { a.state_count = -1; }));
}

BOOST_AUTO_TEST_CASE(text_is_written_as_documented_and_read_back) {
  BOOST_TEST(odd_ones().write() == odd_ones_text);
  finite_automaton copy;
  BOOST_TEST(copy.read(odd_ones_text));
  BOOST_TEST(copy.write() == odd_ones_text);
  BOOST_TEST(copy.contains({1}));
}

BOOST_AUTO_TEST_CASE(text_without_a_final_newline_is_read) {
  std::string text = odd_ones_text;
  text.pop_back();
  finite_automaton automaton;
  BOOST_TEST(automaton.read(text));
  BOOST_TEST(automaton.write() == odd_ones_text);
}

BOOST_AUTO_TEST_CASE(comments_case_and_yes_no_are_understood) {
  finite_automaton automaton;
  BOOST_TEST(automaton.read(
      "# odd ones\n[GENERAL]\nIs DFA = Yes; alphabet size = 2;\nnumber of states = 2; # two\n"
      "[Initial States]\n0;\n[final states]\n1;\n[transitions]\n0,0,0; "
      "0,1,1;\n1,0,1;\n1,\n1,0;\n"));
  BOOST_TEST(automaton.write() == odd_ones_text);
}

BOOST_AUTO_TEST_CASE(malformed_text_is_refused) {
  const std::string good = odd_ones_text;
  const auto refused = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    BOOST_REQUIRE(text.find(what) != std::string::npos);
    text.replace(text.find(what), what.size(), by);
    finite_automaton automaton = odd_ones();
    return !automaton.read(text) && !automaton.valid;
  };
  BOOST_TEST(refused("is dfa = true;", ""));
  BOOST_TEST(refused("alphabet size = 2;", "alphabet size = many;"));
  BOOST_TEST(refused("number of states = 2;", "number of states = 2"));
  BOOST_TEST(refused("number of states = 2;", "number of states = 2000000000;"));
  BOOST_TEST(refused("[general]", "general"));
  BOOST_TEST(refused("[general]", "[general"));
  BOOST_TEST(refused("\t0, 1, 1;", "\t0, 1;"));
  BOOST_TEST(refused("\t0, 1, 1;", "\t0, 2, 1;"));
  BOOST_TEST(refused("\t0, 1, 1;", "\t0, 1, x;"));
  BOOST_TEST(refused("[final states]\n\t1;", "[final states]\n\t2;"));
  finite_automaton automaton;
  BOOST_TEST(!automaton.read(""));
}

BOOST_AUTO_TEST_CASE(serialisation_has_the_documented_form) {
  const auto serial = odd_ones().serialize();
  std::string numbers;
  for (const std::int32_t value : serial) {
    numbers += std::to_string(ntohl(static_cast<std::uint32_t>(value))) + ' ';
  }
  // length; deterministic, alphabet, states; initial; final; transitions
  BOOST_TEST(numbers == "20 1 2 2 1 0 1 1 4 0 0 0 0 1 1 1 0 1 1 1 0 ");
  serial_stretch stretch(serial);
  finite_automaton copy;
  BOOST_TEST(copy.deserialize(stretch));
  BOOST_TEST(stretch.empty());
  BOOST_TEST(copy.write() == odd_ones_text);
}

BOOST_AUTO_TEST_CASE(damaged_serialisations_are_refused) {
  const auto whole = odd_ones().serialize();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto cut = whole.substr(0, i);
    serial_stretch stretch(cut);
    finite_automaton copy;
    BOOST_TEST(!copy.deserialize(stretch));
    for (const std::int32_t value : {-1, 0, 0x7fffffff}) {
      auto changed = whole;
      changed[i] = static_cast<std::int32_t>(htonl(static_cast<std::uint32_t>(value)));
      serial_stretch again(changed);
      if (copy.deserialize(again)) BOOST_TEST(copy.calc_validity());
    }
  }
}

BOOST_AUTO_TEST_CASE(machines_of_hostile_sizes_are_refused_whatever_their_kind) {
  // Few integers may claim states and letters that would cost memory for each of them.
  const auto refused = [](auto machine) {
    const auto reads = [&] {
      const auto serial = machine.serialize();
      serial_stretch stretch(serial);
      decltype(machine) copy;
      return copy.deserialize(stretch) && !copy.serialize().empty();
    };
    machine.valid = true;
    machine.state_count = 3;
    machine.input_alphabet_size = 2;
    BOOST_TEST(reads());
    machine.state_count = 2147483647;
    BOOST_TEST(!reads());
    machine.state_count = 3;
    machine.input_alphabet_size = 2147483647;
    BOOST_TEST(!reads());
  };
  refused(moore_machine<int>());
  moore_machine<int> machine;
  BOOST_TEST(!machine.read(
      "[general]\nis dfa = true; alphabet size = 1; number of states = 2000000000;\n[outputs]\n"));
}

BOOST_AUTO_TEST_CASE(a_machine_that_was_read_is_deterministic_only_if_it_is) {
  finite_automaton automaton = odd_ones();
  automaton.transitions[0][0].insert(1);  // and yet it says that it is deterministic
  finite_automaton read;
  BOOST_TEST(read.read(automaton.write()));
  BOOST_TEST(!read.is_deterministic);
  BOOST_TEST((read.transitions == automaton.transitions));
  const auto serial = automaton.serialize();
  serial_stretch stretch(serial);
  BOOST_TEST(read.deserialize(stretch));
  BOOST_TEST(!read.is_deterministic);
  // One that says that it is not may still be: NL* delivers such.
  automaton = odd_ones();
  automaton.is_deterministic = false;
  BOOST_TEST(read.read(automaton.write()));
  BOOST_TEST(!read.is_deterministic);
}

BOOST_AUTO_TEST_CASE(graphviz_shows_states_start_and_letters) {
  const std::string dot = odd_ones().visualize();
  BOOST_TEST(dot.rfind("digraph finite_automaton {", 0) == 0U);
  BOOST_TEST(dot.find("shape=doublecircle, style=\"\", color=black]; q1;") != std::string::npos);
  BOOST_TEST(dot.find("iq0 -> q0 [color=blue];") != std::string::npos);
  BOOST_TEST(dot.find("q0 -> q1 [label=\"1\"];") != std::string::npos);
  std::ostringstream printed;
  printed << odd_ones();
  BOOST_TEST(printed.str() == dot);
}

BOOST_AUTO_TEST_CASE(final_states_are_read_and_set) {
  finite_automaton automaton = odd_ones();
  BOOST_TEST((automaton.get_final_states() == std::set<int>{1}));
  automaton.set_final_states({0});
  BOOST_TEST(automaton.contains({}));
  automaton.set_all_non_accepting();
  BOOST_TEST(automaton.get_final_states().empty());
  BOOST_TEST(automaton.output_mapping.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_moore_machine_has_text_and_serialised_forms) {
  moore_machine<int> machine;
  machine.input_alphabet_size = 1;
  machine.state_count = 3;
  machine.initial_states = {0};
  machine.output_mapping = {{0, 7}, {1, -2}, {2, 0}};
  for (int s = 0; s < 3; ++s) machine.transitions[s][0] = {(s + 1) % 3};
  BOOST_TEST(machine.calc_validity());
  moore_machine<int> read;
  BOOST_TEST(read.read(machine.write()));
  BOOST_TEST((read.output_mapping == machine.output_mapping));
  BOOST_TEST((read.transitions == machine.transitions));
  const auto serial = machine.serialize();
  serial_stretch stretch(serial);
  moore_machine<int> copy;
  BOOST_TEST(copy.deserialize(stretch));
  BOOST_TEST((copy.output_mapping == machine.output_mapping));
  BOOST_TEST(copy.write() == machine.write());
  BOOST_TEST(machine.visualize().find("q1\\n[-2]") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_moore_machine_of_ours_is_read_and_written_as_it_is_and_its_picture_read) {
  rnnalf::Random random(8);
  for (int round = 0; round < 50; ++round) {
    const std::size_t letters = 1 + random.below(3);
    const rnnalf::Dfa ours = rnnalf::canonical(
        rnnalf::support::random_dfa(1 + random.below(8), letters, random, 3 + random.below(4)));
    const rnnalf::NamedDfa named{rnnalf::Alphabet::numbered(letters), ours};
    const std::string text = rnnalf::format_dfa(named, rnnalf::DfaFormat::Alf);
    libalf::moore_machine<int> theirs;
    BOOST_TEST_REQUIRE(theirs.read(text));
    BOOST_TEST(theirs.write() == text);
    const auto picture = rnnalf::parse_dfa(theirs.visualize(), rnnalf::DfaFormat::Dot, "x");
    BOOST_TEST((rnnalf::canonical(
                    rnnalf::over_alphabet(picture, named.alphabet, ours.answer_count())) == ours));
  }
}

BOOST_AUTO_TEST_SUITE_END()
