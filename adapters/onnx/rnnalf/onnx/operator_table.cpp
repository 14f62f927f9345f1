#include "rnnalf/onnx/operator_table.hpp"

#include <onnx/onnx_pb.h>

#include <array>

namespace rnnalf::onnx_impl {
namespace {

constexpr std::array kOperators = {
    Operator{"Constant", constant, Kind::Other},
    Operator{"ConstantOfShape", constant_of_shape, Kind::Other},
    Operator{"Shape", shape, Kind::Other},
    Operator{"Expand", expand, Kind::Transparent},
    Operator{"Tile", tile, Kind::Transparent},
    Operator{"Sub", arithmetic, Kind::Head},
    Operator{"Mul", arithmetic, Kind::Head},
    Operator{"Div", arithmetic, Kind::Head},
    Operator{"Max", arithmetic, Kind::Head},
    Operator{"Min", arithmetic, Kind::Head},
    Operator{"Pow", arithmetic, Kind::Head},
    Operator{"Neg", arithmetic, Kind::Head},
    Operator{"Equal", length_arithmetic, Kind::Other},
    Operator{"ReduceProd", reduce_prod, Kind::Other},
    Operator{"Range", range, Kind::Other},
    Operator{"Where", where, Kind::Other},
    // These have graphs of their own: Evaluation::branch, loop, scan.
    Operator{"If", nullptr, Kind::Transparent},
    Operator{"Loop", nullptr, Kind::Recurrent},
    Operator{"Scan", nullptr, Kind::Recurrent},
    Operator{"Identity", pass, Kind::Transparent},
    Operator{"Dropout", dropout, Kind::Transparent},
    Operator{"Cast", cast, Kind::Transparent},
    Operator{"Transpose", transpose, Kind::Transparent},
    Operator{"Squeeze", squeeze, Kind::Transparent},
    Operator{"Unsqueeze", unsqueeze, Kind::Transparent},
    Operator{"Reshape", reshape, Kind::Transparent},
    Operator{"Flatten", flatten, Kind::Transparent},
    Operator{"Gather", gather, Kind::Transparent},
    Operator{"GatherElements", gather_elements, Kind::Transparent},
    Operator{"Slice", slice, Kind::Transparent},
    Operator{"Split", split, Kind::Transparent},
    Operator{"Concat", concat, Kind::Transparent},
    Operator{"TopK", top_k, Kind::Other},
    Operator{"ScatterElements", scatter_elements, Kind::Other},
    Operator{"OneHot", one_hot, Kind::Other},
    Operator{"RNN", recurrent, Kind::Recurrent},
    Operator{"GRU", recurrent, Kind::Recurrent},
    Operator{"LSTM", recurrent, Kind::Recurrent},
    Operator{"Gemm", gemm, Kind::Head},
    Operator{"MatMul", matmul, Kind::Head},
    Operator{"Add", add, Kind::Head},
    Operator{"Relu", activation, Kind::Head},
    Operator{"Tanh", activation, Kind::Head},
    Operator{"Sigmoid", activation, Kind::Head},
    Operator{"LeakyRelu", activation, Kind::Head},
    Operator{"Elu", activation, Kind::Head},
    Operator{"Gelu", activation, Kind::Head},
    Operator{"HardSigmoid", activation, Kind::Head},
    Operator{"Softsign", activation, Kind::Head},
    Operator{"Erf", activation, Kind::Head},
    Operator{"Sqrt", activation, Kind::Head},
    Operator{"Exp", activation, Kind::Head},
    Operator{"Softplus", activation, Kind::Head},
    Operator{"LayerNormalization", layer_normalization, Kind::Head},
    Operator{"BatchNormalization", batch_normalization, Kind::Head},
    Operator{"ReduceMean", reduce, Kind::Head},
    Operator{"ReduceSum", reduce, Kind::Head},
    Operator{"ReduceMax", reduce, Kind::Head},
    Operator{"GlobalAveragePool", reduce, Kind::Head},
    Operator{"GlobalMaxPool", reduce, Kind::Head},
    Operator{"Softmax", softmax, Kind::Head},
    Operator{"LogSoftmax", softmax, Kind::Head},
    Operator{"Log", log, Kind::Head},
};

}  // namespace

const Operator* find_operator(const ::onnx::NodeProto& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return nullptr;
  for (const Operator& known_operator : kOperators) {
    if (known_operator.name == node.op_type()) return &known_operator;
  }
  return nullptr;
}

}  // namespace rnnalf::onnx_impl
