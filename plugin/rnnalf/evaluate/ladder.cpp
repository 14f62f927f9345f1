#include "rnnalf/evaluate/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "rnnalf/base/confidence.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

using Part = Tally::Part;

// Larger hypotheses than this many times what could be the result are not worth learning; nor are
// those with kGrown times the states, and kMore more, where too little is measured to say.
constexpr double kClear = 4;
constexpr std::size_t kGrown = 16, kMore = 400;
// Refutations count from here to there: short ones are found by chance, and what happens on long
// words is not what people ask.
constexpr double kShortRefutation = 10, kLongRefutation = 40;
constexpr double kNegligible = 0.0001;   // error, whatever the tolerance
constexpr std::size_t kMostDrawn = 400;  // states of an automaton along which words are drawn
constexpr int kMostExtraDraws = 3;       // of drawing more words

std::size_t longest(const Agreement& agreement) {
  return std::max(agreement.uniform.size(), agreement.language.size());
}

/// The largest length up to which, at every length, no more than this share of the words, or one
/// odd word, is wrong.
std::size_t horizon(const Agreement& agreement, double tolerance) {
  std::size_t reached = 0;
  for (std::size_t length = 1; length <= longest(agreement); ++length) {
    for (const auto* kind : {&agreement.uniform, &agreement.language}) {
      if (length > kind->size() || (*kind)[length - 1].words < kFewWords) continue;
      const LengthAgreement& at = (*kind)[length - 1];
      const double allowed = std::max(tolerance * static_cast<double>(at.words), 1.0);
      if (static_cast<double>(at.words - at.agreed) > allowed) return reached;
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

/// Without given words, the cells near the language judge an automaton. With them, each answer by
/// itself: edits where there are too few given words with the answer.
void keep_judging(std::vector<AnswerAgreement>& cells, bool given_judge) {
  if (!given_judge) {
    std::erase_if(cells, [](const AnswerAgreement& cell) {
      return cell.kind != WordKind::Automata && cell.kind != WordKind::Found;
    });
    return;
  }
  std::vector<Answer> known;
  for (const AnswerAgreement& cell : cells) {
    if (cell.kind == WordKind::Given && cell.words >= kFewWords) known.push_back(cell.answer);
  }
  std::erase_if(cells, [&](const AnswerAgreement& cell) {
    const bool is_known = std::find(known.begin(), known.end(), cell.answer) != known.end();
    return cell.kind != (is_known ? WordKind::Given : WordKind::Near);
  });
}

double share_of(const std::vector<AnswerAgreement>& cells) {
  LengthAgreement sum;
  for (const AnswerAgreement& cell : cells) {
    sum.words += cell.words;
    sum.agreed += cell.agreed;
  }
  return sum.share();
}

}  // namespace

void validate(const LadderOptions& options) {
  naming("tolerance", [&] { option_value::check(kShares, options.tolerance); });
  naming("price", [&] { option_value::check(kPrices, options.price); });
}

Ladder::Ladder(Yardstick yardstick, const LadderOptions& options)
    : yardstick_(std::move(yardstick)), options_(options) {
  validate(options);
}

void Ladder::Measured::note(const Word& word, Answer answer) {
  if (dfa.answer(word) == answer) return;
  shortest_refutation = std::min(shortest_refutation.value_or(word.size()), word.size());
}

void Ladder::add(std::size_t hypothesis, const Dfa& dfa) {
  Measured added{.hypothesis = hypothesis, .dfa = dfa};
  count(added);
  for (const auto& [word, answer] : refutations_) added.note(word, answer);
  const auto place = std::lower_bound(
      rungs_.begin(), rungs_.end(), dfa.size(),
      [](const Measured& known, std::size_t states) { return known.dfa.size() < states; });
  if (place == rungs_.end() || place->dfa.size() != dfa.size()) {
    rungs_.insert(place, std::move(added));
  } else if (cost(added, Part::All) <= cost(*place, Part::All)) {
    *place = std::move(added);
  }
  result_ = chosen(Part::All);
}

bool Ladder::draw_along(const Dfa& dfa, StateTree& tree, const Budget& budget) {
  if (dfa.size() > kMostDrawn) return true;
  if (!yardstick_.draw_along(dfa, tree, budget)) return false;
  for (Measured& known : rungs_) count(known);
  result_ = chosen(Part::All);
  return true;
}

void Ladder::draw_until_stable(StateTree& tree, const Budget& budget) {
  for (int round = 0; round < kMostExtraDraws && !unstable().empty(); ++round) {
    // The results of the halves and the smallest rungs: what the choice is between.
    const std::size_t rungs = std::max<std::size_t>(12, result_ + 1);
    for (std::size_t i = 0; i < std::min(rungs, rungs_.size()); ++i) {
      if (!draw_along(Dfa(rungs_[i].dfa), tree, budget)) return;
    }
  }
}

void Ladder::refute(std::size_t hypothesis, const Word& word, Answer answer) {
  refutations_.emplace_back(word, answer);
  for (Measured& known : rungs_) known.note(word, answer);
  confirm(hypothesis);
}

void Ladder::confirm(std::size_t hypothesis) {
  for (Measured& known : rungs_) known.asked = known.asked || known.hypothesis == hypothesis;
  result_ = chosen(Part::All);
}

void Ladder::count(Measured& measured) const {
  yardstick_.count(measured.dfa, measured.tally);
  for (const Part part : {Part::First, Part::Second, Part::All}) {
    // Few words count as if there were more that are right: one or two may be an accident.
    const auto few = static_cast<double>(part == Part::All ? kFewWords : kFewWords / 2);
    std::vector<AnswerAgreement> cells = measured.tally.answers(part);
    keep_judging(cells, given_judge());
    double& worst = measured.errors[static_cast<std::size_t>(part)] = 0;
    for (const AnswerAgreement& cell : cells) {
      worst = std::max(worst, cell.error() * std::min(static_cast<double>(cell.words) / few, 1.0));
    }
  }
  measured.on_given = share_of(on_given(measured));
}

std::vector<AnswerAgreement> Ladder::on_given(const Measured& measured) const {
  std::vector<AnswerAgreement> cells = measured.tally.answers(Part::All);
  if (given_judge()) {
    keep_judging(cells, true);
  } else {
    std::erase_if(cells, [](const AnswerAgreement& cell) { return cell.kind != WordKind::Given; });
  }
  return cells;
}

bool Ladder::given_judge() const {
  return yardstick_.given() >= kFewWords;
}

double Ladder::halvings(double error) const {
  if (!given_judge()) return 0;
  const double negligible = std::max(options_.tolerance, kNegligible);
  return std::log2(std::max(error / negligible, 1.0));
}

double Ladder::cost(const Measured& measured, Part part) const {
  const double wrong = measured.error(part);
  const double length = static_cast<double>(
      measured.shortest_refutation.value_or(static_cast<std::size_t>(kLongRefutation)));
  const double doublings = std::log2(static_cast<double>(measured.dfa.size())) + halvings(wrong) -
                           std::log2(std::clamp(length, kShortRefutation, kLongRefutation));
  return wrong + options_.price / 100 * doublings;
}

std::size_t Ladder::chosen(Part part) const {
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < rungs_.size(); ++i) {
    if (rungs_[i].asked || rungs_.size() == 1) asked.push_back(i);
  }
  if (asked.empty()) return rungs_.size() - 1;
  const auto share = [&](std::size_t i) { return rungs_[i].on_given; };
  const std::size_t best_on_given =
      *std::max_element(asked.begin(), asked.end(),
                        [&](std::size_t a, std::size_t b) { return share(a) < share(b); });
  // Few given words are to be right about, all others not to be worse on than a smaller one.
  double given = given_judge() ? best_constant() : share(best_on_given) - options_.tolerance;
  std::optional<std::size_t> best;
  double lowest = std::numeric_limits<double>::infinity();
  for (const std::size_t i : asked) {
    if (share(i) < given) continue;
    if (given_judge()) given = share(i);
    const double here = cost(rungs_[i], part);
    if (here < lowest) best = i;
    lowest = std::min(lowest, here);
  }
  return best.value_or(best_on_given);
}

double Ladder::best_constant() const {
  if (rungs_.empty()) return 0;
  // The words of an answer are as many for every rung.
  const std::vector<AnswerAgreement> cells = on_given(rungs_.front());
  std::uint64_t most = 0, words = 0;
  for (const AnswerAgreement& cell : cells) {
    most = std::max(most, cell.words);
    words += cell.words;
  }
  return cells.size() < 2 ? 0 : static_cast<double>(most) / static_cast<double>(words);
}

bool Ladder::explains_given() const {
  const double share = rungs_.at(result_).on_given;
  return share > best_constant() || share == 1;
}

Rung Ladder::rung(const Measured& measured) const {
  Rung rung{.hypothesis = measured.hypothesis,
            .states = measured.dfa.size(),
            .agreement = yardstick_.measure(measured.dfa),
            .error = measured.error(Part::All),
            .shortest_refutation = measured.shortest_refutation};
  rung.agreement.answers = measured.tally.answers(Part::All);
  rung.horizon = horizon(rung.agreement, options_.tolerance);
  rung.assured = assured_share(rung);
  return rung;
}

std::vector<Rung> Ladder::front() const {
  std::vector<Rung> front;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rungs_.size(); ++i) {
    const double here = rungs_[i].error(Part::All);
    if (here >= least && i != result_ && i + 1 != rungs_.size()) continue;
    least = std::min(least, here);
    front.push_back(rung(rungs_[i]));
  }
  return front;
}

