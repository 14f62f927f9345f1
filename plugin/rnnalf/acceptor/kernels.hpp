#pragma once

#include <cstddef>

// The arithmetic of inference, for one scalar type.
//
// Why not Eigen's product: its summation order depends on the batch width, so a word's score would
// depend on which words it was run with. Here every element is one chain of fused multiply-adds in
// index order, and every activation is the same sequence of correctly rounded operations in each
// lane. So a column's bits depend on that column alone, and they are the same with AVX-512, AVX2 or
// no vector unit at all. Weights are packed once instead of at every call.
//
// Why not xsimd or Highway: their multiply-add is not fused on every instruction set, so the bits
// would depend on the machine; bench/README.md has what was measured.
//
// The kernels are compiled three times with different instruction sets (kernels_*.cpp) and chosen
// at run time. They include nothing with inline functions: a copy of those compiled for AVX-512
// must not be picked by the linker for a machine without it.

namespace rnnalf::kernels {

/// Rows come in panels of this many; row counts are rounded up to it.
template <class T>
inline constexpr std::size_t kPanelRows = 64 / sizeof(T);

template <class T>
constexpr std::size_t padded(std::size_t rows) {
  return (rows + kPanelRows<T> - 1) / kPanelRows<T> * kPanelRows<T>;
}

/// A matrix of padded(rows) x depth: panel after panel, in a panel column after column.
template <class T>
struct PackedView {
  const T* values;
  const T* bias;  ///< padded(rows)
  std::size_t panels;
  std::size_t depth;
};

/// Pointers to one cell's inputs and outputs for one column. All arrays may be read and written up
/// to one panel beyond their end; what stands there means nothing.
template <class T>
struct CellColumn {
  const T* from_input;   ///< W x + b, all gates
  const T* from_hidden;  ///< U h + c, all gates
  const T* hidden;
  const T* cell;  ///< LSTM only
  T* next_hidden;
  T* next_cell;  ///< LSTM only
};

template <class T>
struct Kernels {
  /// out.col(j) = matrix * x.col(j) + bias, for j < count.
  void (*multiply)(const PackedView<T>& matrix, const T* x, std::size_t x_stride, std::size_t count,
                   T* out, std::size_t out_stride);
  void (*elman_tanh)(const CellColumn<T>& column, std::size_t hidden);
  void (*elman_relu)(const CellColumn<T>& column, std::size_t hidden);
  void (*gru)(const CellColumn<T>& column, std::size_t hidden);
  /// First half of the GRU with reset before: writes r * h to `reset` and z to `update`.
  void (*gru_gates)(const CellColumn<T>& column, std::size_t hidden, T* reset, T* update);
  /// Second half: candidate is U_n (r * h) + c_n.
  void (*gru_candidate)(const CellColumn<T>& column, std::size_t hidden, const T* candidate,
                        const T* update);
  void (*lstm)(const CellColumn<T>& column, std::size_t hidden);
  /// out[i] = a[i] * b[i] + c[i], rounded once.
  void (*multiply_add)(const T* a, const T* b, const T* c, T* out, std::size_t count);
  void (*relu)(T* values, std::size_t count);
  void (*tanh)(T* values, std::size_t count);
  void (*sigmoid)(T* values, std::size_t count);
  /// values[i] = exp(-values[i] * scale) for values >= 0: the RBF kernel of squared distances.
  void (*negative_exp)(T* values, std::size_t count, T scale);
  /// to[i] = from[i], exactly when `from` holds numbers of type T; nothing beyond count is written.
  void (*from_double)(const double* from, std::size_t count, T* to);
  void (*to_double)(const T* from, std::size_t count, double* to);
  const char* instruction_set;
};

extern const Kernels<float> kFloatPortable;
extern const Kernels<double> kDoublePortable;
#if defined(__x86_64__)
extern const Kernels<float> kFloatAvx2;
extern const Kernels<double> kDoubleAvx2;
extern const Kernels<float> kFloatAvx512;
extern const Kernels<double> kDoubleAvx512;
#endif

/// The fastest kernels this machine can run. The environment variable RNNALF_ISA (portable, avx2,
/// avx512) asks for a lesser set; results do not change.
template <class T>
const Kernels<T>& best();

}  // namespace rnnalf::kernels
