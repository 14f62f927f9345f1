#include "rnnalf/evaluate/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rnnalf/base/confidence.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

// When further learning is not worth it: the hypotheses have this many times the states of the result.
constexpr std::size_t kClear = 8;                // and the result explains words of kFar symbols
constexpr std::size_t kGrown = 16, kMore = 400;  // in any case: kGrown times, and kMore more
constexpr std::size_t kFar = 10;
constexpr std::size_t kModest = 4;  // what nothing refutes is the result up to this many times

constexpr std::size_t kFewWords = 20;  // too few to say how far two sides agree at a length

/// Words of a length on which an automaton may be wrong: one odd word in hundreds is not a rule.
double allowed(const LengthAgreement& at, double share) {
  return std::max(share * static_cast<double>(at.words), 1.0);
}

double errors(const LengthAgreement& at) {
  return static_cast<double>(at.words - at.agreed);
}

std::size_t longest(const Agreement& agreement) {
  return std::max(agreement.uniform.size(), agreement.language.size());
}

/// Horizons of both kinds of words: the largest length without failure before it.
template <class Agrees>
std::size_t length_up_to(const Agreement& agreement, const Agrees& agrees) {
  std::size_t reached = 0;
  for (std::size_t length = 1; length <= longest(agreement); ++length) {
    for (const auto* kind : {&agreement.uniform, &agreement.language}) {
      if (length > kind->size() || (*kind)[length - 1].words < kFewWords) continue;
      if (!agrees(kind == &agreement.language, length, (*kind)[length - 1])) return reached;
    }
    reached = length;
  }
  return reached;
}

/// Bonferroni: each of the n lengths measured may fail with a chance of 1/n of what all of them
/// may. So the bound holds at every length at once, and whatever the horizon turned out to be.
double assured_share(const Rung& rung) {
  if (rung.horizon == 0) return 0;
  const double alpha = (1 - kAssurance) /
                       static_cast<double>(std::max<std::size_t>(1, rung.agreement.uniform.size()));
  double least = 1;
  for (std::size_t i = 0; i < std::min(rung.horizon, rung.agreement.uniform.size()); ++i) {
    const LengthAgreement& at = rung.agreement.uniform[i];
    least = std::min(least, clopper_pearson(at.agreed, at.words, 2 * alpha).low);
  }
  return least;
}

/// The length up to which no word is known that refutes the rung.
std::size_t unrefuted(const Rung& rung) {
  if (!rung.shortest_refutation) return longest(rung.agreement);
  return std::max<std::size_t>(*rung.shortest_refutation, 1) - 1;
}

void note_refutation(Rung& rung, const Dfa& dfa, const Word& word, Answer answer) {
  if (dfa.answer(word) == answer) return;
  rung.shortest_refutation = std::min(rung.shortest_refutation.value_or(word.size()), word.size());
}

}  // namespace

void validate(const LadderOptions& options) {
  naming("tolerance", [&] { option_value::check(kShares, options.tolerance); });
  naming("lawful", [&] { option_value::check(kShares, options.lawful); });
  naming("price", [&] { option_value::check(kPrices, options.price); });
}

Ladder::Ladder(Yardstick yardstick, const LadderOptions& options)
    : yardstick_(std::move(yardstick)), options_(options) {
  validate(options);
}

void Ladder::add(std::size_t hypothesis, const Dfa& dfa) {
  Measured added{{.hypothesis = hypothesis,
                  .states = dfa.size(),
                  .agreement = yardstick_.measure(dfa),
                  .horizon = 0,
                  .reach = 0},
                 dfa};
  Rung& rung = added.rung;
  rung.horizon = length_up_to(rung.agreement, [&](bool, std::size_t, const LengthAgreement& at) {
    return errors(at) <= allowed(at, options_.tolerance);
  });
  rung.assured = assured_share(rung);
  for (const auto& [word, answer] : refutations_) note_refutation(rung, dfa, word, answer);
  const auto place = std::lower_bound(
      rungs_.begin(), rungs_.end(), rung.states,
      [](const Measured& known, std::size_t states) { return known.rung.states < states; });
  const auto better = [](const Rung& a, const Rung& b) {
    if (a.horizon != b.horizon) return a.horizon > b.horizon;
    return overall_share(a.agreement.uniform) + overall_share(a.agreement.language) >=
           overall_share(b.agreement.uniform) + overall_share(b.agreement.language);
  };
  if (place != rungs_.end() && place->rung.states == rung.states) {
    if (better(rung, place->rung)) *place = std::move(added);
  } else {
    rungs_.insert(place, std::move(added));
  }
  choose();
}

void Ladder::refute(std::size_t hypothesis, const Word& word, Answer answer) {
  refutations_.emplace_back(word, answer);
  for (Measured& known : rungs_) {
    if (known.rung.hypothesis == hypothesis) known.asked = true;
    note_refutation(known.rung, known.dfa, word, answer);
  }
  choose();
}

