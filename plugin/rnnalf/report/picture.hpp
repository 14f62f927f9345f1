#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rnnalf/automaton/named_dfa.hpp"

namespace rnnalf {

/// What becomes of sinks: rejecting states that no word leaves.
enum class Sinks : std::uint8_t { Dimmed, Hidden, Shown };

/// Where arrows lead, as far as they can.
enum class Direction : std::uint8_t { Right, Down };

struct PictureOptions {
  Sinks sinks = Sinks::Dimmed;
  Direction direction = Direction::Right;
  /// Automata of up to this many states are drawn whole: more are a tangle of arrows that nobody
  /// reads. Of a larger one the core is drawn: `core_states` states, those with the shortest access
  /// words, and one node that stands for all others.
  std::size_t most_states = 60;
  std::size_t core_states = 30;  ///< 1 .. most_states
  std::string rest = {};         ///< said below a core: where to read what is not drawn
  std::string rest_link = {};    ///< where that sentence leads; empty: nowhere
};

/// How many states of an automaton of this size are drawn.
[[nodiscard]] std::size_t drawn_states(std::size_t size, const PictureOptions& options) noexcept;

/// The automaton as Graphviz text made to be looked at, not to be read back (that is
/// format_dfa): parallel transitions are one arrow with a class such as `a-z` or `[^()]`, states
/// carry a shortest access word, accepting ones a double line, those of a Moore machine their
/// class; whole classes and words are in tooltips of up to 100 states. In the SVG a state is the
/// element `s0`, `s1`, ... with the classes `state`, `accepting`, `sink`; an arrow is `s0-s1` with
/// the class `transition`. Made for `dot`.
[[nodiscard]] std::string picture_dot(const NamedDfa& automaton,
                                      const PictureOptions& options = {});

/// What picture_dot would draw as an SVG of words, a line for each state: where drawing takes too
/// long, this never does.
[[nodiscard]] std::string transitions_svg(const NamedDfa& automaton,
                                          const PictureOptions& options = {});

/// The rejecting states that no word leaves; a Moore machine has none.
[[nodiscard]] bool is_sink(const Dfa& dfa, LState state);

}  // namespace rnnalf
