#include "rnnalf/onnx/onnx_reader.hpp"

#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/onnx/graph.hpp"
#include "rnnalf/onnx/metadata.hpp"
#include "rnnalf/onnx/wire_scan.hpp"

namespace rnnalf {
namespace {

using namespace onnx_impl;

/// Fields of ModelProto, as their number and wire type on disk (number * 8 + type).
constexpr std::size_t kGraphTag = 7 * 8 + 2;
constexpr std::size_t kOtherTags[] = {1 * 8 + 0, 2 * 8 + 2, 3 * 8 + 2,  4 * 8 + 2,  5 * 8 + 0,
                                      6 * 8 + 2, 8 * 8 + 2, 14 * 8 + 2, 20 * 8 + 2, 25 * 8 + 2};

/// Bytes of memory per byte of the file that messages and strings may take. ONNX's own tests, nodes
/// without weights, stay below 17.
constexpr std::size_t kMostGrowth = 24;

::onnx::ModelProto parse_model(std::span<const std::byte> bytes, const Context& context) {
  const google::protobuf::LogSilencer silencer;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    context.refuse("expected an ONNX model below 2 GiB, found " + std::to_string(bytes.size()) +
                   " bytes");
  }
  const auto size = parsed_size(bytes);
  if (size && *size > (std::size_t{1} << 20) + kMostGrowth * bytes.size()) {
    context.refuse("expected a model in proportion to its file of " + std::to_string(bytes.size()) +
                   " bytes, found one that takes " + std::to_string(*size) + " in memory");
  }
  ::onnx::ModelProto model;
  if (!size || !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    context.refuse("expected an ONNX model, found " + std::to_string(bytes.size()) +
                   " bytes that are truncated or of another format");
  }
  if (!model.has_graph()) context.refuse("expected an ONNX model with a graph, found none");
  return model;
}

std::int64_t operator_set(const ::onnx::ModelProto& model, const Context& context) {
  for (const auto& import : model.opset_import()) {
    if (import.domain().empty() || import.domain() == "ai.onnx") return import.version();
  }
  context.refuse("expected an operator set of ONNX, found none");
}

const std::string* metadata(const ::onnx::ModelProto& model, const char* key,
                            const Context& context) {
  const std::string* found = nullptr;
  for (const auto& entry : model.metadata_props()) {
    if (entry.key() != key) continue;
    if (found != nullptr) {
      context.refuse(std::string("metadata '") + key + "': expected it once, found it twice");
    }
    found = &entry.value();
  }
  return found;
}

/// Turns the chain of parts into plain weights in our gate order.
class Assembly {
 public:
  Assembly(Context& context, NetworkSpec& spec) : context_(context), spec_(spec) {}

  void add(const EmbeddingPart& part) {
    Matrix table = matrix(part.table);
    for (std::size_t row = 0; row < table.rows && !part.bias.empty(); ++row) {
      for (std::size_t col = 0; col < table.cols; ++col) {
        table.values[row * table.cols + col] += part.bias[col];
      }
    }
    spec_.embedding = std::move(table);
  }

  void add(const RecurrentPart& part) {
    spec_.cell = part.cell;
    RecurrentLayer layer;
    layer.hidden = part.hidden;
    layer.input_weights = matrix(part.input_weights);
    layer.recurrent_weights = matrix(part.recurrent_weights);
    layer.input_weights.values = in_our_gate_order(layer.input_weights.values, part.cell);
    layer.recurrent_weights.values = in_our_gate_order(layer.recurrent_weights.values, part.cell);
    if (part.bias) {
      const std::vector<double> both = entries(*part.bias);
      const auto half = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
      layer.input_bias = in_our_gate_order({both.begin(), half}, part.cell);
      layer.recurrent_bias = in_our_gate_order({half, both.end()}, part.cell);
    }
    layer.initial_hidden = part.initial_hidden;
    layer.initial_cell = part.initial_cell;
    spec_.layers.push_back(std::move(layer));
  }

  void add(const DensePart& part) {
    DenseLayer dense;
    if (part.weights) {
      dense.weights = matrix(*part.weights);
      for (double& weight : dense.weights.values) weight *= part.scale;
    } else {
      dense.weights = identity(part.outputs);
    }
    dense.bias = part.bias;
    dense.activation = part.activation;
    spec_.head.push_back(std::move(dense));
  }

  void add(const ScoresPart& part) { spec_.output = part.output; }

 private:
  std::vector<double> entries(const Numbers& numbers) {
    auto values = numbers.entries(context_.meter);
    if (!values) refuse_disproportion();
    return *std::move(values);
  }

