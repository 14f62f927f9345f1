#pragma once

#include "rnnalf/network/spec.hpp"
#include "rnnalf/onnx/node.hpp"

namespace onnx {
class GraphProto;
}

namespace rnnalf::onnx_impl {

/// Reads the graph as one that must see a whole word: every node becomes one of a word graph, which
/// is run on a few words, so that what cannot be run is refused here. Throws NetworkFileError.
void read_whole_word(const ::onnx::GraphProto& graph, Context& context, NetworkSpec& spec);

}  // namespace rnnalf::onnx_impl
