#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/acceptor/word_operations.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// Runs a word graph on one word after the other. What depends on the length of a word alone is
/// computed once for words of one length in a row. One thread at a time.
class WordRun {
 public:
  /// Computes the node `root`, of at most this many numbers in all tensors together. The graph
  /// outlives the run.
  WordRun(const WordGraph& graph, std::size_t root, std::size_t most_numbers = 1U << 26U);

  /// The tensor of the root. Throws WordGraphError.
  const WordTensor& operator()(std::span<const Symbol> word);

 private:
  const WordGraph& graph_;
  std::size_t most_numbers_;
  std::vector<bool> needed_;
  std::vector<bool> depends_on_symbols_;
  std::vector<WordTensor> tensors_;
  std::optional<std::size_t> length_;
};

/// The network of a spec with a word graph, whose R-states are the words read so far: their length,
/// then their symbols, as many in each number as it holds exactly. Every answer runs the whole word
/// from its start. A word too long for the graph has an R-state that is not finite, so the network
/// says nothing of it.
[[nodiscard]] std::unique_ptr<RnnAcceptor> make_whole_word_acceptor(const NetworkSpec& spec);

}  // namespace rnnalf
