#include "rnnalf/certify/contexts.hpp"

#include <algorithm>
#include <cmath>

namespace rnnalf::certify {

Contexts::Sampled Contexts::root(std::size_t state) {
  roots_.push_back(contexts_.size());
  contexts_.push_back({{{state}, {}}, 0, {}, kNone});
  return {roots_.back(), box(contexts_.back().path)};
}

std::vector<std::size_t> Contexts::symbols_between(std::size_t from, std::size_t to) const {
  std::vector<std::size_t> symbols;
  for (const BaseAutomaton::Edge& edge : base_.into(to)) {
    if (edge.from == from) symbols.push_back(edge.symbol);
  }
  return symbols;
}

std::vector<double> Contexts::stepped(const Path& path) const {
  std::vector<double> states = samples_.states[path.states.front()], next(states.size());
  const std::size_t size = samples_.size, count = states.size() / size;
  std::vector<Symbol> symbols(count);
  for (std::size_t t = 0; t < path.symbols.size() && !budget_.spent(); ++t) {
    // Where a symbol is not known, each that may be is taken for some of the samples.
    const std::vector<std::size_t> may_be =
        path.symbols[t] != kNone ? std::vector{path.symbols[t]}
                                 : symbols_between(path.states[t], path.states[t + 1]);
    for (std::size_t i = 0; i < count; ++i) {
      symbols[i] = Symbol(may_be[((i * 2654435761U) >> (t % 16 + 4)) % may_be.size()]);
    }
    acceptor_.step({states.data(), size, count}, symbols, {next.data(), size, count});
    states.swap(next);
  }
  return states;
}

Box Contexts::box(const Path& path) const {
  const std::vector<double> states = stepped(path);
  const std::size_t size = samples_.size;
  Box hull{std::vector<double>(size, HUGE_VAL), std::vector<double>(size, -HUGE_VAL)};
  for (std::size_t at = 0; at < states.size(); at += size) {
    for (std::size_t i = 0; i < size; ++i) {
      hull.low[i] = std::min(hull.low[i], states[at + i]);
      hull.high[i] = std::max(hull.high[i], states[at + i]);
    }
  }
  return hull;
}

Contexts::Question Contexts::which_state(const Path& path) const {
  Question question{path.symbols.size(), {}, {}, {}, 0};
  for (const BaseAutomaton::Edge& edge : base_.into(path.states.front())) {
    auto& answers = question.answers;
    if (std::find(answers.begin(), answers.end(), edge.from) != answers.end()) continue;
    answers.push_back(edge.from);
    const auto symbols = symbols_between(edge.from, path.states.front());
    Path longer = path;
    longer.states.insert(longer.states.begin(), edge.from);
    longer.symbols.insert(longer.symbols.begin(), symbols.size() == 1 ? symbols[0] : kNone);
    question.paths.push_back(std::move(longer));
  }
  look(question);
  return question;
}

std::optional<Contexts::Question> Contexts::which_symbol(const Path& path) const {
  const auto found = std::find(path.symbols.rbegin(), path.symbols.rend(), kNone);
  if (found == path.symbols.rend()) return std::nullopt;
  const auto asks = static_cast<std::size_t>(found - path.symbols.rbegin());
  const std::size_t at = path.symbols.size() - 1 - asks;
  Question question{asks, symbols_between(path.states[at], path.states[at + 1]), {}, {}, 0};
  for (const std::size_t symbol : question.answers) {
    question.paths.push_back(path);
    question.paths.back().symbols[at] = symbol;
  }
  look(question);
  return question;
}

void Contexts::look(Question& question) const {
  for (const Path& path : question.paths) {
    question.boxes.push_back(box(path));
    question.largest = std::max(question.largest, extent(question.boxes.back()));
  }
}

std::vector<Contexts::Sampled> Contexts::refine(std::size_t context) {
  const Path path = contexts_[context].path;
  Question question = which_state(path);
  if (auto other = which_symbol(path); other && other->largest < question.largest) {
    question = std::move(*other);
  }
  contexts_[context].asks = question.asks;
  std::vector<Sampled> children;
  for (std::size_t i = 0; i < question.answers.size(); ++i) {
    contexts_[context].children.emplace_back(question.answers[i], contexts_.size());
    children.push_back({contexts_.size(), std::move(question.boxes[i])});
    contexts_.push_back({std::move(question.paths[i]), 0, {}, kNone});
  }
  return children;
}

std::size_t Contexts::set_of(const Path& path) const {
  const std::size_t symbols = path.symbols.size();
  std::size_t context = roots_[path.states.back()];
  while (contexts_[context].set == kNone) {
    const Context& at = contexts_[context];
    if (at.asks >= symbols) return kNone;
    const std::size_t answer = at.asks == at.path.symbols.size()
                                   ? path.states[symbols - 1 - at.asks]
                                   : path.symbols[symbols - 1 - at.asks];
    const auto child = std::find_if(at.children.begin(), at.children.end(),
                                    [&](const auto& one) { return one.first == answer; });
    if (child == at.children.end()) return kNone;
    context = child->second;
  }
  return contexts_[context].set;
}

}  // namespace rnnalf::certify
