// Learners from samples: what they find agrees with the sample, is as small as promised, and does
// not depend on how the sample came into the knowledgebase.
#include <libalf/alf.h>
#include <libalf/algorithm_DeLeTe2.h>
#include <libalf/algorithm_RPNI.h>
#include <libalf/algorithm_biermann_minisat.h>
#include <libalf/algorithm_biermann_original.h>
#include <libalf/algorithm_counterexample_learning.h>
#include <libalf/algorithm_deterministic_inferring_csp_minisat.h>
#include <libalf/algorithm_deterministic_inferring_csp_z3.h>
#include <libalf/algorithm_deterministic_inferring_minisat.h>
#include <libalf/algorithm_deterministic_inferring_z3.h>
#include <libalf/algorithm_dfa_inferring_minisat.h>
#include <libalf/algorithm_dfa_inferring_z3.h>
#include <libalf/algorithm_nfa_inferring_minisat.h>
#include <libalf/normalizer_msc.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "rnnalf/base/random.hpp"

namespace {

using Word = std::list<int>;
using Knowledge = libalf::knowledgebase<bool>;
using libalf::finite_automaton;

/// Two letters; complete; state 0 is initial.
struct Machine {
  std::vector<std::size_t> next;
  std::vector<bool> accepting;

  bool accepts(const Word& word) const {
    std::size_t s = 0;
    for (const int letter : word) s = next[2 * s + static_cast<std::size_t>(letter)];
    return accepting[s];
  }
};

Machine random_machine(std::size_t states, rnnalf::Random& random) {
  Machine machine;
  for (std::size_t i = 0; i < 2 * states; ++i) machine.next.push_back(random.below(states));
  for (std::size_t i = 0; i < states; ++i) machine.accepting.push_back(random.below(2) == 1);
  return machine;
}

std::vector<Word> words_up_to(std::size_t length) {
  std::vector<Word> words;
  for (Word word; word.size() <= length; libalf::inc_graded_lex(word, 2)) words.push_back(word);
  return words;
}

void sample(const Machine& machine, const std::vector<Word>& words, Knowledge& knowledge) {
  for (const Word& word : words) knowledge.add_knowledge(word, machine.accepts(word));
}

std::vector<Word> random_words(std::size_t count, std::size_t longest, rnnalf::Random& random) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < count; ++i) {
    words.emplace_back();
    for (std::size_t n = random.below(longest + 1); n > 0; --n) {
      words.back().push_back(static_cast<int>(random.below(2)));
    }
  }
  return words;
}

template <class Learner>
std::unique_ptr<finite_automaton> learned(Learner&& learner) {
  std::unique_ptr<libalf::conjecture> conjecture(learner.advance());
  auto* automaton = dynamic_cast<finite_automaton*>(conjecture.get());
  BOOST_REQUIRE(automaton);
  BOOST_TEST(automaton->calc_validity());
  conjecture.release();
  return std::unique_ptr<finite_automaton>(automaton);
}

bool agrees(const finite_automaton& automaton, const Knowledge& knowledge) {
  bool all = true;
  knowledge.for_each_answer(
      [&](const Word& word, bool answer) { all = all && automaton.contains(word) == answer; });
  return all;
}

/// Some complete DFA of that many states agrees: all of them are tried.
bool some_dfa_agrees(std::size_t states, const std::vector<std::pair<Word, bool>>& answers) {
  Machine machine{std::vector<std::size_t>(2 * states, 0), std::vector<bool>(states, false)};
  for (;;) {
    for (std::size_t code = 0; code < std::size_t{1} << states; ++code) {
      for (std::size_t s = 0; s < states; ++s) machine.accepting[s] = (code >> s & 1) != 0;
      if (std::all_of(answers.begin(), answers.end(), [&](const auto& known) {
            return machine.accepts(known.first) == known.second;
          })) {
        return true;
      }
    }
    std::size_t digit = 0;
    while (digit < machine.next.size() && ++machine.next[digit] == states) {
      machine.next[digit++] = 0;
    }
    if (digit == machine.next.size()) return false;
  }
}

const std::uint64_t seed = 20261116;

}  // namespace

