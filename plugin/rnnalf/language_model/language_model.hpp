#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/language_model/pdfa.hpp"

namespace rnnalf {

/// A network whose outputs are a distribution over the next symbol and the end of the word.
///
/// The acceptor reads the words' own symbols; what stands in front of every word has been read. The
/// outputs of symbols that no word has, such as one for padding, are no part of any word: the rows
/// of such a network sum to less than 1. A value: copies share the acceptor.
struct LanguageModel {
  NetworkSummary summary = {};
  std::shared_ptr<const RnnAcceptor> acceptor = {};
  std::vector<std::size_t> outputs = {};  ///< by symbol, then of the end: a column of the outputs

  [[nodiscard]] std::size_t symbol_count() const { return outputs.size() - 1; }
  [[nodiscard]] std::size_t row_size() const { return outputs.size(); }
  [[nodiscard]] const Alphabet& alphabet() const { return summary.alphabet; }
};

/// The language model that a network is, as it reads words itself (made without tokens). With
/// `end`, the outputs are its symbols; without, there is one more, the last, for the end. Throws
/// NetworkFileError where their number does not fit, or they are no distribution.
[[nodiscard]] LanguageModel as_language_model(const Network& network, const Tokens& tokens);

/// A PDFA as a language model: an exact teacher. An R-state is the number of a state.
[[nodiscard]] LanguageModel as_language_model(const NamedPdfa& automaton);

/// rows[i * row_size() + b]: the probability of symbol b, or of the end, in states.col(i), as the
/// network gives it. Throws NetworkFileError where it is not a number from 0 to 1.
void distributions(const LanguageModel& model, ConstRStates states, std::span<double> rows);

}  // namespace rnnalf
