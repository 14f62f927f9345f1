#include "rnnalf/pytorch/torch_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/pytorch/zip_archive.hpp"

namespace rnnalf::pytorch {
namespace {

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
    if (archive.has(folder + "constants.pkl")) {
      refuse(
          "this is a TorchScript program, which cannot be read: save model.state_dict() instead");
    }
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
      const std::string what = "storage " + quoted(key) + " at byte " + std::to_string(at) + ": ";
      const auto wanted = element_bytes.find(key);
      if (wanted == element_bytes.end())
        refuse(what + "expected one that a tensor uses, found another");
      if (!within(bytes_, at, 8)) refuse(what + "expected its size, found the end of the file");
      const std::uint64_t count = little_endian(bytes_, at, 8);
      at += 8;
      const std::size_t room = bytes_.size() - at;
      if (count > room / wanted->second) {
        refuse(what + "expected " + std::to_string(count) + " elements of " +
               std::to_string(wanted->second) + " bytes, found " + std::to_string(room) +
               " bytes to the end of the file");
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

/// A dictionary in a file and how it was reached.
struct Place {
  ValueId dict;
  ValueId key;  ///< under which another dictionary has it
};

/// All dictionaries that are reached from the root through dictionaries, the root first.
std::vector<Place> dictionaries(const Pickle& pickle) {
  std::vector<Place> places;
  std::vector<bool> seen(pickle.values().size(), false);
  const auto visit = [&](ValueId id, ValueId key) {
    if (pickle[id].kind != ValueKind::Dict || seen[Pickle::index_of(id)]) return;
    seen[Pickle::index_of(id)] = true;
    places.push_back({id, key});
  };
  visit(pickle.root(), pickle.root());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::vector<ValueId>& items = pickle[places[i].dict].items;
    for (std::size_t k = 0; k + 1 < items.size(); k += 2) visit(items[k + 1], items[k]);
  }
  return places;
}

bool has_recurrent_weights(const Pickle& pickle, const Place& place) {
  const std::vector<ValueId>& items = pickle[place.dict].items;
  for (std::size_t k = 0; k + 1 < items.size(); k += 2) {
    if (pickle[items[k + 1]].kind == ValueKind::Tensor && is_recurrent_name(pickle[items[k]].text))
      return true;
  }
  return false;
}

/// How a message calls a dictionary: the key that it stands under.
std::string label(const Pickle& pickle, const Place& place) {
  return place.dict == pickle.root() ? "the outermost one" : quoted(pickle[place.key].text);
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

Tensor checked_tensor(const Loaded& loaded, const Value& value, std::string_view name,
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
    refuse("expected a storage of " + std::to_string(storage.number) + " elements, found " +
           std::to_string(available));
  }
  // An empty tensor touches nothing, whatever its other sizes say.
  if (std::find(tensor.sizes.begin(), tensor.sizes.end(), 0U) != tensor.sizes.end()) return tensor;
  std::size_t count = 1;
  std::size_t last = tensor.offset;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    std::size_t span = tensor.sizes[i] - 1;
    if (!multiply_within(count, tensor.sizes[i], available)) {
      refuse("expected at most the " + std::to_string(available) +
             " elements that its storage has, found a shape of more: " + tensor.shape());
    }
    if (!multiply_within(span, tensor.strides[i], available) || span > available ||
        last > available - span) {
      last = available;
      break;
    }
    last += span;
  }
  if (last >= available) {
    refuse("expected elements inside its storage of " + std::to_string(available) +
           ", found some beyond: shape " + tensor.shape() + ", offset " +
           std::to_string(tensor.offset));
  }
  return tensor;
}

double float16(std::uint64_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>(bits >> 10 & 0x1fU);
  const auto fraction = static_cast<double>(bits & 0x3ffU);
  if (exponent == 0x1f) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024.0 + fraction, exponent - 25);
}