  [[noreturn]] void refuse_disproportion() const {
    context_.refuse("expected weights in proportion to the file, found shapes that multiply them");
  }

  Matrix matrix(const Numbers& numbers) {
    std::vector<double> values = entries(numbers);
    return {static_cast<std::size_t>(*numbers.dims[0].value),
            static_cast<std::size_t>(*numbers.dims[1].value), std::move(values)};
  }

  Matrix identity(std::size_t size) {
    Matrix result{size, size, {}};
    if (size > (std::size_t{1} << 20) || !context_.meter.spend(size * size)) refuse_disproportion();
    result.values.resize(size * size);
    for (std::size_t i = 0; i < size; ++i) result.values[i * size + i] = 1;
    return result;
  }

  /// ONNX stacks a GRU's gates as z, r, h and an LSTM's as i, o, f, c; ours are r, z, n and i, f,
  /// g, o.
  static std::vector<double> in_our_gate_order(const std::vector<double>& stacked, CellKind cell) {
    std::vector<std::size_t> order = {0};
    if (gate_count(cell) == 3) order = {1, 0, 2};
    if (gate_count(cell) == 4) order = {0, 2, 3, 1};
    const std::size_t block = stacked.size() / order.size();
    std::vector<double> result;
    result.reserve(stacked.size());
    for (const std::size_t gate : order) {
      const auto begin = stacked.begin() + static_cast<std::ptrdiff_t>(gate * block);
      result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(block));
    }
    return result;
  }

  Context& context_;
  NetworkSpec& spec_;
};

void add_parts(const Signal& scores, Context& context, NetworkSpec& spec) {
  std::vector<std::size_t> chain;
  for (auto link = scores.link; link; link = context.links[*link].previous) chain.push_back(*link);
  Assembly assembly(context, spec);
  for (std::size_t i = chain.size(); i-- > 0;) {
    std::visit([&](const auto& part) { assembly.add(part); }, context.links[chain[i]].part);
  }
  // A sigmoid at the very end says how to read the score; before another layer it is an activation.
  if (spec.output == Output::Raw && !spec.head.empty() &&
      spec.head.back().activation == Activation::Sigmoid) {
    spec.head.back().activation = Activation::None;
    spec.output = Output::Sigmoid;
  }
}

void add_alphabet_and_probes(const ::onnx::ModelProto& model, const ReadOptions& options,
                             const Context& context, NetworkSpec& spec) {
  if (const std::string* json = metadata(model, "rnnalf.alphabet", context)) {
    spec.alphabet = parse_alphabet(*json, context);
    if (spec.alphabet.size() != spec.symbol_count()) {
      context.refuse("metadata 'rnnalf.alphabet': expected " + std::to_string(spec.symbol_count()) +
                     " symbols, found " + std::to_string(spec.alphabet.size()));
    }
  } else {
    spec.alphabet = Alphabet::numbered(spec.symbol_count());
  }
  if (const std::string* json = metadata(model, "rnnalf.probes", context)) {
    spec.probes = parse_probes(*json, spec.alphabet, context);
  }
  if (options.alphabet) spec.alphabet = *options.alphabet;
}

}  // namespace

bool looks_like_onnx(std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto tag = take_varint(bytes);
    if (!tag) return false;
    if (*tag == kGraphTag) return true;
    if (std::find(std::begin(kOtherTags), std::end(kOtherTags), *tag) == std::end(kOtherTags)) {
      return false;
    }
    const auto value = take_varint(bytes);
    if (!value) return false;
    if (*tag % 8 != 2) continue;
    if (*value > bytes.size()) return false;
    bytes = bytes.subspan(*value);
  }
  return false;
}

NetworkSpec read_onnx(std::span<const std::byte> bytes, const std::string& file,
                      const ReadOptions& options) {
  Context context{.file = file, .meter = Meter(bytes.size()), .opset = 0, .links = {}};
  const ::onnx::ModelProto model = parse_model(bytes, context);
  context.opset = operator_set(model, context);

  NetworkSpec spec;
  spec.file = file;
  add_parts(read_graph(model.graph(), context), context, spec);
  if (spec.layers.empty()) {
    context.refuse("expected a recurrent node (RNN, GRU or LSTM) before the scores, found none");
  }
  if (options.cell && *options.cell != spec.cell) {
    context.refuse("expected cell " + std::string(name(*options.cell)) + " as asked for, found " +
                   std::string(name(spec.cell)));
  }
  spec.accept_class = options.accept_class;
  add_alphabet_and_probes(model, options, context, spec);
  validate(spec);
  return spec;
}

}  // namespace rnnalf
