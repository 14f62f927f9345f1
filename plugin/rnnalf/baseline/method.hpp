#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rnnalf {

enum class Method : std::uint8_t {
  AbstractionRefinement,
  Quantization,  ///< of the R-states
  KMeans,        ///< of the R-states
  Rpni,          ///< from words with the network's answers
  Biermann,      ///< from words with the network's answers: a smallest DFA
  NGram,         ///< of a language model: the last symbols read are the state
  Quant          ///< of a language model: a learner of classes of its distributions
};

/// How a DFA is made from a network.
struct MethodSpec {
  Method method = Method::AbstractionRefinement;
  std::size_t intervals = 2;  ///< quantization: q; quant: of each probability
  /// rpni, biermann: how many words to learn from, the first of the given ones, else random ones;
  /// 0: all that are given, else 500.
  std::size_t words = 0;
  std::vector<std::size_t> ks;  ///< kmeans: numbers of clusters to try
  std::size_t symbols = 2;      ///< ngram: that are looked back

  /// A baseline has no learner and asks no oracle.
  [[nodiscard]] bool is_baseline() const {
    return method != Method::AbstractionRefinement && method != Method::Quant;
  }
  /// It makes a PDFA and nothing else.
  [[nodiscard]] bool is_for_language_models() const {
    return method == Method::NGram || method == Method::Quant;
  }

  /// A passive method sees nothing of the network but its answers for some words.
  [[nodiscard]] bool is_passive() const {
    return method == Method::Rpni || method == Method::Biermann;
  }

  /// Of given words, where there are some, it is made.
  [[nodiscard]] bool looks_at_words() const { return method == Method::KMeans || is_passive(); }

  [[nodiscard]] std::string text() const;  ///< as on the command line
};

/// Reads `abstraction-refinement`, `quantization:q=2`, `kmeans:k=10`, `kmeans` (several k), `rpni`,
/// `rpni:words=1000`, `biermann`, `ngram:n=2`, `quant:q=10`. Throws OptionError that lists what
/// exists.
[[nodiscard]] MethodSpec parse_method(std::string_view text);

}  // namespace rnnalf
