// A pickle is a program for a small stack machine; Python runs it to build an object. This machine
// runs it to build values and nothing else: names of Python are looked up in a table of the few
// that checkpoints need, calls of any other make an object without content, and names that exist to
// run something are refused. Values, items, marks and the memo have bounds, so that a small file
// cannot ask for much memory.

#include "rnnalf/pytorch/pickle.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/pytorch/pickle_names.hpp"

namespace rnnalf::pytorch {
namespace {

using tensors::little_endian;
using tensors::quoted;
using tensors::text_at;
using tensors::within;

// A checkpoint of a large network with its optimizer has some ten thousand values, and a pickler
// spends two bytes or more on each: an opcode with an argument, or an opcode and its place in the
// memo.
constexpr std::size_t kMostValues = 1U << 18;
constexpr std::size_t kMostItems = 1U << 20;
constexpr std::size_t kMostDimensions = 16;

// Values without content, which an opcode alone makes, are kept once, at the front.
constexpr ValueId kNone{0};
constexpr ValueId kFalse{1};
constexpr ValueId kTrue{2};
constexpr ValueId kEmptyTuple{3};
constexpr std::size_t kSharedValues = 4;

}  // namespace

std::string_view describe(ValueKind kind) noexcept {
  constexpr std::array<std::string_view, 13> names = {
      "nothing (None)", "a truth value", "a number",       "a large number", "a number",
      "a text",         "a tuple",       "a list",         "a dictionary",   "a Python name",
      "a storage",      "a tensor",      "a Python object"};
  return names[static_cast<std::size_t>(kind)];
}

/// Runs one pickle into the values of a Pickle.
class PickleMachine {
 public:
  PickleMachine(Bytes bytes, PicklePlace place, Pickle& pickle)
      : bytes_(bytes),
        place_(std::move(place)),
        pickle_(pickle),
        most_values_(std::min(kMostValues, kSharedValues + bytes.size() / 2)) {
    pickle_.values_.resize(kSharedValues);
    pickle_.values_[1].kind = pickle_.values_[2].kind = ValueKind::Bool;
    pickle_.values_[2].number = 1;
    pickle_.values_[3].kind = ValueKind::Tuple;
  }

  void run() {
    if (take_byte("a pickle") != 0x80) refuse("expected a pickle, found other data");
    if (const unsigned protocol = take_byte("a protocol"); protocol < 2 || protocol > 5) {
      refuse(fmt::format("expected pickle protocol 2 to 5, found {}", protocol));
    }
    while (!ended_) step();
    pickle_.root_ = pop();
    pickle_.length_ = at_;
  }

 private:
  // ---- bytes

  [[noreturn]] void refuse(const std::string& message) const {
    throw NetworkFileError(place_.file, fmt::format("{}, byte {}: {}", place_.what,
                                                    place_.start + opcode_at_, message));
  }

  std::size_t take(std::uint64_t length, std::string_view what) {
    if (!within(bytes_, at_, length)) {
      refuse("expected " + std::string(what) + ", found the end of the data");
    }
    const std::size_t start = at_;
    at_ += static_cast<std::size_t>(length);
    return start;
  }
  unsigned take_byte(std::string_view what) {
    return std::to_integer<unsigned>(bytes_[take(1, what)]);
  }
  std::uint64_t take_number(std::size_t width) {
    return little_endian(bytes_, take(width, "a number"), width);
  }
  std::string_view take_text(std::uint64_t length) {
    const std::size_t start = take(length, fmt::format("a text of {} bytes", length));
    return text_at(bytes_, start, static_cast<std::size_t>(length));
  }
  std::string_view take_line() {
    const std::string_view rest = text_at(bytes_, at_, bytes_.size() - at_);
    const std::size_t length = rest.find('\n');
    if (length == std::string_view::npos) refuse("expected a name, found the end of the data");
    at_ += length + 1;
    return rest.substr(0, length);
  }

  // ---- values and the stack

