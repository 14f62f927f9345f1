// A file of torch is a pickled object and the bytes of its storages: in a zip archive since torch
// 1.6, one behind the other before. The reader finds both, looks through the dictionaries and
// modules that the object holds for the one with recurrent weights, and returns its tensors as
// views of the file, each checked to lie inside its storage.

#include "rnnalf/pytorch/torch_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/pytorch/modules.hpp"
#include "rnnalf/pytorch/pickle.hpp"
#include "rnnalf/tensors/cell_layers.hpp"
#include "rnnalf/tensors/zip_archive.hpp"

namespace rnnalf::pytorch {
namespace {

using tensors::is_recurrent_name;
using tensors::little_endian;
using tensors::NamedTensors;
using tensors::quoted;
using tensors::Tensor;
using tensors::text_at;
using tensors::within;
using tensors::ZipArchive;

// 0x1950a86a20f9469cfc6c, little-endian: what files before torch 1.6 begin with.
constexpr std::string_view kLegacyMagic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

// A hundred recurrent layers have 400.
constexpr std::size_t kMostTensors = 4096;

/// The pickled object of a file, and where the bytes of its storages are.
struct Loaded {
  Pickle pickle;
  std::map<std::string_view, Bytes> storages;
};

/// Reads the outer form of a file, up to the pickled object and the bytes of its storages.
class Loader {
 public:
  Loader(Bytes bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[nodiscard]] Loaded load() const {
    if (bytes_.size() >= 2 && text_at(bytes_, 0, 2) == "PK") return zip();
    return legacy();
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw NetworkFileError(file_, message);
  }

  /// FOLDER/data.pkl is the object, FOLDER/data/KEY the bytes of a storage.
  [[nodiscard]] Loaded zip() const {
    const ZipArchive archive(bytes_, file_);
    const std::string_view object = archive.unique_name_ending("/data.pkl");
    if (object.empty()) {
      refuse(
          "expected a file of torch.save, which has one entry FOLDER/data.pkl, found another zip "
          "archive");
    }
    const std::string folder(object.substr(0, object.size() - std::string_view("data.pkl").size()));
    if (archive.has(folder + "byteorder")) {
      const Bytes order = archive.entry(folder + "byteorder");
      if (text_at(order, 0, order.size()) != "little") {
        refuse("byteorder: expected little, found " + quoted(text_at(order, 0, order.size())));
      }
    }

    Loaded loaded{Pickle(archive.entry(object), {file_, "data.pkl"}), {}};
    for (const Value& value : loaded.pickle.values()) {
      if (value.kind != ValueKind::Storage || loaded.storages.contains(value.text)) continue;
      const std::string entry = folder + "data/" + std::string(value.text);
      loaded.storages[value.text] = archive.entry(entry);
    }
    return loaded;
  }

  /// Before torch 1.6: five pickles (magic number, version, system, object, keys of the storages),
  /// then for each key the number of elements (8 bytes) and the elements.
  [[nodiscard]] Loaded legacy() const {
    std::size_t at = 0;
    const auto next = [&](const std::string& what) {
      Pickle pickle(bytes_.subspan(at), {file_, what, at});
      at += pickle.length();
      return pickle;
    };
    const Pickle magic = next("magic number");
    if (const Value& found = magic[magic.root()];
        found.kind != ValueKind::BigInteger || found.text != kLegacyMagic) {
      refuse("expected a file of torch.save(model.state_dict(), ...), found another pickle");
    }
    const Pickle version = next("version");
    if (const Value& found = version[version.root()];
        found.kind != ValueKind::Int || found.number != 1001) {
      refuse("version: expected 1001, found " + (found.kind == ValueKind::Int
                                                     ? std::to_string(found.number)
                                                     : std::string(describe(found.kind))));
    }
    check_byte_order(next("system"));

    Loaded loaded{next("pickle"), {}};
    const Pickle keys = next("storage keys");
    const Value& key_list = keys[keys.root()];
    if (key_list.kind != ValueKind::List) {
      refuse("storage keys: expected a list, found " + std::string(describe(key_list.kind)));
    }
    std::map<std::string_view, unsigned> element_bytes;
    for (const Value& value : loaded.pickle.values()) {
      if (value.kind == ValueKind::Storage) element_bytes.emplace(value.text, value.element_bytes);
    }
    for (const ValueId id : key_list.items) {
      const std::string_view key = keys[id].text;
      const std::string what = fmt::format("storage {} at byte {}: ", quoted(key), at);
      const auto wanted = element_bytes.find(key);
      if (wanted == element_bytes.end())
        refuse(what + "expected one that a tensor uses, found another");
      if (!within(bytes_, at, 8)) refuse(what + "expected its size, found the end of the file");
      const std::uint64_t count = little_endian(bytes_, at, 8);
      at += 8;
      const std::size_t room = bytes_.size() - at;
      if (count > room / wanted->second) {
        refuse(
            fmt::format("{}expected {} elements of {} bytes, found {} bytes to the end of the file",
                        what, count, wanted->second, room));
      }
      const std::size_t length = static_cast<std::size_t>(count) * wanted->second;
      loaded.storages[key] = bytes_.subspan(at, length);
      at += length;
    }
    return loaded;
  }

