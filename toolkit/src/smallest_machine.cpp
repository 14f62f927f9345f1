#include <libalf/detail/smallest_machine.h>

#include <cadical.hpp>

#include <initializer_list>

namespace libalf::detail {
namespace {

constexpr int satisfiable = 10;  // what CaDiCaL returns

/// A formula under construction. Literals are as in DIMACS: a variable or its negative.
class formula {
 public:
  explicit formula(const std::function<bool()>& stop = {}) : stop_{stop} {
    solver_.set("quiet", 1);
    if (stop) solver_.connect_terminator(&stop_);
  }
  formula(const formula&) = delete;
  formula& operator=(const formula&) = delete;

  int new_variable() { return ++variables_; }
  std::vector<int> new_variables(unsigned count) {
    std::vector<int> block(count);
    for (int& variable : block) variable = new_variable();
    return block;
  }

  void add(std::initializer_list<int> clause) { add(std::vector<int>(clause)); }
  void add(const std::vector<int>& clause) {
    for (int literal : clause) solver_.add(literal);
    solver_.add(0);
  }
  void at_most_one(const std::vector<int>& literals) {
    for (std::size_t i = 0; i < literals.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add({-literals[i], -literals[j]});
    }
  }
  /// A variable that holds iff both do.
  int both(int a, int b) {
    const int result = new_variable();
    add({-result, a});
    add({-result, b});
    add({result, -a, -b});
    return result;
  }

  /// Formulas may be large: asked while they are made, too.
  bool is_stopped() { return stop_.stop && stop_.stop(); }
  bool solve() { return solver_.solve() == satisfiable; }
  bool holds(int variable) { return solver_.val(variable) > 0; }

 private:
  struct terminator : CaDiCaL::Terminator {
    explicit terminator(const std::function<bool()>& when) : stop(when) {}
    bool terminate() override { return stop(); }
    const std::function<bool()>& stop;
  };

  terminator stop_;  // before the solver, which asks it to its end
  CaDiCaL::Solver solver_;
  int variables_ = 0;
};

using table = std::vector<std::vector<int>>;

table new_table(formula& f, std::size_t rows, unsigned columns) {
  table variables;
  for (std::size_t r = 0; r < rows; ++r) variables.push_back(f.new_variables(columns));
  return variables;
}

/// States appear in the order of the nodes: a node may have state i only if an earlier one has
/// state i-1. Of all numberings of the states one is left. False if it was stopped.
bool number_in_order(formula& f, const table& has_state, unsigned states) {
  std::vector<int> seen = f.new_variables(states);  // among the nodes so far
  f.add({has_state[0][0]});
  for (unsigned i = 0; i < states; ++i) f.add({i == 0 ? seen[i] : -seen[i]});
  for (std::size_t node = 1; node < has_state.size(); ++node) {
    if (f.is_stopped()) return false;
    const std::vector<int> seen_now = f.new_variables(states);
    for (unsigned i = 0; i < states; ++i) {
      if (i > 0) f.add({-has_state[node][i], seen[i - 1]});
      f.add({-seen_now[i], seen[i], has_state[node][i]});
      f.add({seen_now[i], -seen[i]});
      f.add({seen_now[i], -has_state[node][i]});
    }
    seen = seen_now;
  }
  return true;
}

}  // namespace

std::optional<std::vector<unsigned>> deterministic_states(const labelled_tree& tree,
                                                          unsigned states,
                                                          const std::function<bool()>& stop) {
  if (states == 0) return std::nullopt;
  formula f(stop);
  const table has_state = new_table(f, tree.edges.size(), states);
  for (const auto& of_node : has_state) {
    if (f.is_stopped()) return std::nullopt;
    f.add(of_node);
    f.at_most_one(of_node);
  }
  if (!number_in_order(f, has_state, states)) return std::nullopt;

  const table has_label = new_table(f, states, static_cast<unsigned>(tree.label_count));
  for (const auto& of_state : has_label) f.at_most_one(of_state);
  std::vector<table> leads;  // letter, from, to
  for (unsigned letter = 0; letter < tree.letters; ++letter) {
    leads.push_back(new_table(f, states, states));
    for (const auto& from : leads.back()) f.at_most_one(from);
  }
  for (std::size_t node = 0; node < tree.edges.size(); ++node) {
    if (f.is_stopped()) return std::nullopt;
    const int label = tree.labels[node];
    for (unsigned i = 0; i < states && label != labelled_tree::unlabelled; ++i) {
      f.add({-has_state[node][i], has_label[i][static_cast<unsigned>(label)]});
    }
    for (unsigned letter = 0; letter < tree.letters; ++letter) {
      const unsigned below = tree.edges[node][letter];
      if (below == labelled_tree::no_edge) continue;
      for (unsigned i = 0; i < states; ++i) {
        for (unsigned j = 0; j < states; ++j) {
          const int lead = leads[letter][i][j];
          f.add({-has_state[node][i], -has_state[below][j], lead});
          f.add({-has_state[node][i], -lead, has_state[below][j]});
        }
      }
    }
  }
  if (!f.solve()) return std::nullopt;
  std::vector<unsigned> found;
  for (const auto& of_node : has_state) {
    unsigned state = 0;
    while (!f.holds(of_node[state])) ++state;
    found.push_back(state);
  }
  return found;
}

std::optional<nondeterministic_machine> nondeterministic_states(const labelled_tree& tree,
                                                                unsigned states,
                                                                const std::function<bool()>& stop) {
  if (states == 0) return std::nullopt;
  formula f(stop);
  const std::vector<int> accepting = f.new_variables(states);
  std::vector<table> leads;  // letter, from, to
  for (unsigned letter = 0; letter < tree.letters; ++letter) {
    leads.push_back(new_table(f, states, states));
  }
  const table reaches = new_table(f, tree.edges.size(), states);  // node, state
  for (std::size_t node = 0; node < tree.edges.size(); ++node) {
    if (f.is_stopped()) return std::nullopt;
    for (unsigned letter = 0; letter < tree.letters; ++letter) {
      const unsigned below = tree.edges[node][letter];
      if (below == labelled_tree::no_edge) continue;
      for (unsigned to = 0; to < states; ++to) {
        std::vector<int> some{-reaches[below][to]};  // reached iff from some state
        for (unsigned from = 0; from < states; ++from) {
          some.push_back(f.both(reaches[node][from], leads[letter][from][to]));
          f.add({-some.back(), reaches[below][to]});
        }
        f.add(some);
      }
    }
    std::vector<int> some;
    for (unsigned state = 0; state < states; ++state) {
      if (tree.labels[node] == 0) f.add({-reaches[node][state], -accepting[state]});
      if (tree.labels[node] == 1) some.push_back(f.both(reaches[node][state], accepting[state]));
    }
    if (tree.labels[node] == 1) f.add(some);
  }
  if (!f.solve()) return std::nullopt;
  nondeterministic_machine found;
  const auto values = [&](const std::vector<int>& variables) {
    std::vector<bool> row;
    for (int variable : variables) row.push_back(f.holds(variable));
    return row;
  };
  found.initial = values(reaches[0]);
  found.accepting = values(accepting);
  for (unsigned from = 0; from < states; ++from) {
    found.transitions.emplace_back();
    for (unsigned letter = 0; letter < tree.letters; ++letter) {
      found.transitions.back().push_back(values(leads[letter][from]));
    }
  }
  return found;
}

}  // namespace libalf::detail
