#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rnnalf/base/random.hpp"
#include "rnnalf/baseline/method.hpp"
#include "rnnalf/baseline/quotient.hpp"
#include "rnnalf/oracle/evidence.hpp"

namespace rnnalf {

struct BaselineOptions {
  /// Words whose R-states, prefixes included, are clustered, or whose answers are learnt from;
  /// none: random ones. Not for quantization.
  std::vector<Word> words = {};
  std::size_t max_states = std::numeric_limits<std::size_t>::max();
  /// Passive methods: steps of the network that their words may take. The others stop when the
  /// budget says so.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  /// Passive methods: no more words than can be learnt from within this many bytes.
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t seed = 1;
};

struct BaselineResult {
  PartialDfa automaton;
  std::vector<Evidence> evidence;  ///< of every partition tried, then what the result covers
  Coverage coverage;               ///< by length, of uniform words
  bool complete = true;            ///< false: a limit ended it before all of the method was done
  Limit limit = Limit::None;       ///< which one, where the budget itself does not say it
};

/// The words that a baseline looks at, one after the other: the given ones, else short and longer
/// random ones; of a passive method as many of them as it wants.
class BaselineWords {
 public:
  /// The options outlive this.
  BaselineWords(const MethodSpec& method, const BaselineOptions& options, std::size_t symbols);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] Word next();  ///< to be called `count` times

 private:
  const BaselineOptions& options_;
  std::size_t symbols_;
  std::size_t count_;
  std::size_t at_ = 0;
  Random random_;
};

/// Throws OptionError where a method wants more words than are given.
void require_words(const MethodSpec& method, std::size_t given);
/// Throws FileError: a file that was to have words for a method has none.
[[noreturn]] void refuse_no_words(const std::string& file, const MethodSpec& method);

/// Extracts with a baseline that looks at R-states: quantization in one go; k-means for every k,
/// the result is the one that agrees with the network on most of the words. A budget that ends
/// leaves a partial DFA.
[[nodiscard]] BaselineResult run_baseline(StateTree& tree, const MethodSpec& method,
                                          const BaselineOptions& options, const Budget& budget);

}  // namespace rnnalf
