#include "rnnalf/pytorch/modules.hpp"

#include <bit>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::pytorch {
namespace {

using tensors::Module;
using tensors::quoted;

constexpr std::size_t kDeepest = 32;
constexpr std::size_t kLongestPath = 1000;
constexpr std::size_t kMostModules = 4096;

struct Walker {
  const Pickle& pickle;
  const std::string& file;
  Content content{};

  void module(const Value& object, const std::string& path, std::size_t depth) {
    if (depth > kDeepest || path.size() > kLongestPath || content.modules.size() >= kMostModules) {
      throw NetworkFileError(file,
                             "expected modules as a network has them, found them nested or "
                             "repeated without end at " +
                                 quoted(path));
    }
    content.modules.push_back(
        {.path = path.substr(0, path.empty() ? 0 : path.size() - 1), .type = type_of(object)});
    const std::size_t self = content.modules.size() - 1;
    if (object.number < 0) return;
    const Value& attributes = pickle[static_cast<ValueId>(object.number)];
    if (attributes.kind != ValueKind::Dict) return;

    const bool eager = find(attributes, "_modules") != nullptr;
    if (!eager) content.kind = "TorchScript file";
    for (const char* part : {"_parameters", "_buffers", "_modules"}) {
      const Value* const held = eager ? find(attributes, part) : nullptr;
      if (held != nullptr) members(*held, path, depth);
    }
    if (!eager) members(attributes, path, depth);
    describe_module(attributes, content.modules[self]);
  }

  /// Tensors by name, and modules inside.
  void members(const Value& dict, const std::string& path, std::size_t depth) {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
      const Value& key = pickle[dict.items[i]];
      const Value& member = pickle[dict.items[i + 1]];
      if (key.kind != ValueKind::Text) continue;
      const std::string name = path + std::string(key.text);
      if (member.kind == ValueKind::Tensor) content.tensors.push_back({name, dict.items[i + 1]});
      if (member.kind == ValueKind::Object) module(member, name + ".", depth + 1);
    }
  }

  /// The class's own name; TorchScript adds marks in front of it where names would clash.
  static std::string type_of(const Value& object) {
    const std::size_t dot = object.text.rfind('.');
    return std::string(dot == std::string_view::npos ? object.text : object.text.substr(dot + 1));
  }

  [[nodiscard]] const Value* find(const Value& dict, std::string_view name) const {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
      if (pickle[dict.items[i]].kind == ValueKind::Text && pickle[dict.items[i]].text == name) {
        return &pickle[dict.items[i + 1]];
      }
    }
    return nullptr;
  }

  void describe_module(const Value& attributes, Module& module) const {
    for (const char* name : {"mode", "nonlinearity", "approximate"}) {
      const Value* const found = find(attributes, name);
      if (found != nullptr && found->kind == ValueKind::Text) module.mode = found->text;
    }
    for (const char* name : {"eps", "negative_slope", "alpha"}) {
      const Value* const found = find(attributes, name);
      if (found == nullptr) continue;
      if (found->kind == ValueKind::Float) {
        module.number = std::bit_cast<double>(found->number);
      } else if (found->kind == ValueKind::Int) {
        module.number = static_cast<double>(found->number);
      }
    }
  }
};

}  // namespace

Content module_content(const Pickle& pickle, ValueId module, const std::string& file) {
  Walker walker{pickle, file};
  walker.content.kind = "pickled module";
  walker.module(pickle[module], "", 0);
  return std::move(walker.content);
}

}  // namespace rnnalf::pytorch
