#include "rnnalf/network/head_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <stdexcept>

using namespace rnnalf;

namespace {

const Matrix kWeights{2, 3, {1, -2, 0.5, 0, 4, -1}};
const std::vector<double> kBias = {0.25, -1};

/// What the layers compute, by the formula beside DenseLayer; relu and leaky relu alone.
std::vector<double> run(const std::vector<DenseLayer>& layers, std::vector<double> x) {
  for (const DenseLayer& layer : layers) {
    if (layer.normalise) {
      double mean = 0, variance = 0;
      for (const double v : x) mean += v / static_cast<double>(x.size());
      for (const double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
      for (double& v : x) v = (v - mean) / std::sqrt(variance + *layer.normalise);
    }
    std::vector<double> y(layer.weights.rows);
    for (std::size_t r = 0; r < y.size(); ++r) {
      y[r] = layer.bias.empty() ? 0 : layer.bias[r];
      for (std::size_t c = 0; c < x.size(); ++c) y[r] += layer.weights.at(r, c) * x[c];
      if (layer.activation == Activation::Relu) y[r] = std::max(0.0, y[r]);
      if (layer.activation == Activation::LeakyRelu && y[r] < 0) y[r] *= layer.slope;
    }
    x = y;
  }
  return x;
}

void same(const std::vector<double>& found, const std::vector<double>& expected) {
  BOOST_TEST_REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    BOOST_TEST(std::abs(found[i] - expected[i]) < 1e-12);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(head_builder)

BOOST_AUTO_TEST_CASE(a_rescaling_is_part_of_the_product_beside_it) {
  HeadBuilder before(3, 0);
  before.rescale({2, 3, 4}, {1, 0, -1});
  before.dense(kWeights, kBias);
  const auto folded = before.take();
  BOOST_TEST(folded.size() == 1U);
  // W (s x + t) + b with x = (1, 1, 1): s x + t = (3, 3, 3)
  same(run(folded, {1, 1, 1}), {3 - 6 + 1.5 + 0.25, 12 - 3 - 1});

  HeadBuilder behind(3, 0);
  behind.dense(kWeights, kBias);
  behind.rescale({10, -1}, {0, 5});
  const auto after = behind.take();
  BOOST_TEST(after.size() == 1U);
  // W x + b = (-0.25, 2) for x = (1, 1, 1)
  same(run(after, {1, 1, 1}), {-2.5, 3});
}

BOOST_AUTO_TEST_CASE(rescalings_in_a_row_are_one) {
  HeadBuilder builder(3, 0);
  builder.rescale({2, 2, 2}, {1, 1, 1});
  builder.rescale({3, 3, 3}, {-1, -1, -1});
  builder.dense({1, 3, {1, 1, 1}}, {});
  const auto layers = builder.take();
  BOOST_TEST(layers.size() == 1U);
  same(run(layers, {1, 2, 3}), {3 * (3 + 5 + 7) - 3});
}

BOOST_AUTO_TEST_CASE(what_has_no_product_beside_it_gets_one_of_its_own) {
  HeadBuilder builder(2, 100);
  builder.activate(Activation::Relu);  // in front of everything
  builder.rescale({2, 3}, {-1, -1});
  builder.activate(Activation::LeakyRelu, 0.5);  // behind a rescaling
  builder.rescale({1, 1}, {1, 0});               // at the end
  const auto layers = builder.take();
  BOOST_TEST(layers.size() == 3U);
  same(run(layers, {-4, 2}), {-0.5 + 1, 5});
}

BOOST_AUTO_TEST_CASE(a_normalisation_stands_in_front_of_its_product) {
  HeadBuilder builder(3, 9);
  builder.normalise(0.5);
  builder.rescale({2, 2, 2}, {1, 1, 1});
  builder.dense({1, 3, {1, 0, -1}}, {});
  const auto layers = builder.take();
  BOOST_TEST(layers.size() == 1U);
  // mean 2, variance 2/3: (x - 2) / sqrt(2/3 + 0.5)
  same(run(layers, {1, 2, 3}), {-4 / std::sqrt(2.0 / 3 + 0.5)});
}

BOOST_AUTO_TEST_CASE(weights_that_no_file_has_are_bounded) {
  HeadBuilder builder(100, 9999);
  BOOST_CHECK_THROW(builder.activate(Activation::Relu), std::length_error);
  HeadBuilder other(3, 100);
  BOOST_CHECK_THROW(other.rescale({1, 1}, {0, 0}), std::length_error);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(activations)

BOOST_AUTO_TEST_CASE(names_with_and_without_a_slope_are_read) {
  BOOST_TEST((activation_from_name("gelu")->activation == Activation::Gelu));
  BOOST_TEST(activation_from_name("leaky-relu")->slope == 0.01);
  BOOST_TEST(activation_from_name("leaky-relu:0.2")->slope == 0.2);
  for (const char* wrong : {"", "Relu", "relu:1", "elu:", "elu:x", "elu:inf", "erf", "sqrt"}) {
    BOOST_TEST(!activation_from_name(wrong).has_value(), wrong);
  }
  BOOST_TEST(activation_names().find("leaky-relu[:SLOPE]") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
