#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/activate.hpp"
#include "rnnalf/acceptor/packed_matrix.hpp"
#include "rnnalf/base/ids.hpp"
#include "rnnalf/network/step_graph.hpp"

namespace rnnalf {

/// Which of the columns of a batch a node's vector depends on. Where several columns start in one
/// R-state, what depends on the R-state alone is computed once.
enum class Depends : std::uint8_t { Nothing, OnOrigin, OnSymbol, OnBoth };

/// The nodes of a step or readout, ready to be run on batches.
///
/// Every number is a function of its own column, and bits do not depend on the batch. Immutable.
template <class T>
class Formula {
 public:
  /// `wanted`: the nodes whose values are asked for; the others are left out unless these need
  /// them.
  Formula(const std::vector<StepNode>& nodes, std::size_t symbols,
          const std::vector<std::size_t>& wanted)
      : kernels_(kernels::best<T>()) {
    std::vector<bool> live(nodes.size(), false);
    for (const std::size_t node : wanted) live[node] = true;
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (!live[i]) continue;
      for (const std::size_t input : inputs_of(nodes, i)) live[input] = true;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes_.push_back(compile(nodes, i, symbols, live[i]));
    }
    tabulate(symbols);
  }

  /// A batch: column j starts in R-state origin(j) and reads symbol(j).
  struct Batch {
    std::size_t origins = 0;
    std::size_t count = 0;
    std::vector<std::size_t> origin{};
    std::vector<Symbol> symbol{};
  };

  /// Values of all nodes for one batch. Belongs to one thread.
  struct Values {
    std::vector<kernels::Buffer<T>> columns{};
  };

