#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/class_names.hpp"
#include "rnnalf/network/matrix.hpp"
#include "rnnalf/network/step_graph.hpp"
#include "rnnalf/network/word_graph.hpp"

namespace rnnalf {

/// y = activation(W x + b), or activation(W n(x) + b) behind a layer normalisation:
/// n(x) = (x - mean(x)) / sqrt(variance(x) + epsilon). Its gain and offset are part of W and b, and
/// so is a batch normalisation.
struct DenseLayer {
  Matrix weights;
  std::vector<double> bias;  ///< rows, or empty for zeros
  Activation activation = Activation::None;
  double slope = 0;                   ///< of an activation that has one
  std::optional<double> normalise{};  ///< epsilon of the layer normalisation in front; none: none
};

/// What stands after the last dense layer. It decides how outputs become a probability.
enum class Output : std::uint8_t { Raw, Sigmoid, Softmax, LogSoftmax };

[[nodiscard]] std::string_view name(Output output) noexcept;

/// A word with what the trainer's own program computed for it: the probability of accept, or those
/// of all classes.
struct Probe {
  Word word;
  double probability = 0;
  std::vector<double> classes = {};  ///< instead of `probability`, one for each output
};

/// A network as plain data: what the file readers make and what an acceptor is built from.
///
/// `step` has all that is recurrent; builders for the usual cells are in layer_step.hpp. The head
/// reads the readout of `step`. One output accepts when its probability is
/// above 0.5 (Raw: sigmoid of the logit). With an accept class, which two outputs always have,
/// several accept when that class scores strictly higher than every other one. More outputs without
/// one answer with the class of the highest score, the first of several.
struct NetworkSpec {
  std::string file;  ///< where it came from, for messages
  StepGraph step{};
  /// In the place of `step`, which is empty, where no state after a prefix gives the answer.
  std::optional<WordGraph> word_graph{};
  std::string cell{};  ///< what the reader calls its cell; empty: the graph tells, or nobody
  std::vector<DenseLayer> head;
  Output output = Output::Raw;
  std::optional<std::size_t> accept_class;  ///< none: 1 of two outputs, every class of more
  ClassNames classes{};                     ///< a name for each output; or none
  Alphabet alphabet;
  /// Symbols that fill up short words of a batch, which words have no use for.
  std::vector<Symbol> padding{};
  std::vector<Probe> probes;
  std::size_t subnormal_weights = 0;  ///< numbers of the file that flush_subnormals set to 0
  /// What the file does not say and the reader took for granted, one sentence each. Probes are the
  /// way to be sure of it.
  std::vector<std::string> assumed{};
  /// Where a format has several kinds of files, which one this is, such as "TorchScript"; or empty.
  std::string kind{};
  std::vector<std::string> beside{};  ///< files in the same folder that numbers were read from

  [[nodiscard]] std::size_t symbol_count() const {
    return word_graph ? word_graph->symbols : step.symbols;
  }
  [[nodiscard]] std::size_t state_size() const {
    return word_graph ? word_graph->state_size() : step.state_size();
  }
  [[nodiscard]] std::size_t output_count() const {
    return head.empty() ? 0 : head.back().weights.rows;
  }
  /// 2 for accept and reject, or the number of classes.
  [[nodiscard]] std::size_t answer_count() const {
    return accept_class || output_count() < 2 ? 2 : output_count();
  }
  /// Numbers in weights, biases and the embedding.
  [[nodiscard]] std::size_t parameter_count() const;
  /// Whether this is a stack of equal layers whose last hidden state goes through products with
  /// none, relu, tanh or sigmoid behind them. For code that can treat nothing else.
  [[nodiscard]] bool is_plain() const;
};

/// Checks every size against every other, that all numbers are finite, that alphabet and names of
/// classes fit and that the accept class exists. Throws NetworkFileError naming the tensor,
/// expected and found.
void validate(const NetworkSpec& spec);

/// A table of embeddings in which one row alone is zero has a symbol for padding: training leaves
/// only such a row as it began. Notes it, and says so in `assumed`. Needs the alphabet.
void recognise_padding(NetworkSpec& spec);

/// Sets every number that is subnormal as a float (not 0, and below 1.2e-38 in size) to 0 and
/// counts them in the spec. Training with weight decay leaves many of them, and most machines
/// compute with them up to a hundred times slower. They are flushed here, in the data, and not by
/// a mode of the processor: so all arithmetic on the network agrees, on every machine.
void flush_subnormals(NetworkSpec& spec);

}  // namespace rnnalf
