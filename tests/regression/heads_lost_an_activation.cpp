// Activations that a file shows, if not which one, were read as none: between a normalisation and a
// dense layer of an nn.Sequential, whose numbers have a gap there; behind the last dense layer of a
// whole module; and of a module beside the head.

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/networks/load_network.hpp"

using namespace rnnalf;

namespace {

std::string refusal(const std::string& file) {
  try {
    static_cast<void>(load_network(RNNALF_TEST_DATA "/ways/" + file));
  } catch (const NetworkFileError& error) {
    return error.what();
  }
  return "read";
}

void says(const std::string& file, const std::string& expected) {
  const std::string message = refusal(file);
  BOOST_TEST(message.find(expected) != std::string::npos, message + " | expected: " + expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(heads_lost_an_activation)

BOOST_AUTO_TEST_CASE(a_gap_beside_a_normalisation_is_seen) {
  const std::string what = "which activation stands between ";
  for (const std::string kind : {".pt", ".safetensors"}) {
    says("head-batch-norm" + kind, what + "'fc.1.weight' and this one: say it with `activation`");
    says("head-layer-norm" + kind, what + "'fc.1.weight' and this one: say it with `activation`");
    says("batch-norm-first" + kind, what + "'fc.0.weight' and this one: say it with `activation`");
    says("head-relu-norm" + kind, what + "'fc.0.weight' and this one: say it with `activation`");
    says("head-relu" + kind, what + "'fc.0.weight' and this one: say it with `activation`");
    BOOST_TEST(refusal("layer-norm-first" + kind) == "read");  // no gap
  }
}

BOOST_AUTO_TEST_CASE(an_activation_behind_the_last_layer_is_applied) {
  const NetworkSpec spec = load_network(RNNALF_TEST_DATA "/ways/head-tanh-last.module.pt").spec;
  BOOST_REQUIRE(!spec.head.empty());
  BOOST_TEST((spec.head.back().activation == Activation::Tanh));
}

BOOST_AUTO_TEST_CASE(a_module_beside_the_head_is_seen) {
  says("loose-sigmoid.module.pt",
       "module 'sigmoid' (Sigmoid): where it is applied is not in the file: say with `activation`"
       " which activation stands in front of the dense layers, or `activation=none` if it stands"
       " behind the last one");
  says("pool-module.module.pt",
       "module 'pool' (AdaptiveMaxPool1d): what it is applied to is not in"
       " the file: say with `head-from` which states the head reads");
}

BOOST_AUTO_TEST_SUITE_END()