  /// Computes all nodes; read(i, state, to) gives the state with this number of R-state i.
  template <class Read>
  void run(const Batch& batch, Values& values, Read read) const {
    values.columns.resize(std::max(values.columns.size(), nodes_.size()));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (!node.live || node.depends == Depends::OnSymbol || node.depends == Depends::Nothing)
        continue;
      const std::size_t count = node.depends == Depends::OnOrigin ? batch.origins : batch.count;
      T* const to = values.columns[i].at_least(node.stride * count);
      if (node.operation == StepOperation::State) {
        for (std::size_t j = 0; j < count; ++j) read(j, node.from, to + j * node.stride);
      } else {
        compute(node, count, to, [&](std::size_t input, std::size_t j) {
          return node.depends == Depends::OnOrigin ? at_origin(values, input, j)
                                                   : column(batch, values, input, j);
        });
      }
    }
  }

  /// The vector of a node for column j.
  [[nodiscard]] const T* column(const Batch& batch, const Values& values, std::size_t node,
                                std::size_t j) const {
    switch (nodes_[node].depends) {
      case Depends::Nothing:
        return nodes_[node].table.data();
      case Depends::OnSymbol:
        return nodes_[node].table.data() + index(batch.symbol[j]) * nodes_[node].stride;
      case Depends::OnOrigin:
        return at_origin(values, node, batch.origin[j]);
      case Depends::OnBoth:
        break;
    }
    return values.columns[node].data() + j * nodes_[node].stride;
  }

 private:
  struct Node {
    StepOperation operation = StepOperation::Constant;
    Depends depends = Depends::Nothing;
    bool live = false;
    std::size_t size = 0;
    std::size_t stride = 0;
    std::size_t from = 0;
    bool is_fused = false;  ///< inputs are a, b and c of a b + c
    std::vector<std::size_t> inputs{};
    kernels::PackedMatrix<T> weights{};
    Activation activation = Activation::None;
    double slope = 0;
    kernels::Buffer<T> table{};  ///< a column for every symbol, or one that always holds
  };

  /// What a node is computed from: its inputs, but nothing for a table and a, b, c for a b + c.
  static std::vector<std::size_t> inputs_of(const std::vector<StepNode>& nodes, std::size_t at) {
    if (is_symbol_table(nodes, at)) return {};
    const auto fused = fused_sum(nodes, at);
    if (!fused) return nodes[at].inputs;
    const std::vector<std::size_t>& factors = nodes[fused->multiplied].inputs;
    return {factors[0], factors[1], fused->added};
  }

  Node compile(const std::vector<StepNode>& nodes, std::size_t at, std::size_t symbols,
               bool live) const {
    const StepNode& from = nodes[at];
    const bool is_table = from.operation == StepOperation::Symbol || is_symbol_table(nodes, at);
    Node node{.operation = is_table ? StepOperation::Symbol : from.operation,
              .live = live,
              .size = from.size,
              .stride = kernels::padded<T>(from.size) + kernels::kPanelRows<T>,
              .from = from.from,
              .is_fused = fused_sum(nodes, at).has_value(),
              .inputs = inputs_of(nodes, at),
              .activation = from.activation,
              .slope = from.slope};
    if (is_table) node.depends = Depends::OnSymbol;
    if (from.operation == StepOperation::State) node.depends = Depends::OnOrigin;
    for (const std::size_t input : node.inputs) {
      node.depends = static_cast<Depends>(static_cast<unsigned>(node.depends) |
                                          static_cast<unsigned>(nodes_[input].depends));
    }
    if (!live) return node;
    if (is_table) {
      const auto entry = [&](std::size_t symbol, std::size_t i) {
        if (from.operation == StepOperation::Product)
          return symbol_table_entry(nodes, at, symbol, i);
        return from.weights.values.empty() ? (symbol == i ? 1.0 : 0.0) : from.weights.at(symbol, i);
      };
      node.table = kernels::Buffer<T>(node.stride * symbols);
      for (std::size_t a = 0; a < symbols; ++a) {
        for (std::size_t i = 0; i < node.size; ++i) {
          node.table[a * node.stride + i] = static_cast<T>(entry(a, i));
        }
      }
    } else if (from.operation == StepOperation::Product) {
      const Matrix& w = from.weights;
      node.weights = kernels::PackedMatrix<T>(
          w.rows, w.cols, [&](std::size_t r, std::size_t c) { return w.at(r, c); },
          [&](std::size_t r) { return from.values.empty() ? 0.0 : from.values[r]; });
    } else if (from.operation == StepOperation::Constant) {
      node.table = kernels::Buffer<T>(node.stride);
      for (std::size_t i = 0; i < node.size; ++i) node.table[i] = static_cast<T>(from.values[i]);
    }
    return node;
  }

  /// What depends on the symbol alone is computed here, once for every symbol.
  void tabulate(std::size_t symbols) {
    for (Node& node : nodes_) {
      if (!node.live || node.inputs.empty()) continue;
      if (node.depends != Depends::OnSymbol && node.depends != Depends::Nothing) continue;
      const std::size_t count = node.depends == Depends::OnSymbol ? symbols : 1;
      node.table = kernels::Buffer<T>(node.stride * count);
      compute(node, count, node.table.data(), [&](std::size_t input, std::size_t j) {
        const Node& from = nodes_[input];
        return from.table.data() + (from.depends == Depends::OnSymbol ? j * from.stride : 0);
      });
    }
  }

  [[nodiscard]] const T* at_origin(const Values& values, std::size_t node, std::size_t j) const {
    if (nodes_[node].depends == Depends::Nothing) return nodes_[node].table.data();
    return values.columns[node].data() + j * nodes_[node].stride;
  }

  /// Columns 0 .. count of a node; input(i, j) is column j of node i.
  template <class Input>
  void compute(const Node& node, std::size_t count, T* to, Input input) const {
    const std::size_t n = node.size;
    switch (node.operation) {
      case StepOperation::Symbol:
      case StepOperation::State:
      case StepOperation::Constant:
        return;
      case StepOperation::Product:
        // What it depends on is what its input depends on, so the columns lie side by side.
        kernels_.multiply(node.weights.view(), input(node.inputs[0], 0),
                          nodes_[node.inputs[0]].stride, count, to, node.stride);
        return;
      case StepOperation::Activate:
        for (std::size_t j = 0; j < count; ++j) {
          std::memcpy(to + j * node.stride, input(node.inputs[0], j), n * sizeof(T));
          activate(kernels_, node.activation, node.slope, to + j * node.stride, n);
        }
        return;
      case StepOperation::Normalise:
        for (std::size_t j = 0; j < count; ++j) {
          normalise(input(node.inputs[0], j), n, node.slope, to + j * node.stride);
        }
        return;
      case StepOperation::Part:
        for (std::size_t j = 0; j < count; ++j) {
          std::memcpy(to + j * node.stride, input(node.inputs[0], j) + node.from, n * sizeof(T));
        }
        return;
      case StepOperation::Join:
        for (std::size_t j = 0; j < count; ++j) {
          T* at = to + j * node.stride;
          for (const std::size_t part : node.inputs) {
            std::memcpy(at, input(part, j), nodes_[part].size * sizeof(T));
            at += nodes_[part].size;
          }
        }
        return;
      case StepOperation::Add:
        if (node.is_fused) return multiply_add(node, count, to, input);
        return entrywise(node, count, to, input, [](T a, T b) { return a + b; });
      case StepOperation::Subtract:
        return entrywise(node, count, to, input, [](T a, T b) { return a - b; });
      case StepOperation::Multiply:
        return entrywise(node, count, to, input, [](T a, T b) { return a * b; });
      case StepOperation::Divide:
        return entrywise(node, count, to, input, [](T a, T b) { return a / b; });
      case StepOperation::Maximum:
        // What is not a number stays so, whichever of the two it is.
        return entrywise(node, count, to, input,
                         [](T a, T b) { return a < b || std::isnan(b) ? b : a; });
      case StepOperation::Minimum:
        return entrywise(node, count, to, input,
                         [](T a, T b) { return b < a || std::isnan(b) ? b : a; });
    }
  }

  template <class Input, class Combine>
  void entrywise(const Node& node, std::size_t count, T* to, Input input, Combine combine) const {
    const std::size_t left = node.inputs[0];
    const std::size_t right = node.inputs[1];
    // A vector of one entry stands for as many as the other has.
    const std::size_t a_step = nodes_[left].size == node.size ? 1 : 0;
    const std::size_t b_step = nodes_[right].size == node.size ? 1 : 0;
    for (std::size_t j = 0; j < count; ++j) {
      const T* const a = input(left, j);
      const T* const b = input(right, j);
      T* const out = to + j * node.stride;
      if (a_step == 1 && b_step == 1) {
        for (std::size_t i = 0; i < node.size; ++i) out[i] = combine(a[i], b[i]);
      } else {
        for (std::size_t i = 0; i < node.size; ++i) out[i] = combine(a[i * a_step], b[i * b_step]);
      }
    }
  }

  /// a b + c
  template <class Input>
  void multiply_add(const Node& node, std::size_t count, T* to, Input input) const {
    std::size_t step[3] = {};
    for (std::size_t i = 0; i < 3; ++i) step[i] = nodes_[node.inputs[i]].size == node.size ? 1 : 0;
    const bool whole = step[0] + step[1] + step[2] == 3;
    for (std::size_t j = 0; j < count; ++j) {
      const T* const a = input(node.inputs[0], j);
      const T* const b = input(node.inputs[1], j);
      const T* const c = input(node.inputs[2], j);
      T* const out = to + j * node.stride;
      if (whole) {
        kernels_.multiply_add(a, b, c, out, node.size);
        continue;
      }
      for (std::size_t i = 0; i < node.size; ++i) {
        out[i] = std::fma(a[i * step[0]], b[i * step[1]], c[i * step[2]]);
      }
    }
  }

  const kernels::Kernels<T>& kernels_;  // static storage
  std::vector<Node> nodes_;
};

}  // namespace rnnalf
