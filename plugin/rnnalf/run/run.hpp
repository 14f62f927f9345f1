#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/named_dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/evaluate/agreement.hpp"
#include "rnnalf/evaluate/alike_symbols.hpp"
#include "rnnalf/evaluate/families.hpp"
#include "rnnalf/evaluate/r_state_plot.hpp"
#include "rnnalf/network/summary.hpp"
#include "rnnalf/oracle/counterexample.hpp"
#include "rnnalf/oracle/evidence.hpp"
#include "rnnalf/run/options.hpp"
#include "rnnalf/run/verdict.hpp"

namespace rnnalf {

/// A hypothesis of the learner, kept with what became of it.
struct HypothesisRecord {
  Dfa dfa;
  double at_seconds = 0;                  ///< since the run began
  std::optional<std::size_t> refuted_by;  ///< position in Run::counterexamples
};

/// Sees every hypothesis of a run as it comes, with its number.
using HypothesisTrace = std::function<void(std::size_t number, const HypothesisRecord& hypothesis)>;

/// What the empty word, which many training sets never contain, costs the result.
struct EmptyWord {
  bool alone = false;              ///< its answer alone makes the result larger
  std::size_t states_without = 0;  ///< of the DFA whose answer for it is free
};

/// What learning took. Choosing among hypotheses and checking the result are counted apart, for
/// every method alike.
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
  double seconds_walk = 0;  ///< in lockstep, SVM splits and steps of the network included
  double seconds_svm = 0;
  std::uint64_t rnn_steps_choosing = 0;  ///< to estimate agreement and to check the result
  double seconds_choosing = 0;
};

/// One extraction as a value: all that reports are written from. Nobody changes it afterwards.
struct Run {
  NetworkSummary network = {};
  Precision precision = Precision::Float;
  std::optional<Answer> empty_word = {};  ///< answer for the empty word; none: the network's own
  ExtractionOptions options = {};
  Limit limit = Limit::None;  ///< that ended learning; None: it ended by itself
  bool settled = false;       ///< it ended because larger automata were not worth it
  /// Somewhere in it, a clock, the memory at hand or an interruption decided: another machine may
  /// come to another run.
  bool cut_short = false;
  std::vector<HypothesisRecord> hypotheses = {};  ///< over `groups`, where there are some
  /// Symbols that stand for groups of others, where a large alphabet was learned over these.
  std::optional<SymbolGroups> groups = {};
  std::vector<Rung> ladder = {};  ///< the hypotheses worth looking at, smallest first; may be empty
  std::vector<AnswerMet> met = {};  ///< by answer, the words that measured the ladder
  /// Answers of which so few words were found that nothing can be judged by them: words with such
  /// an answer should be given.
  std::vector<Answer> unseen = {};
  /// Sizes of the results that other words would lead to, as two halves of those measured show, the
  /// result's among them; none: the choice is stable.
  std::vector<std::size_t> unstable = {};
  std::optional<GivenWords> given = {};  ///< engaged where the user gave words that were measured
  std::size_t recommended = 0;           ///< position in hypotheses; that DFA is the result
  std::vector<Evidence> evidence = {};   ///< what each oracle says of the result
  std::vector<Counterexample> exceptions = {};  ///< known words on which the result is wrong
  std::vector<Family> families = {};            ///< rules behind them
  EmptyWord empty = {};
  /// The shortest word seen of which the network says nothing: its numbers are not finite.
  std::optional<Word> unanswered = {};
  std::vector<Counterexample> counterexamples = {};  ///< that the learner was given
  std::optional<Dfa> over_all_symbols = {};          ///< the result; engaged iff `groups` is
  std::optional<Dfa> target = {};
  /// A baseline that a limit stopped: the words whose path its DFA knows. None: all words.
  std::optional<Dfa> covered = {};
  Coverage coverage = {};  ///< of baselines
  RunStatistics statistics = {};
  RStatePlot plot = {};  ///< without points unless the options ask for some
  /// A search for a proof that network and result agree, where one was asked for.
  std::optional<Certification> proof = {};

  /// How learning ended, and why the result is the hypothesis that it is.
  [[nodiscard]] Ending ended() const noexcept;
  [[nodiscard]] Selection selection() const noexcept;
  /// The result, over all symbols.
  [[nodiscard]] const Dfa& dfa() const {
    return over_all_symbols ? *over_all_symbols : hypotheses.at(recommended).dfa;
  }
  /// A hypothesis over all symbols. Of a large alphabet it is made here: hypotheses over thousands
  /// of symbols would take more memory than learning them.
  [[nodiscard]] Dfa hypothesis(std::size_t number) const;
  /// The rung of the result; null when nothing was measured.
  [[nodiscard]] const Rung* rung() const;
  /// Whether some oracle, or a word met by the way, refutes the result.
  [[nodiscard]] bool is_refuted() const;
};

/// An automaton about a network, with the network's names.
[[nodiscard]] NamedDfa named(const NetworkSummary& network, const Dfa& dfa);
/// A hypothesis of the run as it was learned: where there are groups, over their representatives.
[[nodiscard]] NamedDfa as_learned(const Run& run, std::size_t hypothesis);

/// Whether the same file, options and seed give the same run on every machine: nothing in it was
/// decided by a clock, by the memory at hand or by an interruption.
[[nodiscard]] bool is_reproducible(const Run& run) noexcept;

/// The two in one word, the JSON's "verdict": the limit; NoneFound, when no oracle found a
/// counterexample to the result; Settled, when learning was not worth it or a smaller hypothesis is
/// the result.
[[nodiscard]] RunVerdict verdict(const Run& run) noexcept;

}  // namespace rnnalf
