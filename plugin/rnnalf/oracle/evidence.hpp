#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// Words were compared one by one.
struct WordsCompared {
  enum class Kind : std::uint8_t {
    Sample,            ///< given, or found by a search
    Random,            ///< uniform, and along the DFA
    Pumped,            ///< p u^k s
    Walk,              ///< random walks from the DFA's states
    TransitionWalk,    ///< random walks along the DFA's transitions
    RandomW,           ///< a random choice from the words of the W-method
    NearThreshold,     ///< the network's score is close to its threshold
    All,               ///< every word up to a length
    CharacterizingSet  ///< of the W-method or the Wp-method
  };
  Kind kind = Kind::Random;
  std::optional<std::size_t> longest = {};      ///< symbols
  std::optional<std::size_t> complete_to = {};  ///< every word of up to this many symbols was there
  /// Walks: the states they began in. Characterizing sets: the words are complete for automata of
  /// up to this many states.
  std::optional<std::size_t> states = {};

  friend bool operator==(const WordsCompared&, const WordsCompared&) = default;
};

/// Hypothesis and abstraction were walked in lockstep, to the end.
struct LockstepWalk {
  std::size_t a_states = 0;  ///< reached
  std::size_t r_states = 0;  ///< met
  std::size_t depth = 0;     ///< dimensions cut by the first refinement
  bool raised = false;       ///< because sampled words disagreed

  friend bool operator==(const LockstepWalk&, const LockstepWalk&) = default;
};

/// Independent words from a distribution, as many as a PAC statement needs.
struct PacSample {
  double epsilon = 0;  ///< share of words that may differ
  double delta = 0;    ///< chance that this is wrong
  bool geometric = false;
  std::size_t length = 0;       ///< largest or mean, by the distribution
  std::uint64_t differing = 0;  ///< of the words tested
  double least = 0;             ///< of the share that differs, with confidence 1 - delta
  double most = 0;

  friend bool operator==(const PacSample&, const PacSample&) = default;
};

/// A baseline's partition of the R-states, which nobody checked.
struct Quotient {
  std::optional<std::size_t> clusters = {};  ///< of k-means
  std::size_t a_states = 0;
  std::size_t expanded = 0;
  std::optional<double> agreed = {};  ///< share of the clustered words

  friend bool operator==(const Quotient&, const Quotient&) = default;
};

/// Of which words a baseline's automaton knows the path: all, or a share of each length.
struct Coverage {
  bool complete = true;                                        ///< every word
  std::vector<std::pair<std::size_t, double>> by_length = {};  ///< shares of uniform words

  friend bool operator==(const Coverage&, const Coverage&) = default;
};

/// Words with the network's answers from which a passive method made its automaton.
struct LabelledSample {
  enum class Fit : std::uint8_t {
    Agrees,       ///< with all of the words
    NotSmallest,  ///< the same, but the search for a smallest one was stopped
    None          ///< stopped before there was an automaton
  };
  std::size_t accepted = 0;  ///< of the words, by the network
  std::size_t wanted = 0;    ///< words; fewer were answered where a limit ended that
  Fit fit = Fit::Agrees;

  friend bool operator==(const LabelledSample&, const LabelledSample&) = default;
};

/// Every symbol was compared with the one that stood for it while learning.
struct AlikeSymbols {
  std::size_t symbols = 0;
  std::size_t groups = 0;
  std::uint64_t differing = 0;  ///< of the words tested

  friend bool operator==(const AlikeSymbols&, const AlikeSymbols&) = default;
};

/// What one oracle looked at in one equivalence query. Data: the sentences are made in `report`.
struct Evidence {
  enum class End : std::uint8_t {
    NoneFound,       ///< all was done and nothing found
    Counterexample,  ///< the DFA is refuted
    Stopped          ///< by a limit
  };

  std::string oracle = {};
  std::uint64_t words_tested = 0;
  End end = End::NoneFound;
  std::optional<Word> counterexample = {};  ///< engaged iff there is one
  std::variant<WordsCompared, LockstepWalk, PacSample, Quotient, Coverage, LabelledSample,
               AlikeSymbols>
      looked_at = {};

  friend bool operator==(const Evidence&, const Evidence&) = default;
};

}  // namespace rnnalf
