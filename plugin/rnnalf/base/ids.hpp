#pragma once

#include <cstddef>
#include <cstdint>

namespace rnnalf {

// Ids are types, so that an A-state cannot be passed where an L-state is meant.
enum class Symbol : std::uint32_t {};  ///< position in the Alphabet
enum class LState : std::uint32_t {};  ///< state of the learner's hypothesis
enum class AState : std::uint32_t {};  ///< leaf of the Partition: a set of R-states

/// What a network or an automaton says of a word: with two answers, reject or accept; with more,
/// the number of the class. A network whose numbers are not finite after a word says nothing of it.
enum class Answer : std::uint16_t { Reject = 0, Accept = 1, None = 0xfffe };

/// Whether the network says something else than the automaton. Saying nothing contradicts nothing.
[[nodiscard]] constexpr bool contradicts(Answer network, Answer automaton) noexcept {
  return network != Answer::None && network != automaton;
}

[[nodiscard]] constexpr Answer accept_if(bool accepted) noexcept {
  return accepted ? Answer::Accept : Answer::Reject;
}

/// The number behind an id, for indexing.
template <class Id>
[[nodiscard]] constexpr std::size_t index(Id id) noexcept {
  return static_cast<std::size_t>(static_cast<std::uint32_t>(id));
}

}  // namespace rnnalf
