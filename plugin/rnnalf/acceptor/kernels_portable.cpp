// Kernels for any machine: one lane, the compiler's fused multiply-add (a library call where the
// machine has none: slow, and the same bits).

#include <cstddef>
#include <cstdint>

namespace rnnalf::kernels {
namespace {

constexpr std::size_t kSumRegisters = 16;

inline float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

template <class T>
struct Vec {
  static constexpr std::size_t width = 1;
  T v;

  static Vec load(const T* from) { return {*from}; }
  static Vec set1(T value) { return {value}; }
  void store(T* to) const { *to = v; }
  static Vec fma(Vec a, Vec b, Vec c) { return {fused(a.v, b.v, c.v)}; }
  // As the vector instructions do it: the second operand when one is not a number.
  static Vec min(Vec a, Vec b) { return {a.v < b.v ? a.v : b.v}; }
  static Vec max(Vec a, Vec b) { return {a.v > b.v ? a.v : b.v}; }
  friend Vec operator+(Vec a, Vec b) { return {a.v + b.v}; }
  friend Vec operator-(Vec a, Vec b) { return {a.v - b.v}; }
  friend Vec operator*(Vec a, Vec b) { return {a.v * b.v}; }
  friend Vec operator/(Vec a, Vec b) { return {a.v / b.v}; }

  /// 2^n for n + Constants::round: the low bits of that sum are n.
  static Vec exp2_bits(Vec shifted) {
    if constexpr (sizeof(T) == 4) {
      const auto bits = (__builtin_bit_cast(std::uint32_t, shifted.v) + 127U) << 23U;
      return {__builtin_bit_cast(float, bits)};
    } else {
      const auto bits = (__builtin_bit_cast(std::uint64_t, shifted.v) + 1023U) << 52U;
      return {__builtin_bit_cast(double, bits)};
    }
  }
};

}  // namespace
}  // namespace rnnalf::kernels

#include "rnnalf/acceptor/kernels.inl"

namespace rnnalf::kernels {

const Kernels<float> kFloatPortable = table<float>("portable");
const Kernels<double> kDoublePortable = table<double>("portable");

}  // namespace rnnalf::kernels
