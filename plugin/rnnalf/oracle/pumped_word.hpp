#pragma once

#include <string>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/alphabet.hpp"

namespace rnnalf {

/// A prefix and a word to walk again and again after it.
struct PumpedLoop {
  Word prefix;
  Word loop;
};

/// A word p u^k s, taken apart.
struct PumpedWord {
  Word prefix;
  Word loop;
  std::size_t times = 0;
  Word suffix;

  [[nodiscard]] std::size_t length() const {
    return prefix.size() + times * loop.size() + suffix.size();
  }
  [[nodiscard]] Word word() const;
  /// The first `length` symbols: fewer times, or a shorter suffix.
  [[nodiscard]] PumpedWord prefix_of_length(std::size_t length) const;
  [[nodiscard]] std::string text(const Alphabet& alphabet) const;  ///< "1 (01)^23 0"
};

/// Pairs (p, u) with u a simple cycle of the hypothesis, of up to max_loop symbols, at the state
/// that p reaches; p an access word or one symbol more. Short ones first, and no prefix before the
/// others with all its loops.
[[nodiscard]] std::vector<PumpedLoop> short_loops(const Dfa& hypothesis, std::size_t max_loop,
                                                  std::size_t most);

}  // namespace rnnalf
