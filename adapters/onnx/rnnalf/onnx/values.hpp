#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rnnalf/base/text.hpp"
#include "rnnalf/onnx/meter.hpp"

// What a tensor of the graph can mean to us: every node's outputs are one of these values.

namespace rnnalf::onnx_impl {

/// An integer of the graph: known, or the length of an axis of a graph input plus an offset, or
/// both (an input whose length the file fixes).
struct Integer {
  std::optional<std::int64_t> value;
  std::optional<std::size_t> input_axis;
  std::int64_t offset = 0;  ///< meaningful with input_axis

  [[nodiscard]] bool is(std::int64_t number) const { return value == number; }
};

/// The axis that stands for the length of the word, which a graph input may give: words are run one
/// at a time and are not padded, so it is the length of the time axis, whichever that is.
inline constexpr std::size_t kWordLength = static_cast<std::size_t>(-1);

[[nodiscard]] inline Integer known(std::int64_t value) {
  return {.value = value, .input_axis = {}};
}

/// More axes than any network needs; bounds the work per node.
inline constexpr std::size_t kMostAxes = 8;

/// Bytes of a name from the file that messages and signals keep.
inline constexpr std::size_t kLongestName = 100;

/// A constant tensor: a strided view of numbers that several values may share. Stride 0 repeats one
/// number along an axis, so a zero-filled state costs nothing, and the axis may have any length.
///
/// Invariant: every index below the known dims lies in `data`; an axis of unknown length has stride
/// 0.
struct Numbers {
  std::vector<Integer> dims;
  std::vector<std::size_t> strides;  ///< as many as dims
  std::size_t offset = 0;
  std::shared_ptr<const std::vector<double>> data;  // shared: views outlive the node that made them

  [[nodiscard]] std::size_t rank() const { return dims.size(); }
  /// Number of entries; none when an axis has no known length or the product overflows.
  [[nodiscard]] std::optional<std::size_t> count() const;
  /// One number everywhere.
  [[nodiscard]] bool is_uniform() const;
  /// The first number; the tensor must not be empty.
  [[nodiscard]] double front() const { return (*data)[offset]; }
  /// All entries row by row; none when there is no count or the meter is spent.
  [[nodiscard]] std::optional<std::vector<double>> entries(Meter& meter) const;

  [[nodiscard]] static Numbers contiguous(std::vector<Integer> dims, std::vector<double> values);
  [[nodiscard]] static Numbers filled(std::vector<Integer> dims, double value);
};

/// An integer tensor of rank 0 or 1 that depends on lengths: what Shape gives, and what is made of
/// it.
struct Integers {
  bool scalar = false;
  std::vector<Integer> entries;
};

/// What an axis of a signal runs over.
enum class Role : std::uint8_t {
  Unit,     ///< length 1
  Input,    ///< axis of the graph input, time or batch: the first recurrent node tells
  Time,     ///< positions of the word
  Batch,    ///< independent words; one at a time here
  Feature,  ///< the numbers that belong together: one-hot symbol, hidden state, scores
};

struct Axis {
  Role role = Role::Unit;
  Integer length;
};

/// Whether an axis may be dropped or added without moving a number: words are run one at a time.
inline bool is_single(const Axis& axis) {
  return axis.role == Role::Unit || axis.role == Role::Batch ||
         (axis.role == Role::Input && axis.length.is(1));
}

/// What a signal's features are.
enum class Stage : std::uint8_t {
  Input,   ///< the graph input as it comes, before a use tells symbol indices from one-hot vectors
  OneHot,  ///< one-hot symbols
  Embedded,
  Hidden,  ///< hidden state of a recurrent layer
  Cell,    ///< cell state of an LSTM layer
  Dense,   ///< after dense layers or other operations
  Scores,  ///< after Softmax or LogSoftmax
};

/// A tensor that depends on the word.
struct Signal {
  Stage stage = Stage::Input;
  std::vector<Axis> axes;
  std::optional<std::size_t> link;        ///< last of the network's parts it went through
  std::string name;                       ///< the tensor in the file, for messages
  std::size_t scope = 0;                  ///< the loop whose current step it belongs to; 0: none
  std::optional<std::size_t> position{};  ///< of the symbol in the word; used while it has no link
};

/// Signals stacked along an axis, as torch stacks the final states of its layers.
struct Stack {
  std::vector<Signal> parts;  ///< each of length 1 on the axis
  std::size_t axis = 0;
};

/// One index in every entry of a tensor with these lengths.
struct Position {
  Integer at;
  std::vector<Integer> dims;
};

/// The number of the current step of a loop, which has as many steps as an axis is long.
struct LoopIndex {
  std::size_t scope = 0;
  Integer length;
  bool scalar = true;  ///< else a row of one
};

/// An order of the words of a batch, as packed sequences need one; words are run one at a time.
struct BatchOrder {};

using Value = std::variant<Numbers, Integers, Signal, Stack, Position, LoopIndex, BatchOrder>;
using ValuePtr = std::shared_ptr<const Value>;  // shared: one output feeds any number of nodes

/// A few words for messages: `a constant of shape [2, 3]`, `the hidden state 'Y'`.
[[nodiscard]] std::string describe(const Value& value);
[[nodiscard]] std::string describe(const Signal& signal);

/// `[2, ?, 3]`
[[nodiscard]] std::string shape_text(const std::vector<Integer>& dims);

/// A name out of the file, for messages.
[[nodiscard]] inline std::string quoted(const std::string& name) {
  return in_quotes(name);
}
/// The same: for a std::string that is not const, std::quoted would be found as well.
[[nodiscard]] inline std::string quoted(std::string& name) {
  return quoted(std::as_const(name));
}

/// A number of a file as an index; beyond 64 bits the nearest, none for one that is no integer.
[[nodiscard]] std::optional<std::int64_t> to_integer(double number);

}  // namespace rnnalf::onnx_impl
