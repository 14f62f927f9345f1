// What libalf's learners promise beside finding the automaton: which words they take, what they
// survive.
#include <libalf/alf.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_rivest_schapire.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rnnalf/base/random.hpp"

namespace {

using Word = std::list<int>;
using libalf::finite_automaton;
using libalf::moore_machine;

template <class Answer>
using Target = std::function<Answer(const Word&)>;

/// Words whose number of ones is 0 modulo 4: four states.
bool ones_modulo_4(const Word& word) {
  return std::count(word.begin(), word.end(), 1) % 4 == 0;
}

/// Answers what is pending; false if nothing was.
template <class Answer>
bool answer_all(libalf::knowledgebase<Answer>& knowledge, const Target<Answer>& target) {
  bool any = false;
  while (!knowledge.is_answered()) {
    auto query = knowledge.qbegin();
    query->set_answer(target(query->get_word()));
    any = true;
  }
  return any;
}

/// Until the next conjecture. NULL is allowed only while queries are pending.
template <class Answer>
std::unique_ptr<moore_machine<Answer>> next_conjecture(libalf::learning_algorithm<Answer>& learner,
                                                       libalf::knowledgebase<Answer>& knowledge,
                                                       const Target<Answer>& target) {
  for (;;) {
    std::unique_ptr<libalf::conjecture> conjecture(learner.advance());
    if (conjecture) {
      auto* machine = dynamic_cast<moore_machine<Answer>*>(conjecture.get());
      BOOST_REQUIRE(machine);
      conjecture.release();
      return std::unique_ptr<moore_machine<Answer>>(machine);
    }
    const bool progress = answer_all(knowledge, target);
    BOOST_REQUIRE_MESSAGE(progress, "NULL although no query is pending");
  }
}

/// All words of up to `length` letters, shortest first.
std::vector<Word> words_up_to(int letters, std::size_t length) {
  std::vector<Word> words{{}};
  for (std::size_t i = 0; words[i].size() < length; ++i) {
    for (int letter = 0; letter < letters; ++letter) {
      words.push_back(words[i]);
      words.back().push_back(letter);
    }
  }
  return words;
}

/// Learns with the shortest counterexample of up to `length` letters.
template <class Answer>
std::unique_ptr<moore_machine<Answer>> learn(libalf::learning_algorithm<Answer>& learner,
                                             libalf::knowledgebase<Answer>& knowledge,
                                             const Target<Answer>& target, int letters,
                                             std::size_t length) {
  const std::vector<Word> words = words_up_to(letters, length);
  for (;;) {
    auto machine = next_conjecture(learner, knowledge, target);
    const auto wrong = std::find_if(words.begin(), words.end(), [&](const Word& word) {
      std::set<int> states = machine->initial_states;
      machine->run(states, word.begin(), word.end());
      if constexpr (std::is_same_v<Answer, bool>) {
        return dynamic_cast<finite_automaton&>(*machine).contains(word) != target(word);
      } else {
        return machine->output_mapping.at(*states.begin()) != target(word);
      }
    });
    if (wrong == words.end()) return machine;
    BOOST_REQUIRE(learner.add_counterexample(*wrong));
  }
}

/// Number of states of the minimal machine: what the reachable states do is told apart round by
/// round.
int count_residuals(const std::vector<int>& outputs, const std::vector<std::size_t>& next) {
  std::set<std::size_t> reachable{0};
  for (std::vector<std::size_t> open{0}; !open.empty();) {
    const std::size_t s = open.back();
    open.pop_back();
    for (const std::size_t t : {next[s * 2], next[s * 2 + 1]}) {
      if (reachable.insert(t).second) open.push_back(t);
    }
  }
  std::vector<int> block = outputs;
  for (std::size_t round = 0; round < outputs.size(); ++round) {
    std::map<std::vector<int>, int> numbers;
    std::vector<int> finer(outputs.size());
    for (const std::size_t s : reachable) {
      const std::vector<int> behaviour{block[s], block[next[s * 2]], block[next[s * 2 + 1]]};
      finer[s] = numbers.emplace(behaviour, static_cast<int>(numbers.size())).first->second;
    }
    block = finer;
  }
  std::set<int> blocks;
  for (const std::size_t s : reachable) blocks.insert(block[s]);
  return static_cast<int>(blocks.size());
}

/// What a program may do to the public data of a conjecture that it owns.
template <class Answer>
void spoil(moore_machine<Answer>& machine, rnnalf::Random& random) {
  switch (random.below(8)) {
    case 0:
      machine.clear();
      break;
    case 1:
      machine.transitions.erase(0);
      break;
    case 2:
      machine.transitions[0].erase(1);
      break;
    case 3:
      machine.transitions[0][1] = {0, 1, 2};
      break;
    case 4:
      machine.transitions[0][1].clear();
      break;
    case 5:
      machine.transitions[-7][-1] = {5};
      machine.transitions[1000][0] = {5};
      machine.output_mapping[-3] = Answer(1);
      machine.output_mapping[1000] = Answer(1);
      break;
    case 6:
      for (auto& [state, by_letter] : machine.transitions) by_letter[-1] = by_letter[99] = {state};
      for (auto& [state, output] : machine.output_mapping) output = Answer(1);
      break;
    default:
      const auto taken = std::move(machine.transitions);
      machine.output_mapping.erase(0);
  }
}

struct Simple {
  template <class Answer>
  using type = libalf::angluin_simple_table<Answer>;
};
struct Columns {
  template <class Answer>
  using type = libalf::angluin_col_table<Answer>;
};
struct RivestSchapire {
  template <class Answer>
  using type = libalf::rivest_schapire_table<Answer>;
};
struct KearnsVazirani {
  template <class Answer>
  using type = libalf::kearns_vazirani<Answer>;
};
struct Residual {
  template <class Answer>
  using type = libalf::NLstar_table<Answer>;
};
using All = boost::mpl::list<Simple, Columns, RivestSchapire, KearnsVazirani, Residual>;
using ForAnyAnswer = boost::mpl::list<Simple, Columns, RivestSchapire, KearnsVazirani>;
using Tables = boost::mpl::list<Simple, Columns, RivestSchapire>;

template <class Kind, class Answer = bool>
struct Session {
  explicit Session(Target<Answer> asked, int letters = 2)
      : target(std::move(asked)), learner(&knowledge, nullptr, letters) {}

