#include "rnnalf/acceptor/kernels.hpp"

#include <cstdlib>
#include <string_view>

namespace rnnalf::kernels {
namespace {

enum class InstructionSet { Portable, Avx2, Avx512 };

InstructionSet detect() {
#if defined(__x86_64__)
  const char* const asked = std::getenv("RNNALF_ISA");
  const std::string_view most = asked == nullptr ? "" : asked;
  if (most == "portable") return InstructionSet::Portable;
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (!avx2) return InstructionSet::Portable;
  if (most != "avx2" && __builtin_cpu_supports("avx512f") != 0) return InstructionSet::Avx512;
  return InstructionSet::Avx2;
#else
  return InstructionSet::Portable;
#endif
}

template <class T>
const Kernels<T>& pick(const Kernels<T>& portable, [[maybe_unused]] const Kernels<T>& avx2,
                       [[maybe_unused]] const Kernels<T>& avx512) {
  static const InstructionSet set = detect();
  switch (set) {
    case InstructionSet::Portable:
      return portable;
    case InstructionSet::Avx2:
      return avx2;
    case InstructionSet::Avx512:
      return avx512;
  }
  return portable;
}

}  // namespace

#if defined(__x86_64__)
template <>
const Kernels<float>& best<float>() {
  return pick(kFloatPortable, kFloatAvx2, kFloatAvx512);
}
template <>
const Kernels<double>& best<double>() {
  return pick(kDoublePortable, kDoubleAvx2, kDoubleAvx512);
}
#else
template <>
const Kernels<float>& best<float>() {
  return pick(kFloatPortable, kFloatPortable, kFloatPortable);
}
template <>
const Kernels<double>& best<double>() {
  return pick(kDoublePortable, kDoublePortable, kDoublePortable);
}
#endif

}  // namespace rnnalf::kernels
