#pragma once

#include "rnnalf/onnx/node.hpp"

namespace onnx {
class GraphProto;
}

namespace rnnalf::onnx_impl {

/// What the first output of the graph is, with the parts of the network it went through added to
/// the context. Refuses nodes it does not know and graphs that are no graphs (cycles, missing
/// tensors).
[[nodiscard]] Signal read_graph(const ::onnx::GraphProto& graph, Context& context);

}  // namespace rnnalf::onnx_impl
