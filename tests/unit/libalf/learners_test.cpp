// The list of learners, and what the ones that libalf lacks promise beside finding the automaton.
#include "rnnalf/libalf/learners.hpp"

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/libalf/observation_pack.hpp"
#include "rnnalf/libalf/ttt.hpp"

namespace {

using namespace rnnalf;
using Letters = std::list<int>;

/// Words whose number of ones is 0 modulo 5: five states.
bool ones_modulo_5(const Letters& word) {
  return std::count(word.begin(), word.end(), 1) % 5 == 0;
}

bool balanced(const Letters& word) {
  return 2 * static_cast<std::size_t>(std::count(word.begin(), word.end(), 1)) == word.size();
}

using Target = bool (*)(const Letters&);

std::vector<Letters> words_up_to(int letters, std::size_t length) {
  std::vector<Letters> words{{}};
  for (std::size_t i = 0; words[i].size() < length; ++i) {
    for (int letter = 0; letter < letters; ++letter) {
      Letters longer = words[i];
      longer.push_back(letter);
      words.push_back(longer);
    }
  }
  return words;
}

template <class Algorithm>
struct Session {
  explicit Session(Target asked, int letters = 2)
      : target(asked), learner(&knowledge, nullptr, letters) {}

  std::unique_ptr<libalf::finite_automaton> next() {
    for (;;) {
      std::unique_ptr<libalf::conjecture> conjecture(learner.advance());
      if (conjecture) {
        auto* automaton = dynamic_cast<libalf::finite_automaton*>(conjecture.release());
        BOOST_REQUIRE(automaton);
        return std::unique_ptr<libalf::finite_automaton>(automaton);
      }
      BOOST_REQUIRE(!knowledge.is_answered());
      while (!knowledge.is_answered()) {
        auto query = knowledge.qbegin();
        query->set_answer(target(query->get_word()));
      }
    }
  }

  /// Learns with words of up to `length` letters, the shortest wrong one first.
  std::unique_ptr<libalf::finite_automaton> learn(std::size_t length = 8) {
    const auto words = words_up_to(learner.get_alphabet_size(), length);
    for (;;) {
      auto automaton = next();
      const auto wrong = std::find_if(words.begin(), words.end(), [&](const Letters& word) {
        return automaton->contains(word) != target(word);
      });
      if (wrong == words.end()) return automaton;
      BOOST_REQUIRE(learner.add_counterexample(*wrong));
    }
  }

  Knowledge knowledge;
  Target target;
  Algorithm learner;
};

using Trees = boost::mpl::list<Ttt, ObservationPack>;

}  // namespace

BOOST_AUTO_TEST_SUITE(learners_by_name)

BOOST_AUTO_TEST_CASE(the_contract_of_the_command_line_is_kept) {
  std::set<std::string> names;
  for (const LearnerInfo& info : learners()) {
    BOOST_TEST(names.insert(std::string(info.name)).second);
    BOOST_TEST(!info.description.empty());
    BOOST_TEST(info.description.find('\n') == std::string_view::npos);
  }
  for (const char* name :
       {"lstar", "lstar-columns", "rivest-schapire", "kearns-vazirani", "nlstar", "ttt"}) {
    BOOST_TEST(names.count(name) == 1U);
  }
}