  ValueId add(Value value) {
    if (pickle_.values_.size() >= most_values_) {
      refuse(fmt::format("expected at most {} values, found more", most_values_));
    }
    pickle_.values_.push_back(std::move(value));
    return static_cast<ValueId>(pickle_.values_.size() - 1);
  }
  Value& value(ValueId id) { return pickle_.values_[Pickle::index_of(id)]; }

  void push(ValueId id) {
    if (stack_.size() >= kMostItems) {
      refuse(fmt::format("expected at most {} values on the stack, found more", kMostItems));
    }
    stack_.push_back(id);
  }
  void push(Value new_value) { push(add(std::move(new_value))); }
  void push_number(ValueKind kind, std::int64_t number) {
    push(Value{.kind = kind, .number = number});
  }
  void push_int(std::int64_t number) { push_number(ValueKind::Int, number); }
  std::int64_t take_signed(std::size_t width) {
    return static_cast<std::int64_t>(take_number(width));
  }
  /// A double, the one number that a pickle has big-endian.
  void push_float() {
    const std::size_t start = take(8, "a number");
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      bits = bits << 8 | std::to_integer<std::uint64_t>(bytes_[start + i]);
    }
    push_number(ValueKind::Float, static_cast<std::int64_t>(bits));
  }
  /// A text behind its length, a number of `width` bytes.
  void push_text(std::size_t width) {
    push(Value{.kind = ValueKind::Text, .text = take_text(take_number(width))});
  }

