#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/network/spec.hpp"
#include "rnnalf/onnx/node.hpp"

namespace rnnalf::onnx_impl {

/// `rnnalf.alphabet`: a JSON array of strings.
[[nodiscard]] Alphabet parse_alphabet(const std::string& json, const Context& context);

/// `rnnalf.probes`: a JSON array of pairs [array of symbol strings, probability].
[[nodiscard]] std::vector<Probe> parse_probes(const std::string& json, const Alphabet& alphabet,
                                              const Context& context);

}  // namespace rnnalf::onnx_impl
