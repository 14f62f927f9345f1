#pragma once

#include <cstdint>
#include <string_view>

#include "rnnalf/pytorch/pickle.hpp"

namespace rnnalf::pytorch {

/// A name of Python that is understood.
struct KnownGlobal {
  std::string_view module;
  std::string_view name;
  Global global;
  ElementType element = ElementType::NotReal;
  std::uint8_t element_bytes = 0;
};

/// Null: none of them.
[[nodiscard]] const KnownGlobal* known_global(std::string_view module, std::string_view name);

/// Names that a pickle has only in order to run something: no checkpoint needs them, and one that
/// has them is not to be opened with Python.
[[nodiscard]] bool runs_something(std::string_view module, std::string_view name);

}  // namespace rnnalf::pytorch