  auto next() { return next_conjecture<Answer>(learner, knowledge, target); }
  auto learn(std::size_t length = 8) {
    return ::learn<Answer>(learner, knowledge, target, learner.get_alphabet_size(), length);
  }

  libalf::knowledgebase<Answer> knowledge;
  Target<Answer> target;
  typename Kind::template type<Answer> learner;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(toolkit_learners)

BOOST_AUTO_TEST_CASE_TEMPLATE(they_learn_and_deliver_a_finite_automaton, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  const auto machine = session.learn();
  BOOST_TEST(machine->get_type() == libalf::CONJECTURE_FINITE_AUTOMATON);
  BOOST_TEST(dynamic_cast<finite_automaton*>(machine.get()));
  BOOST_TEST(machine->get_type() == libalf::CONJECTURE_FINITE_AUTOMATON);
  BOOST_TEST(machine->state_count == 4);
  BOOST_TEST(machine->is_valid());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(state_0_is_initial_in_every_deterministic_conjecture, Kind,
                              ForAnyAnswer) {
  Session<Kind> session(ones_modulo_4);
  for (const Word& word : words_up_to(2, 4)) {
    const auto machine = session.next();
    BOOST_TEST(machine->is_deterministic);
    BOOST_TEST(machine->calc_determinism());
    BOOST_TEST((machine->initial_states == std::set<int>{0}));
    session.learner.add_counterexample(word);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(when_a_conjecture_is_ready_advancing_delivers_one, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  const std::vector<Word> words = words_up_to(2, 5);
  for (std::size_t i = 0; i < words.size();) {
    // Asks nothing itself: before and after, the same is pending.
    const auto pending = session.knowledge.get_queries();
    const bool ready = session.learner.conjecture_ready();
    BOOST_TEST((session.knowledge.get_queries() == pending));
    const std::unique_ptr<libalf::conjecture> conjecture(session.learner.advance());
    if (ready) BOOST_TEST(conjecture);
    if (conjecture) {
      BOOST_TEST(session.learner.conjecture_ready());
      session.learner.add_counterexample(words[i++]);
    } else {
      BOOST_TEST(!session.learner.conjecture_ready());
      answer_all<bool>(session.knowledge, ones_modulo_4);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(they_learn_machines_with_several_outputs, Kind, ForAnyAnswer) {
  rnnalf::Random random(11);
  for (int round = 0; round < 20; ++round) {
    const std::size_t states = 1 + random.below(12);
    std::vector<int> outputs;
    std::vector<std::size_t> next;
    for (std::size_t s = 0; s < states; ++s) {
      outputs.push_back(static_cast<int>(random.below(4)) * 10 - 10);
      for (int letter = 0; letter < 2; ++letter) next.push_back(random.below(states));
    }
    Session<Kind, int> session([&](const Word& word) {
      std::size_t state = 0;
      for (int letter : word) state = next[state * 2 + static_cast<std::size_t>(letter)];
      return outputs[state];
    });
    const auto machine = session.learn(12);
    BOOST_TEST(machine->get_type() == libalf::CONJECTURE_MOORE_MACHINE);
    BOOST_TEST(machine->state_count == count_residuals(outputs, next));
    // Equal on all words: walked as pairs of states.
    std::set<std::pair<std::size_t, int>> seen{{0, 0}};
    std::queue<std::pair<std::size_t, int>> open({{0, 0}});
    for (; !open.empty(); open.pop()) {
      const auto [ours, theirs] = open.front();
      BOOST_TEST(machine->output_mapping.at(theirs) == outputs[ours]);
      for (int letter = 0; letter < 2; ++letter) {
        const std::set<int>& targets = machine->transitions.at(theirs).at(letter);
        BOOST_REQUIRE(targets.size() == 1U);
        const std::pair pair(next[ours * 2 + static_cast<std::size_t>(letter)], *targets.begin());
        if (seen.insert(pair).second) open.push(pair);
      }
    }
  }
}

// A learner builds the next conjecture from the maps of the last one that was deleted.

BOOST_AUTO_TEST_CASE_TEMPLATE(conjectures_do_not_depend_on_what_became_of_earlier_ones, Kind, All) {
  rnnalf::Random random(3);
  Session<Kind> keeping(ones_modulo_4);
  Session<Kind> deleting(ones_modulo_4);
  std::vector<std::unique_ptr<moore_machine<bool>>> kept;
  std::vector<std::string> texts;
  for (const Word& word : words_up_to(2, 6)) {
    kept.push_back(keeping.next());
    texts.push_back(kept.back()->write());
    auto machine = deleting.next();
    BOOST_REQUIRE(machine->write() == texts.back());
    BOOST_TEST(machine->calc_validity());
    spoil(*machine, random);
    machine.reset();
    keeping.learner.add_counterexample(word);
    deleting.learner.add_counterexample(word);
  }
  BOOST_TEST(kept.back()->state_count == 4);
  for (std::size_t i = 0; i < kept.size(); ++i) BOOST_TEST(kept[i]->write() == texts[i]);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(moore_machines_do_not_depend_on_what_became_of_earlier_ones, Kind,
                              ForAnyAnswer) {
  rnnalf::Random random(4);
  const auto ones_modulo_3 = [](const Word& word) {
    return static_cast<int>(std::count(word.begin(), word.end(), 1)) % 3;
  };
  Session<Kind, int> session(ones_modulo_3);
  const std::string text = session.learn()->write();
  for (int i = 0; i < 20; ++i) {
    const auto machine = session.next();
    BOOST_TEST(machine->write() == text);
    spoil(*machine, random);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(conjectures_and_their_copies_outlive_the_learner, Kind, All) {
  auto session = std::make_unique<Session<Kind>>(ones_modulo_4);
  const auto last = session->learn();
  auto& automaton = dynamic_cast<finite_automaton&>(*last);
  const std::string text = automaton.write();
  finite_automaton copy = automaton;
  const finite_automaton moved = std::move(copy);
  const auto again = session->next();
  session.reset();
  BOOST_TEST(automaton.write() == text);
  BOOST_TEST(moved.write() == text);
  BOOST_TEST(again->write() == text);
  automaton = moved;
  BOOST_TEST(automaton.contains({1, 1, 1, 1}));
}

BOOST_AUTO_TEST_CASE(conjectures_may_be_deleted_in_another_thread) {
  Session<KearnsVazirani> session(ones_modulo_4);
  const std::string text = session.learn()->write();
  std::vector<std::thread> threads;
  for (int i = 0; i < 50; ++i) {
    auto machine = session.next();
    BOOST_REQUIRE(machine->write() == text);
    threads.emplace_back([machine = std::move(machine)]() mutable { machine.reset(); });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(session.next()->write() == text);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(advancing_again_gives_the_same, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  std::unique_ptr<libalf::conjecture> nothing(session.learner.advance());
  BOOST_TEST(!nothing);
  const auto queries = session.knowledge.get_queries();
  nothing.reset(session.learner.advance());
  BOOST_TEST(!nothing);
  BOOST_TEST((session.knowledge.get_queries() == queries));
  const auto first = session.next();
  const auto second = session.next();
  BOOST_TEST(first->write() == second->write());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_may_come_one_by_one_and_last_first, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  const std::vector<Word> words = words_up_to(2, 8);
  for (;;) {
    std::unique_ptr<libalf::conjecture> conjecture(session.learner.advance());
    if (!conjecture) {
      const Word last = session.knowledge.get_queries().back();
      session.knowledge.add_knowledge(last, ones_modulo_4(last));
      continue;
    }
    const auto& automaton = dynamic_cast<finite_automaton&>(*conjecture);
    const auto wrong = std::find_if(words.begin(), words.end(), [&](const Word& word) {
      return automaton.contains(word) != ones_modulo_4(word);
    });
    if (wrong == words.end()) {
      BOOST_TEST(automaton.state_count == 4);
      return;
    }
    session.learner.add_counterexample(*wrong);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(without_a_knowledgebase_they_deliver_nothing, Kind, All) {
  typename Kind::template type<bool> learner(nullptr, nullptr, 2);
  BOOST_TEST(!learner.advance());
  BOOST_TEST(!learner.add_counterexample({1}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_counterexample_before_the_first_advance_does_no_harm, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  session.learner.add_counterexample({1, 0, 1});
  const auto machine = session.learn();
  BOOST_TEST(machine->state_count == 4);
  BOOST_TEST(dynamic_cast<finite_automaton&>(*machine).contains({}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_word_that_is_no_counterexample_never_blocks, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  for (const Word& word : words_up_to(2, 5)) {
    session.next();
    session.learner.add_counterexample(word);
  }
  BOOST_TEST(session.learn()->state_count == 4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_letters_are_refused, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  session.next();
  BOOST_TEST(!session.learner.add_counterexample({0, -1, 1}));
  BOOST_TEST(session.learn()->state_count == 4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_letter_beyond_the_alphabet_lets_it_grow, Kind, All) {
  const auto target = [](const Word& word) {
    return (std::count(word.begin(), word.end(), 1) + std::count(word.begin(), word.end(), 3)) %
               3 ==
           0;
  };
  Session<Kind> session(target);
  session.next();
  BOOST_TEST(session.learner.add_counterexample({3}));
  BOOST_TEST(session.learner.get_alphabet_size() == 4);
  const auto machine = session.learn(5);
  BOOST_TEST(machine->input_alphabet_size == 4);
  BOOST_TEST(machine->state_count == 3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_alphabet_may_grow_on_the_way, Kind, All) {
  const auto target = [](const Word& word) { return !word.empty() && word.back() == 2; };
  Session<Kind> session(target);
  BOOST_TEST(session.next()->state_count <= 1);
  session.learner.increase_alphabet_size(3);
  const auto machine = session.learn(5);
  BOOST_TEST(machine->input_alphabet_size == 3);
  BOOST_TEST(dynamic_cast<finite_automaton&>(*machine).contains({0, 2}));
}

BOOST_AUTO_TEST_CASE(what_each_learner_takes_as_a_counterexample) {
  struct Takes {
    bool epsilon, known_word, unknown_word, twice, early;
  };
  const auto observe = [](auto&& session) {
    Takes takes{};
    takes.early = session.learner.add_counterexample({1, 1, 0});
    session.next();
    takes.epsilon = session.learner.add_counterexample({});
    session.learn();
    takes.known_word = session.learner.add_counterexample({0});
    session.next();
    takes.unknown_word = session.learner.add_counterexample({0, 0, 1, 0, 0, 1, 1, 0});
    takes.twice = session.learner.add_counterexample({0, 0, 1, 0, 0, 1, 1, 0});
    return takes;
  };
  const auto same = [](const Takes& a, const Takes& b) {
    return a.epsilon == b.epsilon && a.known_word == b.known_word &&
           a.unknown_word == b.unknown_word && a.twice == b.twice && a.early == b.early;
  };
  BOOST_TEST(same(observe(Session<Simple>(ones_modulo_4)), {false, false, true, false, true}));
  BOOST_TEST(same(observe(Session<Columns>(ones_modulo_4)), {false, false, true, false, true}));
  BOOST_TEST(
      same(observe(Session<RivestSchapire>(ones_modulo_4)), {true, true, true, true, false}));
  BOOST_TEST(
      same(observe(Session<KearnsVazirani>(ones_modulo_4)), {false, false, true, false, false}));
  BOOST_TEST(same(observe(Session<Residual>(ones_modulo_4)), {true, false, true, false, true}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tables_follow_an_undo_after_sync, Kind, Tables) {
  Session<Kind> session([](const Word& word) { return word.size() % 2 == 0; });
  session.learn();
  BOOST_TEST(session.learner.supports_sync());
  session.knowledge.undo(static_cast<unsigned>(session.knowledge.count_answers()));
  BOOST_TEST(session.learner.sync_to_knowledgebase());
  session.target = ones_modulo_4;  // what was said before is forgotten
  BOOST_TEST(session.learn()->state_count == 4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(clearing_the_knowledgebase_is_survived, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  session.next();
  session.learner.add_counterexample({1, 1, 1, 1});
  std::unique_ptr<libalf::conjecture> conjecture(session.learner.advance());
  session.knowledge.clear();
  BOOST_TEST(session.learn()->state_count == 4);
  session.knowledge.clear_queries();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_cleared_query_is_asked_again, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  std::unique_ptr<libalf::conjecture> conjecture(session.learner.advance());
  session.knowledge.clear_queries();
  BOOST_TEST(session.learn()->state_count == 4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(learning_goes_on_after_serialisation_at_any_point, Kind, All) {
  // Serialises after every step, into a fresh knowledgebase and a fresh learner.
  auto session = std::make_unique<Session<Kind>>(ones_modulo_4);
  const std::vector<Word> words = words_up_to(2, 6);
  for (int steps = 0;; ++steps) {
    BOOST_REQUIRE(steps < 1000);
    const auto knowledge = session->knowledge.serialize();
    const auto learner = session->learner.serialize();
    session = std::make_unique<Session<Kind>>(ones_modulo_4, 1);
    serial_stretch knowledge_stretch(knowledge);
    serial_stretch learner_stretch(learner);
    BOOST_REQUIRE(session->knowledge.deserialize(knowledge_stretch));
    BOOST_REQUIRE(session->learner.deserialize(learner_stretch));
    BOOST_TEST(learner_stretch.empty());
    BOOST_TEST(session->learner.get_alphabet_size() == 2);
    if (!session->knowledge.is_answered()) {
      const Word query = session->knowledge.get_queries().front();
      session->knowledge.add_knowledge(query, ones_modulo_4(query));
      continue;
    }
    std::unique_ptr<libalf::conjecture> conjecture(session->learner.advance());
    if (!conjecture) continue;
    const auto& automaton = dynamic_cast<finite_automaton&>(*conjecture);
    const auto wrong = std::find_if(words.begin(), words.end(), [&](const Word& word) {
      return automaton.contains(word) != ones_modulo_4(word);
    });
    if (wrong == words.end()) {
      BOOST_TEST(automaton.state_count == 4);
      return;
    }
    BOOST_REQUIRE(session->learner.add_counterexample(*wrong));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(damaged_serialisations_are_refused, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  session.learn();
  const auto whole = session.learner.serialize();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto cut = whole.substr(0, i);
    serial_stretch stretch(cut);
    Session<Kind> fresh(ones_modulo_4);
    BOOST_TEST(!fresh.learner.deserialize(stretch));
    BOOST_TEST(fresh.learn()->state_count == 4);
    for (const std::int32_t value : {-1, 0, 1, 0x7fffffff}) {
      auto changed = whole;
      changed[i] = static_cast<std::int32_t>(htonl(static_cast<std::uint32_t>(value)));
      serial_stretch again(changed);
      Session<Kind> damaged(ones_modulo_4);
      damaged.learner.deserialize(again);  // any outcome but a crash
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(two_learners_share_one_knowledgebase, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  session.learn();
  const int answers = session.knowledge.count_answers();
  typename Kind::template type<bool> second(&session.knowledge, nullptr, 2);
  const auto machine = learn<bool>(second, session.knowledge, ones_modulo_4, 2, 8);
  BOOST_TEST(machine->state_count == 4);
  BOOST_TEST(session.knowledge.count_answers() == answers);  // nothing was asked twice
}

BOOST_AUTO_TEST_CASE_TEMPLATE(names_text_and_statistics_are_there, Kind, All) {
  Session<Kind> session(ones_modulo_4);
  session.learner.enable_timing();
  session.learn();
  BOOST_TEST(std::string(session.learner.get_name()) ==
             libalf::learning_algorithm_name(session.learner.get_type()));
  BOOST_TEST(session.learner.to_string().find(session.learner.get_name()) == 0U);
  libalf::generic_statistics statistics = session.learner.get_statistics();
  BOOST_TEST(static_cast<int>(statistics["memory.bytes"]) > 0);
  BOOST_TEST(static_cast<double>(statistics["time.user"]) >= 0.0);
}

BOOST_AUTO_TEST_CASE(a_refused_word_is_logged) {
  libalf::buffered_logger log(libalf::LOGGER_WARN);
  Session<Simple> session(ones_modulo_4);
  session.learner.set_logger(&log);
  session.next();
  BOOST_TEST(!session.learner.add_counterexample({}));
  const std::unique_ptr<std::string> messages(log.receive_and_flush());
  BOOST_TEST(messages->find("angluin_simple_table: counterexample . is in the table already") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_knowledgebase_filled_beforehand_leaves_nothing_to_ask) {
  Session<Simple> session(ones_modulo_4);
  for (const Word& word : words_up_to(2, 8))
    session.knowledge.add_knowledge(word, ones_modulo_4(word));
  std::unique_ptr<libalf::conjecture> conjecture(session.learner.advance());
  BOOST_TEST(conjecture);
  BOOST_TEST(session.knowledge.is_answered());
}

BOOST_AUTO_TEST_CASE(kearns_vazirani_switches_its_search) {
  Session<KearnsVazirani> session(ones_modulo_4);
  BOOST_TEST(session.learner.uses_binary_search());
  session.next();
  session.learner.set_binary_search(false);
  BOOST_TEST(session.learn()->state_count == 4);
  BOOST_TEST(session.learner.get_leaf_node_count() == 4);
  BOOST_TEST(session.learner.get_inner_node_count() == 3);
}

BOOST_AUTO_TEST_CASE(kearns_vazirani_agrees_with_every_answer_in_its_tree) {
  // The tree is what the learner prints: "4: child of 2 on 1, suffix .0.1." or "... state 3, word
  // .1.".
  struct TreeNode {
    std::size_t parent = 0;
    bool on = false;
    bool is_leaf = false;
    Word word;
  };
  const auto read_tree = [](const std::string& text) {
    std::vector<TreeNode> tree;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.find(':') == std::string::npos) continue;
      TreeNode n;
      if (const auto at = line.find("child of "); at != std::string::npos) {
        n.parent = std::stoul(line.substr(at + 9));
        n.on = line[line.find(" on ") + 4] == '1';
      }
      n.is_leaf = line.find(" state ") != std::string::npos;
      std::istringstream letters(line.substr(line.find_last_of(' ') + 1));
      for (std::string letter; std::getline(letters, letter, '.');) {
        if (!letter.empty()) n.word.push_back(std::stoi(letter));
      }
      tree.push_back(n);
    }
    return tree;
  };
  rnnalf::Random random(11);
  int answers = 0;
  for (int trial = 0; trial < 200; ++trial) {
    // At most 16 states: all contradictions are used before each conjecture.
    std::vector<bool> outputs(16);
    std::vector<std::size_t> next(outputs.size() * 2);
    for (std::size_t s = 0; s < outputs.size(); ++s) outputs[s] = random.below(2) == 1;
    for (std::size_t& t : next) t = random.below(outputs.size());
    Session<KearnsVazirani> session([&](const Word& word) {
      std::size_t s = 0;
      for (const int letter : word) s = next[s * 2 + static_cast<std::size_t>(letter)];
      return bool(outputs[s]);
    });
    session.learner.set_binary_search(trial % 2 == 0);
    for (bool refuted = true; refuted;) {
      const auto machine = session.next();
      const auto& automaton = dynamic_cast<finite_automaton&>(*machine);
      const std::vector<TreeNode> tree = read_tree(session.learner.to_string());
      for (std::size_t leaf = 0; leaf < tree.size(); ++leaf) {
        if (!tree[leaf].is_leaf) continue;
        for (std::size_t below = leaf; below != 0; below = tree[below].parent) {
          Word word = tree[leaf].word;
          const Word& suffix = tree[tree[below].parent].word;
          word.insert(word.end(), suffix.begin(), suffix.end());
          BOOST_REQUIRE_EQUAL(automaton.contains(word), tree[below].on);
          ++answers;
        }
      }
      refuted = false;
      for (int tries = 0; tries < 200 && !refuted; ++tries) {
        Word word;
        for (int i = 0; i < 12; ++i) word.push_back(static_cast<int>(random.below(2)));
        if (automaton.contains(word) == session.target(word)) continue;
        refuted = session.learner.add_counterexample(word);
      }
    }
  }
  BOOST_TEST(answers > 10000);
}

BOOST_AUTO_TEST_CASE(nlstar_finds_fewer_states_than_the_dfa_has) {
  // The fifth letter from the end is a one: 32 states as a DFA, 6 as a residual automaton.
  Session<Residual> session(
      [](const Word& word) { return word.size() >= 5 && *std::next(word.rbegin(), 4) == 1; });
  const auto machine = session.learn(11);
  BOOST_TEST(machine->state_count == 6);
  BOOST_TEST(!machine->is_deterministic);
}

BOOST_AUTO_TEST_CASE(nlstar_conjectures_have_an_initial_state_and_are_never_called_deterministic) {
  const std::uint64_t seed = 300;
  BOOST_TEST_MESSAGE("seed " << seed);
  rnnalf::Random random(seed);
  for (int i = 0; i < 100; ++i) {
    // Few accepting states: then a residual language may well be empty, as its row is at first.
    const std::size_t states = 1 + random.below(12);
    std::vector<std::size_t> next(2 * states);
    std::vector<bool> accepting(states);
    for (auto& target : next) target = random.below(states);
    for (std::size_t s = 0; s < states; ++s) accepting[s] = random.below(4) == 0;
    Session<Residual> session([&](const Word& word) {
      std::size_t s = 0;
      for (const int letter : word) s = next[2 * s + static_cast<std::size_t>(letter)];
      return bool(accepting[s]);
    });
    const std::vector<Word> words = words_up_to(2, 8);
    for (bool wrong = true; wrong;) {
      const auto machine = session.next();
      BOOST_TEST_CONTEXT("world " << i) {
        BOOST_REQUIRE(machine->state_count > 0);
        BOOST_REQUIRE(!machine->initial_states.empty());
        BOOST_REQUIRE(!machine->is_deterministic);
      }
      const auto at = std::find_if(words.begin(), words.end(), [&](const Word& word) {
        return dynamic_cast<finite_automaton&>(*machine).contains(word) != session.target(word);
      });
      wrong = at != words.end();
      if (wrong) session.learner.add_counterexample(*at);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_target_that_is_not_regular_still_gets_conjectures, Kind, All) {
  // As many ones as zeros: every conjecture is wrong somewhere, and each comes after finitely many
  // queries.
  const auto balanced = [](const Word& word) {
    return 2 * static_cast<std::size_t>(std::count(word.begin(), word.end(), 1)) == word.size();
  };
  Session<Kind> session(balanced);
  std::vector<Word> words = words_up_to(2, 12);
  for (std::size_t zeros = 8; zeros <= 512; zeros *= 2) {
    for (const std::size_t ones : {zeros, zeros - 2, zeros + 2}) {
      words.emplace_back(zeros, 0);
      words.back().insert(words.back().end(), ones, 1);
    }
  }
  for (int refuted = 0; refuted < 2; ++refuted) {
    const auto machine = session.next();
    const auto wrong = std::find_if(words.begin(), words.end(), [&](const Word& word) {
      return dynamic_cast<finite_automaton&>(*machine).contains(word) != balanced(word);
    });
    BOOST_REQUIRE(wrong != words.end());
    BOOST_REQUIRE(session.learner.add_counterexample(*wrong));
  }
}

BOOST_AUTO_TEST_SUITE_END()
