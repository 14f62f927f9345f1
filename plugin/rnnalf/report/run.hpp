#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/oracle/oracle.hpp"

namespace rnnalf {

/// What `rnnalf info` and the reports say about a network.
struct NetworkSummary {
  std::string file;
  std::string cell;
  std::size_t layers = 0;
  std::size_t hidden = 0;  ///< of the last layer
  std::size_t state_size = 0;
  Alphabet alphabet;
};

/// An option as it was used, defaults included: its name on the command line and its value.
using UsedOption = std::pair<std::string, std::string>;

/// A hypothesis of the learner, kept with what became of it.
struct HypothesisRecord {
  Dfa dfa;
  double at_seconds = 0;                  ///< since the run began
  std::optional<std::size_t> refuted_by;  ///< position in Run::counterexamples
  std::vector<std::pair<std::size_t, double>>
      agreement;  ///< by word length, estimated; may be empty
};

/// A counterexample as the learner got it.
struct CounterexampleRecord {
  Word word;
  bool accepted = false;       ///< the network's answer
  std::optional<bool> target;  ///< the target's answer, when there is one
  std::string oracle;          ///< who found it
  std::string how;             ///< what it is made of; may be empty
  double at_seconds = 0;       ///< since the run began
  double seconds = 0;          ///< that the search for it took
};

/// A word on which the recommended hypothesis and the network differ.
struct ExceptionRecord {
  Word word;
  bool accepted = false;   ///< the network's answer
  double probability = 0;  ///< of accept
};

struct RunStatistics {
  std::uint64_t membership_queries = 0;  ///< distinct words the learner asked about
  std::uint64_t equivalence_queries = 0;
  std::uint64_t rnn_steps = 0;             ///< transitions of the network computed, each once
  std::uint64_t rnn_steps_recomputed = 0;  ///< computed again after eviction; depends on memory
  std::uint64_t refinements = 0;
  std::uint64_t failed_splits = 0;
  std::uint64_t a_states = 0;
  std::size_t peak_memory_bytes = 0;
  double seconds = 0;
  double seconds_cpu = 0;  ///< of all threads; on a busy machine the fairer figure
  double seconds_learner = 0;
  double seconds_oracle = 0;
  double seconds_network = 0;
  double seconds_svm = 0;
};

/// One extraction as a value: all that reports are written from.
struct Run {
  NetworkSummary network;
  std::vector<UsedOption> options;
  Limit limit = Limit::None;  ///< None: no oracle found a counterexample to the last hypothesis
  std::vector<Evidence> evidence;  ///< of the last equivalence query
  std::vector<HypothesisRecord> hypotheses;
  std::size_t recommended = 0;  ///< position in hypotheses; that DFA is the result
  std::vector<ExceptionRecord> exceptions;
  std::vector<CounterexampleRecord> counterexamples;
  std::optional<Dfa> target;
  /// A baseline that a limit stopped: the words whose path its DFA knows. None: all words.
  std::optional<Dfa> covered;
  std::vector<std::pair<std::size_t, double>> coverage;  ///< of baselines: their share, by length
  RunStatistics statistics;

  [[nodiscard]] const Dfa& dfa() const { return hypotheses.at(recommended).dfa; }
};

/// `none-found` or the name of the limit: the JSON's "verdict".
[[nodiscard]] std::string_view verdict(const Run& run) noexcept;

}  // namespace rnnalf
