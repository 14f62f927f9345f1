#pragma once

#include <string>
#include <vector>

#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"
#include "rnnalf/tensors/tensor_source.hpp"

namespace rnnalf::tensors {

/// Names of symbols take more room than their weights, so that the file's size alone is no bound.
inline constexpr std::size_t kMostSymbols = 1U << 20;

/// One direction of a recurrent layer as torch names its tensors.
struct DirectionTensors {
  const Tensor* weight_ih = nullptr;
  const Tensor* weight_hh = nullptr;
  const Tensor* bias_ih = nullptr;
  const Tensor* bias_hh = nullptr;

  [[nodiscard]] std::size_t inputs() const { return weight_ih->sizes[1]; }
  [[nodiscard]] std::size_t hidden() const { return weight_hh->sizes[1]; }
};

struct LayerTensors {
  DirectionTensors forward{};
  DirectionTensors backward{};  ///< empty unless it reads in both directions

  [[nodiscard]] bool is_bidirectional() const { return backward.weight_hh != nullptr; }
  [[nodiscard]] std::size_t outputs() const {
    return forward.hidden() * (is_bidirectional() ? 2 : 1);
  }
};

/// The recurrent layers of a file, one behind the other.
struct RecurrentLayers {
  CellKind cell = CellKind::Gru;
  std::vector<LayerTensors> layers{};
  /// What is assumed of several modules, as the beginning of a sentence; or empty.
  std::string chained{};

  [[nodiscard]] std::size_t inputs() const { return layers.front().forward.inputs(); }
  [[nodiscard]] std::size_t outputs() const { return layers.back().outputs(); }
  [[nodiscard]] bool read_whole_words() const;
};

/// All of the file, in the order in which they stand behind each other: by number within a module,
/// by registration where several modules have names that differ by numbers alone. Other modules are
/// refused unless probes will tell.
[[nodiscard]] RecurrentLayers recurrent_layers(const TensorSource& source);

/// Puts the layers into a network: as they are, as a step graph where the head reads several states
/// joined, or as a word graph where they read in both directions. Returns what the head reads, as
/// the middle of a sentence.
[[nodiscard]] std::string add_layers(TensorSource& source, const RecurrentLayers& all,
                                     const Tensor* embedding, NetworkSpec& spec);

}  // namespace rnnalf::tensors
