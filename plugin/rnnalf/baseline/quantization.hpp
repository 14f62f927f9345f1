#pragma once

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/baseline/quotient.hpp"

namespace rnnalf {

inline constexpr Count kIntervals{.least = 2, .most = 256};

struct QuantizationOptions {
  std::size_t intervals = 2;  ///< of each dimension, equal ones from `low` to `high` (q); 2 .. 256
  double low = -1;            ///< smaller values belong to the first interval
  double high = 1;            ///< larger ones to the last; GRU and tanh states lie between -1 and 1
};
void validate(const QuantizationOptions& options);  // throws OptionError naming the field

/// Omlin and Giles' partition of the state space, fixed before the extraction begins.
[[nodiscard]] PartitionFunction quantization(const QuantizationOptions& options);

}  // namespace rnnalf
