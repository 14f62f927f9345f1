// bench_activations: how far the executed tanh and sigmoid are from the true ones, with MPFR as
// reference, and whether they are monotone and stay in their range: over all floats, and for a
// sample of doubles.
//
// 2^32 calls of MPFR would take hours. The floats are taken in blocks of 256 neighbours instead:
// MPFR gives the value in the middle, and Taylor's formula of second order the others. Its
// remainder (|f'''| <= 2 for tanh, <= 1/8 for the sigmoid) and the rounding of this computation in
// double (2^-50 for values up to 1) are added to every error, so the largest one printed is an
// upper bound.
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "rnnalf/acceptor/kernels.hpp"
#include "rnnalf/base/random.hpp"

namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kInfinity = 0x7f800000;

/// The true function in the middle of a block, with two derivatives, and a bound on the third.
struct Taylor {
  double value, first, second, third;
};

class Reference {
 public:
  explicit Reference(mpfr_prec_t bits) { mpfr_init2(x_, bits), mpfr_init2(one_, bits); }
  ~Reference() { mpfr_clear(x_), mpfr_clear(one_); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  double tanh(double at) {
    mpfr_set_d(x_, at, MPFR_RNDN);
    mpfr_tanh(x_, x_, MPFR_RNDN);
    return mpfr_get_d(x_, MPFR_RNDN);
  }
  double sigmoid(double at) {
    mpfr_set_d(x_, -at, MPFR_RNDN);
    mpfr_exp(x_, x_, MPFR_RNDN);
    mpfr_add_ui(x_, x_, 1, MPFR_RNDN);
    mpfr_ui_div(x_, 1, x_, MPFR_RNDN);
    return mpfr_get_d(x_, MPFR_RNDN);
  }

 private:
  mpfr_t x_, one_;
};

Taylor tanh_at(Reference& reference, double x) {
  const double t = reference.tanh(x), slope = 1 - t * t;
  return {t, slope, -2 * t * slope, 2};
}

Taylor sigmoid_at(Reference& reference, double x) {
  const double s = reference.sigmoid(x), slope = s * (1 - s);
  return {s, slope, slope * (1 - 2 * s), 0.125};
}

struct Findings {
  double largest = 0;
  float where = 0;
  std::uint64_t floats = 0, falls = 0, outside = 0;
};

template <class At>
Findings all_floats(void (*executed)(float*, std::size_t), At at, double low) {
  Findings found;
  Reference reference(80);
  std::vector<float> x(kBlock), y(kBlock);
  for (const std::uint32_t sign : {0U, 0x80000000U}) {
    float before = 0;
    bool first = true;
    for (std::uint32_t base = 0; base < kInfinity; base += kBlock) {
      for (std::uint32_t i = 0; i < kBlock; ++i) x[i] = std::bit_cast<float>(sign | (base + i));
      y = x;
      executed(y.data(), kBlock);
      const double middle = x[kBlock / 2];
      const double half = std::max(std::abs(middle - x[0]), std::abs(x[kBlock - 1] - middle));
      // Beyond 64 and 128 the true functions are their limits to 1e-50.
      Taylor taylor{middle > 0 ? 1.0 : low, 0, 0, 0};
      if (std::abs(middle) < 128) taylor = at(reference, middle);
      const double remainder = taylor.third * half * half * half / 6 + 0x1p-50;
      for (std::uint32_t i = 0; i < kBlock; ++i) {
        const double d = std::abs(middle) < 128 ? x[i] - middle : 0.0;
        const double truth = taylor.value + d * (taylor.first + d * taylor.second / 2);
        const double error = std::abs(y[i] - truth) + remainder;
        if (!(error <= found.largest)) found.largest = error, found.where = x[i];
        found.outside += !(y[i] >= static_cast<float>(low) && y[i] <= 1.0F);
        if (!first) found.falls += sign == 0 ? y[i] < before : y[i] > before;
        before = y[i];
        first = false;
      }
      found.floats += kBlock;
    }
    std::fill(x.begin(), x.end(), std::bit_cast<float>(sign | kInfinity));  // whole vectors
    executed(x.data(), kBlock);
    const float expected = sign == 0 ? 1.0F : static_cast<float>(low);
    found.outside += !(std::abs(x[0] - expected) <= 1e-30F);
    ++found.floats;
  }
  return found;
}

template <class Truth>
double sampled_doubles(void (*executed)(double*, std::size_t), Truth truth, std::uint64_t samples) {
  rnnalf::Random random(1);
  double largest = 0;
  std::vector<double> x(8), y(8);
  for (std::uint64_t n = 0; n < samples; ++n) {
    for (double& value : x) {
      // Half of them uniform, half of them of every size.
      const double u = 2 * random.unit() - 1;
      value =
          random.below(2) == 0 ? 40 * u : u * std::exp2(static_cast<double>(random.below(60)) - 50);
    }
    y = x;
    executed(y.data(), y.size());
    for (std::size_t i = 0; i < 8; ++i) largest = std::max(largest, std::abs(y[i] - truth(x[i])));
  }
  return largest;
}

void print(const char* name, const Findings& found) {
  std::printf(
      "%-8s %llu floats: error at most %.4g = 2^%.2f (at %a), %llu not monotone, %llu outside of "
      "the range\n",
      name, static_cast<unsigned long long>(found.floats), found.largest, std::log2(found.largest),
      static_cast<double>(found.where), static_cast<unsigned long long>(found.falls),
      static_cast<unsigned long long>(found.outside));
}

}  // namespace

int main(int count, char** values) {
  const std::uint64_t samples = count > 1 ? std::strtoull(values[1], nullptr, 10) : 250'000;
  const auto& floats = rnnalf::kernels::best<float>();
  print("tanh", all_floats(floats.tanh, tanh_at, -1));
  std::fflush(stdout);
  print("sigmoid", all_floats(floats.sigmoid, sigmoid_at, 0));
  Reference reference(200);
  const auto& doubles = rnnalf::kernels::best<double>();
  const double tanh = sampled_doubles(
      doubles.tanh, [&](double x) { return reference.tanh(x); }, samples);
  const double sigmoid = sampled_doubles(
      doubles.sigmoid, [&](double x) { return reference.sigmoid(x); }, samples);
  std::printf(
      "%llu doubles each: tanh off by at most %.4g = 2^%.2f, sigmoid by %.4g = 2^%.2f (rounding of "
      "the reference included)\n",
      static_cast<unsigned long long>(8 * samples), tanh, std::log2(tanh), sigmoid,
      std::log2(sigmoid));
}
