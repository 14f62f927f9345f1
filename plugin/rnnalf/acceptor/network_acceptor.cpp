// The acceptor of a stack of equal layers, Elman, GRU or LSTM, whose last state the head reads. It
// is recognised in the graph and gives the graph's bits, faster; for the rest there is
// step_acceptor.cpp.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "rnnalf/acceptor/headed_acceptor.hpp"
#include "rnnalf/acceptor/packed_matrix.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/acceptor/step_acceptor.hpp"
#include "rnnalf/acceptor/whole_word_acceptor.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {
namespace {

using kernels::Buffer;
using kernels::CellColumn;
using kernels::Kernels;
using kernels::kPanelRows;
using kernels::PackedMatrix;
using kernels::padded;

/// Columns worked on together: enough to use the registers, few enough for the second-level cache.
constexpr std::size_t kTile = 96;

double at(const std::vector<double>& values, std::size_t i) {
  return values.empty() ? 0.0 : values[i];
}

template <class T>
struct Layer {
  std::size_t hidden = 0;
  std::size_t gates = 0;
  std::size_t hidden_stride = 0;  ///< of a column of hidden or cell values in scratch
  std::size_t gate_stride = 0;    ///< of a column of gate values in scratch
  PackedMatrix<T> recurrent;      ///< U and c; for GruResetBefore rows of r and z only
  PackedMatrix<T> candidate;      ///< GruResetBefore: U_n and c_n
  PackedMatrix<T> input;          ///< W and b; unused in the first layer
  std::size_t offset = 0;         ///< of this layer's hidden values in an R-state
};

/// Scratch of one thread: grows to what the largest call needed, so that calls do not allocate.
template <class T>
struct Scratch {
  Buffer<T> hidden, cell, from_hidden, from_input, next_hidden, next_cell, below, reset, update,
      candidate;
};

template <class T>
Scratch<T>& scratch() {
  thread_local Scratch<T> mine;
  return mine;
}

template <class T>
class NetworkAcceptor final : public HeadedAcceptor<T, NetworkAcceptor<T>> {
  using Base = HeadedAcceptor<T, NetworkAcceptor<T>>;
  friend Base;  // for outputs

 public:
  NetworkAcceptor(const LayerStack& stack, const NetworkSpec& spec)
      : Base(spec, spec.symbol_count(), spec.state_size()),
        kernels_(kernels::best<T>()),
        cell_(stack.cell) {
    std::size_t offset = 0;
    for (const RecurrentLayer& layer : stack.layers) {
      layers_.push_back(pack(layer, layers_.empty(), offset));
      offset += cell_ == CellKind::Lstm ? 2 * layer.hidden : layer.hidden;
    }
    fold_input(spec.step);
    for (const RecurrentLayer& layer : stack.layers) {
      for (std::size_t i = 0; i < layer.hidden; ++i) {
        initial_.push_back(static_cast<T>(at(layer.initial_hidden, i)));
      }
      if (cell_ != CellKind::Lstm) continue;
      for (std::size_t i = 0; i < layer.hidden; ++i) {
        initial_.push_back(static_cast<T>(at(layer.initial_cell, i)));
      }
    }
  }

  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    for (std::size_t first = 0; first < states.count; first += kTile) {
      const std::size_t count = std::min(kTile, states.count - first);
      advance(
          doubles({states.data + first * states.size, states.size, count},
                  next.data + first * next.size),
          count, count, [](std::size_t j) { return j; },
          [&](std::size_t j) { return symbols[first + j]; });
    }
  }