  /// First stack position above the topmost mark.
  [[nodiscard]] std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  ValueId pop() {
    if (stack_.size() <= floor()) refuse("expected a value on the stack, found none");
    const ValueId top = stack_.back();
    stack_.pop_back();
    return top;
  }
  ValueId top() {
    if (stack_.size() <= floor()) refuse("expected a value on the stack, found none");
    return stack_.back();
  }
  void push_mark() {
    if (marks_.size() >= kMostItems) {
      refuse(fmt::format("expected at most {} marks on the stack, found more", kMostItems));
    }
    marks_.push_back(stack_.size());
  }
  std::vector<ValueId> pop_to_mark() {
    if (marks_.empty()) refuse("expected a mark on the stack, found none");
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<ValueId> items(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return items;
  }
  ValueId pop(ValueKind kind) {
    const ValueId id = pop();
    expect(value(id).kind == kind, describe(kind), id);
    return id;
  }
  void expect(bool holds, std::string_view what, ValueId found) {
    if (!holds) {
      refuse("expected " + std::string(what) + ", found " +
             std::string(describe(value(found).kind)));
    }
  }

  void put_items(ValueId container, const std::vector<ValueId>& items) {
    if (items.size() > kMostItems - items_) {
      refuse(fmt::format("expected at most {} items, found more", kMostItems));
    }
    items_ += items.size();
    std::vector<ValueId>& all = value(container).items;
    all.insert(all.end(), items.begin(), items.end());
  }
  void push_container(ValueKind kind, const std::vector<ValueId>& items = {}) {
    const ValueId id = add(Value{.kind = kind});
    put_items(id, items);
    push(id);
  }
  void push_tuple(std::size_t size) {
    std::vector<ValueId> items(size);
    for (std::size_t i = size; i > 0; --i) items[i - 1] = pop();
    push_container(ValueKind::Tuple, items);
  }
  void append(const std::vector<ValueId>& items) {
    if (value(top()).kind == ValueKind::Object) return;  // of a class that is a list
    expect(value(top()).kind == ValueKind::List, "a list", top());
    put_items(top(), items);
  }
  void set_item() {
    const ValueId item = pop();
    const ValueId key = pop();
    set_items({key, item});
  }
  void set_items(const std::vector<ValueId>& items) {
    const ValueKind kind = value(top()).kind;
    expect(kind == ValueKind::Dict || kind == ValueKind::Object, "a dictionary", top());
    if (items.size() % 2 != 0) refuse("expected keys with values, found a key without");
    put_items(top(), items);
  }

  void memoize(std::uint64_t slot) {
    // Picklers remember every value at most once and count from 0 or 1, so none writes a position
    // beyond the number of values. Refusing it bounds the memory that a hostile file can ask for.
    if (slot > pickle_.values_.size()) {
      refuse(fmt::format("memo: expected a position of at most {}, found {}",
                         pickle_.values_.size(), slot));
    }
    const ValueId remembered = top();
    if (slot >= memo_.size()) memo_.resize(static_cast<std::size_t>(slot) + 1);
    memo_[static_cast<std::size_t>(slot)] = remembered;
  }
  void recall(std::uint64_t slot) {
    if (slot >= memo_.size() || !memo_[static_cast<std::size_t>(slot)]) {
      refuse(fmt::format("memo: expected something at position {}, found nothing", slot));
    }
    push(*memo_[static_cast<std::size_t>(slot)]);
  }

  void push_long(std::uint64_t width) {
    const std::size_t start = take(width, "a number");
    if (width > 8) {
      push(Value{.kind = ValueKind::BigInteger,
                 .text = text_at(bytes_, start, static_cast<std::size_t>(width))});
      return;
    }
    std::uint64_t number = little_endian(bytes_, start, static_cast<std::size_t>(width));
    // Two's complement of `width` bytes: the topmost bit says negative.
    if (width > 0 && width < 8 && (number >> (8 * width - 1) & 1U) != 0)
      number |= ~0ULL << 8 * width;
    push_number(ValueKind::Int, static_cast<std::int64_t>(number));
  }

  // ---- names of Python, and the few that are understood

  void push_global_by_lines() {
    const std::string_view module = take_line();
    push_global(module, take_line());
  }
  void push_global_by_texts() {
    const ValueId name = pop(ValueKind::Text);
    const ValueId module = pop(ValueKind::Text);
    push_global(value(module).text, value(name).text);
  }

  void push_global(std::string_view module, std::string_view name) {
    if (const KnownGlobal* const known = known_global(module, name)) {
      push(Value{.kind = ValueKind::Global,
                 .element = known->element,
                 .global = known->global,
                 .element_bytes = known->element_bytes,
                 .text = name});
      return;
    }
    if (runs_something(module, name)) {
      refuse("refused: " + quoted(std::string(module) + "." + std::string(name)) +
             ", which Python would run when it opens this file; a network needs no such name");
    }
    push(Value{.kind = ValueKind::Global, .global = Global::Unknown, .text = name});
  }

  /// A tuple's items when it has between `fewest` and `most` of them.
  const std::vector<ValueId>& arguments(ValueId tuple, std::size_t fewest, std::size_t most,
                                        std::string_view what) {
    const std::vector<ValueId>& items = value(tuple).items;
    if (items.size() < fewest || items.size() > most) {
      refuse(fmt::format("{}: expected {} arguments, found {}", what, fewest, items.size()));
    }
    return items;
  }

  void reduce() {
    const ValueId tuple = pop();
    const ValueId callee = pop();
    if (value(callee).kind == ValueKind::Object) {  // made by something that was not made itself
      push_object(callee);
      return;
    }
    expect(value(callee).kind == ValueKind::Global, "a Python name", callee);
    if (value(callee).global != Global::Unknown) {
      expect(value(tuple).kind == ValueKind::Tuple, "a tuple", tuple);
    }
    call(callee, tuple);
  }

  void call(ValueId callee, ValueId tuple) {
    switch (value(callee).global) {
      case Global::OrderedDict:
        push(ordered_dict(tuple));
        return;
      case Global::RebuildTensor:
        push(tensor(arguments(tuple, 4, 4, "_rebuild_tensor")));
        return;
      case Global::RebuildTensorV2:
        push(tensor(arguments(tuple, 6, 7, "_rebuild_tensor_v2")));
        return;
      case Global::RebuildParameter: {
        const ValueId data = arguments(tuple, 3, 4, "_rebuild_parameter").front();
        expect(value(data).kind == ValueKind::Tensor, "a tensor", data);
        push(data);
        return;
      }
      case Global::Rebuild: {
        // (function, type, its arguments, attributes): a tensor with attributes of its own
        const std::vector<ValueId> given = arguments(tuple, 4, 4, "_rebuild_from_type_v2");
        expect(
            value(given[0]).kind == ValueKind::Global && value(given[0]).global != Global::Rebuild,
            "a Python name", given[0]);
        expect(value(given[2]).kind == ValueKind::Tuple, "a tuple", given[2]);
        call(given[0], given[2]);
        return;
      }
      case Global::Unknown:
        push_object(callee);
        return;
      case Global::StorageType:
      case Global::Constant:
        break;
    }
    refuse("refused: a call of " + quoted(value(callee).text));
  }

  /// Something of the class (or made by the function) that `callee` names.
  void push_object(ValueId callee) {
    push(Value{.kind = ValueKind::Object, .number = -1, .text = value(callee).text});
  }

  /// A class's own way to make an object: class, arguments, and for NEWOBJ_EX names of arguments.
  void new_object(std::size_t arguments_count) {
    for (std::size_t i = 0; i < arguments_count; ++i) pop();
    const ValueId callee = pop();
    expect(value(callee).kind == ValueKind::Global || value(callee).kind == ValueKind::Object,
           "a Python name", callee);
    if (value(callee).global == Global::OrderedDict && value(callee).kind == ValueKind::Global) {
      push_container(ValueKind::Dict);
    } else {
      push_object(callee);
    }
  }

  /// Attributes: of a state_dict torch's _metadata, of an object what it is made of.
  void build() {
    const ValueId attributes = pop();
    Value& built = value(top());
    if (built.kind == ValueKind::Object) {
      built.number = static_cast<std::int64_t>(Pickle::index_of(attributes));
      return;
    }
    expect(built.kind == ValueKind::Dict || built.kind == ValueKind::Tensor,
           "attributes of an object", top());
  }

  /// OrderedDict(), or as Python 2 wrote it: OrderedDict([[key, value], ...]).
  ValueId ordered_dict(ValueId tuple) {
    const std::vector<ValueId> given = arguments(tuple, 0, 1, "OrderedDict");
    const ValueId dict = add(Value{.kind = ValueKind::Dict});
    if (given.empty()) return dict;
    expect(value(given[0]).kind == ValueKind::List, "a list", given[0]);
    const std::size_t pairs = value(given[0]).items.size();
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::vector<ValueId> pair = value(value(given[0]).items[i]).items;
      if (pair.size() != 2) refuse("OrderedDict: expected pairs, found something else");
      put_items(dict, pair);
    }
    return dict;
  }

