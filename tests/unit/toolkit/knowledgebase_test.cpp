#include <libalf/alf.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ctime>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "rnnalf/base/random.hpp"

namespace {

using Word = std::list<int>;
using Knowledge = libalf::knowledgebase<bool>;

static_assert(!std::is_copy_constructible_v<Knowledge> && !std::is_copy_assignable_v<Knowledge>);

Word random_word(rnnalf::Random& random, std::size_t letters, std::size_t length) {
  Word word;
  for (std::size_t i = 0; i < length; ++i) word.push_back(static_cast<int>(random.below(letters)));
  return word;
}

std::vector<Word> words_of(Knowledge& knowledge) {
  std::vector<Word> words;
  for (auto& node : knowledge) words.push_back(node.get_word());
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(knowledgebase)

BOOST_AUTO_TEST_CASE(a_fresh_one_knows_and_asks_nothing) {
  Knowledge knowledge;
  BOOST_TEST(knowledge.is_answered());
  BOOST_TEST(knowledge.is_empty());
  BOOST_TEST(knowledge.count_nodes() == 1);
  BOOST_TEST(knowledge.get_largest_symbol() == 0);
  BOOST_TEST(knowledge.get_queries().empty());
  BOOST_TEST((knowledge.qbegin() == knowledge.qend()));
  BOOST_TEST(knowledge.begin()->get_word().empty());
  BOOST_TEST(knowledge.get_rootptr()->get_label() == -1);
  BOOST_TEST(!knowledge.get_rootptr()->get_parent());
}

BOOST_AUTO_TEST_CASE(an_answer_is_stored_once_and_a_different_one_is_refused) {
  Knowledge knowledge;
  BOOST_TEST(knowledge.add_knowledge({0, 1}, true));
  BOOST_TEST(knowledge.add_knowledge({0, 1}, true));
  BOOST_TEST(!knowledge.add_knowledge({0, 1}, false));
  bool answer = false;
  BOOST_TEST(knowledge.resolve_query({0, 1}, answer));
  BOOST_TEST(answer);
  BOOST_TEST(knowledge.count_answers() == 1);
  BOOST_TEST(knowledge.count_resolved_queries() == 1);
  knowledge.reset_resolved_queries();
  BOOST_TEST(knowledge.count_resolved_queries() == 0);
  knowledge.add_or_alter_knowledge({0, 1}, false);
  BOOST_TEST((knowledge.resolve_query({0, 1}, answer) && !answer));
  BOOST_TEST(knowledge.count_answers() == 1);
}

BOOST_AUTO_TEST_CASE(looking_up_adds_nothing_unless_told_to) {
  Knowledge knowledge;
  bool answer = false;
  BOOST_TEST(!knowledge.resolve_query({0, 1}, answer));
  BOOST_TEST(knowledge.count_nodes() == 1);
  BOOST_TEST(!knowledge.resolve_or_add_query({0, 1}, answer));
  BOOST_TEST(knowledge.count_nodes() == 3);
  BOOST_TEST(knowledge.count_queries() == 1);
  BOOST_TEST(!knowledge.resolve_or_add_query({0, 1}, answer));
  BOOST_TEST(knowledge.count_queries() == 1);
  BOOST_TEST(knowledge.node_exists({0}));
  BOOST_TEST(!knowledge.node_exists({1}));
  BOOST_TEST(!knowledge.knowledge_exists({0, 1}));
}

BOOST_AUTO_TEST_CASE(queries_come_first_in_first_out_whatever_is_answered_between) {
  Knowledge knowledge;
  for (const Word& word : {Word{1, 1}, Word{0}, Word{1}, Word{}, Word{2, 0}})
    knowledge.add_query(word);
  BOOST_TEST((knowledge.get_queries() == std::list<Word>{{1, 1}, {0}, {1}, {}, {2, 0}}));
  knowledge.add_knowledge({1}, true);     // from the middle
  knowledge.add_knowledge({2, 0}, true);  // the last
  knowledge.add_knowledge({1, 1}, true);  // the first
  BOOST_TEST((knowledge.get_queries() == std::list<Word>{{0}, {}}));
  knowledge.add_query({3});
  BOOST_TEST((knowledge.get_queries() == std::list<Word>{{0}, {}, {3}}));
}

BOOST_AUTO_TEST_CASE(pending_queries_behave_like_a_list) {
  rnnalf::Random random(8);
  Knowledge knowledge;
  std::list<Word> pending;
  int marked = 0;
  for (int i = 0; i < 4000; ++i) {
    const Word word{marked % 50, marked / 50};
    switch (random.below(i % 800 < 400 ? 3 : 8)) {  // grows for a while, then shrinks
      case 0:
      case 1:
        knowledge.add_query(word);
        pending.push_back(word);
        ++marked;
        break;
      case 2:  // what has been forgotten may be asked again, and is then the last
        if (pending.empty()) break;
        knowledge.get_nodeptr(pending.front())->ignore();
        knowledge.add_query(pending.front());
        pending.splice(pending.end(), pending, pending.begin());
        break;
      default: {
        if (pending.empty()) break;
        const auto any =
            std::next(pending.begin(), static_cast<std::ptrdiff_t>(random.below(pending.size())));
        BOOST_REQUIRE(knowledge.add_knowledge(*any, true));
        pending.erase(any);
      }
    }
    BOOST_REQUIRE(knowledge.count_queries() == static_cast<int>(pending.size()));
    if (!pending.empty()) BOOST_REQUIRE(knowledge.qbegin()->get_word() == pending.front());
    if (i % 16 == 0) {
      BOOST_REQUIRE(knowledge.get_queries() == pending);
      std::list<Word> walked;
      for (auto query = knowledge.qbegin(); query != knowledge.qend(); ++query) {
        walked.push_back(query->get_word());
      }
      BOOST_REQUIRE(walked == pending);
    }
  }
  BOOST_TEST(marked > 500);
  BOOST_TEST(knowledge.count_answers() > 500);
}

BOOST_AUTO_TEST_CASE(undo_forgets_queries_marked_since_and_keeps_older_ones_in_order) {
  Knowledge knowledge;
  knowledge.add_query({3});
  knowledge.add_query({2});
  knowledge.add_knowledge({0}, true);
  knowledge.add_knowledge({3}, true);
  knowledge.add_query({1});
  knowledge.undo(1);  // the answer for 3, and the query for 1, which came after it
  BOOST_TEST((knowledge.get_queries() == std::list<Word>{{2}}));
  BOOST_TEST(knowledge.knowledge_exists({0}));
  BOOST_TEST(!knowledge.knowledge_exists({3}));
  BOOST_TEST(knowledge.add_query({3}) == 1);
}

BOOST_AUTO_TEST_CASE(add_query_marks_the_longest_prefixes_too_and_counts_what_is_pending) {
  Knowledge knowledge;
  knowledge.add_knowledge({0, 1}, true);
  BOOST_TEST(knowledge.add_query({0, 1, 0, 0}, 2) == 2);  // 0100 and 010; 01 is known
  BOOST_TEST((knowledge.get_queries() == std::list<Word>{{0, 1, 0}, {0, 1, 0, 0}}));
  BOOST_TEST(knowledge.add_query({0, 1, 0, 0}, 100) == 4);
  BOOST_TEST(knowledge.add_query({0, 1}) == 0);
}

BOOST_AUTO_TEST_CASE(answering_at_the_cursor_works_by_restart_and_by_advance) {
  for (const bool restart : {true, false}) {
    Knowledge knowledge;
    for (int letter = 0; letter < 10; ++letter) knowledge.add_query({letter});
    std::vector<int> order;
    for (auto query = knowledge.qbegin(); query != knowledge.qend();) {
      order.push_back(query->get_label());
      BOOST_TEST(query->set_answer(true));
      if (restart)
        query = knowledge.qbegin();
      else
        ++query;
    }
    BOOST_TEST(knowledge.is_answered());
    BOOST_TEST((order == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  }
}

BOOST_AUTO_TEST_CASE(a_cursor_whose_query_and_next_one_are_answered_goes_on_with_what_is_left) {
  Knowledge knowledge;
  for (int letter = 0; letter < 4; ++letter) knowledge.add_query({letter});
  auto query = knowledge.qbegin();
  knowledge.add_knowledge({0}, true);
  knowledge.add_knowledge({1}, true);
  ++query;
  BOOST_TEST(query->get_label() == 2);
}

BOOST_AUTO_TEST_CASE(ends_are_defined_and_equal) {
  Knowledge knowledge;
  BOOST_TEST((knowledge.end() == Knowledge::iterator()));
  BOOST_TEST((knowledge.qend() == Knowledge::iterator()));
  BOOST_TEST(!knowledge.end().is_valid());
  BOOST_TEST(!knowledge.qbegin().is_valid());
  BOOST_TEST(knowledge.begin().is_valid());
}

BOOST_AUTO_TEST_CASE(answering_takes_constant_time_per_query) {
  // Linear removal takes minutes for this many.
  Knowledge knowledge;
  constexpr int count = 300'000;
  for (int i = 0; i < count; ++i) knowledge.add_query({i % 100, i / 100 % 100, i / 10'000});
  const std::clock_t start = std::clock();
  for (const bool last_first : {true, false}) {
    auto queries = knowledge.get_queries();
    if (last_first) queries.reverse();
    int left = count / 2;
    for (const Word& query : queries) {
      if (left-- == 0) break;
      knowledge.add_knowledge(query, true);
    }
  }
  BOOST_TEST(knowledge.is_answered());
  BOOST_TEST(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 10.0);
}

BOOST_AUTO_TEST_CASE(a_negative_letter_is_refused_and_changes_nothing) {
  Knowledge knowledge;
  knowledge.add_query({0, 1});
  bool answer = false;
  BOOST_CHECK_THROW(knowledge.add_knowledge({0, -1}, true), std::invalid_argument);
  BOOST_CHECK_THROW(knowledge.add_query({0, 1, -7}), std::invalid_argument);
  BOOST_CHECK_THROW(knowledge.resolve_or_add_query({-1}, answer), std::invalid_argument);
  BOOST_CHECK_THROW(knowledge.get_rootptr()->find_or_create_child(-1), std::invalid_argument);
  BOOST_TEST(!knowledge.resolve_query({-1}, answer));
  BOOST_TEST(!knowledge.node_exists({-1}));
  BOOST_TEST(!knowledge.get_rootptr()->find_child(-1));
  BOOST_TEST(knowledge.count_nodes() == 3);
  BOOST_TEST((knowledge.get_queries() == std::list<Word>{{0, 1}}));
}

BOOST_AUTO_TEST_CASE(every_prefix_has_a_node_when_asked_for) {
  Knowledge knowledge;
  knowledge.add_knowledge({2, 0, 1, 1}, true);
  auto* node = knowledge.get_nodeptr({2, 0, 1, 1});
  BOOST_TEST(node->get_label() == 1);
  auto* parent = node->get_parent();
  BOOST_TEST((parent->get_word() == Word{2, 0, 1}));
  BOOST_TEST((parent->find_child(1) == node));
  BOOST_TEST(!parent->find_child(0));
  BOOST_TEST((knowledge.get_rootptr()->find_child(2)->get_word() == Word{2}));
  const Word inner{2, 0};
  BOOST_TEST(
      (knowledge.get_rootptr()->find_descendant(inner.begin(), inner.end())->get_word() == inner));
  BOOST_TEST(node->is_answered());  // the address stayed valid
  BOOST_TEST(knowledge.count_nodes() == 5);
}

BOOST_AUTO_TEST_CASE(the_walk_over_all_nodes_is_preorder_and_shows_every_prefix) {
  Knowledge knowledge;
  knowledge.add_knowledge({1, 0, 1}, true);
  knowledge.add_query({1, 0});
  knowledge.add_knowledge({0}, false);
  knowledge.add_knowledge({1, 2}, false);
  BOOST_TEST((words_of(knowledge) == std::vector<Word>{{}, {0}, {1}, {1, 0}, {1, 0, 1}, {1, 2}}));
  BOOST_TEST(knowledge.count_nodes() == 6);
}

BOOST_AUTO_TEST_CASE(it_behaves_like_a_map_of_words) {
  rnnalf::Random random(3);
  for (const std::size_t letters : {1U, 2U, 5U, 40U, 300U}) {
    Knowledge knowledge;
    std::map<Word, bool> answers;
    for (int i = 0; i < 3000; ++i) {
      const Word word = random_word(random, letters, random.below(12));
      const bool value = random.below(2) == 1;
      const auto [at, fresh] = answers.emplace(word, value);
      BOOST_REQUIRE(knowledge.add_knowledge(word, value) == (fresh || at->second == value));
    }
    std::size_t prefixes = 0;
    std::map<Word, bool> seen;
    for (auto& node : knowledge) {
      ++prefixes;
      if (node.is_answered()) seen.emplace(node.get_word(), node.get_answer());
    }
    BOOST_CHECK(seen == answers);
    BOOST_TEST(prefixes == static_cast<std::size_t>(knowledge.count_nodes()));
    std::map<Word, bool> visited;
    knowledge.for_each_answer([&](const Word& word, bool value) { visited.emplace(word, value); });
    BOOST_CHECK(visited == answers);
    for (const auto& [word, value] : answers) {
      bool answer = !value;
      BOOST_REQUIRE(knowledge.resolve_query(word, answer));
      BOOST_REQUIRE(answer == value);
      std::vector<int> letters_of_word;
      knowledge.get_nodeptr(word)->get_word(letters_of_word);
      BOOST_REQUIRE(Word(letters_of_word.begin(), letters_of_word.end()) == word);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_word_of_a_million_letters_needs_no_stack) {
  Word word(1'000'000, 0);
  Knowledge knowledge;
  knowledge.add_query(word);
  BOOST_TEST(knowledge.count_nodes() == 1'000'001);
  BOOST_TEST((knowledge.get_queries().front() == word));
  knowledge.qbegin()->set_answer(true);
  BOOST_TEST(std::distance(knowledge.begin(), knowledge.end()) == 1'000'001);
  BOOST_TEST(knowledge.get_rootptr()->no_subqueries());
  knowledge.clear();
  BOOST_TEST(knowledge.is_empty());
}

BOOST_AUTO_TEST_CASE(undo_forgets_the_newest_answers) {
  Knowledge knowledge;
  knowledge.add_knowledge({0}, true);
  const unsigned before = knowledge.get_timestamp();
  knowledge.add_knowledge({1}, true);
  knowledge.add_knowledge({1, 1}, true);
  BOOST_TEST(knowledge.get_timestamp() == before + 2);
  BOOST_TEST(knowledge.undo(2));
  BOOST_TEST(knowledge.get_timestamp() == before);
  BOOST_TEST(knowledge.knowledge_exists({0}));
  BOOST_TEST(!knowledge.knowledge_exists({1}));
  BOOST_TEST(knowledge.count_answers() == 1);
  BOOST_TEST(knowledge.undo(1000));
  BOOST_TEST(knowledge.count_answers() == 0);
}

BOOST_AUTO_TEST_CASE(clearing_queries_keeps_answers) {
  Knowledge knowledge;
  knowledge.add_knowledge({0}, true);
  knowledge.add_query({1});
  knowledge.clear_queries();
  BOOST_TEST(knowledge.is_answered());
  BOOST_TEST(!knowledge.is_empty());
  BOOST_TEST(knowledge.knowledge_exists({0}));
}

BOOST_AUTO_TEST_CASE(a_query_tree_is_answered_elsewhere_and_merged_back) {
  Knowledge knowledge;
  knowledge.add_knowledge({0}, true);
  knowledge.add_query({1, 1});
  knowledge.add_query({});
  const std::unique_ptr<Knowledge> queries(knowledge.create_query_tree());
  BOOST_TEST((queries->get_queries() == knowledge.get_queries()));
  BOOST_TEST(queries->count_answers() == 0);
  for (auto& query : queries->get_queries()) queries->add_knowledge(query, false);
  const unsigned before = knowledge.get_timestamp();
  BOOST_TEST(knowledge.merge_knowledgebase(*queries));
  BOOST_TEST(knowledge.is_answered());
  BOOST_TEST(knowledge.count_answers() == 3);
  BOOST_TEST(knowledge.get_timestamp() == before + 1);
  knowledge.undo(1);
  BOOST_TEST(knowledge.count_answers() == 1);
}

BOOST_AUTO_TEST_CASE(a_contradicting_merge_changes_nothing) {
  Knowledge ours;
  ours.add_knowledge({1}, true);
  Knowledge theirs;
  theirs.add_knowledge({0}, true);
  theirs.add_knowledge({1}, false);
  BOOST_TEST(!ours.merge_knowledgebase(theirs));
  BOOST_TEST(ours.count_answers() == 1);
  BOOST_TEST(!ours.knowledge_exists({0}));
}

BOOST_AUTO_TEST_CASE(serialisation_keeps_answers_pending_queries_and_clock) {
  Knowledge knowledge;
  rnnalf::Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Word word = random_word(random, 3, random.below(9));
    if (random.below(2) == 0) knowledge.add_query(word);
    // The clock goes on: queries marked at one time come back in preorder.
    knowledge.add_knowledge({3, i}, random.below(2) == 1);
  }
  auto serial = knowledge.serialize();
  serial_stretch stretch(serial);
  Knowledge copy;
  copy.add_knowledge({7}, true);  // to be replaced
  BOOST_TEST(copy.deserialize(stretch));
  BOOST_TEST(stretch.empty());
  BOOST_TEST((copy.get_queries() == knowledge.get_queries()));
  BOOST_TEST(copy.count_queries() > 0);
  BOOST_TEST(copy.count_answers() == knowledge.count_answers());
  BOOST_TEST(copy.get_timestamp() == knowledge.get_timestamp());
  knowledge.undo(20);
  copy.undo(20);
  BOOST_TEST(copy.to_string() == knowledge.to_string());
}

BOOST_AUTO_TEST_CASE(the_serialised_form_is_that_of_upstream_libalf) {
  Knowledge knowledge;
  knowledge.add_knowledge({0}, true);
  knowledge.add_query({0, 0, 1});
  bool answer = false;
  BOOST_REQUIRE(knowledge.resolve_query({0}, answer));
  const std::vector<int> expected{18, 1,           // length, look-ups
                                  -1, 0, 0, 1,     // epsilon: ignored, one child
                                  0,  1, 2, 1, 1,  // .0. answered true at time 1, one child
                                  0,  0, 0, 1,     // .0.0. ignored, one child
                                  1,  2, 1, 0};    // .0.0.1. asked at time 2
  std::vector<int> found;
  for (const std::int32_t value : knowledge.serialize()) {
    found.push_back(static_cast<int>(ntohl(static_cast<std::uint32_t>(value))));
  }
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

namespace {

std::basic_string<std::int32_t> network_order(const std::vector<int>& values) {
  std::basic_string<std::int32_t> serial;
  for (int value : values) {
    serial += static_cast<std::int32_t>(htonl(static_cast<std::uint32_t>(value)));
  }
  return serial;
}

}  // namespace

BOOST_AUTO_TEST_CASE(hostile_serialisations_are_refused) {
  const std::vector<std::vector<int>> hostile{
      {5, 0, 0, 0, 0, 0},                            // the root has a letter
      {5, -1, -1, 0, 0, 0},                          // less than no look-ups
      {5, 0, -1, 0, 3, 0},                           // no such status
      {5, 0, -1, 0, 0, -1},                          // less than no children
      {5, 0, -1, 0, 0, 2000000000},                  // children that are not there
      {5, 0, -1, -1, 1, 0},                          // a time beyond the clock's range
      {9, 0, -1, 0, 0, 1, -3, 0, 1, 0},              // a negative letter
      {9, 0, -1, 0, 0, 1, 2147483647, 0, 1, 0},      // a letter that cannot be stored
      {9, 0, -1, 0, 0, 1, 2000000000, 0, 1, 0},      // a letter of an alphabet that nobody has
      {13, 0, -1, 0, 0, 2, 4, 1, 1, 0, 4, 1, 1, 0},  // the same word twice
      {6, 0, -1, 0, 0, 0, 7},                        // more than one tree
      {-5, 0, -1, 0, 0, 0},                          // less than nothing
      {2000000000, 0, -1, 0, 0, 0},                  // a length that lies
  };
  for (std::size_t i = 0; i < hostile.size(); ++i) {
    const auto serial = network_order(hostile[i]);
    serial_stretch stretch(serial);
    Knowledge knowledge;
    knowledge.add_query({1});
    BOOST_TEST_CONTEXT("case " << i) {
      BOOST_TEST(!knowledge.deserialize(stretch));
      BOOST_TEST(knowledge.is_empty());
      BOOST_TEST(knowledge.count_nodes() == 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_serialised_word_of_a_million_letters_needs_no_stack) {
  for (const bool every_prefix_is_asked : {false, true}) {
    std::vector<int> values{0, 0};
    constexpr int length = 1000000;
    for (int i = 0; i <= length; ++i) {
      const bool asked = every_prefix_is_asked || i == length;
      values.insert(values.end(), {i == 0 ? -1 : i % 3, 0, asked ? 1 : 0, i < length ? 1 : 0});
    }
    values[0] = static_cast<int>(values.size() - 1);
    const auto serial = network_order(values);
    serial_stretch stretch(serial);
    Knowledge knowledge;
    BOOST_REQUIRE(knowledge.deserialize(stretch));
    BOOST_TEST(knowledge.count_nodes() == length + 1);
    BOOST_TEST(knowledge.count_queries() == (every_prefix_is_asked ? length + 1 : 1));
    BOOST_CHECK(knowledge.serialize() == serial);
  }
}

BOOST_AUTO_TEST_CASE(damaged_serialisations_are_refused) {
  Knowledge knowledge;
  knowledge.add_knowledge({0, 1}, true);
  knowledge.add_query({1});
  const auto whole = knowledge.serialize();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto cut = whole.substr(0, i);
    serial_stretch stretch(cut);
    Knowledge copy;
    BOOST_TEST(!copy.deserialize(stretch));
    BOOST_TEST(copy.is_empty());
    for (const std::int32_t value : {-1, 0, 0x7fffffff}) {
      auto changed = whole;
      changed[i] = static_cast<std::int32_t>(htonl(static_cast<std::uint32_t>(value)));
      serial_stretch again(changed);
      copy.deserialize(again);  // any outcome but a crash
    }
  }
}

BOOST_AUTO_TEST_CASE(bulk_answers_are_taken_in_order_of_the_queries) {
  Knowledge knowledge;
  knowledge.add_query({1});
  knowledge.add_query({0});
  auto too_few = ::serialize(1) + ::serialize(1);
  serial_stretch wrong(too_few);
  BOOST_TEST(!knowledge.deserialize_query_acceptances(wrong));
  auto answers = ::serialize(2) + ::serialize(1) + ::serialize(0);
  serial_stretch stretch(answers);
  BOOST_TEST(knowledge.deserialize_query_acceptances(stretch));
  bool answer = false;
  BOOST_TEST((knowledge.resolve_query({1}, answer) && answer));
  BOOST_TEST((knowledge.resolve_query({0}, answer) && !answer));
}

BOOST_AUTO_TEST_CASE(text_shows_every_node) {
  Knowledge knowledge;
  knowledge.add_query({0, 1});
  knowledge.add_knowledge({1}, true);
  BOOST_TEST(knowledge.to_string() ==
             "knowledgebase {\n\tnode . marked %\n\tnode .0. marked %\n\tnode .0.1. marked ?\n"
             "\tnode .1. marked ! answered 1\n}\n");
  BOOST_TEST(knowledge.visualize().find("\"k.0.\" -> \"k.0.1.\" [label=\"1\"]") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_largest_symbol_is_known_with_and_without_the_one_added) {
  Knowledge knowledge;
  knowledge.add_query({0, 4, 2});
  BOOST_TEST(knowledge.get_largest_symbol() == 5);
  BOOST_TEST(knowledge.check_largest_symbol() == 4);
}

BOOST_AUTO_TEST_CASE(ten_thousand_words_of_a_thousand_letters_stay_small) {
  // One node per prefix would take 120 bytes each: over a gigabyte.
  Knowledge knowledge;
  rnnalf::Random random(9);
  const std::vector<int> suffix = [&] {
    const Word word = random_word(random, 2, 1000);
    return std::vector<int>(word.begin(), word.end());
  }();
  const auto path = knowledge.intern(suffix);
  for (int i = 0; i < 10'000; ++i) {
    auto* row = knowledge.get_nodeptr({i % 100, i / 100});
    knowledge.descendant(row, path)->mark_required();
  }
  BOOST_TEST(knowledge.count_queries() == 10'000);
  BOOST_TEST(knowledge.count_nodes() > 10'000'000);
  BOOST_TEST(knowledge.get_memory_usage() < 2'000'000U);
}

BOOST_AUTO_TEST_SUITE_END()