  void follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
              std::byte* next, std::span<Judgement> judged) const override {
    const std::size_t bytes = this->kept_bytes();
    // Of a tile, the origins that differ from their left neighbour, and which one each column has.
    std::array<const std::byte*, kTile> distinct{};
    std::array<std::size_t, kTile> origin{};
    for (std::size_t first = 0; first < origins.size(); first += kTile) {
      const std::size_t count = std::min(kTile, origins.size() - first);
      std::size_t found = 0;
      for (std::size_t j = 0; j < count; ++j) {
        if (j == 0 || origins[first + j] != origins[first + j - 1])
          distinct[found++] = origins[first + j];
        origin[j] = found - 1;
      }
      advance(
          Kept{distinct.data(), next + first * bytes, bytes}, found, count,
          [&](std::size_t j) { return origin[j]; },
          [&](std::size_t j) { return symbols[first + j]; });
      if (judged.empty()) continue;
      // The last layer's hidden values are still at hand.
      head_.run(scratch<T>().below.data(), layers_.back().hidden_stride, count,
                [&](std::size_t j, const T* scores, std::size_t classes) {
                  judged[first + j] = head_.judge(scores, classes);
                });
    }
  }

 private:
  using Base::head_;
  using Base::initial_;
  using Base::symbols_;

  Layer<T> pack(const RecurrentLayer& from, bool first, std::size_t offset) const {
    Layer<T> layer;
    const std::size_t h = from.hidden;
    layer.hidden = h;
    layer.gates = gate_count(cell_);
    layer.hidden_stride = padded<T>(h) + kPanelRows<T>;
    layer.gate_stride = padded<T>(layer.gates * h) + kPanelRows<T>;
    layer.offset = offset;
    const Matrix& u = from.recurrent_weights;
    const bool reset_before = cell_ == CellKind::GruResetBefore;
    const std::size_t joint = reset_before ? 2 * h : layer.gates * h;
    layer.recurrent = PackedMatrix<T>(
        joint, h, [&](std::size_t r, std::size_t c) { return u.at(r, c); },
        [&](std::size_t r) { return at(from.recurrent_bias, r); });
    if (reset_before) {
      layer.candidate = PackedMatrix<T>(
          h, h, [&](std::size_t r, std::size_t c) { return u.at(2 * h + r, c); },
          [&](std::size_t r) { return at(from.recurrent_bias, 2 * h + r); });
    }
    if (!first) {
      const Matrix& w = from.input_weights;
      layer.input = PackedMatrix<T>(
          w.rows, w.cols, [&](std::size_t r, std::size_t c) { return w.at(r, c); },
          [&](std::size_t r) { return at(from.input_bias, r); });
    }
    return layer;
  }

  /// First layer: W x + b is one of symbol_count vectors, computed here once. An embedding is
  /// folded in, in double, so it costs nothing later.
  void fold_input(const StepGraph& graph) {
    std::size_t input = 0;
    while (!is_symbol_table(graph.step, input)) ++input;
    const std::size_t stride = layers_.front().gate_stride;
    table_ = Buffer<T>(stride * symbols_);
    for (std::size_t a = 0; a < symbols_; ++a) {
      for (std::size_t r = 0; r < graph.step[input].size; ++r) {
        table_[a * stride + r] = static_cast<T>(symbol_table_entry(graph.step, input, a, r));
      }
    }
  }

  /// Where transitions read and write: values [at, at + count) of an R-state.
  struct Doubles {
    const Kernels<T>& kernels;
    ConstRStates states;
    double* next;
    void read(std::size_t i, std::size_t at, std::size_t count, T* to) const {
      kernels.from_double(states.data + i * states.size + at, count, to);
    }
    void write(std::size_t j, std::size_t at, std::size_t count, const T* from) const {
      kernels.to_double(from, count, next + j * states.size + at);
    }
  };
  struct Kept {
    const std::byte* const* origins;
    std::byte* next;
    std::size_t bytes;
    void read(std::size_t i, std::size_t at, std::size_t count, T* to) const {
      std::memcpy(to, origins[i] + at * sizeof(T), count * sizeof(T));
    }
    void write(std::size_t j, std::size_t at, std::size_t count, const T* from) const {
      std::memcpy(next + j * bytes + at * sizeof(T), from, count * sizeof(T));
    }
  };
  [[nodiscard]] Doubles doubles(ConstRStates states, double* next) const {
    return {kernels_, states, next};
  }

  /// `count` transitions from `origins` R-states; column j starts in R-state origin(j) and reads
  /// symbol(j).
  template <class States, class Origin, class SymbolAt>
  void advance(const States& states, std::size_t origins, std::size_t count, Origin origin,
               SymbolAt symbol) const {
    Scratch<T>& s = scratch<T>();
    const bool has_cell = cell_ == CellKind::Lstm;
    std::size_t below_stride = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const Layer<T>& layer = layers_[l];
      const std::size_t hs = layer.hidden_stride;
      const std::size_t gs = layer.gate_stride;

      // What all successors of one R-state share: U h + c.
      T* const hidden = s.hidden.at_least(hs * origins);
      T* const cell = has_cell ? s.cell.at_least(hs * origins) : nullptr;
      T* const from_hidden = s.from_hidden.at_least(gs * origins);
      for (std::size_t i = 0; i < origins; ++i) {
        states.read(i, layer.offset, layer.hidden, hidden + i * hs);
        if (has_cell) states.read(i, layer.offset + layer.hidden, layer.hidden, cell + i * hs);
      }
      kernels_.multiply(layer.recurrent.view(), hidden, hs, origins, from_hidden, gs);

      // W x + b: from the table in the first layer, from the layer below in the others.
      const T* from_input = nullptr;
      if (l > 0) {
        T* const product = s.from_input.at_least(gs * count);
        kernels_.multiply(layer.input.view(), s.below.data(), below_stride, count, product, gs);
        from_input = product;
      }
      T* const next_hidden = s.next_hidden.at_least(hs * count);
      T* const next_cell = has_cell ? s.next_cell.at_least(hs * count) : nullptr;
      const auto column = [&](std::size_t j) {
        const std::size_t i = origin(j);
        return CellColumn<T>{
            from_input != nullptr ? from_input + j * gs : table_.data() + index(symbol(j)) * gs,
            from_hidden + i * gs,
            hidden + i * hs,
            has_cell ? cell + i * hs : nullptr,
            next_hidden + j * hs,
            has_cell ? next_cell + j * hs : nullptr};
      };
      apply_cell(layer, count, column, s);

      for (std::size_t j = 0; j < count; ++j) {
        states.write(j, layer.offset, layer.hidden, next_hidden + j * hs);
        if (has_cell)
          states.write(j, layer.offset + layer.hidden, layer.hidden, next_cell + j * hs);
      }
      std::swap(s.below, s.next_hidden);
      below_stride = hs;
    }
  }

  template <class Column>
  void apply_cell(const Layer<T>& layer, std::size_t count, Column column, Scratch<T>& s) const {
    const std::size_t h = layer.hidden;
    switch (cell_) {
      case CellKind::ElmanTanh:
        for (std::size_t j = 0; j < count; ++j) kernels_.elman_tanh(column(j), h);
        return;
      case CellKind::ElmanRelu:
        for (std::size_t j = 0; j < count; ++j) kernels_.elman_relu(column(j), h);
        return;
      case CellKind::Gru:
        for (std::size_t j = 0; j < count; ++j) kernels_.gru(column(j), h);
        return;
      case CellKind::Lstm:
        for (std::size_t j = 0; j < count; ++j) kernels_.lstm(column(j), h);
        return;
      case CellKind::GruResetBefore:
        break;
    }
    const std::size_t hs = layer.hidden_stride;
    T* const reset = s.reset.at_least(hs * count);
    T* const update = s.update.at_least(hs * count);
    T* const candidate = s.candidate.at_least(hs * count);
    for (std::size_t j = 0; j < count; ++j) {
      kernels_.gru_gates(column(j), h, reset + j * hs, update + j * hs);
    }
    kernels_.multiply(layer.candidate.view(), reset, hs, count, candidate, hs);
    for (std::size_t j = 0; j < count; ++j) {
      kernels_.gru_candidate(column(j), h, candidate + j * hs, update + j * hs);
    }
  }

  /// Calls use(i, scores, count) with the head's outputs for every column.
  template <class Use>
  void outputs(ConstRStates states, Use use) const {
    Scratch<T>& s = scratch<T>();
    const Layer<T>& last = layers_.back();
    for (std::size_t first = 0; first < states.count; first += kTile) {
      const std::size_t count = std::min(kTile, states.count - first);
      const std::size_t stride = last.hidden_stride;
      T* const x = s.hidden.at_least(stride * count);
      for (std::size_t j = 0; j < count; ++j) {
        const double* const from = states.data + (first + j) * states.size + last.offset;
        kernels_.from_double(from, last.hidden, x + j * stride);
      }
      head_.run(x, stride, count, [&](std::size_t j, const T* scores, std::size_t classes) {
        use(first + j, scores, classes);
      });
    }
  }

  const Kernels<T>& kernels_;  // static storage
  CellKind cell_;
  std::vector<Layer<T>> layers_;
  Buffer<T> table_;  ///< first layer: W e_a + b for every symbol a
};

