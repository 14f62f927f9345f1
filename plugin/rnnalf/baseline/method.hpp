#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rnnalf {

enum class Method : std::uint8_t { AbstractionRefinement, Quantization, KMeans };

/// How a DFA is made from a network.
struct MethodSpec {
  Method method = Method::AbstractionRefinement;
  std::size_t intervals = 2;    ///< quantization: q
  std::vector<std::size_t> ks;  ///< kmeans: numbers of clusters to try

  [[nodiscard]] std::string text() const;  ///< as on the command line
};

/// Reads `abstraction-refinement`, `quantization:q=2`, `kmeans:k=10`, `kmeans` (several k). Throws
/// OptionError that lists what exists.
[[nodiscard]] MethodSpec parse_method(std::string_view text);

}  // namespace rnnalf
