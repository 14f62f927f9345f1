#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/certify/box.hpp"
#include "rnnalf/certify/claim.hpp"

namespace rnnalf::certify {

/// What follows a set of R-states: for every symbol that the claim allows, in order, the number of
/// a set that contains the image, or kDescend and, after it, what follows the image.
using Tree = std::vector<std::int64_t>;
inline constexpr std::int64_t kDescend = -1;

/// A proof that a network and a DFA agree: docs/certificates.md says what has to hold.
struct Certificate {
  struct Set {
    LState state{};                     ///< of the DFA, for all R-states of the box
    std::size_t monitor = 0;            ///< see BaseAutomaton::monitor
    Box box;                            ///< unless it is an ellipsoid
    std::vector<double> middle, shape;  ///< of an ellipsoid: see Ellipsoid
    Tree tree;
  };

  std::string network;  ///< its fingerprint
  Alphabet alphabet;
  Dfa dfa;
  Precision precision = Precision::Float;
  Claim claim;
  bool empty_word = true;      ///< false: the empty word is left out
  std::size_t generators = 0;  ///< columns of an image, at most
  double slack = 0;            ///< error of every component in every step that is allowed for
  double margin = 0;           ///< the smallest, as the search found it
  Tree start;                  ///< what follows the R-state of the empty word
  std::vector<Set> sets;
};

/// The JSON text of a certificate.
[[nodiscard]] std::string format_certificate(const Certificate& certificate);

}  // namespace rnnalf::certify
