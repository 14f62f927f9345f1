#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rnnalf/network/step_graph.hpp"

// Cells that are not Elman, GRU or LSTM: state-space models and gated linear recurrences. A cell is
// a formula over its tensors; inference, extraction, the page and Python work on the graph it
// makes. CONTRIBUTING.md shows how to add one.

namespace rnnalf {

/// The tensors of one layer by the names they have in it, such as `linear_z.weight`. A vector has
/// one column; of a tensor with three axes the first are the rows.
using CellTensors = std::map<std::string, Matrix, std::less<>>;

class CellGraph;

/// A vector of a step that is being built. Operators and functions add nodes to it.
struct Vector {
  CellGraph* graph = nullptr;
  std::size_t node = 0;

  [[nodiscard]] std::size_t size() const;
};
Vector operator+(Vector a, Vector b);
Vector operator-(Vector a, Vector b);
Vector operator*(Vector a, Vector b);
Vector operator/(Vector a, Vector b);
Vector max(Vector a, Vector b);
Vector apply(Activation activation, Vector x);

/// A step graph that is being built from the tensors of a layer.
class CellGraph {
 public:
  explicit CellGraph(std::size_t symbols);

  /// The vector of the symbol being read: a row of an embedding, or one-hot.
  [[nodiscard]] Vector symbol(const Matrix* embedding);

  // What a cell's formula is made of.

  /// A tensor of the layer, or null. One that `Cell::tensors` names is there.
  [[nodiscard]] const Matrix* find(std::string_view name) const;
  [[nodiscard]] const Matrix& tensor(std::string_view name) const;
  /// W x + b of the tensors `name.weight` and `name.bias`; the latter may be missing.
  [[nodiscard]] Vector linear(std::string_view name, Vector x);
  /// W x
  [[nodiscard]] Vector product(const Matrix& weights, Vector x);
  [[nodiscard]] Vector constant(std::vector<double> values);
  [[nodiscard]] Vector number(double value) { return constant({value}); }
  [[nodiscard]] Vector part(Vector x, std::size_t from, std::size_t size);
  /// A state before the step, 0 at first.
  [[nodiscard]] Vector state(std::size_t size);
  /// Says what a state is after the step; returns that.
  Vector next(Vector state, Vector after);

  /// Takes the tensors of the next layer.
  void set_tensors(CellTensors tensors) { tensors_ = std::move(tensors); }
  /// Ends with what the head reads, which becomes a state unless it is one.
  [[nodiscard]] StepGraph finish(Vector output);

 private:
  friend Vector combine(StepOperation operation, Vector a, Vector b);
  friend Vector apply(Activation activation, Vector x);
  friend struct Vector;

  StepBuilder step_;
  StepGraph graph_;
  CellTensors tensors_;
  std::map<std::size_t, std::size_t> states_;  // number of a state by its node
};

struct Cell {
  std::string_view name;                           ///< of `--cell` and the metadata `rnnalf.cell`
  std::vector<std::string_view> tensors;           ///< that tell the cell, and that every layer has
  std::vector<std::string_view> optional;          ///< that a layer may have
  bool is_told = true;                             ///< false: its tensors are another one's, too
  Vector (*step)(CellGraph& graph, Vector input);  ///< what a layer gives for `input`
};

[[nodiscard]] std::span<const Cell> cells();
[[nodiscard]] const Cell* find_cell(std::string_view name) noexcept;

}  // namespace rnnalf
