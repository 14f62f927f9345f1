#include "rnnalf/extraction/language_model_extraction.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/baseline/language_model_baselines.hpp"
#include "rnnalf/extraction/learning_loop.hpp"
#include "rnnalf/language_model/contexts.hpp"
#include "rnnalf/language_model/distribution_classes.hpp"
#include "rnnalf/language_model/fit.hpp"

namespace rnnalf {
namespace {

using Elapsed = std::chrono::duration<double>;

/// Words to learn from: as the network draws them, sharper, and a few uniform ones. A network whose
/// head cannot be as sure as the data were spreads its own words thinner than those it was trained
/// on; people ask about the latter.
const std::vector<double> kPowers = {0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
constexpr std::size_t kLearnedWords = 16'000;
constexpr std::size_t kHeldOutWords = 1500;
constexpr std::size_t kStateNumbers = 48;  // kept of an R-state
constexpr std::size_t kAllNumbers = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMostLearnedRows = 500'000;

/// Sizes that are tried where none is asked for.
constexpr std::array<std::size_t, 8> kSizes = {2, 5, 10, 20, 40, 80, 160, 320};
/// A larger automaton must leave at most this share of the decades of the smaller one, or the
/// smaller one is the result; and one below `kFewDecades` is good enough.
constexpr double kWorthIt = 0.85;
constexpr double kFewDecades = 0.01;

/// Of the time limit, for learning; judging takes the rest.
constexpr double kTimeToLearn = 0.75;

class ModelExtraction {
 public:
  ModelExtraction(const LanguageModel& model, const Learners& learners,
                  const ExtractionOptions& options, const Budget& budget, Progress& progress)
      : model_(model), learners_(learners), options_(options), progress_(progress) {
    whole_.part_of(budget);
    whole_.restrict_time(options.time_limit);
    learning_.part_of(whole_);
    learning_.restrict_time(options.time_limit * kTimeToLearn);
  }

  [[nodiscard]] LanguageModelRun run() {
    LanguageModelRun result{.network = model_.summary, .options = options_};
    const std::size_t most = most_states();
    switch (options_.method.method) {
      case Method::AbstractionRefinement:
        if (options_.max_states) {
          try_size(most, result.ladder);
          result.pdfa = *best_;
        } else {
          result.pdfa = grown(result.ladder);
        }
        break;
      case Method::NGram:
        result.pdfa = ngram_automaton(words(), options_.method.symbols);
        break;
      case Method::KMeans:
        result.pdfa = kmeans_automaton(words(kAllNumbers), options_.method.ks.front(),
                                       options_.seed, learning_);
        break;
      case Method::Quant:
        result.pdfa = learn_distribution_classes(model_, learners_,
                                                 1 / static_cast<double>(options_.method.intervals),
                                                 options_, learning_, progress_);
        break;
      default:
        throw OptionError(fmt::format(
            "method: expected abstraction-refinement, ngram, kmeans or quant for a language model, "
            "found '{}'",
            options_.method.text()));
    }
    result.pdfa = canonical(result.pdfa);
    result.limit = learning_.limit();
    result.cut_short = learning_.cut_short();
    progress_.activity = "measuring the result";
    // A result that was not measured is worth little: a little time in any case.
    Budget judging;
    judging.restrict_time(
        std::max<Elapsed>(options_.time_limit - Elapsed(passed()), options_.time_limit / 10));
    result.judgement = judge_pdfa(
        model_, result.pdfa,
        {.given = options_.samples, .seed = options_.seed + 1000, .threads = threads()}, whole_);
    result.cut_short = result.cut_short || !result.judgement.complete;
    result.words = words_ ? words_->size() : 0;
    result.steps = progress_.steps;
    result.seconds = passed();
    return result;
  }

 private:
  [[nodiscard]] unsigned threads() const {
    if (options_.threads > 0) return static_cast<unsigned>(options_.threads);
    return std::max(1U, std::thread::hardware_concurrency());
  }
  [[nodiscard]] std::size_t most_states() const {
    return options_.max_states ? static_cast<std::size_t>(*options_.max_states) : kSizes.back();
  }
  [[nodiscard]] double passed() const {
    return Elapsed(std::chrono::steady_clock::now() - start_).count();
  }

  [[nodiscard]] ModelWords draw(std::size_t count, std::uint64_t seed, std::size_t state_numbers) {
    progress_.activity = "drawing words";
    return sample_words(model_,
                        {.words = count,
                         .most_rows = kMostLearnedRows,
                         .powers = kPowers,
                         .seed = seed,
                         .threads = threads(),
                         .state_numbers = state_numbers},
                        learning_, &progress_);
  }
  /// To learn from; all have the same R-states, those of the first call.
  const ModelWords& words(std::size_t state_numbers = 0) {
    if (!words_) {
      words_ = std::make_unique<ModelWords>(draw(kLearnedWords, options_.seed, state_numbers));
    }
    return *words_;
  }
  const ModelWords& held_out() {
    if (!held_out_) {
      held_out_ = std::make_unique<ModelWords>(draw(kHeldOutWords, options_.seed + 1, 0));
    }
    return *held_out_;
  }

  /// Starts from contexts and from clusters, and fits the better of the two further.
  void try_size(std::size_t states, std::vector<PdfaRung>& ladder) {
    const ModelWords& known = words(kStateNumbers);
    progress_.activity = "fitting the automaton";
    progress_.states = states;
    const FitOptions few{.rounds = 2, .row_steps = 60, .seed = options_.seed};
    const Pdfa contexts = fit(context_automaton(known, states), known, held_out(), few, learning_);
    const Pdfa clusters = fit(clustered_automaton(known, states, options_.seed, learning_), known,
                              held_out(), few, learning_);
    const bool better = decades(clusters, held_out()) < decades(contexts, held_out());
    Pdfa pdfa = fit(with_states(better ? clusters : contexts, states), known, held_out(),
                    {.seed = options_.seed}, learning_, &progress_);
    const double found = decades(pdfa, held_out());
    ladder.push_back({pdfa.size(), found, passed()});
    if (best_ && found >= fewest_) return;
    fewest_ = found;
    best_ = std::make_unique<Pdfa>(std::move(pdfa));
  }

  /// As many states as pay for themselves.
  [[nodiscard]] Pdfa grown(std::vector<PdfaRung>& ladder) {
    try_size(kSizes.front(), ladder);
    Pdfa result = *best_;
    double of_result = fewest_;
    std::size_t idle = 0;
    for (std::size_t i = 1; i < kSizes.size() && !learning_.spent(); ++i) {
      if (of_result < kFewDecades || idle == 2) break;
      try_size(kSizes[i], ladder);
      if (fewest_ > of_result * kWorthIt) {
        ++idle;
        continue;
      }
      idle = 0;
      of_result = fewest_;
      result = *best_;
    }
    return result;
  }

  const LanguageModel& model_;
  const Learners& learners_;
  const ExtractionOptions& options_;
  Progress& progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Budget whole_, learning_;
  std::unique_ptr<ModelWords> words_, held_out_;
  std::unique_ptr<Pdfa> best_;  // on the words held out
  double fewest_ = 0;           // its decades there
};

}  // namespace

LanguageModelRun extract_language_model(const LanguageModel& model, const Learners& learners,
                                        const ExtractionOptions& options, const Budget& budget,
                                        Progress* progress) {
  Progress unwatched;
  const ExtractionOptions complete = completed(options);
  return ModelExtraction(model, learners, complete, budget,
                         progress != nullptr ? *progress : unwatched)
      .run();
}

Pdfa learn_distribution_classes(const LanguageModel& model, const Learners& learners, double width,
                                const ExtractionOptions& options, const Budget& budget,
                                Progress& progress) {
  const std::unique_ptr<RnnAcceptor> acceptor = with_distribution_classes(model, width);
  // Two answers of any classes differ: words that tell them apart need not be searched for.
  Teacher teacher(*acceptor, model.alphabet(),
                  {.states = {.memory = options.memory_limit / 16},
                   .oracles = parse_oracles("random"),
                   .seed = options.seed,
                   .samples = {{}}});
  teacher.tree().watch(progress);
  const std::unique_ptr<Learner> learner =
      learners.make(options.learner, acceptor->symbol_count(), acceptor->answer_count());
  const Learned learned = learn(teacher, *learner, options, budget, progress);
  return with_distributions(learned.hypotheses.back().dfa, model);
}

}  // namespace rnnalf
