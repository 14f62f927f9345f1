#include "rnnalf/report/page_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::detail {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 4'000'000;

/// Bytes as base64, three at a time.
class Base64 {
 public:
  explicit Base64(char first) : text_(1, first) {}

  void add(std::uint64_t bits, std::size_t bytes) {  // little end first
    for (std::size_t i = 0; i < bytes; ++i) add_byte(bits >> (8 * i) & 0xFFU);
  }
  std::string take() {
    const std::size_t rest = count_ % 3;
    for (std::size_t i = rest; i % 3 != 0; ++i) add_byte(0);
    if (rest != 0) text_.replace(text_.size() - (3 - rest), 3 - rest, 3 - rest, '=');
    return std::move(text_);
  }

 private:
  void add_byte(std::uint64_t byte) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    group_ = group_ << 8U | byte;
    if (++count_ % 3 != 0) return;
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text_ += digits[group_ >> shift & 63U];
    group_ = 0;
  }

  std::string text_;
  std::uint64_t group_ = 0;
  std::size_t count_ = 0;
};

/// Writes a network, and knows how many bytes its numbers take.
class Writer {
 public:
  Json network(const NetworkSpec& spec, Precision precision) {
    Json json = {{"precision", precision == Precision::Float ? "float" : "double"},
                 {"symbols", spec.symbol_count()},
                 {"output", name(spec.output)},
                 {"answers", spec.answer_count()},
                 {"accept", spec.accept_class.value_or(spec.output_count() == 1 ? 0 : 1)}};
    graph(spec.step, json);
    json["head"] = Json::array();
    for (const DenseLayer& dense : spec.head) {
      json["head"].push_back(
          Json{{"weights", matrix(dense.weights)},
               {"bias", numbers(dense.bias)},
               {"activation", name(dense.activation)},
               {"slope", dense.slope},
               {"normalise", dense.normalise ? Json(*dense.normalise) : Json(nullptr)}});
    }
    return json;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  /// Floats where all of them are, doubles otherwise; null for none, which stands for zeros.
  Json numbers(const std::vector<double>& values) {
    if (values.empty()) return nullptr;
    const bool floats = std::all_of(values.begin(), values.end(), [](double value) {
      return static_cast<double>(static_cast<float>(value)) == value;
    });
    Base64 text(floats ? 'f' : 'd');
    for (const double value : values) {
      if (floats) {
        text.add(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
      } else {
        text.add(std::bit_cast<std::uint64_t>(value), 8);
      }
    }
    bytes_ += values.size() * (floats ? 4 : 8);
    return text.take();
  }

  Json matrix(const Matrix& matrix) {
    return {{"rows", matrix.rows}, {"cols", matrix.cols}, {"values", numbers(matrix.values)}};
  }

  void graph(const StepGraph& graph, Json& json) {
    json["states"] = Json::array();
    for (const StepState& state : graph.states) {
      json["states"].push_back(
          Json{{"size", state.size}, {"initial", numbers(state.initial)}, {"next", state.next}});
    }
    json["step"] = nodes(graph.step);
    json["readout"] = nodes(graph.readout);
  }

  Json nodes(const std::vector<StepNode>& nodes) {
    constexpr std::string_view operations[] = {
        "symbol",   "state",  "constant", "product", "activate", "add",  "subtract",
        "multiply", "divide", "maximum",  "minimum", "join",     "part", "normalise"};
    Json list = Json::array();
    for (const StepNode& node : nodes) {
      list.push_back(
          Json{{"operation", operations[static_cast<std::size_t>(node.operation)]},
               {"size", node.size},
               {"inputs", node.inputs},
               {"from", node.from},
               {"weights", node.weights.values.empty() ? Json(nullptr) : matrix(node.weights)},
               {"values", numbers(node.values)},
               {"activation", name(node.activation)},
               {"slope", node.slope}});
    }
    return list;
  }

  std::size_t bytes_ = 0;
};

/// The network's own numbers of symbols.
Json own_symbols(const NetworkSpec& spec, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const std::string& name : names) {
    const auto symbol = spec.alphabet.find(name);
    RNNALF_CHECK(symbol.has_value(), "the network has no symbol " + name);
    list.push_back(index(*symbol));
  }
  return list;
}

Json too_large(std::size_t bytes) {
  return {{"absent", fmt::format("the network takes {:.1f} MB, and a page carries up to {} MB",
                                 static_cast<double>(bytes) / 1e6, kMostBytes / 1'000'000)}};
}

}  // namespace

Json page_network(const NetworkSpec& spec, const NetworkSummary& shown, Precision precision) {
  const std::size_t least = spec.parameter_count() * sizeof(float);
  if (least > kMostBytes) return too_large(least);
  Writer writer;
  Json json = writer.network(spec, precision);
  json["begin"] = own_symbols(spec, shown.begin);
  json["end"] = own_symbols(spec, shown.end);
  json["over"] = own_symbols(spec, shown.alphabet.names());
  return writer.bytes() > kMostBytes ? too_large(writer.bytes()) : json;
}

}  // namespace rnnalf::detail
