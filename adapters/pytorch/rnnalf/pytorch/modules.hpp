#pragma once

#include <string>
#include <vector>

#include "rnnalf/pytorch/pickle.hpp"
#include "rnnalf/tensors/tensor.hpp"

namespace rnnalf::pytorch {

/// Tensors by name in a pickle, before their bytes are looked at.
struct Content {
  struct Named {
    std::string name;
    ValueId tensor;
  };
  std::vector<Named> tensors{};
  std::vector<tensors::Module> modules{};
  bool unnamed = false;             ///< some tensor stands under a key that is no text
  std::string kind = "state_dict";  ///< what messages call it
};

/// The tensors of a pickled module and of those inside it, named as in its state_dict, and what the
/// file says of torch's own modules among them. `module` is an Object with attributes. In a file of
/// torch.save a module keeps its parts in `_parameters`, `_buffers` and `_modules`; in TorchScript
/// they are attributes. Throws NetworkFileError when modules are nested deeper than any network's.
[[nodiscard]] Content module_content(const Pickle& pickle, ValueId module, const std::string& file);

}  // namespace rnnalf::pytorch