  Value tensor(const std::vector<ValueId>& from) {
    expect(value(from[0]).kind == ValueKind::Storage, "a storage", from[0]);
    expect(value(from[1]).kind == ValueKind::Int && value(from[1]).number >= 0, "an offset",
           from[1]);
    for (const ValueId list : {from[2], from[3]}) {
      expect(value(list).kind == ValueKind::Tuple, "a tuple of sizes", list);
      if (value(list).items.size() > kMostDimensions) {
        refuse(fmt::format("tensor: expected at most {} dimensions, found {}", kMostDimensions,
                           value(list).items.size()));
      }
      for (const ValueId size : value(list).items) {
        expect(value(size).kind == ValueKind::Int, "a size", size);
        if (value(size).number < 0) {
          refuse(fmt::format("tensor: expected sizes and strides of 0 or more, found {}",
                             value(size).number));
        }
      }
    }
    if (value(from[2]).items.size() != value(from[3]).items.size()) {
      refuse(fmt::format("tensor: expected as many strides as sizes, {}, found {}",
                         value(from[2]).items.size(), value(from[3]).items.size()));
    }
    return Value{.kind = ValueKind::Tensor,
                 .element = value(from[0]).element,
                 .number = value(from[1]).number,
                 .items = {from[0], from[2], from[3]}};
  }