std::vector<std::size_t> Ladder::unstable() const {
  if (given_judge()) return {};
  std::vector<std::size_t> sizes;
  for (const Part part : {Part::First, Part::Second}) {
    sizes.push_back(rungs_.at(chosen(part)).dfa.size());
  }
  const std::size_t result = rungs_.at(result_).dfa.size();
  if (sizes[0] == result && sizes[1] == result) return {};
  sizes.push_back(result);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

bool Ladder::settled_by(std::size_t hypothesis, std::size_t length) const {
  if (rungs_.empty() || rungs_[result_].hypothesis != hypothesis) return false;
  const Agreement agreement = yardstick_.measure(rungs_[result_].dfa);
  const std::size_t measured = longest(agreement);
  return length > measured && horizon(agreement, options_.tolerance) == measured;
}

bool Ladder::settled(std::size_t states) const {
  if (rungs_.empty()) return false;
  const Measured& result = rungs_[result_];
  const auto now = static_cast<double>(result.dfa.size());
  if (states >= kGrown * result.dfa.size() + kMore) return true;
  std::vector<std::size_t> words(yardstick_.answers());
  for (const AnswerAgreement& cell : result.tally.answers(Part::All)) {
    if (cell.kind != WordKind::Uniform) words[index(cell.answer)] += cell.words;
  }
  if (*std::min_element(words.begin(), words.end()) < kFewWords) return false;
  const double wrong = result.error(Part::All);
  const double worth = now * std::exp2(100 * wrong / options_.price + halvings(wrong));
  return static_cast<double>(states) >= kClear * worth;
}

}  // namespace rnnalf
