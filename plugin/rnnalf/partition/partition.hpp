#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/ids.hpp"
#include "rnnalf/base/option_table.hpp"

namespace rnnalf {

/// Cuts of more dimensions would make too many A-states at once: 2^depth.
inline constexpr std::size_t kMostSplitDepth = 20;

struct RefineOptions {
  std::size_t initial_split_depth = 10;  ///< dimensions cut by the first refinement (paper: d)
  double svm_cost = 1e4;                 ///< C of the RBF machine behind later splits; > 0
  double svm_gamma = 0;                  ///< its gamma; 0 means 1 / features, as in the paper

  [[nodiscard]] static const std::vector<OptionField<RefineOptions>>& table();
};
void validate(const RefineOptions& options);  // throws OptionError naming the field

/// A decision tree from R-states to A-states.
///
/// Starts with one A-state. The first refinement cuts the dimensions of largest gap, up to 2^depth
/// A-states at once; every later one replaces one leaf by an SVM split and adds exactly one
/// A-state. R-states of other leaves keep their A-state, and their vertex, without being looked at
/// again. One caller at a time.
class Partition {
 public:
  /// A vertex of the tree. An R-state located before a refinement continues from its old vertex.
  enum class VertexId : std::uint32_t {};

  Partition(std::size_t state_size, const RefineOptions& options);
  ~Partition();
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  [[nodiscard]] static constexpr VertexId top() { return VertexId{0}; }
  [[nodiscard]] std::size_t size() const { return a_states_; }  ///< number of A-states
  [[nodiscard]] bool is_leaf(VertexId vertex) const;
  [[nodiscard]] AState a_state(VertexId leaf) const;

  /// Moves ids[i] down to the leaf of states.col(i), starting from where it is. Total: defined
  /// for every R-state. In batches: one kernel product per SVM and call.
  void locate(ConstRStates states, std::span<VertexId> ids) const;

  enum class Outcome : std::uint8_t {
    Cut,               ///< first refinement
    Split,             ///< one more A-state
    NothingSeparated,  ///< the SVM kept all together; the tree is unchanged
    BudgetSpent        ///< training was cut short; the tree is unchanged
  };

  /// Splits a leaf so that `conflicting` is apart from the others, or at least from some of them.
  /// The part where the others are (their mean, for cuts) keeps the leaf's A-state.
  Outcome refine(VertexId leaf, std::span<const double> conflicting, ConstRStates others,
                 const Budget& budget);

  /// Forgets all refinements.
  void reset(const RefineOptions& options);

 private:
  struct Leaf;
  struct Cuts;
  struct Svm;
  using Vertex = std::variant<Leaf, Cuts, Svm>;

  VertexId add_leaf(AState a_state);
  Outcome cut(VertexId leaf, std::span<const double> conflicting, ConstRStates others);

  std::size_t state_size_;
  RefineOptions options_;
  std::vector<Vertex> vertices_;
  std::size_t a_states_ = 1;
};

}  // namespace rnnalf