  void check_byte_order(const Pickle& system) const {
    const Value& root = system[system.root()];
    if (root.kind != ValueKind::Dict) {
      refuse("system: expected a dictionary, found " + std::string(describe(root.kind)));
    }
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
      if (system[root.items[i]].text == "little_endian" && system[root.items[i + 1]].number == 0) {
        refuse("system: expected little-endian numbers, found big-endian ones");
      }
    }
  }

  Bytes bytes_;
  const std::string& file_;
};

/// A dictionary or module in a file and how it was reached.
struct Container {
  ValueId id;
  ValueId key;  ///< under which a dictionary has it
};

/// What is reached from the root through dictionaries, the root first: dictionaries, and objects
/// that may be modules.
std::vector<Container> containers(const Pickle& pickle) {
  std::vector<Container> found;
  std::vector<bool> seen(pickle.values().size(), false);
  const auto visit = [&](ValueId id, ValueId key) {
    const ValueKind kind = pickle[id].kind;
    if (kind != ValueKind::Dict && kind != ValueKind::Object) return;
    if (seen[Pickle::index_of(id)]) return;
    seen[Pickle::index_of(id)] = true;
    found.push_back({id, key});
  };
  visit(pickle.root(), pickle.root());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<ValueId>& items = pickle[found[i].id].items;
    for (std::size_t k = 0; k + 1 < items.size(); k += 2) visit(items[k + 1], items[k]);
  }
  return found;
}

/// The tensors of a dictionary, or of a module and those inside it.
Content content(const Pickle& pickle, const Container& container, const std::string& file) {
  const Value& holder = pickle[container.id];
  if (holder.kind == ValueKind::Object && holder.number >= 0) {
    return module_content(pickle, container.id, file);
  }
  Content direct;
  for (std::size_t k = 0; k + 1 < holder.items.size(); k += 2) {
    const Value& key = pickle[holder.items[k]];
    if (pickle[holder.items[k + 1]].kind != ValueKind::Tensor) continue;
    if (key.kind != ValueKind::Text) {
      direct.unnamed = true;
      continue;
    }
    direct.tensors.push_back({std::string(key.text), holder.items[k + 1]});
  }
  return direct;
}

bool has_recurrent_weights(const Content& content) {
  return std::any_of(content.tensors.begin(), content.tensors.end(), [](const auto& tensor) {
    return is_recurrent_name(tensor.name) || tensors::is_cell_tensor(tensor.name);
  });
}

/// How a message calls a dictionary: the key that it stands under.
std::string label(const Pickle& pickle, const Container& container) {
  return container.id == pickle.root() ? "the outermost one" : quoted(pickle[container.key].text);
}

std::vector<std::size_t> integers(const Pickle& pickle, ValueId tuple) {
  std::vector<std::size_t> numbers;
  for (const ValueId id : pickle[tuple].items) {
    numbers.push_back(static_cast<std::size_t>(pickle[id].number));
  }
  return numbers;
}

/// Product, or nothing when it is above `limit`.
bool multiply_within(std::size_t& product, std::size_t factor, std::size_t limit) {
  if (factor != 0 && product > limit / factor) return false;
  product *= factor;
  return true;
}

