#pragma once

#include <cstddef>
#include <optional>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// What the user says about a network file; every reader takes it. A field left empty means: as the
/// file says it, else the reader's default.
struct ReadOptions {
  std::optional<Alphabet> alphabet = {};  ///< `--alphabet`; default: the file's own, else 0 .. k-1
  std::optional<CellKind> cell = {};      ///< `--cell`; one that contradicts the file is an error
  std::optional<std::size_t> accept_class = {};  ///< `--accept-class`; default: 1 of two outputs
};

}  // namespace rnnalf
