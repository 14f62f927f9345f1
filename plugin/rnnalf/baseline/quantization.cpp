#include "rnnalf/baseline/quantization.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {

void validate(const QuantizationOptions& options) {
  naming("quantization: q", [&] { option_value::check(kIntervals, options.intervals); });
  if (!(options.low < options.high)) {
    throw OptionError("quantization: expected a range with low < high");
  }
}

PartitionFunction quantization(const QuantizationOptions& options) {
  validate(options);
  const auto bits = static_cast<unsigned>(std::bit_width(options.intervals - 1));
  return [options, bits](std::span<const double> state) {
    // Packed: with q = 2, a large network's A-state is a bit per dimension.
    std::string key((state.size() * bits + 7) / 8, '\0');
    const double scale = static_cast<double>(options.intervals) / (options.high - options.low);
    const double most = static_cast<double>(options.intervals - 1);
    for (std::size_t d = 0; d < state.size(); ++d) {
      const double at = std::clamp(std::floor((state[d] - options.low) * scale), 0.0, most);
      const auto interval = static_cast<std::uint64_t>(at);
      for (unsigned b = 0; b < bits; ++b) {
        const std::size_t place = d * bits + b;
        const auto bit = static_cast<unsigned>((interval >> b) & 1U);
        key[place / 8] =
            static_cast<char>(static_cast<unsigned char>(key[place / 8]) | (bit << (place % 8)));
      }
    }
    return key;
  };
}

}  // namespace rnnalf
