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

namespace rnnalf {
namespace {

/// The target's answers for the words of a run.
void mark(Run& run, const Dfa& target) {
  for (auto* words : {&run.counterexamples, &run.exceptions}) {
    for (Counterexample& one : *words) one.target = target.answer(one.word);
  }
}

/// Looks for a proof that network and result agree.
void prove(Run& run, const NetworkSpec& network, const Budget& budget, Progress& progress) {
  CertifyOptions options;
  options.precision = run.precision;
  if (run.empty_word) options.empty_word = *run.empty_word == Answer::Accept;
  options.seed = run.options.seed;
  options.threads = run.options.threads;
  progress.activity = "looking for a proof";
  run.proof = {certify_agreement(network, run.dfa(), options, budget, progress), {}};
  run.cut_short = run.cut_short || run.proof->outcome.cut_short;
}

}  // namespace

Extraction::Extraction(Network network, const Learners& learners, ExtractionOptions options,
                       std::optional<Dfa> target)
    : network_(std::move(network)),
      learners_(learners),
      options_(completed(std::move(options))),
      target_(std::move(target)) {
  if (options_.method.method == Method::AbstractionRefinement) {
    (void)learners_.make(options_.learner, network_.acceptor->symbol_count(),
                         network_.acceptor->answer_count());
  }
  if (options_.method.is_passive() && network_.acceptor->answer_count() > 2) {
    throw OptionError(
        fmt::format("method: expected abstraction-refinement, quantization or kmeans for the {} "
                    "classes of this network; found '{}'",
                    network_.acceptor->answer_count(), options_.method.text()));
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
  all.restrict_time(options_.time_limit);
  restrict_memory(all, options_);
  Run run = has_large_alphabet(network_, options_)
                ? run_over_representatives(network_, learners_, options_, budget, progress, trace)
                : plain_extraction(network_, learners_, options_, budget, progress, trace);
  run.network = network_.summary;
  run.precision = network_.acceptor->precision();
  run.empty_word = network_.empty_word;
  run.options = options_;
  run.target = target_;
  if (target_) mark(run, *target_);
  if (options_.certify) {
    prove(run, *network_.spec, all, progress);
  }
  run.statistics.peak_memory_bytes = peak_memory_bytes();
  return run;
}

}  // namespace rnnalf
