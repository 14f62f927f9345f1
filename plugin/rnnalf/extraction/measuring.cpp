#include "rnnalf/extraction/measuring.hpp"

#include <chrono>
#include <utility>

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFirst = 12;

}  // namespace

bool Measuring::add(std::size_t number, const Dfa& dfa) {
  if (setting_.options.exact) return false;
  measure(number, dfa);
  return may_settle() && measured_.ladder->settled(dfa.size());
}

bool Measuring::refute(std::size_t number, const Counterexample& found) {
  if (!measured_.ladder) return false;
  measured_.ladder->refute(number, found.word, found.answer);
  return may_settle() && measured_.ladder->settled_by(number, found.word.size());
}

Measured Measuring::finish(const Learned& learned) && {
  // Of a DFA that knows only some words the rest would be listed as its exceptions.
  const bool baseline = setting_.options.method.method != Method::AbstractionRefinement;
  const bool once = baseline ? !setting_.options.exact && !learned.covered : setting_.options.exact;
  if (once) measure(learned.last(), learned.hypotheses.back().dfa);
  if (measured_.ladder && learned.is_unrefuted()) measured_.ladder->confirm(learned.last());
  if (measured_.ladder && !baseline && !setting_.options.exact) {
    Budget budget;
    setting_.restrict(budget, setting_.all, setting_.remaining(1.0 / 3));
    measured_.ladder->draw_until_stable(setting_.measuring_tree(), budget);
    measured_.cut_short = measured_.cut_short || budget.cut_short();
    measured_.steps = setting_.measuring_tree().stats().steps;
  }
  return std::move(measured_);
}

void Measuring::measure(std::size_t number, const Dfa& dfa) {
  const auto start = Clock::now();
  setting_.progress.activity = "measuring";
  if (!tried_) make_ladder();
  if (measured_.ladder) {
    measured_.ladder->add(number, dfa);
    // Words are drawn along the first hypotheses, and then along fewer and fewer.
    if (!setting_.options.exact && (number < kFirst || 4 * number >= 5 * drawn_along_)) {
      drawn_along_ = number;
      Budget budget;
      setting_.restrict(budget, setting_.learning, setting_.limit() / 3);
      measured_.ladder->draw_along(dfa, setting_.measuring_tree(), budget);
      measured_.cut_short = measured_.cut_short || budget.cut_short();
    }
  }
  measured_.steps = setting_.measuring_tree().stats().steps;
  seconds_ += Time(Clock::now() - start).count();
}

void Measuring::make_ladder() {
  tried_ = true;
  const ExtractionOptions& options = setting_.options;
  // Where a third of the time is not enough to measure, learning is worth more; after learning,
  // there is what is left.
  Budget budget;
  if (options.exact) {
    setting_.restrict(budget, setting_.all, setting_.remaining(2.0 / 3));
  } else {
    setting_.restrict(budget, setting_.learning, setting_.limit() / 3);
  }
  const auto& given = setting_.held_back.empty() ? setting_.samples : setting_.held_back;
  auto yardstick = Yardstick::make(
      setting_.measuring_tree(),
      {.given = given, .found = setting_.rare_words(), .seed = options.seed}, budget);
  measured_.cut_short = budget.cut_short() || setting_.search_cut_short();
  if (!yardstick) return;
  measured_.ladder.emplace(std::move(*yardstick),
                           LadderOptions{.tolerance = options.tolerance, .price = options.price});
}

bool Measuring::may_settle() const {
  return setting_.options.until == Until::Settled && measured_.ladder.has_value();
}

}  // namespace rnnalf
