#pragma once

#include "rnnalf/base/random.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf::support {

struct Shape {
  CellKind cell = CellKind::Gru;
  std::size_t symbols = 2;
  std::size_t hidden = 4;
  std::size_t layers = 1;
  std::size_t embedding = 0;  ///< width; 0: one-hot
  std::size_t outputs = 1;
  std::size_t head_layers = 1;
  bool initial_states = false;
  HeadFrom head_from = HeadFrom::Last;
  NamedActivation activation = {Activation::Tanh, 0};  ///< between the dense layers of the head
  bool normalise = false;                              ///< the input of every dense layer
};

/// A network with random weights of the size that keeps its states lively (uniform, scaled by
/// fan-in).
NetworkSpec random_network(const Shape& shape, Random& random);

/// What the formulas in layer_step.hpp say, for one word, in plain double loops: obviously right,
/// slow. Returns the margin after the word (first output, or accept class against the best other).
double reference_margin(const NetworkSpec& spec, const Word& word);

Word random_word(std::size_t symbols, std::size_t length, Random& random);

}  // namespace rnnalf::support
