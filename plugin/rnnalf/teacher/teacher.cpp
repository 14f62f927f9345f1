#include "rnnalf/teacher/teacher.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {

Teacher::Teacher(const RnnAcceptor& acceptor, const Alphabet& alphabet,
                 const TeacherOptions& options)
    : alphabet_(alphabet), tree_(acceptor, options.states) {
  if (alphabet.size() != acceptor.symbol_count()) {
    throw OptionError(fmt::format("alphabet: expected {} symbols, found {}",
                                  acceptor.symbol_count(), alphabet.size()));
  }
  std::vector<OraclePtr> oracles = make_oracles(options.oracles, {.tree = tree_,
                                                                  .seed = options.seed,
                                                                  .samples = options.samples,
                                                                  .found = options.found,
                                                                  .explorations = &explorations_});
  for (const OraclePtr& oracle : oracles) each_.push_back(oracle.get());
  if (oracles.empty()) throw OptionError("oracles: expected at least one, found none");
  oracle_ = combined(std::move(oracles), options.mode);
}

Answer Teacher::answer(WordView word) {
  const Node node = tree_.add(word);
  const Budget no_limit;
  RNNALF_CHECK(tree_.compute({&node, 1}, no_limit), "a query without a limit was stopped");
  return taught(node);
}

Answer Teacher::taught(Node node) const {
  if (tree_.answered(node)) return tree_.answer(node);
  return last_ ? last_->answer(tree_.word(node)) : Answer::Reject;
}

bool Teacher::membership(std::span<const WordView> words, std::vector<Node>& nodes,
                         const Budget& budget) {
  nodes.clear();
  nodes.reserve(words.size());
  // Learners ask table rows, so a word mostly shares a long prefix with the one before: its nodes
  // are at hand.
  std::vector<Node> path{StateTree::root()};  // of the prefixes of the word before
  WordView before;
  for (const WordView word : words) {
    const auto ends = std::mismatch(word.begin(), word.end(), before.begin(), before.end());
    path.resize(static_cast<std::size_t>(ends.first - word.begin()) + 1);
    for (auto symbol = ends.first; symbol != word.end(); ++symbol) {
      path.push_back(tree_.add(path.back(), {&*symbol, 1}));
    }
    nodes.push_back(path.back());
    before = word;
  }
  return tree_.compute(nodes, budget);
}

namespace {

/// Oracles want it minimal: they tell its states apart.
Dfa minimal(const Dfa& dfa, const StateTree& tree) {
  if (dfa.symbol_count() != tree.symbol_count()) {
    throw std::invalid_argument(fmt::format("the DFA has {} symbols, the network {}",
                                            dfa.symbol_count(), tree.symbol_count()));
  }
  if (dfa.answer_count() != tree.answer_count()) {
    throw std::invalid_argument(fmt::format("the automaton has {} answers, the network {}",
                                            dfa.answer_count(), tree.answer_count()));
  }
  return minimise(dfa);
}

}  // namespace

EquivalenceAnswer Teacher::equivalence(const Dfa& dfa, const Budget& budget) {
  last_ = minimal(dfa, tree_);
  return oracle_->find(*last_, budget);
}

std::vector<EquivalenceAnswer> Teacher::examine(const Dfa& dfa, const Budget& budget) {
  const Dfa hypothesis = minimal(dfa, tree_);
  std::vector<EquivalenceAnswer> answers;
  for (EquivalenceOracle* const oracle : each_) {
    if (budget.spent()) break;
    answers.push_back(oracle->find(hypothesis, budget));
  }
  return answers;
}

std::optional<Node> Teacher::contradiction(const Dfa& hypothesis) const {
  // A node's parent comes before it, so one pass gives every node's L-state.
  std::vector<LState> l_state(tree_.size());
  std::optional<Node> shortest;
  for (std::size_t i = 0; i < l_state.size(); ++i) {
    const auto node = static_cast<Node>(i);
    l_state[i] = i == 0 ? hypothesis.initial()
                        : hypothesis.next(l_state[index(tree_.parent(node))], tree_.label(node));
    if (!tree_.known(node)) continue;
    if (!contradicts(tree_.answer(node), hypothesis.answer(l_state[i]))) continue;
    if (!shortest || tree_.length(node) < tree_.length(*shortest)) shortest = node;
  }
  return shortest;
}

}  // namespace rnnalf