Tensor checked_tensor(const Loaded& loaded, const Value& value, const std::string& name,
                      const std::string& file) {
  const Pickle& pickle = loaded.pickle;
  const Value& storage = pickle[value.items[0]];
  const auto refuse = [&](const std::string& message) {
    throw NetworkFileError(file, "tensor " + quoted(name) + ": " + message);
  };
  Tensor tensor{.name = name,
                .element = value.element,
                .sizes = integers(pickle, value.items[1]),
                .strides = integers(pickle, value.items[2]),
                .offset = static_cast<std::size_t>(value.number),
                .storage = {}};
  const auto bytes = loaded.storages.find(storage.text);
  if (bytes == loaded.storages.end()) {
    refuse("expected its storage " + quoted(storage.text) + " in the file, found none");
  }
  tensor.storage = bytes->second;

  const std::size_t available = tensor.storage.size() / storage.element_bytes;
  if (static_cast<std::uint64_t>(storage.number) > available) {
    refuse(fmt::format("expected a storage of {} elements, found {}", storage.number, available));
  }
  // An empty tensor touches nothing, whatever its other sizes say.
  if (std::find(tensor.sizes.begin(), tensor.sizes.end(), 0U) != tensor.sizes.end()) return tensor;
  std::size_t count = 1;
  std::size_t last = tensor.offset;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    std::size_t span = tensor.sizes[i] - 1;
    if (!multiply_within(count, tensor.sizes[i], available)) {
      refuse(fmt::format(
          "expected at most the {} elements that its storage has, found a shape of more: {}",
          available, tensor.shape()));
    }
    if (!multiply_within(span, tensor.strides[i], available) || span > available ||
        last > available - span) {
      last = available;
      break;
    }
    last += span;
  }
  if (last >= available) {
    refuse(fmt::format(
        "expected elements inside its storage of {}, found some beyond: shape {}, offset {}",
        available, tensor.shape(), tensor.offset));
  }
  return tensor;
}

}  // namespace

NamedTensors recurrent_tensors(tensors::Bytes bytes, const std::string& file) {
  const Loaded loaded = Loader(bytes, file).load();
  const Pickle& pickle = loaded.pickle;
  const auto refuse = [&](const std::string& message) { throw NetworkFileError(file, message); };

  const ValueKind root = pickle[pickle.root()].kind;
  if (root != ValueKind::Dict && root != ValueKind::Object) {
    refuse("expected a state_dict, which is a dictionary of tensors, found " +
           std::string(describe(root)));
  }
  std::vector<Container> candidates;
  Content chosen;
  for (const Container& container : containers(pickle)) {
    Content found = content(pickle, container, file);
    if (!has_recurrent_weights(found)) continue;
    if (candidates.empty()) chosen = std::move(found);
    candidates.push_back(container);
  }
  if (candidates.empty()) {
    refuse(tensors::no_recurrent_weights());
  }
  if (candidates.size() > 1) {
    const std::size_t named = candidates[0].id == pickle.root() ? 1 : 0;
    refuse(
        fmt::format("expected one dictionary with recurrent weights, found {}: {}, {}{}; save the "
                    "one that is meant, such as torch.save(torch.load(FILE)[{}], 'one.pt')",
                    candidates.size(), label(pickle, candidates[0]), label(pickle, candidates[1]),
                    (candidates.size() > 2 ? ", ..." : ""), label(pickle, candidates[named])));
  }
  if (chosen.unnamed) refuse("expected tensors with names, found one whose key is no text");

  NamedTensors named{.modules = std::move(chosen.modules), .kind = chosen.kind};
  const bool whole = candidates.front().id == pickle.root();
  named.format = !whole                              ? "PyTorch checkpoint"
                 : chosen.kind == "pickled module"   ? "PyTorch module"
                 : chosen.kind == "TorchScript file" ? "TorchScript"
                                                     : "";
  std::set<std::string_view> names;
  for (const auto& [name, id] : chosen.tensors) {
    const Value& value = pickle[id];
    if (!names.insert(name).second) {
      refuse("expected tensors with different names, found " + quoted(name) + " twice");
    }
    // Counters and masks: of other kinds than real numbers, so no part of what is computed here.
    if (value.element == ElementType::NotReal && !is_recurrent_name(name)) continue;
    if (value.element == ElementType::NotReal) {
      refuse("tensor " + quoted(name) + ": expected real numbers, found another kind");
    }
    if (named.tensors.size() >= kMostTensors) {
      refuse(fmt::format("expected at most {} tensors, found more", kMostTensors));
    }
    named.tensors.push_back(checked_tensor(loaded, value, name, file));
  }
  return named;
}

}  // namespace rnnalf::pytorch
