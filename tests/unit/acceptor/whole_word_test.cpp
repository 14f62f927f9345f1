#include "rnnalf/acceptor/whole_word_acceptor.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <optional>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/acceptor/word_operations.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/states/state_tree.hpp"
#include "support/random_networks.hpp"
#include "support/whole_words.hpp"

using namespace rnnalf;
using Op = WordOperation;

namespace {

/// The layers of a network as a word graph that reads them forwards.
NetworkSpec as_word_graph(const NetworkSpec& spec) {
  const LayerStack stack = stack_of(spec.step).value();
  WordGraph graph{.symbols = spec.symbol_count(), .features = stack.layers.back().hidden};
  const std::size_t word = graph.add({.operation = Op::Symbols});
  const std::size_t rows = graph.add(
      {.operation = Op::Constant,
       .constant = {{stack.embedding->rows, stack.embedding->cols}, stack.embedding->values}});
  std::size_t x = graph.add({.operation = Op::Gather, .inputs = {rows, word}, .list = {0}});
  using Cell = WordRecurrence::Cell;
  const bool is_lstm = stack.cell == CellKind::Lstm;
  for (const RecurrentLayer& layer : stack.layers) {
    const auto zeros = std::vector<double>(gate_count(stack.cell) * layer.hidden, 0);
    x = graph.add(
        {.operation = Op::Recur,
         .inputs = {x},
         .layer = WordRecurrence{
             .cell = is_lstm                                  ? Cell::Lstm
                     : stack.cell == CellKind::Gru            ? Cell::Gru
                     : stack.cell == CellKind::GruResetBefore ? Cell::GruResetBefore
                                                              : Cell::Elman,
             .activation = stack.cell == CellKind::ElmanRelu ? Activation::Relu : Activation::Tanh,
             .hidden = layer.hidden,
             .inputs = layer.input_weights.cols,
             .input_weights = layer.input_weights.values,
             .hidden_weights = layer.recurrent_weights.values,
             .input_bias = layer.input_bias.empty() ? zeros : layer.input_bias,
             .hidden_bias = layer.recurrent_bias.empty() ? zeros : layer.recurrent_bias}});
    if (is_lstm) x = graph.add({.operation = Op::Part, .inputs = {x}, .list = {-1, 0, 2}});
  }
  const std::size_t last = graph.add({.operation = Op::Constant, .constant = {{}, {-1}, true}});
  graph.add({.operation = Op::Gather, .inputs = {x, last}, .list = {0}});
  NetworkSpec whole = spec;
  whole.step = {};
  whole.word_graph = std::move(graph);
  return whole;
}

WordTensor computed(WordNode node, const std::vector<WordTensor>& inputs) {
  std::vector<const WordTensor*> given;
  for (const WordTensor& input : inputs) given.push_back(&input);
  WordTensor result;
  compute(node, given, result);
  return result;
}

WordTensor whole(std::vector<std::size_t> sizes, std::vector<double> values) {
  return {std::move(sizes), std::move(values), true};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(whole_words)

BOOST_AUTO_TEST_CASE(the_answer_is_that_of_the_whole_word_and_none_beyond_the_longest_one) {
  NetworkSpec spec = support::same_at_both_ends();
  spec.word_graph->most_symbols = 100;
  const auto acceptor = make_acceptor(spec);
  BOOST_TEST(acceptor->reads_whole_words());
  Random random(1);
  std::vector<Word> words;
  for (std::size_t length = 1; length <= 100; ++length) {
    words.push_back(support::random_word(2, length, random));
  }
  words.emplace_back(101, Symbol(0));
  words.emplace_back(300, Symbol(0));
  words.emplace_back();
  const auto answers = classify(*acceptor, words, std::nullopt);
  for (std::size_t i = 0; i < 100; ++i) {
    BOOST_TEST((answers[i].answer == accept_if(words[i].front() == words[i].back())));
  }
  // Of the empty word the graph says nothing either.
  for (std::size_t i = 100; i < 103; ++i) BOOST_TEST((answers[i].answer == Answer::None));
}

BOOST_AUTO_TEST_CASE(a_layer_that_is_read_forwards_gives_the_answers_of_the_stepped_network) {
  Random random(7);
  for (const CellKind cell : {CellKind::ElmanTanh, CellKind::ElmanRelu, CellKind::Gru,
                              CellKind::GruResetBefore, CellKind::Lstm}) {
    for (const std::size_t symbols : {2U, 5U}) {
      const NetworkSpec stepped = support::random_network({.cell = cell,
                                                           .symbols = symbols,
                                                           .hidden = 5,
                                                           .layers = 2,
                                                           .embedding = 3,
                                                           .outputs = 3},
                                                          random);
      std::vector<Word> words;
      for (std::size_t length = 1; length < 40; ++length) {
        words.push_back(support::random_word(symbols, length, random));
      }
      const auto expected =
          classify(*make_acceptor(stepped, Precision::Double), words, std::nullopt);
      const auto found = classify(*make_acceptor(as_word_graph(stepped)), words, std::nullopt);
      for (std::size_t i = 0; i < words.size(); ++i) {
        BOOST_TEST((found[i].answer == expected[i].answer));
        BOOST_TEST(std::abs(found[i].probability - expected[i].probability) < 1e-9);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(steps_are_counted_for_every_answer_from_the_start_of_the_word) {
  const auto acceptor = make_acceptor(support::same_at_both_ends());
  BOOST_TEST(acceptor->steps_per_answer(7) == 7U);
  const Network network = make_network(support::same_at_both_ends(), Precision::Float, std::nullopt,
                                       {.begin = {"a"}, .over = {"b"}});
  BOOST_TEST(network.acceptor->reads_whole_words());
  BOOST_TEST(network.acceptor->steps_per_answer(7) == 8U);
  BOOST_TEST(network.summary.whole_words);
  StateTree tree(*acceptor, {});
  const Word word = {Symbol(0), Symbol(1), Symbol(1)};
  const Node node = tree.add(word);
  const Budget no_limit;
  BOOST_TEST(tree.compute({&node, 1}, no_limit));
  BOOST_TEST((tree.answer(node) == Answer::Reject));
  BOOST_TEST(tree.stats().steps == (1U + 1) + (1 + 2) + (1 + 3));
}

BOOST_AUTO_TEST_CASE(padding_is_left_out_of_words_unless_they_are_said_to_have_it) {
  NetworkSpec spec = support::same_at_both_ends();
  spec.padding = {Symbol(0)};
  BOOST_TEST(make_network(spec).summary.alphabet.names() == std::vector<std::string>{"b"},
             boost::test_tools::per_element());
  BOOST_TEST(make_network(spec).summary.left_out == std::vector<std::string>{"a"},
             boost::test_tools::per_element());
  const Network asked = make_network(spec, Precision::Float, std::nullopt, {.over = {"a", "b"}});
  BOOST_TEST(asked.summary.alphabet.size() == 2U);
}

BOOST_AUTO_TEST_CASE(operations_compute_what_onnx_says) {
  struct Case {
    const char* name;
    WordNode node;
    std::vector<WordTensor> inputs;
    WordTensor expected;
  };
  const std::vector<Case> cases = {
      {"a row is added to every row",
       {.operation = Op::Add},
       {{{2, 2}, {1, 2, 3, 4}}, {{2}, {10, 20}}},
       {{2, 2}, {11, 22, 13, 24}}},
      {"integers are divided towards zero",
       {.operation = Op::Divide},
       {whole({2}, {7, -7}), whole({}, {2})},
       whole({2}, {3, -3})},
      {"a product of matrices in a batch",
       {.operation = Op::MatMul},
       {{{2, 1, 2}, {1, 2, 3, 4}}, {{2, 1}, {10, 1}}},
       {{2, 1, 1}, {12, 34}}},
      {"a size of -1 takes what is left",
       {.operation = Op::Reshape},
       {{{2, 3}, {1, 2, 3, 4, 5, 6}}, whole({2}, {-1, 2})},
       {{3, 2}, {1, 2, 3, 4, 5, 6}}},
      {"axes change places",
       {.operation = Op::Transpose, .list = {1, 0}},
       {{{2, 2}, {1, 2, 3, 4}}},
       {{2, 2}, {1, 3, 2, 4}}},
      {"a slice backwards",
       {.operation = Op::Slice},
       {{{3}, {1, 2, 3}}, whole({1}, {-1}), whole({1}, {-9}), whole({1}, {0}), whole({1}, {-1})},
       {{3}, {3, 2, 1}}},
      {"an index below 0 counts from the end",
       {.operation = Op::Gather, .list = {0}},
       {{{3, 1}, {1, 2, 3}}, whole({1}, {-1})},
       {{1, 1}, {3}}},
      {"a mean over one axis",
       {.operation = Op::Mean, .list = {0, 1}},
       {{{2, 2}, {1, 3, 5, 9}}},
       {{2}, {2, 7}}},
      {"tensors one behind the other",
       {.operation = Op::Concat, .list = {-1}},
       {{{2, 1}, {1, 2}}, {{2, 2}, {3, 4, 5, 6}}},
       {{2, 3}, {1, 3, 4, 2, 5, 6}}},
      {"running sums",
       {.operation = Op::Running},
       {{{3}, {1, 2, 3}}, whole({}, {0})},
       {{3}, {1, 3, 6}}},
      {"the upper triangle",
       {.operation = Op::Triangle, .list = {1}},
       {{{2, 2}, {1, 2, 3, 4}}},
       {{2, 2}, {1, 2, 0, 4}}},
      {"a row is repeated",
       {.operation = Op::Expand},
       {{{1, 2}, {1, 2}}, whole({2}, {2, 1})},
       {{2, 2}, {1, 2, 1, 2}}},
      {"sizes", {.operation = Op::Lengths}, {{{2, 3}, {1, 2, 3, 4, 5, 6}}}, whole({2}, {2, 3})},
      {"a choice",
       {.operation = Op::Select},
       {whole({2}, {1, 0}), {{2}, {1, 2}}, {{}, {9}}},
       {{2}, {1, 9}}},
  };
  for (const Case& one : cases) {
    const WordTensor found = computed(one.node, one.inputs);
    BOOST_TEST_CONTEXT(one.name) {
      BOOST_TEST(found.sizes == one.expected.sizes, boost::test_tools::per_element());
      BOOST_TEST(found.values == one.expected.values, boost::test_tools::per_element());
      BOOST_TEST(found.whole == one.expected.whole);
    }
  }
  const WordTensor shares =
      computed({.operation = Op::Softmax, .list = {-1}}, {{{1, 3}, {0, 0, std::log(2.0)}}});
  BOOST_TEST(std::abs(shares.values[2] - 0.5) < 1e-12);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const std::vector<std::pair<WordNode, std::vector<WordTensor>>> cases = {
      {{.operation = Op::Add}, {{{2}, {1, 2}}, {{3}, {1, 2, 3}}}},
      {{.operation = Op::MatMul}, {{{1, 2}, {1, 2}}, {{3, 1}, {1, 2, 3}}}},
      {{.operation = Op::Gather, .list = {0}}, {{{2}, {1, 2}}, whole({1}, {2})}},
      {{.operation = Op::Gather, .list = {1}}, {{{2}, {1, 2}}, whole({1}, {0})}},
      {{.operation = Op::Reshape}, {{{2}, {1, 2}}, whole({1}, {3})}},
      {{.operation = Op::Expand}, {{{1}, {1}}, whole({2}, {1e6, 1e6})}},
      {{.operation = Op::Range}, {whole({}, {0}), whole({}, {1e9}), whole({}, {1})}},
      {{.operation = Op::Slice},
       {{{2}, {1, 2}}, whole({1}, {0}), whole({1}, {1}), whole({1}, {0}), whole({1}, {0})}},
  };
  for (const auto& [node, inputs] : cases) {
    BOOST_CHECK_THROW(static_cast<void>(computed(node, inputs)), WordGraphError);
  }
}

BOOST_AUTO_TEST_SUITE_END()
