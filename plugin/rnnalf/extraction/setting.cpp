#include "rnnalf/extraction/setting.hpp"

#include <algorithm>
#include <utility>

#include "rnnalf/base/random.hpp"
#include "rnnalf/evaluate/agreement.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Time kBeyond{0.5};  // that what follows learning may take beyond the limit

/// Of the time limit, for what follows learning: choosing, asking the oracles about the result,
/// generalising its exceptions.
Time reserved(Time limit, bool exact) {
  return exact ? std::min(limit / 10, Time(0.5)) : std::min(limit / 5, Time(1.5));
}

/// What may be taken before the next batch.
std::size_t memory_of(const ExtractionOptions& options) {
  return options.memory_limit - std::min<std::size_t>(options.memory_limit / 4, 20U << 20U);
}

}  // namespace

Time time_limit(const ExtractionOptions& options, const Budget& budget) {
  if (budget.deadline() == Budget::Clock::time_point::max()) return options.time_limit;
  const Time left = budget.deadline() - Budget::Clock::now();
  return std::min(options.time_limit, left - std::min(left / 4, kBeyond));
}

void restrict_memory(Budget& budget, const ExtractionOptions& options) {
  budget.restrict_memory(memory_of(options));
}

StateTreeOptions tree_options(const Network& network, const ExtractionOptions& options) {
  return {.memory = options.memory_limit / 16,
          .threads = static_cast<unsigned>(options.threads),
          .empty_word = network.empty_word};
}

Setting::Setting(const Network& of, const Learners& by, const ExtractionOptions& how,
                 const Budget& whole, Progress& shown, const HypothesisTrace& traced)
    : network(of),
      learners(by),
      options(how),
      progress(shown),
      trace(traced),
      limit_(time_limit(how, whole)) {
  samples = options.samples;
  const bool chooses = !options.exact && options.method.method == Method::AbstractionRefinement;
  if (chooses && samples.size() >= 2 * kFewWords) {
    // Always the same half: another seed must not lead to another result.
    Random random(1);
    for (std::size_t i = samples.size(); i > 1; --i) {
      std::swap(samples[i - 1], samples[random.below(i)]);
    }
    const auto half = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    held_back.assign(half, samples.end());
    samples.erase(half, samples.end());
  }
  // Both count from the memory that there is now; what learning leaves is for what follows it.
  all.part_of(whole);
  restrict_memory(all, options);
  learning.part_of(all);
  learning.restrict_time(limit_ - reserved(limit_, options.exact));
  learning.restrict_memory(memory_of(options) - options.memory_limit / 8);
  // A passive method counts what its words take itself, and learns when that is spent.
  if (options.max_steps && !options.method.is_passive()) {
    learning.restrict_steps(*options.max_steps);
  }
}

double Setting::passed() const {
  return Time(Clock::now() - start_).count();
}

Time Setting::remaining(double share) const {
  return std::max((limit_ - Time(passed())) * share, Time(0.1));
}

void Setting::restrict(Budget& part, const Budget& of, Time time) const {
  part.part_of(of);
  part.restrict_time(time);
  restrict_memory(part, options);
}

const RareWords& Setting::rare_words() {
  if (!rare_words_) {
    rare_words_.emplace();
    if (options.exact || !options.samples.empty()) return *rare_words_;
    progress.activity = "searching";
    const std::uint64_t before = measuring_tree().stats().steps;
    Budget budget;
    restrict(budget, learning, limit_ / 6);
    RareWordOptions search{.seed = options.seed};
    if (options.max_steps) {  // a quarter of them
      constexpr std::uint64_t steps_of_generation = 6000;
      const std::uint64_t most = *options.max_steps / 4 / steps_of_generation;
      search.generations = std::min<std::uint64_t>(search.generations, most);
    }
    rare_words_ = find_rare_words(measuring_tree(), search, budget);
    learning.add_steps(measuring_tree().stats().steps - before);
    search_cut_short_ = budget.cut_short();
  }
  return *rare_words_;
}

StateTree& Setting::measuring_tree() {
  if (!measuring_tree_) {
    measuring_tree_.emplace(*network.acceptor, tree_options(network, options));
  }
  return *measuring_tree_;
}

}  // namespace rnnalf
