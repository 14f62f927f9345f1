#include "rnnalf/acceptor/step_acceptor.hpp"

#include <algorithm>
#include <array>

#include "rnnalf/acceptor/formula.hpp"
#include "rnnalf/acceptor/headed_acceptor.hpp"

namespace rnnalf {
namespace {

/// Columns worked on together; less than a stack of layers has, as every node keeps its columns.
constexpr std::size_t kTile = 32;

template <class T>
class StepAcceptor final : public HeadedAcceptor<T, StepAcceptor<T>> {
  using Base = HeadedAcceptor<T, StepAcceptor<T>>;
  friend Base;  // for outputs

 public:
  StepAcceptor(const StepGraph& graph, const NetworkSpec& spec)
      : Base(spec, graph.symbols, graph.state_size()),
        kernels_(kernels::best<T>()),
        step_(graph.step, graph.symbols, next_nodes(graph)),
        readout_(graph.readout, graph.symbols, {graph.readout.size() - 1}),
        readout_node_(graph.readout.size() - 1),
        readout_stride_(kernels::padded<T>(graph.readout_size()) + kernels::kPanelRows<T>) {
    std::size_t offset = 0;
    for (const StepState& state : graph.states) {
      states_.push_back({offset, state.size, state.next});
      offset += state.size;
      for (std::size_t i = 0; i < state.size; ++i) {
        initial_.push_back(static_cast<T>(state.initial.empty() ? 0.0 : state.initial[i]));
      }
    }
  }

  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    for (std::size_t first = 0; first < states.count; first += kTile) {
      const std::size_t count = std::min(kTile, states.count - first);
      Scratch& s = scratch();
      s.batch.origin.clear();
      for (std::size_t j = 0; j < count; ++j) s.batch.origin.push_back(j);
      s.batch.symbol.assign(symbols.begin() + static_cast<std::ptrdiff_t>(first),
                            symbols.begin() + static_cast<std::ptrdiff_t>(first + count));
      advance(
          s, count, count, [&](std::size_t i) { return states.data + (first + i) * states.size; },
          [&](std::size_t j, std::size_t offset, std::size_t size, const T* from) {
            kernels_.to_double(from, size, next.data + (first + j) * next.size + offset);
          });
    }
  }

  void follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
              std::byte* next, std::span<Judgement> judged) const override {
    const std::size_t bytes = this->kept_bytes();
    // Of a tile, the origins that differ from their left neighbour.
    std::array<const std::byte*, kTile> distinct{};
    for (std::size_t first = 0; first < origins.size(); first += kTile) {
      const std::size_t count = std::min(kTile, origins.size() - first);
      Scratch& s = scratch();
      s.batch.origin.clear();
      std::size_t found = 0;
      for (std::size_t j = 0; j < count; ++j) {
        if (j == 0 || origins[first + j] != origins[first + j - 1])
          distinct[found++] = origins[first + j];
        s.batch.origin.push_back(found - 1);
      }
      s.batch.symbol.assign(symbols.begin() + static_cast<std::ptrdiff_t>(first),
                            symbols.begin() + static_cast<std::ptrdiff_t>(first + count));
      advance(
          s, found, count, [&](std::size_t i) { return reinterpret_cast<const T*>(distinct[i]); },
          [&](std::size_t j, std::size_t offset, std::size_t size, const T* from) {
            std::memcpy(next + (first + j) * bytes + offset * sizeof(T), from, size * sizeof(T));
          });
      if (judged.empty()) continue;
      read_out(
          count,
          [&](std::size_t i) { return reinterpret_cast<const T*>(next + (first + i) * bytes); },
          [&](std::size_t j, const T* scores, std::size_t classes) {
            judged[first + j] = head_.judge(scores, classes);
          });
    }
  }

 private:
  using Base::head_;
  using Base::initial_;

  struct State {
    std::size_t offset;
    std::size_t size;
    std::size_t next;  ///< node of the step
  };
  /// Scratch of one thread: grows to what the largest call needed.
  struct Scratch {
    typename Formula<T>::Batch batch;
    typename Formula<T>::Values step, readout;
    kernels::Buffer<T> features;
  };

  static Scratch& scratch() {
    thread_local Scratch mine;
    return mine;
  }

  static std::vector<std::size_t> next_nodes(const StepGraph& graph) {
    std::vector<std::size_t> nodes;
    for (const StepState& state : graph.states) nodes.push_back(state.next);
    return nodes;
  }

  void copy(const double* from, std::size_t size, T* to) const {
    kernels_.from_double(from, size, to);
  }
  void copy(const float* from, std::size_t size, T* to) const requires std::same_as<T, float> {
    std::memcpy(to, from, size * sizeof(T));
  }

  /// `count` transitions as the scratch's batch says; state(i) is R-state i, write(j, offset, size,
  /// from) takes a part of column j's successor.
  template <class StateAt, class Write>
  void advance(Scratch& s, std::size_t origins, std::size_t count, StateAt state,
               Write write) const {
    s.batch.origins = origins;
    s.batch.count = count;
    step_.run(s.batch, s.step, [&](std::size_t i, std::size_t number, T* to) {
      copy(state(i) + states_[number].offset, states_[number].size, to);
    });
    for (std::size_t j = 0; j < count; ++j) {
      for (const State& part : states_) {
        write(j, part.offset, part.size, step_.column(s.batch, s.step, part.next, j));
      }
    }
  }

  /// Calls use(j, scores, count) with the head's outputs in R-states 0 .. count, at most a tile.
  template <class StateAt, class Use>
  void read_out(std::size_t count, StateAt state, Use use) const {
    Scratch& s = scratch();
    s.batch.origins = count;
    s.batch.count = count;
    s.batch.origin.clear();
    for (std::size_t j = 0; j < count; ++j) s.batch.origin.push_back(j);
    readout_.run(s.batch, s.readout, [&](std::size_t i, std::size_t number, T* to) {
      copy(state(i) + states_[number].offset, states_[number].size, to);
    });
    T* const x = s.features.at_least(readout_stride_ * count);
    for (std::size_t j = 0; j < count; ++j) {
      std::memcpy(x + j * readout_stride_, readout_.column(s.batch, s.readout, readout_node_, j),
                  (readout_stride_ - kernels::kPanelRows<T>)*sizeof(T));
    }
    head_.run(x, readout_stride_, count, use);
  }

  template <class Use>
  void outputs(ConstRStates states, Use use) const {
    for (std::size_t first = 0; first < states.count; first += kTile) {
      const std::size_t count = std::min(kTile, states.count - first);
      read_out(
          count, [&](std::size_t i) { return states.data + (first + i) * states.size; },
          [&](std::size_t j, const T* scores, std::size_t classes) {
            use(first + j, scores, classes);
          });
    }
  }

  const kernels::Kernels<T>& kernels_;  // static storage
  Formula<T> step_;
  Formula<T> readout_;
  std::size_t readout_node_;
  std::size_t readout_stride_;
  std::vector<State> states_;
};

}  // namespace

std::unique_ptr<RnnAcceptor> make_step_acceptor(const NetworkSpec& spec, Precision precision) {
  if (precision == Precision::Float) return std::make_unique<StepAcceptor<float>>(spec.step, spec);
  return std::make_unique<StepAcceptor<double>>(spec.step, spec);
}

}  // namespace rnnalf
