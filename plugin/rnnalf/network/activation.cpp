#include "rnnalf/network/activation.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace rnnalf {
namespace {

struct Named {
  std::string_view name;
  bool has_slope = false;
  double slope = 0;  // torch's default
};

constexpr std::array kActivations = {
    Named{"none"},
    Named{"relu"},
    Named{"tanh"},
    Named{"sigmoid"},
    Named{"leaky-relu", true, 0.01},
    Named{"elu", true, 1},
    Named{"gelu"},
    Named{"gelu-tanh"},
    Named{"silu"},
    Named{"hard-sigmoid", true, 1.0 / 6},
    Named{"softsign"},
    Named{"erf"},
    Named{"sqrt"},
    Named{"exp"},
    Named{"softplus"},
};

// Those after it are parts of others; users have no names for them.
constexpr auto kNamed = static_cast<std::size_t>(Activation::Erf);

}  // namespace

std::string_view name(Activation activation) noexcept {
  return kActivations[static_cast<std::size_t>(activation)].name;
}

std::optional<NamedActivation> activation_from_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  for (std::size_t i = 0; i < kNamed; ++i) {
    const Named& named = kActivations[i];
    if (name.substr(0, colon) != named.name) continue;
    NamedActivation result{static_cast<Activation>(i), named.slope};
    if (colon == std::string_view::npos) return result;
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + colon + 1, end, result.slope);
    if (!named.has_slope || parsed.ec != std::errc() || parsed.ptr != end ||
        !std::isfinite(result.slope)) {
      return std::nullopt;
    }
    return result;
  }
  return std::nullopt;
}

std::string activation_names() {
  std::string names;
  for (std::size_t i = 0; i < kNamed; ++i) {
    names += i == 0 ? "" : i + 1 == kNamed ? " or " : ", ";
    names += kActivations[i].name;
    if (kActivations[i].has_slope) names += "[:SLOPE]";
  }
  return names;
}

}  // namespace rnnalf
