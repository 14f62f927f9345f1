#pragma once

#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf::support {

/// The layers of a network that is a stack of them.
inline LayerStack layers(const NetworkSpec& spec) {
  return stack_of(spec.step).value();
}

/// Lets `change` work on the layers of a network.
template <class Change>
void change_layers(NetworkSpec& spec, Change change) {
  LayerStack stack = layers(spec);
  change(stack);
  spec.step = graph_of(stack);
}

}  // namespace rnnalf::support