BOOST_AUTO_TEST_SUITE(toolkit_offline_learners)

BOOST_AUTO_TEST_CASE(rpni_agrees_with_every_sample) {
  BOOST_TEST_MESSAGE("seed " << seed);
  rnnalf::Random random(seed);
  for (int i = 0; i < 200; ++i) {
    const Machine target = random_machine(1 + random.below(8), random);
    Knowledge knowledge;
    sample(target, random_words(1 + random.below(60), 9, random), knowledge);
    const auto automaton = learned(libalf::RPNI<bool>(&knowledge, nullptr, 2));
    BOOST_TEST_CONTEXT("world " << i) {
      BOOST_TEST(agrees(*automaton, knowledge));
      BOOST_TEST(automaton->is_deterministic);
      BOOST_TEST(automaton->calc_determinism());
      BOOST_TEST((automaton->initial_states == std::set<int>{0}));
    }
  }
}

BOOST_AUTO_TEST_CASE(rpni_and_delete2_find_the_target_when_the_sample_is_large_enough) {
  rnnalf::Random random(seed);
  const std::vector<Word> all = words_up_to(8);
  const std::vector<Word> longer = words_up_to(11);
  for (int i = 0; i < 40; ++i) {
    const Machine target = random_machine(1 + random.below(4), random);
    Knowledge knowledge;
    sample(target, all, knowledge);
    const auto rpni = learned(libalf::RPNI<bool>(&knowledge, nullptr, 2));
    const auto residual = learned(libalf::DeLeTe2<bool>(&knowledge, nullptr, 2));
    BOOST_TEST_CONTEXT("world " << i) {
      BOOST_TEST(rpni->state_count <= 4);
      BOOST_TEST(!residual->is_deterministic);
      BOOST_TEST(std::all_of(longer.begin(), longer.end(), [&](const Word& word) {
        return rpni->contains(word) == target.accepts(word);
      }));
      BOOST_TEST(std::all_of(longer.begin(), longer.end(), [&](const Word& word) {
        return residual->contains(word) == target.accepts(word);
      }));
    }
  }
}

BOOST_AUTO_TEST_CASE(conjectures_do_not_depend_on_the_order_of_the_sample) {
  rnnalf::Random random(seed);
  for (int i = 0; i < 50; ++i) {
    const Machine target = random_machine(1 + random.below(6), random);
    std::vector<Word> words = random_words(30, 7, random);
    Knowledge forwards;
    sample(target, words, forwards);
    std::reverse(words.begin(), words.end());
    Knowledge backwards;
    sample(target, words, backwards);
    const auto same = [&](auto first, auto second) {
      BOOST_TEST(learned(first)->write() == learned(second)->write());
    };
    same(libalf::RPNI<bool>(&forwards, nullptr, 2), libalf::RPNI<bool>(&backwards, nullptr, 2));
    same(libalf::DeLeTe2<bool>(&forwards, nullptr, 2),
         libalf::DeLeTe2<bool>(&backwards, nullptr, 2));
    same(libalf::original_biermann<bool>(&forwards, nullptr, 2, 3),
         libalf::original_biermann<bool>(&backwards, nullptr, 2, 3));
    same(libalf::MiniSat_biermann<bool>(&forwards, nullptr, 2),
         libalf::MiniSat_biermann<bool>(&backwards, nullptr, 2));
  }
}

BOOST_AUTO_TEST_CASE(biermann_compares_prefixes_within_so_many_letters) {
  // Words of zeros whose length is even, up to six letters.
  Knowledge knowledge;
  for (std::size_t length = 0; length <= 6; ++length) {
    knowledge.add_knowledge(Word(length, 0), length % 2 == 0);
  }
  // Without looking ahead: accepted, rejected, and the sink. With two letters the ends of the
  // sample show: the last three words have fewer continuations.
  const auto short_sighted = learned(libalf::original_biermann<bool>(&knowledge, nullptr, 1, 0));
  BOOST_TEST(short_sighted->state_count == 3);
  BOOST_TEST(!short_sighted->is_deterministic);
  const auto careful = learned(libalf::original_biermann<bool>(&knowledge, nullptr, 1, 7));
  BOOST_TEST(careful->state_count == 8);
  BOOST_TEST(careful->is_deterministic);
  BOOST_TEST(agrees(*careful, knowledge));
}

