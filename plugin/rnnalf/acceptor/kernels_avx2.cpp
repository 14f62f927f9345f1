// Kernels for x86-64 machines with AVX2 and FMA. Compiled with their own flags; see kernels.hpp.

#include <immintrin.h>

#include <cstddef>

namespace rnnalf::kernels {
namespace {

constexpr std::size_t kSumRegisters = 12;

template <class T>
struct Vec;

template <>
struct Vec<float> {
  static constexpr std::size_t width = 8;
  __m256 v;

  static Vec load(const float* from) { return {_mm256_loadu_ps(from)}; }
  static Vec set1(float value) { return {_mm256_set1_ps(value)}; }
  void store(float* to) const { _mm256_storeu_ps(to, v); }
  static Vec fma(Vec a, Vec b, Vec c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
  static Vec min(Vec a, Vec b) { return {_mm256_min_ps(a.v, b.v)}; }
  static Vec max(Vec a, Vec b) { return {_mm256_max_ps(a.v, b.v)}; }
  friend Vec operator+(Vec a, Vec b) { return {_mm256_add_ps(a.v, b.v)}; }
  friend Vec operator-(Vec a, Vec b) { return {_mm256_sub_ps(a.v, b.v)}; }
  friend Vec operator*(Vec a, Vec b) { return {_mm256_mul_ps(a.v, b.v)}; }
  friend Vec operator/(Vec a, Vec b) { return {_mm256_div_ps(a.v, b.v)}; }

  /// 2^n for n + Constants::round: the low bits of that sum are n.
  static Vec exp2_bits(Vec shifted) {
    const auto biased = _mm256_add_epi32(_mm256_castps_si256(shifted.v), _mm256_set1_epi32(127));
    return {_mm256_castsi256_ps(_mm256_slli_epi32(biased, 23))};
  }
};

template <>
struct Vec<double> {
  static constexpr std::size_t width = 8 / 2;
  __m256d v;

  static Vec load(const double* from) { return {_mm256_loadu_pd(from)}; }
  static Vec set1(double value) { return {_mm256_set1_pd(value)}; }
  void store(double* to) const { _mm256_storeu_pd(to, v); }
  static Vec fma(Vec a, Vec b, Vec c) { return {_mm256_fmadd_pd(a.v, b.v, c.v)}; }
  static Vec min(Vec a, Vec b) { return {_mm256_min_pd(a.v, b.v)}; }
  static Vec max(Vec a, Vec b) { return {_mm256_max_pd(a.v, b.v)}; }
  friend Vec operator+(Vec a, Vec b) { return {_mm256_add_pd(a.v, b.v)}; }
  friend Vec operator-(Vec a, Vec b) { return {_mm256_sub_pd(a.v, b.v)}; }
  friend Vec operator*(Vec a, Vec b) { return {_mm256_mul_pd(a.v, b.v)}; }
  friend Vec operator/(Vec a, Vec b) { return {_mm256_div_pd(a.v, b.v)}; }

  static Vec exp2_bits(Vec shifted) {
    const auto biased = _mm256_add_epi64(_mm256_castpd_si256(shifted.v), _mm256_set1_epi64x(1023));
    return {_mm256_castsi256_pd(_mm256_slli_epi64(biased, 52))};
  }
};

}  // namespace
}  // namespace rnnalf::kernels

#include "rnnalf/acceptor/kernels.inl"

namespace rnnalf::kernels {

const Kernels<float> kFloatAvx2 = table<float>("avx2");
const Kernels<double> kDoubleAvx2 = table<double>("avx2");

}  // namespace rnnalf::kernels
