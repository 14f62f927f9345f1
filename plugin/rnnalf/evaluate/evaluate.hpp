#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/oracle/counterexample.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct EvaluateOptions {
  std::vector<std::size_t> lengths = {1,  4,  7,  10, 13, 16,
                                      19, 22, 25, 28, 50, 100};  ///< of uniform words, symbols
  std::size_t per_length = 1000;                                 ///< uniform words of each length
  std::vector<Word> words = {};                                  ///< given ones, such as a test set
  std::size_t pumped = 2000;            ///< words p u^k s, half of them along loops of the DFA
  std::size_t pumped_length = 200;      ///< most symbols of those
  std::size_t exhaustive = 0;           ///< all words of up to this many symbols; 0: none
  std::size_t most_disagreements = 10;  ///< listed
  std::uint64_t seed = 1;

  // Of a whole evaluation, which makes its own StateTree.
  std::uint64_t threads = 0;  ///< 0: one per core; results do not depend on it
  std::optional<std::chrono::duration<double>> time_limit = std::chrono::duration<double>(60);
};

/// On how many of some words each pair of the three agrees; the target is optional.
struct PairAgreement {
  std::uint64_t words = 0;
  std::uint64_t network_dfa = 0;
  std::uint64_t network_target = 0;
  std::uint64_t dfa_target = 0;
  /// Words that the network accepts; of more than two answers, those that get the most common one.
  /// A share near 0 or 1 means that these words say little.
  std::uint64_t accepted = 0;
  std::vector<std::uint64_t> by_answer = {};  ///< of the network

  [[nodiscard]] double share(std::uint64_t agreed) const {
    return words == 0 ? 1 : static_cast<double>(agreed) / static_cast<double>(words);
  }
};

struct LengthEvaluation {
  std::size_t length = 0;
  PairAgreement agreement;
};

/// How far a DFA is from a network, and both from what the network was meant to learn.
struct Evaluation {
  std::vector<LengthEvaluation> by_length;  ///< uniform words
  std::optional<PairAgreement> given;       ///< the given words
  std::optional<PairAgreement> pumped;
  std::optional<PairAgreement> exhaustive;       ///< of all lengths that were completed
  std::optional<std::size_t> exhaustive_length;  ///< the largest of them
  std::vector<Counterexample> disagreements;     ///< shortest found first
  std::optional<bool> equal_to_target;           ///< DFA and target, exactly
  std::optional<Word> separating_word;           ///< shortlex-first between them
  /// A word of which the network says nothing; such words are not counted.
  std::optional<Word> unanswered;
  bool complete = true;  ///< false: the budget ended; what is there is whole
};

/// Every word is run once through the network; words that are asked for twice are compared twice.
/// The same options give the same words, whatever the DFA, but for the pumped ones.
[[nodiscard]] Evaluation evaluate(StateTree& tree, const Dfa& dfa, const Dfa* target,
                                  const EvaluateOptions& options, const Budget& budget);

/// The use case: a tree of its own for the network, with as many threads and for as long as the
/// options say.
[[nodiscard]] Evaluation evaluate(const Network& network, const Dfa& dfa, const Dfa* target,
                                  const EvaluateOptions& options, const Budget& budget,
                                  Progress* watched = nullptr);

}  // namespace rnnalf