  /// ("storage", type, key, location, number of elements[, view])
  void persistent() {
    const ValueId tuple = pop(ValueKind::Tuple);
    // ("module", class, file, source code): how the form before torch 1.6 names a class
    const std::vector<ValueId>& items = value(tuple).items;
    if (items.size() == 4 && value(items[0]).text == "module" &&
        value(items[1]).kind == ValueKind::Global) {
      push(items[1]);
      return;
    }
    const std::vector<ValueId>& from = arguments(tuple, 5, 6, "storage");
    expect(value(from[0]).text == "storage", "a storage", from[0]);
    const Value& type = value(from[1]);
    expect(type.kind == ValueKind::Global && type.global == Global::StorageType, "a storage type",
           from[1]);
    expect(value(from[2]).kind == ValueKind::Text, "the key of a storage", from[2]);
    expect(value(from[4]).kind == ValueKind::Int && value(from[4]).number >= 0, "a size", from[4]);
    if (from.size() == 6) {
      expect(value(from[5]).kind == ValueKind::None, "a storage that is no view of another",
             from[5]);
    }
    push(Value{.kind = ValueKind::Storage,
               .element = type.element,
               .element_bytes = type.element_bytes,
               .number = value(from[4]).number,
               .text = value(from[2]).text});
  }

  // ---- the machine

  struct Opcode {
    unsigned code;
    std::string_view name;
    void (*run)(PickleMachine&);  ///< null: refused by name
  };

  /// All opcodes of protocols 2 to 5; torch.save does not write those without a meaning here.
  static std::span<const Opcode> opcodes() {
    using Machine = PickleMachine;
    static constexpr Opcode all[] = {
        {'.', "STOP", [](Machine& m) { m.ended_ = true; }},
        {'(', "MARK", [](Machine& m) { m.push_mark(); }},
        {'0', "POP", [](Machine& m) { m.pop(); }},
        {'1', "POP_MARK", [](Machine& m) { m.pop_to_mark(); }},
        {'2', "DUP", [](Machine& m) { m.push(m.top()); }},
        // how many bytes follow, a hint for readers of streams
        {0x95, "FRAME", [](Machine& m) { m.take_number(8); }},

        {'N', "NONE", [](Machine& m) { m.push(kNone); }},
        {0x88, "NEWTRUE", [](Machine& m) { m.push(kTrue); }},
        {0x89, "NEWFALSE", [](Machine& m) { m.push(kFalse); }},
        {'J', "BININT",
         [](Machine& m) { m.push_int(static_cast<std::int32_t>(m.take_number(4))); }},
        {'K', "BININT1", [](Machine& m) { m.push_int(m.take_signed(1)); }},
        {'M', "BININT2", [](Machine& m) { m.push_int(m.take_signed(2)); }},
        {0x8a, "LONG1", [](Machine& m) { m.push_long(m.take_number(1)); }},
        {0x8b, "LONG4", [](Machine& m) { m.push_long(m.take_number(4)); }},
        {'G', "BINFLOAT", [](Machine& m) { m.push_float(); }},

        {0x8c, "SHORT_BINUNICODE", [](Machine& m) { m.push_text(1); }},
        {'X', "BINUNICODE", [](Machine& m) { m.push_text(4); }},
        {0x8d, "BINUNICODE8", [](Machine& m) { m.push_text(8); }},
        {'U', "SHORT_BINSTRING", [](Machine& m) { m.push_text(1); }},
        {'T', "BINSTRING", [](Machine& m) { m.push_text(4); }},
        {'C', "SHORT_BINBYTES", [](Machine& m) { m.push_text(1); }},
        {'B', "BINBYTES", [](Machine& m) { m.push_text(4); }},
        {0x8e, "BINBYTES8", [](Machine& m) { m.push_text(8); }},
        {0x96, "BYTEARRAY8", [](Machine& m) { m.push_text(8); }},

        {')', "EMPTY_TUPLE", [](Machine& m) { m.push(kEmptyTuple); }},
        {'t', "TUPLE", [](Machine& m) { m.push_container(ValueKind::Tuple, m.pop_to_mark()); }},
        {0x85, "TUPLE1", [](Machine& m) { m.push_tuple(1); }},
        {0x86, "TUPLE2", [](Machine& m) { m.push_tuple(2); }},
        {0x87, "TUPLE3", [](Machine& m) { m.push_tuple(3); }},
        {']', "EMPTY_LIST", [](Machine& m) { m.push_container(ValueKind::List); }},
        {'l', "LIST", [](Machine& m) { m.push_container(ValueKind::List, m.pop_to_mark()); }},
        {'a', "APPEND", [](Machine& m) { m.append({m.pop()}); }},
        {'e', "APPENDS", [](Machine& m) { m.append(m.pop_to_mark()); }},
        {'}', "EMPTY_DICT", [](Machine& m) { m.push_container(ValueKind::Dict); }},
        {'s', "SETITEM", [](Machine& m) { m.set_item(); }},
        {'u', "SETITEMS", [](Machine& m) { m.set_items(m.pop_to_mark()); }},
        {0x8f, "EMPTY_SET", [](Machine& m) { m.push_container(ValueKind::List); }},
        {0x90, "ADDITEMS", [](Machine& m) { m.append(m.pop_to_mark()); }},
        {0x91, "FROZENSET", [](Machine& m) { m.push_container(ValueKind::List, m.pop_to_mark()); }},

        {'q', "BINPUT", [](Machine& m) { m.memoize(m.take_number(1)); }},
        {'r', "LONG_BINPUT", [](Machine& m) { m.memoize(m.take_number(4)); }},
        {0x94, "MEMOIZE", [](Machine& m) { m.memoize(m.memo_.size()); }},
        {'h', "BINGET", [](Machine& m) { m.recall(m.take_number(1)); }},
        {'j', "LONG_BINGET", [](Machine& m) { m.recall(m.take_number(4)); }},

        {'c', "GLOBAL", [](Machine& m) { m.push_global_by_lines(); }},
        {0x93, "STACK_GLOBAL", [](Machine& m) { m.push_global_by_texts(); }},
        {'R', "REDUCE", [](Machine& m) { m.reduce(); }},
        {0x81, "NEWOBJ", [](Machine& m) { m.new_object(1); }},
        {0x92, "NEWOBJ_EX", [](Machine& m) { m.new_object(2); }},
        {'b', "BUILD", [](Machine& m) { m.build(); }},
        {'Q', "BINPERSID", [](Machine& m) { m.persistent(); }},

        {'i', "INST", nullptr},
        {'o', "OBJ", nullptr},
        {'P', "PERSID", nullptr},
        {0x82, "EXT1", nullptr},
        {0x83, "EXT2", nullptr},
        {0x84, "EXT4", nullptr},
        {'F', "FLOAT", nullptr},
        {'I', "INT", nullptr},
        {'L', "LONG", nullptr},
        {'S', "STRING", nullptr},
        {'V', "UNICODE", nullptr},
        {'g', "GET", nullptr},
        {'p', "PUT", nullptr},
        {'d', "DICT", nullptr},
        {0x97, "NEXT_BUFFER", nullptr},
        {0x98, "READONLY_BUFFER", nullptr},
    };
    return all;
  }

