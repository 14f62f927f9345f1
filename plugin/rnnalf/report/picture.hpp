#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rnnalf/automaton/named_dfa.hpp"

namespace rnnalf {

/// What becomes of sinks: rejecting states that no word leaves.
enum class Sinks : std::uint8_t { Dimmed, Hidden, Shown };

struct PictureOptions {
  Sinks sinks = Sinks::Dimmed;
  /// A larger automaton is drawn as its core: this many states, those with the shortest access
  /// words, and one node that stands for all others.
  std::size_t most_states = 120;
};

/// The automaton as Graphviz text made to be looked at, not to be read back (that is
/// format_dfa): parallel transitions are one arrow with a class such as `a-z` or `[^()]`, states
/// carry a shortest access word, accepting ones a double line, those of a Moore machine their
/// class; whole classes and words are in tooltips of up to 100 states. In the SVG a state is the
/// element `s0`, `s1`, ... with the classes `state`, `accepting`, `sink`; an arrow is `s0-s1` with
/// the class `transition`. Readable when drawn by `dot`, beyond some 50 states by `sfdp`.
[[nodiscard]] std::string picture_dot(const NamedDfa& automaton,
                                      const PictureOptions& options = {});

/// The rejecting states that no word leaves; a Moore machine has none.
[[nodiscard]] bool is_sink(const Dfa& dfa, LState state);

}  // namespace rnnalf
