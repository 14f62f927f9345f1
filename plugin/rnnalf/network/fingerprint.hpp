#pragma once

#include <string>
#include <string_view>

#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// SHA-256 of a text, as 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// The canonical form of a network, whatever file it came from: lines of text for cell, sizes,
/// letters, output and accept class, each weight as the eight bytes of a little-endian double.
/// Absent biases and initial states are zeros; numbers below 2^-126 are zero, as the readers leave
/// them. The file's name, names of classes and probes are not in it. docs/certificates.md has every
/// byte.
[[nodiscard]] std::string canonical_bytes(const NetworkSpec& spec);

/// SHA-256 of the canonical form: two networks with one bit of difference in one weight differ.
[[nodiscard]] std::string fingerprint(const NetworkSpec& spec);

}  // namespace rnnalf
