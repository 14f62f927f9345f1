#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rnnalf {

/// Applied to each number x; `s` is the slope that stands beside it.
enum class Activation : std::uint8_t {
  None,
  Relu,  ///< max(x, 0)
  Tanh,
  Sigmoid,      ///< 1 / (1 + exp(-x))
  LeakyRelu,    ///< x, below 0: s x
  Elu,          ///< x, below 0: s (exp(x) - 1)
  Gelu,         ///< x P(N <= x), N standard normal
  GeluTanh,     ///< its approximation by tanh: x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2
  Silu,         ///< x sigmoid(x); swish
  HardSigmoid,  ///< s x + 0.5, cut to 0 .. 1
  Softsign,     ///< x / (1 + |x|)
  Erf,          ///< the error function; only graphs of operations need it
  Sqrt,         ///< the same
  Exp,          ///< the same; cut to e^-87 .. e^87 in float, to e^-700 .. e^700 in double
  Softplus,     ///< log(1 + exp(x)); the same
};

/// `relu`, `leaky-relu`, ...
[[nodiscard]] std::string_view name(Activation activation) noexcept;

/// An activation as a user names it.
struct NamedActivation {
  Activation activation = Activation::None;
  double slope = 0;
};

/// `relu`, `leaky-relu`, `leaky-relu:0.2`, ...; the slope is torch's default if none is given.
[[nodiscard]] std::optional<NamedActivation> activation_from_name(std::string_view name);

/// All names `activation_from_name` knows, for messages.
[[nodiscard]] std::string activation_names();

}  // namespace rnnalf
