#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/states/state_tree.hpp"

// The oracles that are a search with options. For each: its options with name, summary and table of
// parameters, and `search`, what it does at a query. SearchOracle makes an oracle of these.
namespace rnnalf {

template <class Options>
concept OfOracle = requires {
  Options::kName, Options::kSummary, Options::table();
};

/// What a search has at hand, and what it remembers from query to query of a run.
template <class Options>
struct SearchState {
  StateTree& tree;  ///< outlives the oracle
  Options options;
  Random random;
  std::size_t queries = 0;                                     ///< the current one included
  std::unordered_map<Word, std::size_t, WordHash> walks = {};  ///< done so far, by access word
};

/// Throws OptionError naming the field.
template <OfOracle Options>
void validate(const Options& options) {
  check_all(Options::table(), options, std::string(Options::kName) + ": ");
}

template <class Options>
class SearchOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  SearchOracle(StateTree& tree, const Options& options)
      : state_{tree, options, Random(seed_of(options))} {
    validate(options);
  }
  [[nodiscard]] std::string_view name() const override { return Options::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override {
    ++state_.queries;
    return search(state_, hypothesis, budget);
  }

 private:
  static std::uint64_t seed_of(const Options& options) {
    if constexpr (requires { options.seed; }) return options.seed;
    return 1;  // it draws no random numbers
  }

  SearchState<Options> state_;
};

template <OfOracle Options>
[[nodiscard]] OraclePtr make_oracle(const Options& options, const OracleContext& context) {
  Options own = options;
  if constexpr (requires { own.seed; }) own.seed = context.seed_of(Options::kName);
  return std::make_unique<SearchOracle<Options>>(context.tree, own);
}

/// `pumping`: words p u^k s that walk a loop many times before a suffix.
///
/// A network counts with real numbers, which drift: it may follow its automaton on every short word
/// and on every random word, and lose it after the same loop thirty times over.
///
/// Four kinds of words, in this order, and of all of them every prefix as well:
/// - Factors of words that the network is known to answer with the rarer answer, repeated: loops
///   that the network has and the hypothesis has not (repeated_factors.hpp). At most half of the
///   words; the others share what is left.
/// - A quarter climbs: short access words p, simple cycles u of the hypothesis at p, suffixes from
///   its characterising set, k from 1 to hundreds. Some p are not the shortest words to their
///   states.
/// - A half is raced: all loops are walked a few times, and those whose scores come nearest to the
///   network's threshold more often (pumping_race.hpp).
/// - The rest are races of random loops, half of them begun at words that came near before.
///
/// A counterexample is given with the smallest k that refutes, as far as words are left to try.
struct PumpingOptions {
  std::size_t words = 6000;       ///< most words tested per query; > 0
  std::size_t max_length = 1000;  ///< symbols of a pumped word; > 0
  std::size_t max_loop = 6;       ///< symbols of a loop u; > 0
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "pumping";
  static constexpr std::string_view kSummary =
      "words p u^k s: loops of the hypothesis and random ones, walked many times";
  [[nodiscard]] static const std::vector<OptionField<PumpingOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<PumpingOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using PumpingOracle = SearchOracle<PumpingOptions>;

enum class RandomMode : std::uint8_t {
  Increasing,  ///< short lengths first, the paper's baseline
  Uniform,     ///< every word's length drawn uniformly from 1 .. max_length
};

/// `random`: up to n words of each length.
///
/// Uniform words alone miss what differs only inside a rare class: nearly every word over eight
/// JSON tokens is rejected for its first symbol. So a share of the words is drawn from both sides
/// of the hypothesis and their neighbourhood.
///
/// Increasing mode tests lengths in bands (1-4, 5-8, 9-16, ...). The uniform words of a band are
/// the prefixes of n walks: every length gets n uniform words, at one network step each. Every
/// query draws new words.
///
/// The shortest lengths are tested completely first: they share their prefixes, so that a word
/// costs one step, and a hypothesis that errs on short words is caught for sure.
struct RandomOptions {
  std::size_t per_length = 500;  ///< words of each length (paper: 1000); > 0
  std::size_t max_length = 30;   ///< symbols; > 0
  /// Lengths are tested completely as long as there are no more words up to them; 0: none but those
  /// with at most per_length words.
  std::size_t all = 60000;
  /// Share of the words that are not uniform but drawn along the hypothesis: uniform among those it
  /// accepts, or rejects, and these after one or two edits; 0 .. 1, 0: the paper's baseline.
  double guided = 0.1;
  RandomMode mode = RandomMode::Increasing;
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "random";
  static constexpr std::string_view kSummary =
      "random words of each length, uniform and along the hypothesis";
  [[nodiscard]] static const std::vector<OptionField<RandomOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<RandomOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using RandomOracle = SearchOracle<RandomOptions>;

/// `state-prefix`: random walks from every state, begun with its access word; states with the
/// longest access words, which are the newest, first. Compared after every symbol of a walk.
///
/// As AALpy has it: an access word that was walked from in earlier queries is not walked from again
/// beyond the number of walks, so that old states do not take the time of new ones.
struct StatePrefixOptions {
  std::size_t walks = 25;   ///< from each state, over all queries of a run; > 0
  std::size_t length = 12;  ///< symbols of a walk; > 0
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "state-prefix";
  static constexpr std::string_view kSummary =
      "random walks from every state of the hypothesis, the newest states first";
  [[nodiscard]] static const std::vector<OptionField<StatePrefixOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<StatePrefixOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using StatePrefixOracle = SearchOracle<StatePrefixOptions>;

/// `transition-focus`: random walks that mostly change the state of the hypothesis, for languages
/// like balanced parentheses, where what matters happens between states. As AALpy has it; compared
/// after every symbol.
struct TransitionFocusOptions {
  std::size_t walks = 500;  ///< per query; > 0
  std::size_t length = 20;  ///< symbols of a walk; > 0
  double same_state = 0.2;  ///< chance of a symbol that stays in the state, if there is one; 0 .. 1
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "transition-focus";
  static constexpr std::string_view kSummary =
      "random walks that mostly change the state of the hypothesis";
  [[nodiscard]] static const std::vector<OptionField<TransitionFocusOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<TransitionFocusOptions>& own,
                                       const Dfa& hypothesis, const Budget& budget);
using TransitionFocusOracle = SearchOracle<TransitionFocusOptions>;

/// `random-w`: an access word, a random walk, a word of the characterising set: a random choice
/// from the words of the W-method for many extra states. As AALpy has it; compared from the access
/// word on after every symbol.
struct RandomWOptions {
  std::size_t walks = 25;   ///< from each state, over all queries of a run; > 0
  std::size_t length = 12;  ///< most symbols of a walk; > 0
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "random-w";
  static constexpr std::string_view kSummary =
      "an access word, a random walk and a distinguishing suffix";
  [[nodiscard]] static const std::vector<OptionField<RandomWOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<RandomWOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using RandomWOracle = SearchOracle<RandomWOptions>;

/// `w-method` (Chow 1978): every state and transition, every word of up to `extra_states` symbols,
/// every suffix of a characterising set. Complete: a network that is an automaton with no more than
/// that many states beyond the hypothesis and passes is equivalent to it.
///
/// Words are made as they are needed, those with short middle parts first. Their number grows with
/// alphabet^extra_states.
struct WMethodOptions {
  std::size_t extra_states = 1;  ///< that the network may have beyond the hypothesis

