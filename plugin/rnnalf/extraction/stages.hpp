#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rnnalf/evaluate/ladder.hpp"
#include "rnnalf/run/run.hpp"

// What each stage of an extraction returns: learn, measure, choose, examine. A stage takes the
// values before it and changes none of them; the last one, prove, returns a Certification.
namespace rnnalf {

/// The hypotheses, and how learning ended.
struct Learned {
  Limit limit = Limit::None;  ///< None: no oracle found a counterexample, or it was not worth it
  bool settled = false;       ///< larger automata were not worth it
  std::vector<HypothesisRecord> hypotheses = {};     ///< at least one
  std::vector<Counterexample> counterexamples = {};  ///< in the order in which the learner got them
  std::vector<Evidence> evidence = {};               ///< about the last hypothesis
  std::optional<Dfa> covered = {};                   ///< of baselines: Run::covered
  Coverage coverage = {};                            ///< of baselines
  RunStatistics statistics = {};                     ///< what learning took
  std::optional<Word> unanswered = {};               ///< see Run::unanswered
  bool cut_short = false;

  [[nodiscard]] std::size_t last() const { return hypotheses.size() - 1; }
  /// Whether the oracles were asked about the last hypothesis, to the end, and none refuted it.
  [[nodiscard]] bool is_unrefuted() const { return limit == Limit::None && !settled; }
};

/// The hypotheses on one yardstick.
struct Measured {
  std::optional<Ladder> ladder = {};  ///< none: there was no time for it, or nothing to measure
  std::uint64_t steps = 0;            ///< of the network
  bool cut_short = false;
};

/// Which hypothesis is the result.
struct Chosen {
  std::size_t hypothesis = 0;  ///< its number
  std::vector<Rung> ladder = {};
  std::vector<AnswerMet> met = {};
  std::vector<Answer> unseen = {};         ///< see Run::unseen
  std::vector<std::size_t> unstable = {};  ///< see Run::unstable
  std::optional<GivenWords> given = {};    ///< see Run::given
  EmptyWord empty = {};
};

/// What is known of the result.
struct Examined {
  std::vector<Evidence> evidence = {};
  std::vector<Counterexample> exceptions = {};
  std::vector<Family> families = {};
  std::uint64_t steps = 0;  ///< of the tree that was learned from; of baselines, of the yardstick's
  bool cut_short = false;
};

/// All of this, over the symbols of one network.
struct Extracted {
  Learned learned;
  Chosen chosen;
  Examined examined;
  RStatePlot plot = {};
  RunStatistics statistics = {};
  bool cut_short = false;
  std::optional<Word> unanswered = {};  ///< see Run::unanswered
  /// Where a large alphabet was learned over groups of symbols, these, and the result over all
  /// symbols; `learned` is then over the groups.
  std::optional<SymbolGroups> groups = {};
  std::optional<Dfa> over_all_symbols = {};

  [[nodiscard]] const Dfa& dfa() const {
    return over_all_symbols ? *over_all_symbols : learned.hypotheses.at(chosen.hypothesis).dfa;
  }
};

}  // namespace rnnalf
