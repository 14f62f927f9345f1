#include "rnnalf/network/layer_step.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/network/spec.hpp"
#include "support/random_networks.hpp"

namespace rnnalf {
namespace {

LayerStack drawn(CellKind cell, std::vector<HeadFrom> head_from, std::size_t embedding = 0) {
  Random random(3);
  LayerStack stack =
      stack_of(
          support::random_network(
              {.cell = cell, .layers = 2, .embedding = embedding, .initial_states = true}, random)
              .step)
          .value();
  stack.head_from = std::move(head_from);
  return stack;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(layer_step)

BOOST_AUTO_TEST_CASE(a_stack_is_recognised_in_its_graph) {
  for (std::size_t kind = 0; kind < 5; ++kind) {
    for (const std::vector<HeadFrom>& from :
         {std::vector{HeadFrom::Last}, std::vector{HeadFrom::Sum}, std::vector{HeadFrom::Mean},
          std::vector{HeadFrom::Max, HeadFrom::Last, HeadFrom::Mean, HeadFrom::Sum}}) {
      const auto cell = static_cast<CellKind>(kind);
      const LayerStack stack = drawn(cell, from, kind % 2 * 3);
      const auto found = stack_of(graph_of(stack));
      BOOST_REQUIRE(found.has_value());
      BOOST_TEST((found->cell == cell));
      BOOST_TEST((found->head_from == from));
      BOOST_TEST((found->embedding == stack.embedding));
      BOOST_TEST(found->layers.size() == 2U);
      BOOST_TEST((found->layers[1].recurrent_weights == stack.layers[1].recurrent_weights));
      BOOST_TEST((found->layers[0].input_bias == stack.layers[0].input_bias));
      BOOST_TEST((found->layers[0].initial_cell == stack.layers[0].initial_cell));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_graph_that_differs_in_one_operation_is_another_network) {
  for (std::size_t kind = 0; kind < 5; ++kind) {
    const StepGraph graph = graph_of(drawn(static_cast<CellKind>(kind), {HeadFrom::Last}));
    for (std::size_t i = 0; i < graph.step.size(); ++i) {
      StepGraph changed = graph;
      StepNode& node = changed.step[i];
      if (node.operation == StepOperation::Add) node.operation = StepOperation::Subtract;
      if (node.operation == StepOperation::Multiply) node.operation = StepOperation::Maximum;
      if (node.operation == StepOperation::Activate) node.activation = Activation::Softsign;
      if (changed == graph) continue;
      BOOST_TEST(!stack_of(changed).has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(layers_with_other_activations_are_no_stack_of_the_usual_ones) {
  LayerStack stack = drawn(CellKind::Gru, {HeadFrom::Last});
  stack.activations.assign(2, usual_activations(CellKind::Gru));
  BOOST_TEST(stack_of(graph_of(stack)).has_value());
  stack.activations[1].gates = {Activation::HardSigmoid, 0.2};
  BOOST_TEST(!stack_of(graph_of(stack)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
