#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// On how many words of one length two sides gave the same answer.
struct LengthAgreement {
  std::size_t length = 0;
  std::uint64_t words = 0;
  std::uint64_t agreed = 0;

  /// 1 when there were no words.
  [[nodiscard]] double share() const {
    return words == 0 ? 1 : static_cast<double>(agreed) / static_cast<double>(words);
  }
};

/// The same over all lengths together.
[[nodiscard]] inline double overall_share(const std::vector<LengthAgreement>& by_length) {
  LengthAgreement sum;
  for (const LengthAgreement& part : by_length) {
    sum.words += part.words;
    sum.agreed += part.agreed;
  }
  return sum.share();
}

}  // namespace rnnalf
