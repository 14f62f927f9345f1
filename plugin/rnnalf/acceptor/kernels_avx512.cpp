// Kernels for x86-64 machines with AVX-512. Compiled with their own flags; see kernels.hpp.

#include <immintrin.h>

#include <cstddef>

namespace rnnalf::kernels {
namespace {

constexpr std::size_t kSumRegisters = 24;

template <class T>
struct Vec;

template <>
struct Vec<float> {
  static constexpr std::size_t width = 16;
  __m512 v;

  static Vec load(const float* from) { return {_mm512_loadu_ps(from)}; }
  static Vec set1(float value) { return {_mm512_set1_ps(value)}; }
  void store(float* to) const { _mm512_storeu_ps(to, v); }
  static Vec fma(Vec a, Vec b, Vec c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
  static Vec min(Vec a, Vec b) { return {_mm512_min_ps(a.v, b.v)}; }
  static Vec max(Vec a, Vec b) { return {_mm512_max_ps(a.v, b.v)}; }
  friend Vec operator+(Vec a, Vec b) { return {_mm512_add_ps(a.v, b.v)}; }
  friend Vec operator-(Vec a, Vec b) { return {_mm512_sub_ps(a.v, b.v)}; }
  friend Vec operator*(Vec a, Vec b) { return {_mm512_mul_ps(a.v, b.v)}; }
  friend Vec operator/(Vec a, Vec b) { return {_mm512_div_ps(a.v, b.v)}; }

  /// 2^n for n + Constants::round: the low bits of that sum are n.
  static Vec exp2_bits(Vec shifted) {
    const auto biased = _mm512_add_epi32(_mm512_castps_si512(shifted.v), _mm512_set1_epi32(127));
    return {_mm512_castsi512_ps(_mm512_slli_epi32(biased, 23))};
  }
};

template <>
struct Vec<double> {
  static constexpr std::size_t width = 16 / 2;
  __m512d v;

  static Vec load(const double* from) { return {_mm512_loadu_pd(from)}; }
  static Vec set1(double value) { return {_mm512_set1_pd(value)}; }
  void store(double* to) const { _mm512_storeu_pd(to, v); }
  static Vec fma(Vec a, Vec b, Vec c) { return {_mm512_fmadd_pd(a.v, b.v, c.v)}; }
  static Vec min(Vec a, Vec b) { return {_mm512_min_pd(a.v, b.v)}; }
  static Vec max(Vec a, Vec b) { return {_mm512_max_pd(a.v, b.v)}; }
  friend Vec operator+(Vec a, Vec b) { return {_mm512_add_pd(a.v, b.v)}; }
  friend Vec operator-(Vec a, Vec b) { return {_mm512_sub_pd(a.v, b.v)}; }
  friend Vec operator*(Vec a, Vec b) { return {_mm512_mul_pd(a.v, b.v)}; }
  friend Vec operator/(Vec a, Vec b) { return {_mm512_div_pd(a.v, b.v)}; }

  static Vec exp2_bits(Vec shifted) {
    const auto biased = _mm512_add_epi64(_mm512_castpd_si512(shifted.v), _mm512_set1_epi64(1023));
    return {_mm512_castsi512_pd(_mm512_slli_epi64(biased, 52))};
  }
};

}  // namespace
}  // namespace rnnalf::kernels

#include "rnnalf/acceptor/kernels.inl"

namespace rnnalf::kernels {

const Kernels<float> kFloatAvx512 = table<float>("avx512");
const Kernels<double> kDoubleAvx512 = table<double>("avx512");

}  // namespace rnnalf::kernels