BOOST_AUTO_TEST_CASE(every_name_makes_a_learner_over_the_given_knowledge) {
  for (const LearnerInfo& info : learners()) {
    Knowledge knowledge;
    const auto learner = make_learner(info.name, &knowledge, 3);
    BOOST_REQUIRE(learner);
    BOOST_TEST(learner->get_alphabet_size() == 3);
    BOOST_TEST((learner->get_knowledge_source() == &knowledge));
    BOOST_TEST(!learner->advance());
    BOOST_TEST(!knowledge.is_answered());
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_name_is_refused_with_those_there_are) {
  Knowledge knowledge;
  BOOST_CHECK_EXCEPTION(static_cast<void>(make_learner("l*", &knowledge, 2)), OptionError,
                        [](const OptionError& error) {
                          const std::string message = error.what();
                          return message.find("'l*'") != std::string::npos &&
                                 message.find("lstar, lstar-columns") != std::string::npos &&
                                 message.find("ttt") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(tree_learners)

BOOST_AUTO_TEST_CASE_TEMPLATE(advancing_again_gives_the_same, Algorithm, Trees) {
  Session<Algorithm> session(ones_modulo_5);
  BOOST_TEST(!session.learner.advance());
  const auto queries = session.knowledge.get_queries();
  BOOST_TEST(!session.learner.advance());
  BOOST_TEST((session.knowledge.get_queries() == queries));
  BOOST_TEST(session.next()->write() == session.next()->write());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(useless_words_are_refused, Algorithm, Trees) {
  Session<Algorithm> session(ones_modulo_5);
  BOOST_TEST(!session.learner.add_counterexample({1}));  // no conjecture yet
  session.learn();
  BOOST_TEST(!session.learner.add_counterexample({}));
  BOOST_TEST(!session.learner.add_counterexample({0, -1}));
  BOOST_TEST(!session.learner.add_counterexample({1}));  // known, and the conjecture is right on it
  const Letters unknown(12, 1);
  BOOST_TEST(session.learner.add_counterexample(unknown));   // has to be asked
  BOOST_TEST(!session.learner.add_counterexample(unknown));  // in use
  BOOST_TEST(session.next()->state_count == 5);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_letter_beyond_the_alphabet_lets_it_grow, Algorithm, Trees) {
  Session<Algorithm> session([](const Letters& word) { return !word.empty() && word.back() == 3; });
  session.next();
  BOOST_TEST(session.learner.add_counterexample({3}));
  const auto automaton = session.learn(5);
  BOOST_TEST(automaton->input_alphabet_size == 4);
  BOOST_TEST(automaton->state_count == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(learning_goes_on_after_serialisation_at_any_point, Algorithm, Trees) {
  auto knowledge = std::make_unique<Knowledge>();
  auto learner = std::make_unique<Algorithm>(knowledge.get(), nullptr, 2);
  const auto words = words_up_to(2, 8);
  for (int steps = 0; steps < 5000; ++steps) {
    auto serial = learner->serialize();
    learner = std::make_unique<Algorithm>(knowledge.get(), nullptr, 1);
    serial_stretch stretch(serial);
    BOOST_REQUIRE(learner->deserialize(stretch));
    const std::unique_ptr<libalf::conjecture> conjecture(learner->advance());
    if (!conjecture) {
      BOOST_REQUIRE(!knowledge->is_answered());
      auto query = knowledge->qbegin();
      query->set_answer(ones_modulo_5(query->get_word()));
      continue;
    }
    const auto& automaton = dynamic_cast<libalf::finite_automaton&>(*conjecture);
    const auto wrong = std::find_if(words.begin(), words.end(), [&](const Letters& word) {
      return automaton.contains(word) != ones_modulo_5(word);
    });
    if (wrong == words.end()) {
      BOOST_TEST(automaton.state_count == 5);
      return;
    }
    BOOST_REQUIRE(learner->add_counterexample(*wrong));
  }
  BOOST_ERROR("no progress");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(damaged_serialisations_are_refused, Algorithm, Trees) {
  Session<Algorithm> session(ones_modulo_5);
  session.learn();
  const auto whole = session.learner.serialize();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto cut = whole.substr(0, i);
    serial_stretch stretch(cut);
    Knowledge knowledge;
    Algorithm fresh(&knowledge, nullptr, 2);
    BOOST_TEST(!fresh.deserialize(stretch));
    for (const std::uint32_t value : {0xffffffffU, 0U, 1U, 0x7fffffffU}) {
      auto changed = whole;
      changed[i] = static_cast<std::int32_t>(htonl(value));
      serial_stretch again(changed);
      fresh.deserialize(again);  // any outcome but a crash
    }
  }
}

BOOST_AUTO_TEST_CASE(one_learner_does_not_read_the_other) {
  Session<Ttt> session(ones_modulo_5);
  session.learn();
  auto serial = session.learner.serialize();
  serial_stretch stretch(serial);
  ObservationPack other(&session.knowledge, nullptr, 2);
  BOOST_TEST(!other.deserialize(stretch));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_target_that_is_not_regular_still_gets_conjectures, Algorithm,
                              Trees) {
  Session<Algorithm> session(balanced);
  const auto words = words_up_to(2, 12);
  int refuted = 0;
  for (; refuted < 12; ++refuted) {
    const auto automaton = session.next();
    const auto wrong = std::find_if(words.begin(), words.end(), [&](const Letters& word) {
      return automaton->contains(word) != balanced(word);
    });
    if (wrong == words.end()) break;  // right on all short words
    BOOST_REQUIRE(session.learner.add_counterexample(*wrong));
  }
  BOOST_TEST(refuted > 0);
}

BOOST_AUTO_TEST_CASE(suffixes_of_ttt_stay_short_whatever_the_counterexamples) {
  const auto letters_of_suffixes = [](auto&& session) {
    session.next();
    Letters word(97, 0);  // far longer than needed
    for (int i = 0; i < 5; ++i) word.insert(std::next(word.begin(), 20 * i), 1);
    BOOST_REQUIRE(session.learner.add_counterexample(word));
    BOOST_TEST(session.learn()->state_count == 5);
    BOOST_TEST(session.learner.to_string().find("temporary") == std::string::npos);
    libalf::generic_statistics statistics = session.learner.get_statistics();
    return static_cast<int>(statistics["size.tree.suffix_letters"]);
  };
  // Four suffixes tell five states apart: epsilon, 1, 11, 111 at best.
  BOOST_TEST(letters_of_suffixes(Session<Ttt>(ones_modulo_5)) <= 10);
  BOOST_TEST(letters_of_suffixes(Session<ObservationPack>(ones_modulo_5)) > 20);
}

BOOST_AUTO_TEST_SUITE_END()
