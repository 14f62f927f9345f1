#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/word.hpp"
#include "rnnalf/baseline/method.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"

namespace rnnalf {

enum class Preset : std::uint8_t { None, Paper };

/// When learning ends by itself.
enum class Until : std::uint8_t {
  Settled,  ///< when no oracle finds a counterexample, or when larger automata do not agree better
  Exact     ///< when no oracle finds a counterexample
};

/// How to extract. Every field has its name, range and help text in `table()`, but for the samples,
/// which need an alphabet, and what is part of the preset.
struct ExtractionOptions {
  /// Paper: exactly the published method, which is L*, a word of each class and the abstraction of
  /// depth 10, nothing else; the result is the last hypothesis. Limits, seed and threads are free.
  Preset preset = Preset::None;
  MethodSpec method = {};
  std::string learner = "ttt";  ///< a name of learners()
  OracleChain oracles = default_oracles();
  OracleMode oracle_mode = OracleMode::First;
  std::vector<Word> samples =
      {};  ///< tried at every equivalence query; none: they are searched for

  std::chrono::duration<double> time_limit{60};
  std::optional<std::uint64_t> max_states = {};   ///< larger hypotheses are not kept; > 0
  std::optional<std::uint64_t> max_queries = {};  ///< membership queries
  std::optional<std::uint64_t> max_rounds = {};   ///< equivalence queries; > 0
  std::optional<std::uint64_t> max_steps = {};    ///< of the network, for learning alone; > 0
  std::uint64_t memory_limit = std::uint64_t{4} << 30U;  ///< bytes beyond what the process has

  std::uint64_t seed = 1;
  std::uint64_t threads = 0;     ///< 0: one per core; results do not depend on it
  double tolerance = 0.001;      ///< share of the words of a length that a result may lose; 0 .. 1
  double price = 1;              ///< of states, in length explained: LadderOptions
  double unsure = 0;             ///< nothing is learned from answers of a smaller margin; >= 0
  bool exact = false;            ///< the result is the last hypothesis
  Until until = Until::Settled;  ///< with `exact`, Exact

  /// Alphabets of more symbols are learned over representatives of symbols that behave alike; 0:
  /// never. See evaluate/alike_symbols.hpp.
  std::uint64_t alike_symbols = 40;

  /// Before an oracle is asked, try what the network answered so far on each new hypothesis. Part
  /// of the preset.
  bool use_known_answers = true;
  /// Cut loops of the hypothesis out of a counterexample before the learner sees it. Part of the
  /// preset.
  bool shorten_counterexamples = true;
  std::uint64_t plotted_r_states = 0;  ///< to project to the plane for a picture; 0: none
  /// Look for a proof that network and result agree on all words, in what is left of the time
  /// limit.
  bool certify = false;

  /// Options that somebody has set, be it to their defaults: names of the table, which notes them
  /// when it reads one. Where two contradict each other, both must have been meant.
  std::set<std::string, std::less<>> given = {};

  [[nodiscard]] static const std::vector<OptionField<ExtractionOptions>>& table();
};

/// Throws OptionError naming the field: when a value is out of range, and when it contradicts
/// another option. Beside a preset, a field must be as the preset has it, or be left at its
/// default; a baseline has no learner and no oracles; `exact` is not `until settled`.
void validate(const ExtractionOptions& options);

/// The options with all values as they are used: those of the preset in place. Throws as validate
/// does. What is complete stays as it is.
[[nodiscard]] ExtractionOptions completed(ExtractionOptions options);

/// An option as it was used, defaults included.
using UsedOption = std::pair<std::string, OptionValue>;

/// All of them, by the names of the table; the samples as `sample`.
[[nodiscard]] std::vector<UsedOption> used_options(const ExtractionOptions& options,
                                                   const Alphabet& alphabet);

/// The published method: completed({.preset = Preset::Paper}).
[[nodiscard]] ExtractionOptions paper_options();

}  // namespace rnnalf