double real_number(ElementType type, std::uint64_t bits) {
  switch (type) {
    case ElementType::Float16:
      return float16(bits);
    case ElementType::BFloat16:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
    case ElementType::Float32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ElementType::Float64:
      return std::bit_cast<double>(bits);
    case ElementType::NotReal:
      break;
  }
  return std::nan("");
}

}  // namespace

std::size_t Tensor::count() const {
  std::size_t product = 1;
  for (const std::size_t size : sizes) product *= size;
  return product;
}

std::string Tensor::shape() const {
  if (sizes.empty()) return "a single number";
  std::string text;
  for (const std::size_t size : sizes) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

std::vector<double> Tensor::numbers() const {
  std::vector<double> result(count());
  const std::size_t width = element_size(element);
  std::vector<std::size_t> position(sizes.size(), 0);
  std::size_t at = offset;
  for (double& number : result) {
    number = real_number(element, little_endian(storage, at * width, width));
    // The next position, last dimension fastest.
    for (std::size_t i = sizes.size(); i > 0; --i) {
      at += strides[i - 1];
      if (++position[i - 1] < sizes[i - 1]) break;
      at -= strides[i - 1] * sizes[i - 1];
      position[i - 1] = 0;
    }
  }
  return result;
}

bool is_recurrent_name(std::string_view name) noexcept {
  const std::size_t dot = name.rfind('.');
  const std::string_view leaf = dot == std::string_view::npos ? name : name.substr(dot + 1);
  for (const std::string_view stem :
       {"weight_ih", "weight_hh", "weight_hr", "bias_ih", "bias_hh"}) {
    if (leaf.starts_with(stem)) return true;
  }
  return false;
}

std::vector<Tensor> recurrent_state_dict(Bytes bytes, const std::string& file) {
  const Loaded loaded = Loader(bytes, file).load();
  const Pickle& pickle = loaded.pickle;
  const auto refuse = [&](const std::string& message) { throw NetworkFileError(file, message); };

  if (pickle[pickle.root()].kind != ValueKind::Dict) {
    refuse("expected a state_dict, which is a dictionary of tensors, found " +
           std::string(describe(pickle[pickle.root()].kind)));
  }
  std::vector<Place> candidates = dictionaries(pickle);
  std::erase_if(candidates,
                [&](const Place& place) { return !has_recurrent_weights(pickle, place); });
  if (candidates.empty()) {
    refuse(
        "expected recurrent weights (weight_ih_l0, weight_hh_l0, ... under any prefix), found "
        "none");
  }
  if (candidates.size() > 1) {
    refuse("expected one dictionary with recurrent weights, found " +
           std::to_string(candidates.size()) + ": " + label(pickle, candidates[0]) + ", " +
           label(pickle, candidates[1]) + (candidates.size() > 2 ? ", ..." : ""));
  }

  std::vector<Tensor> tensors;
  std::set<std::string_view> names;
  const std::vector<ValueId>& items = pickle[candidates.front().dict].items;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const Value& key = pickle[items[i]];
    const Value& value = pickle[items[i + 1]];
    if (value.kind != ValueKind::Tensor) continue;
    if (key.kind != ValueKind::Text) {
      refuse("expected tensors with names, found one whose key is " +
             std::string(describe(key.kind)));
    }
    if (!names.insert(key.text).second) {
      refuse("expected tensors with different names, found " + quoted(key.text) + " twice");
    }
    // Counters and masks: of other kinds than real numbers, so no part of what is computed here.
    if (value.element == ElementType::NotReal && !is_recurrent_name(key.text)) continue;
    if (value.element == ElementType::NotReal) {
      refuse("tensor " + quoted(key.text) + ": expected real numbers, found another kind");
    }
    if (tensors.size() >= kMostTensors) {
      refuse("expected at most " + std::to_string(kMostTensors) + " tensors, found more");
    }
    tensors.push_back(checked_tensor(loaded, value, key.text, file));
  }
  return tensors;
}

}  // namespace rnnalf::pytorch
