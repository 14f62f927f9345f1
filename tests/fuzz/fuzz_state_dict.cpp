// Any bytes as a state_dict file: a network that passes its checks, or a NetworkFileError.

#include <cstddef>
#include <cstdint>
#include <span>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/pytorch/pickle.hpp"
#include "rnnalf/pytorch/state_dict_reader.hpp"

using namespace rnnalf;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const auto cell : {std::optional<CellKind>(), std::optional(CellKind::ElmanTanh)}) {
    try {
      validate(read_state_dict(bytes, "fuzz", {.alphabet = {}, .cell = cell, .accept_class = {}}));
    } catch (const NetworkFileError&) {
    }
  }
  // In a zip file a mutated pickle mostly dies of its checksum, so pickles are tried bare as well.
  try {
    const pytorch::Pickle pickle(bytes, {"fuzz", "pickle", 0});
  } catch (const NetworkFileError&) {
  }
  return 0;
}
