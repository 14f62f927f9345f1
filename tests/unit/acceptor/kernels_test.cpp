#include <boost/test/unit_test.hpp>
#include <cmath>

#include "rnnalf/acceptor/kernels.hpp"
#include "rnnalf/acceptor/packed_matrix.hpp"

namespace rnnalf::kernels {
namespace {

/// Largest error of an activation against libm in double, over a dense grid, in units of `unit`.
template <class T, class Function>
double largest_error(void (*kernel)(T*, std::size_t), Function exact, double from, double to) {
  constexpr std::size_t count = 20001;
  Buffer<T> values(count);
  std::vector<double> arguments;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(from + (to - from) * static_cast<double>(i) / (count - 1));
    arguments.push_back(static_cast<double>(values[i]));
  }
  kernel(values.data(), count);
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(values[i]) - exact(arguments[i])));
  }
  return largest;
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double tanh_exact(double x) {
  return std::tanh(x);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(activation_kernels)

BOOST_AUTO_TEST_CASE(sigmoid_and_tanh_are_within_two_units_in_the_last_place_of_one) {
  for (const double range : {0.01, 1.0, 12.0, 200.0}) {
    BOOST_TEST(largest_error<float>(best<float>().sigmoid, sigmoid, -range, range) <= 2.5e-7);
    BOOST_TEST(largest_error<float>(best<float>().tanh, tanh_exact, -range, range) <= 2.5e-7);
    BOOST_TEST(largest_error<double>(best<double>().sigmoid, sigmoid, -range, range) <= 5e-16);
    BOOST_TEST(largest_error<double>(best<double>().tanh, tanh_exact, -range, range) <= 5e-16);
  }
}

BOOST_AUTO_TEST_CASE(tanh_keeps_relative_accuracy_near_zero) {
  for (const double x : {1e-30, 1e-10, 1e-6, 1e-3}) {
    Buffer<float> value(1);
    value[0] = static_cast<float>(x);
    const double exact = std::tanh(static_cast<double>(value[0]));
    best<float>().tanh(value.data(), 1);
    BOOST_TEST(std::abs(static_cast<double>(value[0]) / exact - 1) <= 3e-7);
  }
}

BOOST_AUTO_TEST_CASE(activations_saturate_at_any_size_of_argument) {
  Buffer<float> values(2);
  values[0] = 1e30F;
  values[1] = -1e30F;
  best<float>().tanh(values.data(), 2);
  BOOST_TEST(values[0] == 1.0F);
  BOOST_TEST(values[1] == -1.0F);
  values[0] = 1e30F;
  values[1] = -1e30F;
  best<float>().sigmoid(values.data(), 2);
  BOOST_TEST(values[0] == 1.0F);
  BOOST_TEST(values[1] < 1e-37F);
}

BOOST_AUTO_TEST_CASE(negative_exp_is_the_kernel_of_libsvm) {
  Buffer<double> values(1000);
  for (std::size_t i = 0; i < 1000; ++i) values[i] = static_cast<double>(i) * 0.7;
  best<double>().negative_exp(values.data(), 1000, 0.05);
  for (std::size_t i = 0; i < 1000; ++i) {
    const double exact = std::exp(-0.05 * (static_cast<double>(i) * 0.7));
    BOOST_TEST_REQUIRE(std::abs(values[i] - exact) <= 4e-15 * exact);
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf::kernels
