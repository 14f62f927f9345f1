#include "support/naive_exploration.hpp"

#include <libsvm/svm.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

namespace rnnalf::support {

struct NaiveExploration::Vertex {
  // Inner vertices: a cut (dimension >= 0) or an SVM.
  std::unique_ptr<Vertex> yes, no;
  int dimension = -1;
  double middle = 0;
  svm_model* model = nullptr;
  std::vector<std::vector<svm_node>> rows;  // the model points into them

  ~Vertex() {
    if (model != nullptr) svm_free_and_destroy_model(&model);
  }

  bool decide(const std::vector<double>& state) const {
    if (dimension >= 0) return state[static_cast<std::size_t>(dimension)] > middle;
    return svm_predict(model, nodes(state).data()) > 0;
  }

  static std::vector<svm_node> nodes(const std::vector<double>& state) {
    std::vector<svm_node> row;
    for (std::size_t d = 0; d < state.size(); ++d)
      row.push_back({static_cast<int>(d + 1), state[d]});
    row.push_back({-1, 0});
    return row;
  }
};

NaiveExploration::NaiveExploration(const RnnAcceptor& acceptor, std::size_t depth, double cost)
    : acceptor_(acceptor), depth_(depth), cost_(cost), top_(std::make_unique<Vertex>()) {
  svm_set_print_string_function([](const char*) {});
}
NaiveExploration::~NaiveExploration() = default;

std::vector<double> NaiveExploration::r_state(const Word& word) const {
  std::vector<double> state = acceptor_.initial_state(), next(state.size());
  for (const Symbol symbol : word) {
    acceptor_.step({state.data(), state.size(), 1}, {&symbol, 1}, {next.data(), next.size(), 1});
    state.swap(next);
  }
  return state;
}

bool NaiveExploration::network_accepts(const Word& word) const {
  const std::vector<double> state = r_state(word);
  double margin = 0;
  acceptor_.margins({state.data(), state.size(), 1}, {&margin, 1});
  return margin > 0;
}

NaiveExploration::Vertex* NaiveExploration::leaf(const Word& word) const {
  const std::vector<double> state = r_state(word);
  Vertex* at = top_.get();
  while (at->yes) at = at->decide(state) ? at->yes.get() : at->no.get();
  return at;
}

std::size_t NaiveExploration::leaves() const {
  std::size_t count = 0;
  std::vector<const Vertex*> open{top_.get()};
  while (!open.empty()) {
    const Vertex* const vertex = open.back();
    open.pop_back();
    if (!vertex->yes) {
      ++count;
      continue;
    }
    open.push_back(vertex->yes.get());
    open.push_back(vertex->no.get());
  }
  return count;
}

bool NaiveExploration::refine(const Word& conflicting, const std::vector<Word>& others) {
  const std::vector<double> h = r_state(conflicting);
  if (!top_->yes && depth_ > 0) {
    std::vector<double> mean(h.size(), 0);
    for (const Word& word : others) {
      const auto state = r_state(word);
      for (std::size_t d = 0; d < h.size(); ++d) mean[d] += state[d];
    }
    for (double& value : mean) value /= static_cast<double>(others.size());
    std::vector<std::size_t> order(h.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(h[a] - mean[a]) > std::abs(h[b] - mean[b]);
    });
    std::vector<Vertex*> layer{top_.get()};
    for (std::size_t i = 0; i < std::min(depth_, h.size()); ++i) {
      std::vector<Vertex*> below;
      for (Vertex* const vertex : layer) {
        vertex->dimension = static_cast<int>(order[i]);
        vertex->middle = (h[order[i]] + mean[order[i]]) / 2;
        vertex->yes = std::make_unique<Vertex>();
        vertex->no = std::make_unique<Vertex>();
        below.push_back(vertex->yes.get());
        below.push_back(vertex->no.get());
      }
      layer = below;
    }
    return true;
  }
  Vertex* const vertex = leaf(conflicting);
  vertex->rows.push_back(Vertex::nodes(h));
  for (const Word& word : others) vertex->rows.push_back(Vertex::nodes(r_state(word)));
  std::vector<svm_node*> rows;
  for (auto& row : vertex->rows) rows.push_back(row.data());
  std::vector<double> labels(rows.size(), -1);
  labels[0] = 1;
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = RBF;
  parameter.gamma = 1 / static_cast<double>(h.size());
  parameter.C = cost_;
  parameter.eps = 1e-3;
  parameter.cache_size = 100;
  parameter.shrinking = 1;
  const svm_problem problem{static_cast<int>(rows.size()), labels.data(), rows.data()};
  vertex->model = svm_train(&problem, &parameter);
  const bool side = vertex->decide(h);
  bool separates = false;
  for (const Word& word : others) separates = separates || vertex->decide(r_state(word)) != side;
  if (!separates) {
    svm_free_and_destroy_model(&vertex->model);
    vertex->model = nullptr;
    vertex->rows.clear();
    return false;
  }
  vertex->yes = std::make_unique<Vertex>();
  vertex->no = std::make_unique<Vertex>();
  return true;
}

