#include "rnnalf/onnx/onnx_reader.hpp"

#include <fmt/core.h>

#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/network/metadata.hpp"
#include "rnnalf/onnx/assembly.hpp"
#include "rnnalf/onnx/graph.hpp"
#include "rnnalf/onnx/whole_word.hpp"
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
    context.refuse(fmt::format("expected an ONNX model below 2 GiB, found {} bytes", bytes.size()));
  }
  const auto size = parsed_size(bytes);
  if (size && *size > (std::size_t{1} << 20) + kMostGrowth * bytes.size()) {
    context.refuse(fmt::format(
        "expected a model in proportion to its file of {} bytes, found one that takes {} in memory",
        bytes.size(), *size));
  }
  ::onnx::ModelProto model;
  if (!size || !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    context.refuse(fmt::format(
        "expected an ONNX model, found {} bytes that are truncated or of another format",
        bytes.size()));
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

/// What the metadata says, and the options in its place: symbols, classes, probes.
void add_metadata(const ::onnx::ModelProto& model, const ReadOptions& options,
                  const Context& context, NetworkSpec& spec) {
  if (const std::string* json = metadata(model, "rnnalf.alphabet", context)) {
    spec.alphabet = parse_alphabet(*json, {context.file, "metadata 'rnnalf.alphabet'"});
    if (spec.alphabet.size() != spec.symbol_count()) {
      context.refuse(fmt::format("metadata 'rnnalf.alphabet': expected {} symbols, found {}",
                                 spec.symbol_count(), spec.alphabet.size()));
    }
  } else {
    spec.alphabet = Alphabet::numbered(spec.symbol_count());
  }
  if (const std::string* json = metadata(model, "rnnalf.probes", context)) {
    spec.probes = parse_probes(*json, spec.alphabet, {context.file, "metadata 'rnnalf.probes'"});
  }
  if (options.alphabet) spec.alphabet = *options.alphabet;
  const std::string* const classes = metadata(model, "rnnalf.classes", context);
  if (classes != nullptr && !options.classes) {
    spec.classes = parse_classes(*classes, {context.file, "metadata 'rnnalf.classes'"});
  }
  set_classes(options, spec);
}

}  // namespace

bool looks_like_onnx(std::span<const std::byte> bytes) {
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

namespace {

/// Names of symbols take more room than their weights: a small file has few.
bool in_proportion(const NetworkSpec& spec, std::size_t file_size, const Context& context) {
  return spec.symbol_count() <= 65536 + file_size + context.external.size();
}

/// As a step where the graph is one, else as a network that reads whole words. Where it is neither,
/// the first refusal says why.
NetworkSpec read_model(const ::onnx::ModelProto& model, std::size_t file_size,
                       const ReadOptions& options, Context& context) {
  NetworkSpec spec;
  spec.file = context.file;
  try {
    assemble(read_graph(model.graph(), context), context, spec);
    spec.assumed = context.assumed;
    return spec;
  } catch (const NetworkFileError& as_step) {
    Context again{.file = context.file,
                  .meter = Meter(file_size),
                  .external = ExternalData(options.folder.string()),
                  .opset = context.opset,
                  .links = {}};
    NetworkSpec whole;
    whole.file = context.file;
    try {
      read_whole_word(model.graph(), again, whole);
      if (in_proportion(whole, file_size, again)) {
        whole.alphabet = Alphabet::numbered(whole.symbol_count());
        validate(whole);
      }
    } catch (const NetworkFileError&) {
      const std::string why = std::string(as_step.what()).substr(context.file.size() + 2);
      throw NetworkFileError(context.file,
                             why +
                                 "; else give the live module to rnnalf.network in Python, or a "
                                 "step function to rnnalf.acceptor");
    }
    whole.assumed = again.assumed;
    context.external = std::move(again.external);
    return whole;
  }
}

}  // namespace

NetworkSpec read_onnx(std::span<const std::byte> bytes, const std::string& file,
                      const ReadOptions& options) {
  Context context{.file = file,
                  .meter = Meter(bytes.size()),
                  .external = ExternalData(options.folder.string()),
                  .opset = 0,
                  .links = {}};
  const ::onnx::ModelProto model = parse_model(bytes, context);
  context.opset = operator_set(model, context);

  NetworkSpec spec = read_model(model, bytes.size(), options, context);
  spec.beside = context.external.files();
  if (!options.activations.empty()) {
    context.refuse("expected no activations to be asked for, found some; an ONNX file says them" +
                   std::string(" itself"));
  }
  if (!in_proportion(spec, bytes.size(), context)) {
    context.refuse(
        fmt::format("expected symbols in proportion to the file, found {}", spec.symbol_count()));
  }
  add_metadata(model, options, context, spec);
  validate(spec);
  const auto stack = stack_of(spec.step);
  if (options.cell && (!stack || *options.cell != name(stack->cell))) {
    context.refuse("expected cell " + std::string(*options.cell) + " as asked for, found " +
                   (stack ? std::string(name(stack->cell)) : "a step of other operations"));
  }
  if (!options.head_from.empty() && (!stack || options.head_from != stack->head_from)) {
    context.refuse("expected a head that reads " + names(options.head_from) +
                   " as asked for, found " + (stack ? names(stack->head_from) : "another") +
                   "; an ONNX file states it");
  }
  recognise_padding(spec);
  return spec;
}

}  // namespace rnnalf