void Ladder::choose() {
  // The best share of every length and kind that any rung has.
  std::vector<double> best[2];
  double best_given = 0;
  for (const auto& [rung, dfa, asked] : rungs_) {
    const std::vector<LengthAgreement>* kinds[] = {&rung.agreement.uniform,
                                                   &rung.agreement.language};
    for (const std::size_t kind : {0U, 1U}) {
      best[kind].resize(std::max(best[kind].size(), kinds[kind]->size()), 0);
      for (std::size_t i = 0; i < kinds[kind]->size(); ++i) {
        best[kind][i] = std::max(best[kind][i], (*kinds[kind])[i].share());
      }
    }
    if (rung.agreement.given) best_given = std::max(best_given, rung.agreement.given->share());
  }
  for (Measured& measured : rungs_) {
    Rung& rung = measured.rung;
    rung.reach = length_up_to(rung.agreement, [&](bool of_language, std::size_t length,
                                                  const LengthAgreement& at) {
      const double most = best[of_language ? 1 : 0][length - 1];
      return most >= options_.lawful && errors(at) <= (1 - most) * static_cast<double>(at.words) +
                                                          allowed(at, options_.tolerance);
    });
  }
  // The given words were chosen by the user, so each of them counts, even if they are few.
  const auto fits_given = [&](const Rung& rung) {
    return !rung.agreement.given ||
           rung.agreement.given->share() >= best_given - options_.tolerance;
  };
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < rungs_.size(); ++i) {
    const Rung& rung = rungs_[i].rung;
    if (!fits_given(rung) || (!rungs_[i].asked && rungs_.size() > 1)) continue;
    if (!chosen) {
      chosen = i;
      continue;
    }
    const Rung& small = rungs_[*chosen].rung;
    // An automaton that explains only short words explains little: getting further costs half.
    const double price = small.reach < kFar ? options_.price / 2 : options_.price;
    const double ratio =
        std::pow(static_cast<double>(rung.states) / static_cast<double>(small.states), price);
    const auto pays = [&](std::size_t longer, std::size_t shorter) {
      return longer > shorter && static_cast<double>(longer) >=
                                     ratio * static_cast<double>(std::max<std::size_t>(shorter, 1));
    };
    if (pays(rung.reach, small.reach) ||
        (rung.reach >= small.reach && pays(unrefuted(rung), unrefuted(small)))) {
      chosen = i;
    }
  }
  result_ = chosen.value_or(rungs_.size() - 1);
}

std::vector<Rung> Ladder::front() const {
  std::vector<Rung> front;
  std::size_t horizon = 0, reach = 0;
  double agreement = 0;
  for (std::size_t i = 0; i < rungs_.size(); ++i) {
    const Rung& rung = rungs_[i].rung;
    const double here = overall_share(rung.agreement.uniform) +
                        overall_share(rung.agreement.language) + rung.agreement.pumped.share();
    const bool further = rung.horizon > horizon || here > agreement + 0.01 ||
                         (rungs_[i].asked && rung.reach > reach);
    if (!front.empty() && !further && i != result_ && i + 1 != rungs_.size()) continue;
    horizon = std::max(horizon, rung.horizon);
    if (rungs_[i].asked) reach = std::max(reach, rung.reach);
    agreement = std::max(agreement, here);
    front.push_back(rung);
  }
  return front;
}

bool Ladder::settled_by(std::size_t hypothesis, std::size_t length) const {
  if (rungs_.empty()) return false;
  const Rung& rung = result();
  const std::size_t measured = longest(rung.agreement);
  return rung.hypothesis == hypothesis && rung.horizon == measured && length > measured;
}

void Ladder::prefer(std::size_t hypothesis) {
  for (std::size_t i = 0; i < rungs_.size(); ++i) {
    const bool small = rungs_[i].rung.states <= kModest * result().states;
    if (rungs_[i].rung.hypothesis == hypothesis && (small || result().horizon < kFar)) {
      result_ = i;
      return;
    }
  }
}

bool Ladder::settled(std::size_t states) const {
  if (rungs_.empty()) return false;
  const Rung& rung = result();
  if (rung.horizon >= kFar && states >= kClear * rung.states) return true;
  return states >= kGrown * rung.states + kMore;
}

std::optional<LengthAgreement> weakest_at(const Agreement& agreement, std::size_t length) {
  std::optional<LengthAgreement> weakest;
  for (const auto* kind : {&agreement.uniform, &agreement.language}) {
    if (length == 0 || length > kind->size() || (*kind)[length - 1].words < kFewWords) continue;
    const LengthAgreement& at = (*kind)[length - 1];
    if (!weakest || at.share() < weakest->share()) weakest = at;
  }
  return weakest;
}

}  // namespace rnnalf
