#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "rnnalf/acceptor/activate.hpp"
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

/// The kernels of every instruction set that this machine has.
template <class T>
std::vector<const Kernels<T>*> every_instruction_set() {
  constexpr bool is_float = std::is_same_v<T, float>;
  std::vector<const Kernels<T>*> sets;
  if constexpr (is_float) {
    sets.push_back(&kFloatPortable);
  } else {
    sets.push_back(&kDoublePortable);
  }
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    if constexpr (is_float) {
      sets.push_back(&kFloatAvx2);
    } else {
      sets.push_back(&kDoubleAvx2);
    }
  }
  if (__builtin_cpu_supports("avx512f") != 0) {
    if constexpr (is_float) {
      sets.push_back(&kFloatAvx512);
    } else {
      sets.push_back(&kDoubleAvx512);
    }
  }
#endif
  return sets;
}

using Scalars = std::tuple<float, double>;

}  // namespace

BOOST_AUTO_TEST_SUITE(activation_kernels)

BOOST_AUTO_TEST_CASE_TEMPLATE(not_a_number_stays_so_on_every_instruction_set, T, Scalars) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (const Kernels<T>* const kernels : every_instruction_set<T>()) {
    for (std::size_t a = 0; a <= static_cast<std::size_t>(Activation::Softplus); ++a) {
      const auto activation = static_cast<Activation>(a);
      Buffer<T> values(40);
      for (std::size_t i = 0; i < 40; ++i) values[i] = i % 3 == 0 ? nan : T(0.25);
      activate(*kernels, activation, 0.1, values.data(), 40);
      for (std::size_t i = 0; i < 40; ++i) {
        BOOST_TEST_REQUIRE(std::isnan(values[i]) == (i % 3 == 0),
                           kernels->instruction_set << ' ' << name(activation) << ' ' << i);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_cell_without_numbers_has_no_numbers_on_any_instruction_set, T,
                              Scalars) {
  constexpr std::size_t hidden = 5;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (const Kernels<T>* const kernels : every_instruction_set<T>()) {
    Buffer<T> from_input(4 * hidden), from_hidden(4 * hidden), state(hidden), cell(hidden);
    Buffer<T> next(hidden), next_cell(hidden), reset(hidden), update(hidden);
    for (std::size_t i = 0; i < 4 * hidden; ++i) from_hidden[i] = nan;
    const CellColumn<T> column{from_input.data(), from_hidden.data(), state.data(),
                               cell.data(),       next.data(),        next_cell.data()};
    const auto expect_none = [&](const Buffer<T>& values, const char* what) {
      for (std::size_t i = 0; i < hidden; ++i) {
        BOOST_TEST_REQUIRE(std::isnan(values[i]), kernels->instruction_set << ' ' << what);
      }
    };
    kernels->elman_relu(column, hidden);
    expect_none(next, "elman-relu");
    kernels->elman_tanh(column, hidden);
    expect_none(next, "elman-tanh");
    kernels->gru(column, hidden);
    expect_none(next, "gru");
    kernels->lstm(column, hidden);
    expect_none(next, "lstm");
    expect_none(next_cell, "lstm, cell");
    kernels->gru_gates(column, hidden, reset.data(), update.data());
    expect_none(reset, "gru-reset-before, reset");
    expect_none(update, "gru-reset-before, update");
    kernels->gru_candidate(column, hidden, from_hidden.data(), update.data());
    expect_none(next, "gru-reset-before");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(relu_has_the_same_bits_on_every_instruction_set, T, Scalars) {
  using Limits = std::numeric_limits<T>;
  const T inputs[] = {T(-0.0),        T(0),          -Limits::denorm_min(), Limits::denorm_min(),
                      -Limits::max(), Limits::max(), -Limits::infinity(),   Limits::infinity(),
                      -T(1.5),        T(1.5)};
  const T outputs[] = {0, 0,     0, Limits::denorm_min(), 0, Limits::max(), 0, Limits::infinity(),
                       0, T(1.5)};
  for (const Kernels<T>* const kernels : every_instruction_set<T>()) {
    Buffer<T> values(std::size(inputs));
    for (std::size_t i = 0; i < std::size(inputs); ++i) values[i] = inputs[i];
    kernels->relu(values.data(), std::size(inputs));
    for (std::size_t i = 0; i < std::size(inputs); ++i) {
      BOOST_TEST_REQUIRE(values[i] == outputs[i], kernels->instruction_set << ' ' << i);
      BOOST_TEST_REQUIRE(!std::signbit(values[i]), kernels->instruction_set << ' ' << i);
    }
  }
}

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
