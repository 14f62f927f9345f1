#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/exploration/exploration.hpp"
#include "rnnalf/oracle/registry.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct TeacherOptions {
  StateTreeOptions states = {};
  std::string oracles = std::string(kDefaultOracles);  ///< as on the command line
  OracleMode mode = OracleMode::First;
  std::uint64_t seed = 1;
  std::vector<Word> samples =
      {};  ///< words tried at every equivalence query; none: they are searched for
};

/// A network as a minimally adequate teacher: membership queries by running it, equivalence queries
/// by a chain of oracles, all on one StateTree. One caller at a time.
class Teacher {
 public:
  /// Acceptor and alphabet outlive the teacher. Throws OptionError for options that cannot be used.
  Teacher(const RnnAcceptor& acceptor, const Alphabet& alphabet, const TeacherOptions& options);

  [[nodiscard]] const Alphabet& alphabet() const { return alphabet_; }

  /// The network's answer.
  [[nodiscard]] bool membership(WordView word);
  /// The answers of many words in one batch, added to the tree: nodes[i] is known afterwards. False
  /// when the budget ended first.
  [[nodiscard]] bool membership(std::span<const WordView> words, std::vector<Node>& nodes,
                                const Budget& budget);

  /// A word on which the network and this complete DFA differ, as far as the oracles find one.
  [[nodiscard]] EquivalenceAnswer equivalence(const Dfa& hypothesis, const Budget& budget);

  /// The shortest word the network was ever asked about that this DFA gets wrong: no step is
  /// computed.
  [[nodiscard]] std::optional<Node> contradiction(const Dfa& hypothesis) const;

  [[nodiscard]] StateTree& tree() { return tree_; }
  [[nodiscard]] const StateTree& tree() const { return tree_; }
  [[nodiscard]] Exploration& exploration() { return exploration_; }
  [[nodiscard]] const Exploration& exploration() const { return exploration_; }
  /// The chain of oracles with all its parameters.
  [[nodiscard]] const std::string& oracles() const { return oracles_; }

 private:
  const Alphabet& alphabet_;
  StateTree tree_;
  Exploration exploration_;
  std::string oracles_;
  OraclePtr oracle_;
};

}  // namespace rnnalf