  static constexpr std::string_view kName = "w-method";
  static constexpr std::string_view kSummary =
      "Chow's test words: complete for networks with few extra states";
  [[nodiscard]] static const std::vector<OptionField<WMethodOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<WMethodOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using WMethodOracle = SearchOracle<WMethodOptions>;

/// `wp-method` (Fujiwara et al. 1991): the same promise with fewer words. States are told apart by
/// the whole characterising set, ends of the other transitions only from all other states.
struct WpMethodOptions {
  std::size_t extra_states = 1;  ///< that the network may have beyond the hypothesis

  static constexpr std::string_view kName = "wp-method";
  static constexpr std::string_view kSummary = "the same promise as w-method with fewer words";
  [[nodiscard]] static const std::vector<OptionField<WpMethodOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<WpMethodOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using WpMethodOracle = SearchOracle<WpMethodOptions>;

/// `exhaustive`: all words, length by length, so that "agrees on all words of up to n symbols" can
/// be claimed, and only for lengths that were completed. A counterexample is the shortlex-first
/// word of all on which the two differ.
///
/// Words of a batch share their prefixes; memory is that of one batch, whatever the length.
struct ExhaustiveOptions {
  std::size_t max_length = 12;  ///< symbols
  std::size_t words = 100000;   ///< a length that would exceed this many words is not begun; > 0

  static constexpr std::string_view kName = "exhaustive";
  static constexpr std::string_view kSummary = "all words, length by length";
  [[nodiscard]] static const std::vector<OptionField<ExhaustiveOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<ExhaustiveOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using ExhaustiveOracle = SearchOracle<ExhaustiveOptions>;

enum class LengthDistribution : std::uint8_t {
  Uniform,    ///< every length from 0 to `length` equally likely
  Geometric,  ///< after every symbol the word ends with chance 1 / (length + 1): `length` on
              ///< average
};

/// Words of the i-th query (from 1): ceil((ln 1/delta + i ln 2) / epsilon), after Angluin (1987).
[[nodiscard]] std::size_t pac_sample_size(double epsilon, double delta, std::size_t query);

/// `pac`: independent words from a stated distribution, as many as make the result probably
/// approximately correct: a hypothesis that no query refutes differs from the network on more than
/// epsilon of the words, by that distribution, with a chance of no more than delta.
///
/// The whole sample is run, also after a disagreement: the evidence of a refuted hypothesis is a
/// Clopper-Pearson interval for its share of differing words.
struct PacOptions {
  double epsilon = 0.01;  ///< share of words, by the distribution, that may differ; 0 < . < 1
  double delta = 0.01;    ///< chance that the claim is wrong, over all queries of a run; 0 < . < 1
  LengthDistribution distribution = LengthDistribution::Uniform;  ///< symbols are uniform
  std::size_t length = 30;  ///< symbols; largest or mean, by the distribution
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "pac";
  static constexpr std::string_view kSummary =
      "independent random words, as many as a PAC claim needs";
  [[nodiscard]] static const std::vector<OptionField<PacOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<PacOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using PacOracle = SearchOracle<PacOptions>;

/// `margin`: words on which the network's score is nearest to its threshold, found by a beam
/// search: of all successors of the words of one length, those nearest to the threshold are
/// followed, as many from each L-state as from any other. Where a network is unsure it errs first.
///
/// The words stay in the tree: the next query walks on what this one computed. No random numbers.
struct MarginOptions {
  std::size_t beam = 64;        ///< words of each length that are followed; > 0
  std::size_t max_length = 40;  ///< symbols; > 0

  static constexpr std::string_view kName = "margin";
  static constexpr std::string_view kSummary =
      "words on which the network's score is nearest to its threshold";
  [[nodiscard]] static const std::vector<OptionField<MarginOptions>>& table();
};
[[nodiscard]] EquivalenceAnswer search(SearchState<MarginOptions>& own, const Dfa& hypothesis,
                                       const Budget& budget);
using MarginOracle = SearchOracle<MarginOptions>;

}  // namespace rnnalf
