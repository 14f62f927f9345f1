#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/certify/certificate.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

struct CertifyOptions {
  Precision precision = Precision::Float;
  certify::Claim claim = {};            ///< which words; default: every word
  std::optional<bool> empty_word = {};  ///< an answer that stands for the network's own: then
                                        ///< the claim leaves the empty word out
  std::uint64_t seed = 1;               ///< of the sampled words
  unsigned threads = 1;                 ///< results do not depend on it
  double slack = 1e-6;                  ///< error per component and step to allow for, at least
};
void validate(const CertifyOptions& options);

/// What a search for a proof came to.
struct Certification {
  enum class Verdict : std::uint8_t { Certified, Refuted, Open };
  Verdict verdict = Verdict::Open;
  std::optional<certify::Certificate> certificate;  ///< engaged iff Certified
  std::optional<Word> counterexample;               ///< engaged iff Refuted; run on both sides
  std::uint64_t images = 0;                         ///< of sets of R-states, computed

  // Open: what is left, and what is known all the same.
  /// DFA states whose sets did not close, and the letter after which one did not; none where the
  /// search did not come to it.
  std::vector<std::pair<LState, std::optional<Symbol>>> open = {};
  std::optional<certify::Certificate> weaker;     ///< of a claim about fewer words
  std::optional<Word> outside_weaker;             ///< a shortest word it says nothing about
  std::optional<std::size_t> agreed_length = {};  ///< all words up to this length were run: agreed
  Limit limit = Limit::None;                      ///< what ended the search
};

/// Throws NetworkFileError for a network about which there are no certificates: one that is no
/// stack of equal layers, or that gives more than two answers.
void require_certifiable(const NetworkSpec& network);

/// Looks for a proof that network and DFA agree on all words of the claim; see
/// docs/certificates.md. `dfa` has the network's letters, in its order. Where the budget has a time
/// limit, a fifth of it is left for claims about fewer words.
[[nodiscard]] Certification certify_agreement(const NetworkSpec& network, const Dfa& dfa,
                                              const CertifyOptions& options, const Budget& budget,
                                              Progress& progress);

}  // namespace rnnalf