  /// The opcodes by their number.
  static const std::array<const Opcode*, 256>& opcode_table() {
    static const std::array<const Opcode*, 256> table = [] {
      std::array<const Opcode*, 256> by_code{};
      for (const Opcode& opcode : opcodes()) by_code[opcode.code] = &opcode;
      return by_code;
    }();
    return table;
  }

  void step() {
    opcode_at_ = at_;
    const unsigned code = take_byte("an opcode");
    const Opcode* const opcode = opcode_table()[code];
    if (opcode == nullptr || opcode->run == nullptr) {
      refuse("refused: opcode " +
             (opcode == nullptr ? std::to_string(code) : std::string(opcode->name)) +
             "; torch.save writes none such");
    }
    opcode->run(*this);
  }

  Bytes bytes_;
  PicklePlace place_;
  Pickle& pickle_;
  std::size_t most_values_;
  std::size_t at_ = 0;
  std::size_t opcode_at_ = 0;
  bool ended_ = false;
  std::size_t items_ = 0;  // in all containers together
  std::vector<ValueId> stack_;
  std::vector<std::size_t> marks_;  // stack sizes
  std::vector<std::optional<ValueId>> memo_;
};

Pickle::Pickle(Bytes bytes, PicklePlace place) {
  PickleMachine(bytes, std::move(place), *this).run();
}

}  // namespace rnnalf::pytorch
