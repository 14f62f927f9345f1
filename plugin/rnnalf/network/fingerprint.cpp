#include "rnnalf/network/fingerprint.hpp"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace rnnalf {
namespace {

// FIPS 180-4, with its names.
class Sha256 {
 public:
  [[nodiscard]] std::string of(std::string_view bytes) {
    std::string padded(bytes.substr(bytes.size() / 64 * 64));
    for (std::size_t at = 0; at + 64 <= bytes.size(); at += 64) block(bytes.data() + at);
    padded.push_back('\x80');
    while (padded.size() % 64 != 56) padded.push_back('\0');
    const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
    for (int shift = 56; shift >= 0; shift -= 8) {
      padded.push_back(static_cast<char>(bits >> static_cast<unsigned>(shift)));
    }
    for (std::size_t at = 0; at < padded.size(); at += 64) block(padded.data() + at);
    std::string hex;
    for (const std::uint32_t word : hash_) {
      for (int shift = 28; shift >= 0; shift -= 4) {
        hex.push_back("0123456789abcdef"[(word >> static_cast<unsigned>(shift)) & 15U]);
      }
    }
    return hex;
  }

 private:
  void block(const char* bytes) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) {
      for (std::size_t i = 0; i < 4; ++i) {
        w[t] = w[t] << 8U | static_cast<unsigned char>(bytes[4 * t + i]);
      }
    }
    for (std::size_t t = 16; t < 64; ++t) {
      const std::uint32_t a = w[t - 15], b = w[t - 2];
      const std::uint32_t s0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U;
      const std::uint32_t s1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U;
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = hash_;
    for (std::size_t t = 0; t < 64; ++t) {
      const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
      const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> add = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) hash_[i] += add[i];
  }

  static constexpr std::array<std::uint32_t, 64> kRound = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
      0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
      0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
      0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
      0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
      0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
      0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
      0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
      0xc67178f2};
  std::array<std::uint32_t, 8> hash_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

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
  return Sha256().of(bytes);
}

std::string canonical_bytes(const NetworkSpec& spec) {
  Writer to;
  to.line("rnnalf network 1");
  to.line("cell " + std::string(name(spec.cell)));
  to.line(fmt::format("letters {}", spec.symbol_count()));
  for (const std::string& letter : spec.alphabet.names()) to.line(letter);
  if (spec.embedding) {
    to.line(fmt::format("embedding {}", spec.embedding->cols));
    to.numbers(*spec.embedding);
  }
  for (const RecurrentLayer& layer : spec.layers) {
    const std::size_t rows = gate_count(spec.cell) * layer.hidden;
    to.line(fmt::format("layer {}", layer.hidden));
    to.numbers(layer.input_weights);
    to.numbers(layer.recurrent_weights);
    to.numbers(layer.input_bias, rows);
    to.numbers(layer.recurrent_bias, rows);
    to.numbers(layer.initial_hidden, layer.hidden);
    if (spec.cell == CellKind::Lstm) to.numbers(layer.initial_cell, layer.hidden);
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
