#include "rnnalf/extraction/extraction.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/extraction/large_alphabet.hpp"
#include "rnnalf/extraction/plain_extraction.hpp"
#include "rnnalf/extraction/setting.hpp"

namespace rnnalf {
namespace {

/// With the target's answers.
std::vector<Counterexample> marked(std::vector<Counterexample> words,
                                   const std::optional<Dfa>& target) {
  if (!target) return words;
  for (Counterexample& one : words) one.target = target->answer(one.word);
  return words;
}

/// Looks for a proof that network and result agree.
Certification prove(const Network& network, const Dfa& result, const ExtractionOptions& options,
                    const Budget& budget, Progress& progress) {
  CertifyOptions how;
  how.precision = network.acceptor->precision();
  if (network.empty_word) how.empty_word = *network.empty_word == Answer::Accept;
  how.seed = options.seed;
  how.threads = options.threads;
  progress.activity = "looking for a proof";
  return certify_agreement(*network.spec, result, how, budget, progress);
}

/// An R-state that is only the word tells nothing of other words: what compares R-states is left
/// out of the default run, and refused where it was asked for.
void use_no_states(ExtractionOptions& options) {
  const auto refuse = [](const std::string& what) {
    throw OptionError(
        what +
        ": the network reads whole words from their start, so that it has no state"
        " after a prefix to compare. Use oracles such as samples, pumping and random");
  };
  if (options.method.method == Method::Quantization || options.method.method == Method::KMeans) {
    refuse("method");
  }
  if (options.plotted_r_states > 0 && options.given.contains("plotted-r-states")) {
    refuse("plotted-r-states");
  }
  options.plotted_r_states = 0;
  const auto compares_states = [](const OracleOptions& oracle) {
    return std::holds_alternative<AbstractionOptions>(oracle.kind);
  };
  OracleChain& chain = options.oracles;
  if (std::none_of(chain.begin(), chain.end(), compares_states)) return;
  if (options.preset == Preset::Paper) refuse("preset");
  if (options.given.contains("oracle")) refuse("oracle: abstraction");
  std::erase_if(chain, compares_states);
}

}  // namespace

Extraction::Extraction(Network network, const Learners& learners, ExtractionOptions options,
                       std::optional<Dfa> target)
    : network_(std::move(network)),
      learners_(learners),
      options_(completed(std::move(options))),
      target_(std::move(target)) {
  if (network_.acceptor->reads_whole_words()) use_no_states(options_);
  const std::size_t answers = network_.acceptor->answer_count();
  if (options_.method.is_for_language_models()) {
    throw OptionError(fmt::format(
        "method: expected abstraction-refinement or a baseline of networks that accept and "
        "reject; found '{}', which is for language models",
        options_.method.text()));
  }
  if (options_.method.method == Method::AbstractionRefinement) {
    (void)learners_.make(options_.learner, network_.acceptor->symbol_count(), answers);
  }
  if (options_.method.is_passive() && answers > 2) {
    throw OptionError(
        fmt::format("method: expected abstraction-refinement, quantization or kmeans for the {} "
                    "classes of this network; found '{}'",
                    answers, options_.method.text()));
  }
  require_words(options_.method, options_.samples.size());
  if (options_.certify) require_certifiable(network_);
  if (options_.threads == 0) options_.threads = std::max(1U, std::thread::hardware_concurrency());
}

Run Extraction::run(const Budget& budget, Progress* watched, const Trace& trace) const {
  Progress unwatched;
  Progress& progress = watched != nullptr ? *watched : unwatched;
  Budget all;  // of learning and proof: both count from the time and the memory of now
  all.part_of(budget);
  all.restrict_time(time_limit(options_, budget));
  restrict_memory(all, options_);

  Extracted found =
      has_large_alphabet(network_, options_)
          ? over_representatives(network_, learners_, options_, budget, progress, trace)
          : plain_extraction(network_, learners_, options_, budget, progress, trace);
  std::optional<Certification> proof;
  if (options_.certify) proof = prove(network_, found.dfa(), options_, all, progress);
  found.statistics.peak_memory_bytes = peak_memory_bytes();

  return {.network = network_.summary,
          .precision = network_.acceptor->precision(),
          .empty_word = network_.empty_word,
          .options = options_,
          .limit = found.learned.limit,
          .settled = found.learned.settled,
          .cut_short = found.cut_short || (proof && proof->cut_short),
          .hypotheses = std::move(found.learned.hypotheses),
          .groups = std::move(found.groups),
          .ladder = std::move(found.chosen.ladder),
          .met = std::move(found.chosen.met),
          .unseen = std::move(found.chosen.unseen),
          .unstable = std::move(found.chosen.unstable),
          .given = found.chosen.given,
          .recommended = found.chosen.hypothesis,
          .evidence = std::move(found.examined.evidence),
          .exceptions = marked(std::move(found.examined.exceptions), target_),
          .families = std::move(found.examined.families),
          .empty = found.chosen.empty,
          .unanswered = std::move(found.unanswered),
          .counterexamples = marked(std::move(found.learned.counterexamples), target_),
          .over_all_symbols = std::move(found.over_all_symbols),
          .target = target_,
          .covered = std::move(found.learned.covered),
          .coverage = std::move(found.learned.coverage),
          .statistics = found.statistics,
          .plot = std::move(found.plot),
          .proof = std::move(proof)};
}

}  // namespace rnnalf