std::optional<Word> NaiveExploration::search(const Dfa& hypothesis) {
  // The shortest suffix telling two L-states apart, by breadth-first search over pairs.
  const auto telling = [&](LState p, LState q) {
    std::deque<std::tuple<LState, LState, Word>> queue{{p, q, {}}};
    std::set<std::pair<LState, LState>> seen{{p, q}};
    while (true) {
      const auto [a, b, word] = queue.front();
      queue.pop_front();
      if (hypothesis.accepts(a) != hypothesis.accepts(b)) return word;
      for (std::size_t s = 0; s < hypothesis.symbol_count(); ++s) {
        const auto symbol = static_cast<Symbol>(s);
        const std::pair next{hypothesis.next(a, symbol), hypothesis.next(b, symbol)};
        if (!seen.insert(next).second) continue;
        Word longer = word;
        longer.push_back(symbol);
        queue.emplace_back(next.first, next.second, longer);
      }
    }
  };
  struct Visit {
    LState l_state;
    std::vector<Word> paths;
  };
  while (true) {  // one walk
    std::map<Vertex*, Visit> visits;
    std::deque<std::pair<Word, LState>> queue{{{}, hypothesis.initial()}};
    bool restart = false;
    while (!queue.empty() && !restart) {
      const auto [path, q] = queue.front();
      queue.pop_front();
      if (network_accepts(path) != hypothesis.accepts(q)) return path;
      while (true) {
        Vertex* const here = leaf(path);
        const auto met = visits.find(here);
        if (met == visits.end()) {
          visits[here] = {q, {path}};
          for (std::size_t s = 0; s < hypothesis.symbol_count(); ++s) {
            Word longer = path;
            longer.push_back(static_cast<Symbol>(s));
            queue.emplace_back(longer, hypothesis.next(q, static_cast<Symbol>(s)));
          }
          break;
        }
        if (met->second.l_state == q) {
          met->second.paths.push_back(path);
          break;
        }
        const Word suffix = telling(met->second.l_state, q);
        std::vector<Word> tried = met->second.paths;
        tried.push_back(path);
        std::stable_sort(tried.begin(), tried.end(),
                         [](const Word& a, const Word& b) { return a.size() < b.size(); });
        for (const Word& word : tried) {
          const Word longer = concat(word, suffix);
          if (network_accepts(longer) != hypothesis.accepts(longer)) return longer;
        }
        const std::vector<Word> others = met->second.paths;
        const bool separated = refine(path, others);
        refinements_.push_back({path, others, separated});
        if (!separated) break;
        // Clean if the others are still together and the new one is elsewhere.
        Vertex* const together = leaf(others.front());
        restart = leaf(path) == together ||
                  std::any_of(others.begin(), others.end(),
                              [&](const Word& w) { return leaf(w) != together; });
        if (restart) break;
        Visit moved = std::move(met->second);
        visits.erase(met);
        visits[together] = std::move(moved);
      }
    }
    if (!restart) return std::nullopt;
  }
}

}  // namespace rnnalf::support
