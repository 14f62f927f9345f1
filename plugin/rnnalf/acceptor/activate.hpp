#pragma once

#include <cstddef>

#include "rnnalf/acceptor/kernels.hpp"
#include "rnnalf/network/activation.hpp"

namespace rnnalf {

/// values[i] = activation(values[i]) for i < count, with the same bits on every machine: what goes
/// beyond +, -, *, / is taken from the kernels. The array has a panel of slack behind its end.
template <class T>
void activate(const kernels::Kernels<T>& kernels, Activation activation, double slope, T* values,
              std::size_t count);

/// (x - mean) / sqrt(variance + epsilon), in double, summed in index order.
template <class T>
void normalise(const T* from, std::size_t count, double epsilon, T* to);

}  // namespace rnnalf
