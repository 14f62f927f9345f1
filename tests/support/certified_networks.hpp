#pragma once

#include <utility>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf::support {

/// A network of one unit that forgets everything but the last letter: h' = tanh(w x + u h), with a
/// weight of `memory` on the past. Letter 1 is accepted, letter 0 rejected, so it equals the
/// automaton of "ends with 1" as long as |memory| is small; the empty word is rejected.
inline NetworkSpec last_letter_network(CellKind cell = CellKind::ElmanTanh, double memory = 0.5) {
  NetworkSpec spec;
  spec.file = "last letter";
  spec.alphabet = Alphabet({"0", "1"});
  const std::size_t gates = gate_count(cell);
  RecurrentLayer layer;
  layer.hidden = 1;
  layer.input_weights.rows = layer.recurrent_weights.rows = gates;
  layer.input_weights.cols = 2;
  layer.input_weights.values.assign(2 * gates, 0.0);
  layer.recurrent_weights.cols = 1;
  layer.recurrent_weights.values.assign(gates, 0.0);
  // The row that makes the candidate: the only one of an Elman cell, n of a GRU, g of an LSTM.
  const std::size_t row = cell == CellKind::Lstm ? 2 : gates - 1;
  layer.input_weights.values[2 * row] = -2;
  layer.input_weights.values[2 * row + 1] = 2;
  layer.recurrent_weights.values[row] = memory;
  if (cell == CellKind::Gru || cell == CellKind::GruResetBefore) {
    layer.input_bias = {2, -2, 0};  // r near 1, z near 0: hardly anything of h is kept
  }
  if (cell == CellKind::Lstm) layer.input_bias = {3, -2, 0, 3};  // i and o near 1, f near 0
  spec.step = graph_of({.cell = cell, .layers = {std::move(layer)}});
  DenseLayer& head = spec.head.emplace_back();
  head.weights.rows = head.weights.cols = 1;
  head.weights.values.assign(1, 4.0);
  head.bias.assign(1, -0.5);
  return spec;
}

/// Accepts the words that end with 1.
inline Dfa last_letter_dfa() {
  Dfa dfa(2, 2);
  dfa.set_accepting(LState{1}, true);
  for (const LState state : {LState{0}, LState{1}}) {
    dfa.set_next(state, Symbol{0}, LState{0});
    dfa.set_next(state, Symbol{1}, LState{1});
  }
  return dfa;
}

}  // namespace rnnalf::support
