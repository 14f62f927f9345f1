#include "rnnalf/teacher/teacher.hpp"

#include <algorithm>
#include <stdexcept>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {

Teacher::Teacher(const RnnAcceptor& acceptor, const Alphabet& alphabet,
                 const TeacherOptions& options)
    : alphabet_(alphabet), tree_(acceptor, options.states), exploration_(tree_, {}) {
  if (alphabet.size() != acceptor.symbol_count()) {
    throw OptionError("alphabet: expected " + std::to_string(acceptor.symbol_count()) +
                      " symbols, found " + std::to_string(alphabet.size()));
  }
  const OracleChain chain = parse_oracles(options.oracles);
  oracles_ = chain.text();
  oracle_ =
      chain.make({tree_, alphabet_, options.seed, options.samples, &exploration_}, options.mode);
}

bool Teacher::membership(WordView word) {
  const Node node = tree_.add(word);
  const Budget no_limit;
  RNNALF_CHECK(tree_.compute({&node, 1}, no_limit), "a query without a limit was stopped");
  return tree_.accepted(node);
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

EquivalenceAnswer Teacher::equivalence(const Dfa& hypothesis, const Budget& budget) {
  if (hypothesis.symbol_count() != tree_.symbol_count()) {
    throw std::invalid_argument("Teacher::equivalence: the hypothesis has " +
                                std::to_string(hypothesis.symbol_count()) +
                                " symbols, the network " + std::to_string(tree_.symbol_count()));
  }
  return oracle_->find(hypothesis, budget);
}

std::optional<Node> Teacher::contradiction(const Dfa& hypothesis) const {
  // A node's parent comes before it, so one pass gives every node's L-state.
  std::vector<LState> l_state(tree_.size());
  std::optional<Node> shortest;
  for (std::size_t i = 0; i < l_state.size(); ++i) {
    const auto node = static_cast<Node>(i);
    l_state[i] = i == 0 ? hypothesis.initial()
                        : hypothesis.next(l_state[index(tree_.parent(node))], tree_.label(node));
    if (!tree_.known(node) || tree_.accepted(node) == hypothesis.accepts(l_state[i])) continue;
    if (!shortest || tree_.length(node) < tree_.length(*shortest)) shortest = node;
  }
  return shortest;
}

}  // namespace rnnalf
