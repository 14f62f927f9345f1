#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/tensors/bytes.hpp"
#include "rnnalf/tensors/tensor.hpp"

namespace rnnalf::pytorch {

using tensors::Bytes;
using tensors::ElementType;

/// Position of a value in its Pickle.
enum class ValueId : std::uint32_t {};

enum class ValueKind : std::uint8_t {
  None,
  Bool,        ///< number: 0 or 1
  Int,         ///< number
  BigInteger,  ///< text: its little-endian bytes; only torch's magic number needs it
  Float,       ///< number: its bits
  Text,        ///< text
  Tuple,       ///< items
  List,        ///< items
  Dict,        ///< items: key, value, key, value, ... in the order they were set
  Global,      ///< global: a name of the allow-list
  Storage,     ///< element, text: its key, number: how many elements
  Tensor,      ///< number: offset in elements; items: storage, sizes (Tuple), strides (Tuple)
  Object       ///< of any other class, never made; text: its class, items: what was put in
               ///< it as in a dictionary, number: its attributes (a ValueId), or -1
};

/// What a state_dict names of Python. Every other name is Unknown: its objects are kept as the data
/// that describes them.
enum class Global : std::uint8_t {
  OrderedDict,
  RebuildTensor,
  RebuildTensorV2,
  RebuildParameter,
  StorageType,
  Rebuild,
  Constant,
  Unknown
};

/// One value of a pickle; which fields mean something stands at its kind.
struct Value {
  ValueKind kind = ValueKind::None;
  ElementType element = ElementType::NotReal;
  Global global = Global::Constant;
  std::uint8_t element_bytes = 0;  ///< of a storage or its type
  std::int64_t number = 0;
  std::string_view text{};
  std::vector<ValueId> items{};
};

/// Where a pickle lies, for messages.
struct PicklePlace {
  std::string file;
  std::string what;       ///< such as "archive/data.pkl"
  std::size_t start = 0;  ///< added to the positions in messages
};

/// One pickle read as data: a small machine for the opcodes that torch.save writes.
///
/// Nothing is ever called and no class is looked up: a tensor is where its bytes are, an object of
/// a class that is not torch's is the name of the class and the data beside it. Names that only
/// serve to run something, and opcodes that torch.save does not write, are refused with their
/// position.
///
/// Why this reader is ours: Python's own runs what a pickle says, which in a file from elsewhere
/// may be anything, and no library offers the data alone with messages that say where it went
/// wrong. The values lie side by side, at most one for two bytes and at most a fixed number of
/// them, so neither nesting nor cycles nor a value that contains another many times cost more than
/// the bytes that say so: some 45 times the pickle's size, and never more than 32 MB. Texts are
/// views into the bytes, which must outlive the Pickle.
class Pickle {
 public:
  /// Reads the pickle at the start of `bytes`; what follows its end is left alone.
  Pickle(Bytes bytes, PicklePlace place);

  [[nodiscard]] ValueId root() const { return root_; }
  [[nodiscard]] const Value& operator[](ValueId id) const { return values_[index_of(id)]; }
  [[nodiscard]] const std::deque<Value>& values() const { return values_; }
  /// Bytes from the start to behind the end of this pickle.
  [[nodiscard]] std::size_t length() const { return length_; }

  [[nodiscard]] static std::size_t index_of(ValueId id) { return static_cast<std::size_t>(id); }

 private:
  friend class PickleMachine;

  std::deque<Value> values_;  // a deque: growing needs no second copy
  ValueId root_{};
  std::size_t length_ = 0;
};

/// What a message calls a value: "a list", "a tensor", ...
[[nodiscard]] std::string_view describe(ValueKind kind) noexcept;

}  // namespace rnnalf::pytorch
