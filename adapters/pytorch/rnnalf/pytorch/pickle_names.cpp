#include "rnnalf/pytorch/pickle_names.hpp"

#include <algorithm>
#include <array>

namespace rnnalf::pytorch {
namespace {

constexpr KnownGlobal storage(std::string_view name, std::uint8_t element_bytes,
                              ElementType element = ElementType::NotReal) {
  return {"torch", name, Global::StorageType, element, element_bytes};
}

constexpr std::array kKnownGlobals = {
    KnownGlobal{"collections", "OrderedDict", Global::OrderedDict},
    KnownGlobal{"torch._utils", "_rebuild_tensor", Global::RebuildTensor},
    KnownGlobal{"torch._utils", "_rebuild_tensor_v2", Global::RebuildTensorV2},
    KnownGlobal{"torch._utils", "_rebuild_parameter", Global::RebuildParameter},
    storage("HalfStorage", 2, ElementType::Float16),
    storage("BFloat16Storage", 2, ElementType::BFloat16),
    storage("FloatStorage", 4, ElementType::Float32),
    storage("DoubleStorage", 8, ElementType::Float64),
    storage("LongStorage", 8),
    storage("IntStorage", 4),
    storage("ShortStorage", 2),
    storage("CharStorage", 1),
    storage("ByteStorage", 1),
    storage("BoolStorage", 1),
    storage("ComplexFloatStorage", 8),
    storage("ComplexDoubleStorage", 16),
    KnownGlobal{"torch._utils", "_rebuild_parameter_with_state", Global::RebuildParameter},
    KnownGlobal{"torch._tensor", "_rebuild_from_type_v2", Global::Rebuild},
    KnownGlobal{"torch", "float16", Global::Constant},
    KnownGlobal{"torch", "bfloat16", Global::Constant},
    KnownGlobal{"torch", "float32", Global::Constant},
    KnownGlobal{"torch", "float64", Global::Constant},
    KnownGlobal{"torch", "int64", Global::Constant},
};

}  // namespace

const KnownGlobal* known_global(std::string_view module, std::string_view name) {
  const auto* const found = std::find_if(
      kKnownGlobals.begin(), kKnownGlobals.end(),
      [&](const KnownGlobal& known) { return known.module == module && known.name == name; });
  return found == kKnownGlobals.end() ? nullptr : &*found;
}

bool runs_something(std::string_view module, std::string_view name) {
  constexpr std::string_view modules[] = {
      "os",         "posix",  "nt",        "subprocess", "sys",       "shutil",
      "socket",     "runpy",  "importlib", "pty",        "ctypes",    "code",
      "webbrowser", "pickle", "_pickle",   "marshal",    "torch.hub", "commands"};
  constexpr std::string_view builtins[] = {"eval",  "exec",       "execfile", "compile",   "open",
                                           "input", "__import__", "apply",    "breakpoint"};
  const auto among = [](const auto& names, std::string_view wanted) {
    return std::find(std::begin(names), std::end(names), wanted) != std::end(names);
  };
  if (module == "builtins" || module == "__builtin__") return among(builtins, name);
  if (module == "torch") return name == "load";
  if (module == "torch.storage") return name == "_load_from_bytes";
  return among(modules, module) || among(modules, module.substr(0, module.find('.')));
}

}  // namespace rnnalf::pytorch
