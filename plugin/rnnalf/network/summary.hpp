#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/network/presentation.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// What reports say about a network.
struct NetworkSummary {
  std::string file = {};   ///< where it was read from, or what else to call it
  std::string cell = {};   ///< "step graph" where the layers differ in type or size
  std::size_t layers = 0;  ///< 0 for a step graph
  std::size_t hidden = 0;  ///< of the last layer; of a step graph, what the head reads
  std::size_t state_size = 0;
  std::size_t answers = 2;                 ///< accept and reject, or classes
  ClassNames classes = {};                 ///< names of more than two answers; or none
  Alphabet alphabet = {};                  ///< of the words that are asked about
  std::vector<std::string> begin = {};     ///< symbols in front of every word
  std::vector<std::string> end = {};       ///< symbols behind every word
  std::vector<std::string> left_out = {};  ///< symbols of the network that no word has
  std::vector<std::string> assumed = {};   ///< see NetworkSpec::assumed
  bool whole_words = false;                ///< see RnnAcceptor::reads_whole_words
  std::size_t probes = 0;                  ///< that it passed
};

[[nodiscard]] NetworkSummary summary(const NetworkSpec& spec);
/// Of a network that is shown its words in this way.
[[nodiscard]] NetworkSummary summary(const NetworkSpec& spec, const Presentation& presentation);

}  // namespace rnnalf
