#include "rnnalf/network/fingerprint.hpp"

#include <fmt/ranges.h>
#include <openssl/sha.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/network/layer_step.hpp"

namespace rnnalf {
namespace {

class Writer {
 public:
  void line(const std::string& text) { bytes_ += text + "\n"; }

  void numbers(const std::vector<double>& values, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      double value = values.empty() ? 0.0 : values[i];
      if (std::abs(value) < 0x1p-126) value = 0.0;
      auto bits = std::bit_cast<std::uint64_t>(value);
      for (int byte = 0; byte < 8; ++byte, bits >>= 8U) bytes_.push_back(static_cast<char>(bits));
    }
    bytes_.push_back('\n');
  }

  void numbers(const Matrix& matrix) { numbers(matrix.values, matrix.rows * matrix.cols); }

  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string canonical_bytes(const NetworkSpec& spec) {
  const auto stack = stack_of(spec.step);
  RNNALF_CHECK(stack.has_value(), "the canonical form is that of a stack of layers");
  Writer to;
  to.line("rnnalf network 1");
  to.line("cell " + std::string(name(stack->cell)));
  to.line(fmt::format("letters {}", spec.symbol_count()));
  for (const std::string& letter : spec.alphabet.names()) to.line(letter);
  if (stack->embedding) {
    to.line(fmt::format("embedding {}", stack->embedding->cols));
    to.numbers(*stack->embedding);
  }
  for (const RecurrentLayer& layer : stack->layers) {
    const std::size_t rows = gate_count(stack->cell) * layer.hidden;
    to.line(fmt::format("layer {}", layer.hidden));
    to.numbers(layer.input_weights);
    to.numbers(layer.recurrent_weights);
    to.numbers(layer.input_bias, rows);
    to.numbers(layer.recurrent_bias, rows);
    to.numbers(layer.initial_hidden, layer.hidden);
    if (stack->cell == CellKind::Lstm) to.numbers(layer.initial_cell, layer.hidden);
  }
  for (const DenseLayer& dense : spec.head) {
    to.line(fmt::format("dense {} {}", dense.weights.rows, name(dense.activation)));
    to.numbers(dense.weights);
    to.numbers(dense.bias, dense.weights.rows);
  }
  // Raw, sigmoid, softmax and log-softmax accept the same words: what stands there is left out.
  const std::size_t accept = spec.accept_class.value_or(spec.output_count() == 1 ? 0 : 1);
  to.line(fmt::format("accept {}", accept));
  return to.take();
}

std::string fingerprint(const NetworkSpec& spec) {
  return sha256(canonical_bytes(spec));
}

}  // namespace rnnalf
