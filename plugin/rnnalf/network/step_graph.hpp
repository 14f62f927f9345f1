#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "rnnalf/network/activation.hpp"
#include "rnnalf/network/matrix.hpp"

namespace rnnalf {

enum class StepOperation : std::uint8_t {
  Symbol,    ///< the row of `weights` of the symbol being read; no weights: its one-hot vector
  State,     ///< state number `from`: before the step, in a readout after it
  Constant,  ///< `values`
  Product,   ///< weights * x + values; `values` may be empty for zeros
  Activate,  ///< `activation` with `slope`, entry by entry
  Add,
  Subtract,
  Multiply,
  Divide,
  Maximum,
  Minimum,
  Join,      ///< its inputs one behind the other
  Part,      ///< `size` entries of x, the first at `from`
  Normalise  ///< (x - mean(x)) / sqrt(variance(x) + slope)
};

/// How a sum is computed: `a b + c`, rounded once, where one of its terms is a Multiply (the first
/// one, if both are); otherwise plainly. Everything that interprets a graph asks here.
struct FusedSum {
  std::size_t multiplied = 0;  ///< the Multiply
  std::size_t added = 0;       ///< the other term
};

/// One vector that is computed from earlier ones. Operations on two vectors work entry by entry; a
/// vector of one entry stands for as many as the other has.
///
/// Graphs are computed in float or double. Every operation is rounded once, a Product is a chain of
/// fused multiply-adds in index order that begins with its bias, and there are two rules more: a
/// Product of a Symbol is a table, computed in double and rounded once; sums are fused as FusedSum
/// says. So a GRU's graph and the kernels that are recognised for it give the same bits.
struct StepNode {
  StepOperation operation = StepOperation::Constant;
  std::size_t size = 0;               ///< entries of the vector
  std::vector<std::size_t> inputs{};  ///< positions of earlier nodes
  std::size_t from = 0;
  Matrix weights{};
  std::vector<double> values{};
  Activation activation = Activation::None;
  double slope = 0;

  bool operator==(const StepNode&) const = default;
};

/// None where node `at` is not an Add with a Multiply among its terms.
[[nodiscard]] std::optional<FusedSum> fused_sum(const std::vector<StepNode>& nodes, std::size_t at);

/// Whether node `at` is a Product of a Symbol: a table with a column for each symbol.
[[nodiscard]] bool is_symbol_table(const std::vector<StepNode>& nodes, std::size_t at);

/// Entry `row` of the vector of such a node for a symbol, not rounded to float yet.
[[nodiscard]] double symbol_table_entry(const std::vector<StepNode>& nodes, std::size_t at,
                                        std::size_t symbol, std::size_t row);

/// Part of an R-state.
struct StepState {
  std::size_t size = 0;
  std::vector<double> initial{};  ///< size, or empty for zeros
  std::size_t next = 0;           ///< the node of the step that is its next value

  bool operator==(const StepState&) const = default;
};

/// A recurrent network as a small graph of products and operations on vectors: how R-states follow
/// each other, and what of an R-state the head reads.
struct StepGraph {
  std::size_t symbols = 0;
  std::vector<StepState> states{};  ///< an R-state is these one behind the other
  std::vector<StepNode> step{};
  std::vector<StepNode> readout{};  ///< of states alone; the last node is what the head reads

  [[nodiscard]] std::size_t state_size() const;
  [[nodiscard]] std::size_t readout_size() const {
    return readout.empty() ? 0 : readout.back().size;
  }
  bool operator==(const StepGraph&) const = default;
};

/// Puts a StepGraph together; every function returns the position of the node it adds.
class StepBuilder {
 public:
  std::size_t add(StepNode node);
  std::size_t state(std::size_t number, std::size_t size);
  std::size_t constant(std::vector<double> values);
  std::size_t one_hot(std::size_t symbols);
  std::size_t product(Matrix weights, std::vector<double> bias, std::size_t input);
  std::size_t activate(Activation activation, std::size_t input, double slope = 0);
  std::size_t combine(StepOperation operation, std::size_t left, std::size_t right);
  std::size_t part(std::size_t input, std::size_t from, std::size_t size);

  [[nodiscard]] std::size_t size(std::size_t node) const { return nodes_[node].size; }
  [[nodiscard]] std::vector<StepNode> take() { return std::move(nodes_); }

 private:
  std::vector<StepNode> nodes_;
};

}  // namespace rnnalf
