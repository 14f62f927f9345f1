#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/exploration/exploration.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct TeacherOptions {
  StateTreeOptions states = {};
  OracleChain oracles = default_oracles();
  OracleMode mode = OracleMode::First;
  std::uint64_t seed = 1;
  std::vector<Word> samples =
      {};  ///< words tried at every equivalence query; none: they are searched for
  std::vector<Word> found = {};  ///< tried besides: words of rare answers that a search found
};

/// A network as a minimally adequate teacher: membership queries by running it, equivalence queries
/// by a chain of oracles, all on one StateTree. One caller at a time.
class Teacher {
 public:
  /// Acceptor and alphabet outlive the teacher. Throws OptionError for options that cannot be used.
  Teacher(const RnnAcceptor& acceptor, const Alphabet& alphabet, const TeacherOptions& options);

  [[nodiscard]] const Alphabet& alphabet() const { return alphabet_; }
  [[nodiscard]] std::size_t answer_count() const { return tree_.answer_count(); }

  /// The network's answer, as a learner is taught it.
  [[nodiscard]] Answer answer(WordView word);
  /// The network's answer for a known node. Learners need one for every word: where the network
  /// says nothing, they get what the DFA of the last equivalence query says, which tells no two of
  /// its states apart; before the first one, reject.
  [[nodiscard]] Answer taught(Node node) const;
  [[nodiscard]] bool membership(WordView word) { return answer(word) == Answer::Accept; }
  /// The answers of many words in one batch, added to the tree: nodes[i] is known afterwards. False
  /// when the budget ended first.
  [[nodiscard]] bool membership(std::span<const WordView> words, std::vector<Node>& nodes,
                                const Budget& budget);

  /// A word on which the network and this DFA differ, as far as the oracles find one. The DFA need
  /// not be minimal. Throws std::invalid_argument when it has another number of symbols or answers.
  [[nodiscard]] EquivalenceAnswer equivalence(const Dfa& dfa, const Budget& budget);

  /// What each oracle of the chain says of this DFA, also after one of them refuted it. Ends with
  /// the budget: the last answer then says so, or is missing.
  [[nodiscard]] std::vector<EquivalenceAnswer> examine(const Dfa& dfa, const Budget& budget);

  /// The shortest word the network was ever asked about that this DFA gets wrong: no step is
  /// computed.
  [[nodiscard]] std::optional<Node> contradiction(const Dfa& hypothesis) const;

  [[nodiscard]] StateTree& tree() { return tree_; }
  [[nodiscard]] const StateTree& tree() const { return tree_; }
  /// What the `abstraction` oracles walk on, one each, in the order of the chain.
  [[nodiscard]] std::span<const std::unique_ptr<Exploration>> explorations() const {
    return explorations_;
  }

 private:
  const Alphabet& alphabet_;
  StateTree tree_;
  std::vector<std::unique_ptr<Exploration>> explorations_;
  OraclePtr oracle_;
  std::optional<Dfa> last_;               // that an equivalence query was about
  std::vector<EquivalenceOracle*> each_;  // of the chain, owned by it
};

}  // namespace rnnalf
