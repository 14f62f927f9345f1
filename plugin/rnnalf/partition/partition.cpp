#include "rnnalf/partition/partition.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/partition/svm_split.hpp"

namespace rnnalf {

struct Partition::Leaf {
  AState a_state;
};

/// Nested cuts on some dimensions; every combination of sides is one child.
struct Partition::Cuts {
  std::vector<std::size_t> dimensions;
  std::vector<double> middles;
  std::uint32_t first_child;  // children are consecutive vertices, by code

  /// Bit i is set iff the R-state is above the middle in the i-th dimension.
  [[nodiscard]] std::uint32_t code(std::span<const double> state) const {
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      if (state[dimensions[i]] > middles[i]) code |= 1U << i;
    }
    return code;
  }
};

struct Partition::Svm {
  std::unique_ptr<SvmSplit> split;
  VertexId others;
  VertexId conflicting;
};

const std::vector<OptionField<RefineOptions>>& RefineOptions::table() {
  static const std::vector<OptionField<RefineOptions>> fields = {
      option("depth", "", Count{.most = kMostSplitDepth}, &RefineOptions::initial_split_depth,
             "dimensions cut by the first refinement"),
      option("svm-cost", "", Number{.least = 0, .open = true}, &RefineOptions::svm_cost,
             "C of later splits"),
      option("svm-gamma", "", Number{.least = 0}, &RefineOptions::svm_gamma,
             "their gamma; 0: 1 / state size")};
  return fields;
}

void validate(const RefineOptions& options) {
  check_all(RefineOptions::table(), options);
}

Partition::Partition(std::size_t state_size, const RefineOptions& options)
    : state_size_(state_size) {
  reset(options);
}
Partition::~Partition() = default;

void Partition::reset(const RefineOptions& options) {
  validate(options);
  options_ = options;
  vertices_.clear();
  vertices_.push_back(Leaf{AState{0}});
  a_states_ = 1;
}

bool Partition::is_leaf(VertexId vertex) const {
  return std::holds_alternative<Leaf>(vertices_[index(vertex)]);
}

AState Partition::a_state(VertexId leaf) const {
  return std::get<Leaf>(vertices_[index(leaf)]).a_state;
}

Partition::VertexId Partition::add_leaf(AState a_state) {
  vertices_.push_back(Leaf{a_state});
  return static_cast<VertexId>(vertices_.size() - 1);
}

void Partition::locate(ConstRStates states, std::span<VertexId> ids) const {
  // Columns that stand at the same vertex are decided together; each round moves every column one
  // vertex down.
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!is_leaf(ids[i])) open.push_back(i);
  }
  std::vector<double> gathered, decisions;
  while (!open.empty()) {
    std::stable_sort(open.begin(), open.end(),
                     [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    for (std::size_t first = 0; first < open.size();) {
      const VertexId id = ids[open[first]];
      std::size_t last = first;
      while (last < open.size() && ids[open[last]] == id) ++last;
      const Vertex& vertex = vertices_[index(id)];
      if (const auto* const cuts = std::get_if<Cuts>(&vertex)) {
        for (std::size_t i = first; i < last; ++i) {
          ids[open[i]] = static_cast<VertexId>(cuts->first_child + cuts->code(states.col(open[i])));
        }
      } else {
        const Svm& svm = std::get<Svm>(vertex);
        gathered.resize((last - first) * state_size_);
        decisions.resize(last - first);
        for (std::size_t i = first; i < last; ++i) {
          std::copy_n(states.col(open[i]).data(), state_size_,
                      gathered.data() + (i - first) * state_size_);
        }
        svm.split->decide({gathered.data(), state_size_, last - first}, decisions);
        for (std::size_t i = first; i < last; ++i) {
          ids[open[i]] = decisions[i - first] > 0 ? svm.conflicting : svm.others;
        }
      }
      first = last;
    }
    std::erase_if(open, [&](std::size_t i) { return is_leaf(ids[i]); });
  }
}

Partition::Outcome Partition::cut(VertexId leaf, std::span<const double> conflicting,
                                  ConstRStates others) {
  // The paper's aggressive difference-based refinement: the dimensions of largest gap between the
  // conflicting R-state and the mean of the others, each cut at the middle of the gap.
  const AState kept = a_state(leaf);
  std::vector<double> mean(state_size_, 0);
  for (std::size_t i = 0; i < others.count; ++i) {
    for (std::size_t d = 0; d < state_size_; ++d) mean[d] += others.col(i)[d];
  }
  for (double& value : mean) value /= static_cast<double>(others.count);
  std::vector<std::size_t> order(state_size_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(conflicting[a] - mean[a]) > std::abs(conflicting[b] - mean[b]);
  });
  order.resize(std::min(options_.initial_split_depth, state_size_));
  Cuts cuts{order, {}, static_cast<std::uint32_t>(vertices_.size())};
  for (const std::size_t d : order) cuts.middles.push_back((conflicting[d] + mean[d]) / 2);
  const std::uint32_t home = cuts.code(mean);
  for (std::uint32_t code = 0; code < 1U << order.size(); ++code) {
    add_leaf(code == home ? kept : static_cast<AState>(a_states_++));
  }
  vertices_[index(leaf)] = std::move(cuts);
  return Outcome::Cut;
}

Partition::Outcome Partition::refine(VertexId leaf, std::span<const double> conflicting,
                                     ConstRStates others, const Budget& budget) {
  RNNALF_CHECK(is_leaf(leaf) && others.count > 0,
               fmt::format("vertex {}, {} others", index(leaf), others.count));
  if (vertices_.size() == 1 && options_.initial_split_depth > 0) {
    // A leaf, and what a walk keeps of the A-state.
    constexpr std::size_t bytes_per_leaf = sizeof(Vertex) + 32;
    const std::size_t leaves = std::size_t{1}
                               << std::min(options_.initial_split_depth, state_size_);
    if (!budget.has_room_for(leaves * bytes_per_leaf)) return Outcome::BudgetSpent;
    vertices_.reserve(vertices_.size() + leaves);
    return cut(leaf, conflicting, others);
  }

  const double gamma =
      options_.svm_gamma > 0 ? options_.svm_gamma : 1 / static_cast<double>(state_size_);
  std::optional<SvmSplit> split =
      SvmSplit::train(conflicting, others, options_.svm_cost, gamma, budget);
  if (!split) return Outcome::BudgetSpent;
  double apart = 0;
  split->decide({conflicting.data(), state_size_, 1}, {&apart, 1});
  std::vector<double> decisions(others.count);
  split->decide(others, decisions);
  const bool separates = std::any_of(decisions.begin(), decisions.end(),
                                     [&](double d) { return (d > 0) != (apart > 0); });
  if (!separates) return Outcome::NothingSeparated;
  const VertexId others_side = add_leaf(a_state(leaf));
  const VertexId conflicting_side = add_leaf(static_cast<AState>(a_states_++));
  vertices_[index(leaf)] =
      Svm{std::make_unique<SvmSplit>(std::move(*split)), others_side, conflicting_side};
  return Outcome::Split;
}

}  // namespace rnnalf
