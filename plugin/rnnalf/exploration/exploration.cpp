#include "rnnalf/exploration/exploration.hpp"

#include <algorithm>
#include <chrono>

namespace rnnalf {
namespace {

constexpr std::size_t kSvmBytesPerNumber = 16;

class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

Exploration::Exploration(StateTree& tree, const RefineOptions& options)
    : tree_(tree), partition_(tree.state_size(), options) {}

void Exploration::reset(const RefineOptions& options) {
  partition_.reset(options);
  vertices_.clear();
  visits_.clear();
}

Exploration::Result Exploration::search(const Dfa& hypothesis, const Budget& budget) {
  const Stopwatch stopwatch(stats_.seconds);
  Search search{hypothesis, Distinguisher(hypothesis), budget, {}, {}};
  Step step = Step::Restart;
  while (step == Step::Restart) step = walk(search);
  search.result.end = step == Step::Counterexample ? End::Counterexample
                      : step == Step::BudgetSpent  ? End::BudgetSpent
                                                   : End::FrontierEmpty;
  return search.result;
}

Exploration::Step Exploration::walk(Search& search) {
  visits_.clear();
  search.result.a_states_reached = 0;
  search.result.r_states_met = 0;
  // First in, first out. The queue is worked off in waves: successors are appended behind the wave
  // that made them, so locating a whole wave and expanding all its new A-states at once changes
  // nothing but the batch size.
  // Where the network says nothing the walk ends: its numbers there are not finite.
  std::vector<Visitor> wave;
  const auto add = [&](const Visitor& visitor) {
    if (tree_.answered(visitor.node)) wave.push_back(visitor);
  };
  add({StateTree::root(), search.hypothesis.initial()});
  std::vector<Node> nodes;
  while (!wave.empty()) {
    if (search.budget.spent()) return Step::BudgetSpent;
    nodes.clear();
    for (const Visitor& visitor : wave) nodes.push_back(visitor.node);
    if (!locate(nodes, search.budget)) return Step::BudgetSpent;
    search.expand.clear();
    for (std::size_t i = 0; i < wave.size(); ++i) {
      const Step step = settle(wave[i], search);
      if (step == Step::Done) continue;
      if (step != Step::Refined) return step;
      // The rest of the wave may be in the leaf that was split.
      if (!locate(std::span(nodes).subspan(i + 1), search.budget)) return Step::BudgetSpent;
    }
    nodes.clear();
    for (const Visitor& visitor : search.expand) nodes.push_back(visitor.node);
    if (!tree_.expand(nodes, search.budget)) return Step::BudgetSpent;
    wave.clear();
    for (const Visitor& visitor : search.expand) {
      for (std::size_t a = 0; a < tree_.symbol_count(); ++a) {
        const auto symbol = static_cast<Symbol>(a);
        add({*tree_.find(visitor.node, symbol), search.hypothesis.next(visitor.l_state, symbol)});
      }
    }
  }
  return Step::Done;
}

/// Records a visitor with the A-state it is in, after as many refinements as that takes.
Exploration::Step Exploration::settle(const Visitor& visitor, Search& search) {
  ++search.result.r_states_met;
  // Classification conflict: the path itself is a counterexample.
  if (tree_.answer(visitor.node) != search.hypothesis.answer(visitor.l_state)) {
    search.result.counterexample = visitor.node;
    return Step::Counterexample;
  }
  Step so_far = Step::Done;
  while (true) {
    const AState here = a_state(visitor.node);
    Visit& met = visit(here);
    if (met.visitors.empty()) {
      met = {visitor.l_state, {visitor.node}};
      ++search.result.a_states_reached;
      search.expand.push_back(visitor);
      return so_far;
    }
    if (met.l_state == visitor.l_state) {
      met.visitors.push_back(visitor.node);
      return so_far;
    }
    switch (const Step step = resolve_conflict(visitor, here, search)) {
      case Step::Refined:
        so_far = step;
        break;
      case Step::Done:
        // As the paper has it, an imperfect split does not end the search: a visitor that could not
        // be separated is left out, and a later walk with more visitors may separate it.
        return so_far;
      default:
        return step;
    }
  }
}

/// Clustering conflict: an A-state reached with L-states p and q, p != q. Either the hypothesis is
/// wrong, and a suffix telling p from q shows it on one recorded path, or the A-state is too
/// coarse: refine. Refined: the visitor is now in another A-state than those before it. Done: it
/// could not be separated, and nothing changed.
Exploration::Step Exploration::resolve_conflict(const Visitor& visitor, AState here,
                                                Search& search) {
  Visit& met = visits_[index(here)];
  const Word suffix = *search.distinguisher.suffix(met.l_state, visitor.l_state);
  const auto expected = [&](LState from) {
    return search.hypothesis.answer(search.hypothesis.run(from, suffix));
  };
  // Paths are recorded in order of length, so the new one is never shorter than the others.
  if (!try_suffix(met.visitors, suffix, expected(met.l_state), search)) return Step::BudgetSpent;
  if (!search.result.counterexample &&
      !try_suffix({&visitor.node, 1}, suffix, expected(visitor.l_state), search)) {
    return Step::BudgetSpent;
  }
  if (search.result.counterexample) return Step::Counterexample;

  const std::size_t size = tree_.state_size();
  const std::size_t count = met.visitors.size();
  // The R-states, and libsvm's form of them.
  const std::size_t bytes = count * size * (sizeof(double) + kSvmBytesPerNumber);
  if (!search.budget.has_room_for(bytes)) return Step::BudgetSpent;
  std::vector<double> conflicting(size), others(count * size);
  if (!tree_.copy_states({&visitor.node, 1}, {conflicting.data(), size, 1}, search.budget) ||
      !tree_.copy_states(met.visitors, {others.data(), size, count}, search.budget)) {
    return Step::BudgetSpent;
  }
  Partition::Outcome outcome{};
  {
    const Stopwatch stopwatch(stats_.seconds_svm);
    outcome = partition_.refine(vertices_[index(visitor.node)], conflicting,
                                {others.data(), size, count}, search.budget);
  }
  if (observer_) observer_(visitor.node, met.visitors, outcome);
  if (outcome == Partition::Outcome::BudgetSpent) return Step::BudgetSpent;
  if (outcome == Partition::Outcome::NothingSeparated) {
    ++stats_.failed_splits;
    return Step::Done;
  }
  ++stats_.refinements;

  // Clean: all earlier visitors are still together and the new one is not with them. Then nothing
  // that the walk has seen so far changes, and it continues; otherwise it starts over.
  if (!locate(met.visitors, search.budget) || !locate({&visitor.node, 1}, search.budget)) {
    return Step::BudgetSpent;
  }
  const AState together = a_state(met.visitors.front());
  const bool clean = a_state(visitor.node) != together &&
                     std::all_of(met.visitors.begin(), met.visitors.end(),
                                 [&](Node node) { return a_state(node) == together; });
  if (!clean) return Step::Restart;
  if (together != here) {
    Visit moved = std::move(met);
    visits_[index(here)] = {};
    visit(together) = std::move(moved);
  }
  return Step::Refined;
}

/// Looks for the shortest of path + suffix, over these nodes in order, that the network does not
/// answer as expected. False when the budget ended first.
bool Exploration::try_suffix(std::span<const Node> nodes, WordView suffix, Answer expected,
                             Search& search) {
  // Shortest first, in growing batches: a counterexample is mostly among the first.
  std::vector<Node> ends;
  std::size_t batch = 64;
  for (std::size_t first = 0; first < nodes.size();) {
    const auto some = nodes.subspan(first, std::min(batch, nodes.size() - first));
    ends.clear();
    for (const Node node : some) ends.push_back(tree_.add(node, suffix));
    if (!tree_.compute(ends, search.budget)) return false;
    std::optional<Node>& shortest = search.result.counterexample;
    for (const Node end : ends) {
      if (!contradicts(tree_.answer(end), expected)) continue;
      if (!shortest || tree_.length(end) < tree_.length(*shortest)) shortest = end;
    }
    if (shortest) return true;
    first += some.size();
    batch = std::min<std::size_t>(2 * batch, 4096);
  }
  return true;
}

bool Exploration::locate(std::span<const Node> nodes, const Budget& budget) {
  if (vertices_.size() < tree_.size()) vertices_.resize(tree_.size(), Partition::top());
  constexpr std::size_t at_once = 256;  // few enough for the second-level cache
  const std::size_t size = tree_.state_size();
  std::vector<Node> open;
  std::vector<Partition::VertexId> vertices;
  std::vector<double> states;
  for (std::size_t at = 0; at < nodes.size();) {
    open.clear();
    for (; at < nodes.size() && open.size() < at_once; ++at) {
      if (!partition_.is_leaf(vertices_[index(nodes[at])])) open.push_back(nodes[at]);
    }
    if (open.empty()) continue;
    if (budget.spent()) return false;
    states.resize(open.size() * size);
    if (!tree_.copy_states(open, {states.data(), size, open.size()}, budget)) return false;
    vertices.clear();
    for (const Node node : open) vertices.push_back(vertices_[index(node)]);
    partition_.locate({states.data(), size, open.size()}, vertices);
    for (std::size_t i = 0; i < open.size(); ++i) vertices_[index(open[i])] = vertices[i];
  }
  return true;
}

std::optional<std::vector<AState>> Exploration::a_states(std::span<const Node> nodes,
                                                         const Budget& budget) {
  if (!locate(nodes, budget)) return std::nullopt;
  std::vector<AState> result;
  for (const Node node : nodes) result.push_back(a_state(node));
  return result;
}

Exploration::Visit& Exploration::visit(AState a_state) {
  if (index(a_state) >= visits_.size())
    visits_.resize(std::max(partition_.size(), index(a_state) + 1));
  return visits_[index(a_state)];
}

}  // namespace rnnalf