/// Trainers round differently; a mixed-up gate is off by far more than this.
constexpr double kProbeTolerance = 1e-4;

/// What a probe says of each answer.
std::vector<double> expected_of(const Probe& probe, const NetworkSpec& spec) {
  if (probe.classes.empty()) return {1 - probe.probability, probe.probability};
  if (spec.answer_count() > 2) return probe.classes;
  const double accept = probe.classes[spec.accept_class.value_or(1)];
  return {1 - accept, accept};
}

void run_probes(const NetworkSpec& spec, const RnnAcceptor& acceptor) {
  std::vector<double> found(acceptor.answer_count());
  for (const Probe& probe : spec.probes) {
    const std::vector<double> state = state_after(acceptor, probe.word);
    acceptor.all_probabilities({state.data(), state.size(), 1}, found);
    const std::vector<double> expected = expected_of(probe, spec);
    for (std::size_t a = found.size(); a-- > 0;) {
      if (std::abs(found[a] - expected[a]) <= kProbeTolerance) continue;
      const std::string of_class =
          found.size() > 2 ? fmt::format("class {}: ", spec.classes.name(static_cast<Answer>(a)))
                           : "";
      throw NetworkFileError(
          spec.file,
          fmt::format("probe '{}': {}expected {:.6f}, found {:.6f}: the network is not "
                      "the one its probes were made with",
                      spec.alphabet.format(probe.word), of_class, expected[a], found[a]));
    }
  }
}

}  // namespace

std::unique_ptr<RnnAcceptor> make_acceptor(const NetworkSpec& spec, Precision precision) {
  validate(spec);
  std::unique_ptr<RnnAcceptor> acceptor;
  const auto stack = stack_of(spec.step);
  if (spec.word_graph) {
    acceptor = make_whole_word_acceptor(spec);
  } else if (!stack || stack->head_from != std::vector<HeadFrom>{HeadFrom::Last}) {
    acceptor = make_step_acceptor(spec, precision);
  } else if (precision == Precision::Float) {
    acceptor = std::make_unique<NetworkAcceptor<float>>(*stack, spec);
  } else {
    acceptor = std::make_unique<NetworkAcceptor<double>>(*stack, spec);
  }
  run_probes(spec, *acceptor);
  return acceptor;
}

}  // namespace rnnalf
