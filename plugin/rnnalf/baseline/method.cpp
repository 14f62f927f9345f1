#include "rnnalf/baseline/method.hpp"

#include <fmt/core.h>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/baseline/quantization.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kMost = 1'000'000'000;  // clusters, words: no machine has memory for more

std::size_t parse_number(std::string_view text, const std::string& what, const Count& kind) {
  std::uint64_t value = 0;
  naming("method: " + what, [&] { option_value::read(kind, text, value); });
  return value;
}

}  // namespace

std::string MethodSpec::text() const {
  switch (method) {
    case Method::Quantization:
      return fmt::format("quantization:q={}", intervals);
    case Method::KMeans:
      return ks.size() == 1 ? fmt::format("kmeans:k={}", ks.front()) : "kmeans";
    case Method::Rpni:
    case Method::Biermann:
      return (method == Method::Rpni ? "rpni" : "biermann") +
             (words > 0 ? fmt::format(":words={}", words) : std::string());
    case Method::NGram:
      return fmt::format("ngram:n={}", symbols);
    case Method::Quant:
      return fmt::format("quant:q={}", intervals);
    default:
      return "abstraction-refinement";
  }
}

MethodSpec parse_method(std::string_view text) {
  MethodSpec spec;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const std::string_view parameter = colon < text.size() ? text.substr(colon + 1) : "";
  const auto refuse_parameter = [&](const std::string& known) {
    throw OptionError("method: " + std::string(name) + ": expected " + known + ", found '" +
                      std::string(parameter) + "'");
  };
  if (name == "abstraction-refinement") {
    if (colon < text.size()) refuse_parameter("no parameter");
  } else if (name == "quantization") {
    spec.method = Method::Quantization;
    if (parameter.starts_with("q=")) {
      spec.intervals = parse_number(parameter.substr(2), "quantization: q", kIntervals);
    } else if (colon < text.size()) {
      refuse_parameter("q=NUMBER");
    }
  } else if (name == "kmeans") {
    spec.method = Method::KMeans;
    spec.ks = {2, 5, 10, 20, 50, 100};
    if (parameter.starts_with("k=")) {
      spec.ks = {parse_number(parameter.substr(2), "kmeans: k", Count{.least = 1, .most = kMost})};
    } else if (colon < text.size()) {
      refuse_parameter("k=NUMBER");
    }
  } else if (name == "rpni" || name == "biermann") {
    spec.method = name == "rpni" ? Method::Rpni : Method::Biermann;
    if (parameter.starts_with("words=")) {
      spec.words = parse_number(parameter.substr(6), std::string(name) + ": words",
                                Count{.least = 1, .most = kMost});
    } else if (colon < text.size()) {
      refuse_parameter("words=NUMBER");
    }
  } else if (name == "ngram") {
    spec.method = Method::NGram;
    if (parameter.starts_with("n=")) {
      spec.symbols = parse_number(parameter.substr(2), "ngram: n", Count{.most = 10});
    } else if (colon < text.size()) {
      refuse_parameter("n=NUMBER");
    }
  } else if (name == "quant") {
    spec.method = Method::Quant;
    spec.intervals = 10;
    if (parameter.starts_with("q=")) {
      spec.intervals =
          parse_number(parameter.substr(2), "quant: q", Count{.least = 1, .most = kMost});
    } else if (colon < text.size()) {
      refuse_parameter("q=NUMBER");
    }
  } else {
    throw OptionError(
        "method: expected abstraction-refinement, quantization, kmeans, rpni, biermann, or for "
        "language models ngram or quant, found '" +
        std::string(name) + "'");
  }
  return spec;
}

}  // namespace rnnalf