BOOST_AUTO_TEST_CASE(the_smallest_dfa_is_the_smallest) {
  BOOST_TEST_MESSAGE("seed " << seed);
  rnnalf::Random random(seed);
  for (int i = 0; i < 60; ++i) {
    const Machine target = random_machine(1 + random.below(4), random);
    Knowledge knowledge;
    sample(target, random_words(1 + random.below(25), 6, random), knowledge);
    std::vector<std::pair<Word, bool>> answers;
    knowledge.for_each_answer(
        [&](const Word& word, bool answer) { answers.emplace_back(word, answer); });
    std::size_t fewest = 1;
    while (fewest < 4 && !some_dfa_agrees(fewest, answers)) ++fewest;
    const auto check = [&](const char* name, auto learner) {
      const auto automaton = learned(learner);
      BOOST_TEST_CONTEXT("world " << i << ", " << name) {
        BOOST_TEST(agrees(*automaton, knowledge));
        BOOST_TEST(static_cast<std::size_t>(automaton->state_count) == fewest);
        BOOST_TEST(automaton->calc_determinism());
      }
    };
    check("biermann", libalf::MiniSat_biermann<bool>(&knowledge, nullptr, 2));
    check("dfa", libalf::dfa_inferring_MiniSat(&knowledge, nullptr, 2));
    check("dfa z3", libalf::dfa_inferring_Z3(&knowledge, nullptr, 2));
    check("det", libalf::deterministic_inferring_MiniSat<bool>(&knowledge, nullptr, 2));
    check("det z3", libalf::deterministic_inferring_Z3<bool>(&knowledge, nullptr, 2));
    check("csp", libalf::deterministic_inferring_csp_MiniSat<bool>(&knowledge, nullptr, 2));
    check("csp z3", libalf::deterministic_inferring_csp_Z3<bool>(&knowledge, nullptr, 2));
    const auto nfa = learned(libalf::nfa_inferring_MiniSat(&knowledge, nullptr, 2));
    BOOST_TEST(agrees(*nfa, knowledge));
    BOOST_TEST(static_cast<std::size_t>(nfa->state_count) <= fewest);
    if (fewest > 1) {
      libalf::dfa_inferring_MiniSat too_few(&knowledge, nullptr, 2);
      BOOST_TEST(!too_few.infer(static_cast<unsigned>(fewest - 1)));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_smallest_nondeterministic_automaton_may_be_smaller) {
  // The third letter from the end is a one: 8 states as a DFA, 4 as a nondeterministic automaton.
  Knowledge knowledge;
  for (const Word& word : words_up_to(6)) {
    knowledge.add_knowledge(word, word.size() >= 3 && *std::next(word.rbegin(), 2) == 1);
  }
  BOOST_TEST(learned(libalf::nfa_inferring_MiniSat(&knowledge, nullptr, 2))->state_count == 4);
  BOOST_TEST(learned(libalf::MiniSat_biermann<bool>(&knowledge, nullptr, 2))->state_count == 8);
}

BOOST_AUTO_TEST_CASE(machines_with_several_outputs_are_inferred) {
  libalf::knowledgebase<int> knowledge;
  for (const Word& word : words_up_to(5)) {
    knowledge.add_knowledge(word, static_cast<int>(word.size() % 3));
  }
  libalf::deterministic_inferring_MiniSat<int> learner(&knowledge, nullptr, 2);
  const std::unique_ptr<libalf::conjecture> conjecture(learner.advance());
  const auto* machine = dynamic_cast<libalf::moore_machine<int>*>(conjecture.get());
  BOOST_REQUIRE(machine);
  BOOST_TEST(machine->state_count == 3);
  const libalf::prefix_tree<int> tree(knowledge, 2);
  BOOST_TEST(libalf::is_consistent(tree, *machine));
  knowledge.add_or_alter_knowledge({0}, 2);
  const libalf::prefix_tree<int> altered(knowledge, 2);
  BOOST_TEST(!libalf::is_consistent(altered, *machine));
}

BOOST_AUTO_TEST_CASE(counterexamples_alone_lead_to_the_target) {
  rnnalf::Random random(seed);
  const std::vector<Word> words = words_up_to(7);
  for (int i = 0; i < 10; ++i) {
    const Machine target = random_machine(1 + random.below(3), random);
    Knowledge knowledge;
    libalf::deterministic_inferring_csp_MiniSat<bool> inferring(nullptr, nullptr, 2);
    libalf::counterexample_learning learner(&knowledge, nullptr, 2, &inferring);
    BOOST_TEST(!learner.add_counterexample({}));  // there is no conjecture yet
    for (;;) {
      const auto automaton = learned(learner);
      const auto wrong = std::find_if(words.begin(), words.end(), [&](const Word& word) {
        return automaton->contains(word) != target.accepts(word);
      });
      if (wrong == words.end()) break;
      auto serial = learner.serialize();
      serial_stretch stretch(serial);
      BOOST_REQUIRE(learner.deserialize(stretch));  // the conjecture that waits is part of it
      BOOST_REQUIRE(learner.add_counterexample(*wrong));
    }
  }
}

BOOST_AUTO_TEST_CASE(they_ask_nothing_and_take_no_counterexamples) {
  Knowledge knowledge;
  libalf::RPNI<bool> rpni(&knowledge, nullptr, 2);
  BOOST_TEST(!rpni.conjecture_ready());
  BOOST_TEST(!rpni.add_counterexample({0}));
  const auto empty = learned(rpni);
  BOOST_TEST(empty->state_count == 1);
  BOOST_TEST(!empty->contains({}));
  BOOST_TEST(knowledge.is_empty());
}

BOOST_AUTO_TEST_CASE(a_letter_beyond_the_alphabet_is_learned_too) {
  Knowledge knowledge;
  knowledge.add_knowledge({2}, true);
  knowledge.add_knowledge({0}, false);
  const auto rpni = learned(libalf::RPNI<bool>(&knowledge, nullptr, 1));
  BOOST_TEST(rpni->input_alphabet_size == 3);
  BOOST_TEST(agrees(*rpni, knowledge));
  const auto smallest = learned(libalf::MiniSat_biermann<bool>(&knowledge, nullptr, 1));
  BOOST_TEST(agrees(*smallest, knowledge));
}

BOOST_AUTO_TEST_CASE(large_letters_cost_no_more_than_small_ones) {
  // The same sample over letters 0 and 1 and over two huge ones: the same automata, letters apart.
  const int large[] = {1'999'999'999, 2'000'000'000};
  rnnalf::Random random(seed);
  for (int i = 0; i < 10; ++i) {
    const Machine target = random_machine(4, random);
    Knowledge small_letters, large_letters;
    for (const Word& word : random_words(30, 7, random)) {
      Word renamed = word;
      for (int& letter : renamed) letter = large[letter];
      small_letters.add_knowledge(word, target.accepts(word));
      large_letters.add_knowledge(renamed, target.accepts(word));
    }
    const auto check = [&](auto of_small, auto of_large) {
      const auto expected = learned(of_small);
      const auto found = learned(of_large);
      BOOST_TEST(found->state_count == expected->state_count);
      BOOST_TEST((found->output_mapping == expected->output_mapping));
      for (const auto& [state, by_letter] : expected->transitions) {
        for (const auto& [letter, targets] : by_letter) {
          BOOST_TEST((found->transitions[state][large[letter]] == targets));
        }
      }
    };
    check(libalf::RPNI<bool>(&small_letters, nullptr, 2),
          libalf::RPNI<bool>(&large_letters, nullptr, 2));
    check(libalf::DeLeTe2<bool>(&small_letters, nullptr, 2),
          libalf::DeLeTe2<bool>(&large_letters, nullptr, 2));
    check(libalf::MiniSat_biermann<bool>(&small_letters, nullptr, 2),
          libalf::MiniSat_biermann<bool>(&large_letters, nullptr, 2));
  }
  // A walk over all nodes does not try letters that are not there.
  Knowledge knowledge;
  for (int letter = 0; letter < 1000; ++letter) {
    knowledge.add_knowledge({letter, 2'000'000'000 - letter}, true);
  }
  BOOST_TEST(!knowledge.visualize().empty());
  int nodes = 0;
  for (libalf::kIterator_lex_graded<bool> at(knowledge.get_rootptr()); !at.end(); ++at) ++nodes;
  BOOST_TEST(nodes == knowledge.count_nodes());
}

BOOST_AUTO_TEST_CASE(the_search_for_a_smallest_machine_can_be_stopped) {
  Knowledge knowledge;
  rnnalf::Random random(seed);
  sample(random_machine(6, random), words_up_to(7), knowledge);
  const auto stopped = [&](auto learner) {
    int asked = 0;
    learner.stop_when([&] { return ++asked > 3; });
    const std::unique_ptr<libalf::conjecture> found(learner.advance());
    BOOST_TEST(!found);
    BOOST_TEST(asked < 10);  // it is not asked for long after it said so
  };
  stopped(libalf::RPNI<bool>(&knowledge, nullptr, 2));
  stopped(libalf::MiniSat_biermann<bool>(&knowledge, nullptr, 2));
  stopped(libalf::dfa_inferring_MiniSat(&knowledge, nullptr, 2));
  stopped(libalf::deterministic_inferring_csp_MiniSat<bool>(&knowledge, nullptr, 2));
  stopped(libalf::nfa_inferring_MiniSat(&knowledge, nullptr, 2));
}

BOOST_AUTO_TEST_CASE(serialised_forms_belong_to_one_learner) {
  Knowledge knowledge;
  libalf::original_biermann<bool> two(&knowledge, nullptr, 2, 2);
  libalf::original_biermann<bool> five(&knowledge, nullptr, 2, 5);
  libalf::RPNI<bool> rpni(&knowledge, nullptr, 2);
  auto serial = five.serialize();
  serial_stretch stretch(serial);
  BOOST_TEST(two.deserialize(stretch));
  BOOST_TEST(two.get_nondeterminism() == 5u);
  stretch.init(serial);
  BOOST_TEST(!rpni.deserialize(stretch));
  for (std::size_t i = 0; i < serial.size(); ++i) {
    const auto cut = serial.substr(0, i);
    serial_stretch short_one(cut);
    BOOST_TEST(!two.deserialize(short_one));
  }
}

BOOST_AUTO_TEST_CASE(charts_have_one_normal_form) {
  // Message 0 goes from process 0 to process 1 (letters 0 and 1), message 1 from 2 to 3 (2 and 3).
  const libalf::normalizer_msc normalizer({0, 1, 2, 3}, {0, 1, 2, 3}, {0, 0, 1, 1}, 1);
  bool bottom = false;
  const std::vector<Word> same{{0, 1, 2, 3}, {0, 2, 1, 3}, {2, 0, 3, 1}, {2, 3, 0, 1}};
  for (const Word& word : same) {
    BOOST_CHECK((normalizer.prefix_normal_form(word, bottom) == Word{0, 1, 2, 3}));
    BOOST_TEST(!bottom);
    BOOST_CHECK((normalizer.suffix_normal_form(word, bottom) == Word{2, 3, 0, 1}));
    BOOST_TEST(!bottom);
  }
  // Received and never sent; two messages in a buffer for one; no such letter.
  for (const Word& word : {Word{1}, Word{0, 0}, Word{7}}) {
    BOOST_CHECK((normalizer.prefix_normal_form(word, bottom) == Word{libalf::BOTTOM_CHAR}));
    BOOST_TEST(bottom);
  }
  auto serial = normalizer.serialize();
  serial_stretch stretch(serial);
  libalf::normalizer_msc copy;
  BOOST_TEST(copy.deserialize(stretch));
  BOOST_CHECK((copy.prefix_normal_form({2, 0, 3, 1}, bottom) == Word{0, 1, 2, 3}));
}

BOOST_AUTO_TEST_SUITE_END()
