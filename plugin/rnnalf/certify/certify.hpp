#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/certify/certificate.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// How to look for a proof. Every field that users can choose has its name, range and help text in
/// `table()`.
struct CertifyOptions {
  Precision precision = Precision::Float;  ///< not an option of its own: the network's
  /// An answer that stands for the network's own: then the claim leaves the empty word out. Not an
  /// option of its own either.
  std::optional<bool> empty_word = {};

  /// What is claimed of the automaton's words. Not in the table: it belongs to the automaton.
  certify::Property property = certify::Property::Equal;

  // Which words the claim is about; none of these: every word.
  std::optional<std::uint64_t> max_run = {};     ///< no symbol more often in a row; 1 .. 1000
  std::optional<std::uint64_t> max_length = {};  ///< symbols at most; 1 .. 1000
  std::optional<Alphabet> symbols = {};          ///< of the network; the option `letters`

  std::optional<std::chrono::duration<double>> time_limit = {};
  std::optional<std::uint64_t> memory_limit = {};  ///< bytes beyond what the process has
  std::uint64_t threads = 0;                       ///< 0: one per core; results do not depend on it
  std::uint64_t seed = 1;                          ///< of the sampled words
  double slack = 1e-6;  ///< error per component and step to allow for, at least; not in the table
  bool words_first = true;  ///< look for a word that refutes the claim first; not in the table

  [[nodiscard]] static const std::vector<OptionField<CertifyOptions>>& table();
};
void validate(const CertifyOptions& options);  // throws OptionError naming the field

/// What a search for a proof came to.
struct Certification {
  enum class Verdict : std::uint8_t { Certified, Refuted, Open };
  Verdict verdict = Verdict::Open;
  certify::Property property = certify::Property::Equal;  ///< what was to be proved
  std::optional<certify::Certificate> certificate;        ///< engaged iff Certified
  std::optional<Word> counterexample;  ///< engaged iff Refuted; run on both sides
  std::uint64_t images = 0;            ///< of sets of R-states, computed

  // Open: what is left, and what is known all the same.
  /// DFA states whose sets did not close, and the symbol after which one did not; none where the
  /// search did not come to it.
  std::vector<std::pair<LState, std::optional<Symbol>>> open = {};
  std::optional<certify::Certificate> weaker;     ///< of a claim about fewer words
  std::optional<Word> outside_weaker;             ///< a shortest word it says nothing about
  std::optional<std::size_t> agreed_length = {};  ///< all words up to this length were run: agreed
  Limit limit = Limit::None;                      ///< what ended the search
  /// A clock, memory or an interruption ended part of it: with more time it may come to more.
  bool cut_short = false;
};

/// Throws NetworkFileError for a network about which there are no certificates: one that is no
/// stack of equal layers, or that gives more than two answers.
void require_certifiable(const NetworkSpec& network);
/// Throws OptionError also for a network whose weights are not known, or whose words are not shown
/// to it as they are.
void require_certifiable(const Network& network);

/// Looks for a proof that network and DFA agree on all words of the claim, or that the network has
/// the property that the options say; see docs/certificates.md. `dfa` has the network's symbols, in
/// its order. Where there is a time limit, of the options or of the budget, a fifth of it is left
/// for claims about fewer words. Throws OptionError when the network does not have the symbols of
/// the claim.
[[nodiscard]] Certification certify_agreement(const NetworkSpec& network, const Dfa& dfa,
                                              const CertifyOptions& options, const Budget& budget,
                                              Progress& progress);

}  // namespace rnnalf
