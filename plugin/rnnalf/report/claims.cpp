#include "rnnalf/report/claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <variant>
#include <vector>

#include "rnnalf/report/quantities.hpp"

namespace rnnalf {

namespace {

std::string symbol_count(std::size_t count) {
  return counted(count, "symbol", "symbols");
}

std::string word_count(std::uint64_t count) {
  return counted(count, "word", "words");
}

std::string state_count(std::size_t count) {
  return counted(count, "state", "states");
}

std::string none_in(std::uint64_t tested, std::string_view kind) {
  return fmt::format(
      "no counterexample in {} {}", format_count(tested),
      tested == 1 && kind.ends_with("words") ? kind.substr(0, kind.size() - 1) : kind);
}

std::string words_claim(const WordsCompared& looked, std::uint64_t tested) {
  using Kind = WordsCompared::Kind;
  const std::string longest = symbol_count(looked.longest.value_or(0));
  switch (looked.kind) {
    case Kind::Sample:
      return none_in(tested, "sample words");
    case Kind::Random:
      return none_in(tested, "random words") + " of up to " + longest +
             (looked.complete_to ? " and in all words of up to " + symbol_count(*looked.complete_to)
                                 : "");
    case Kind::Pumped:
      return none_in(tested, "pumped words") + " of up to " + longest;
    case Kind::Walk:
      return none_in(tested, "random words") + " appended to access words of " +
             state_count(looked.states.value_or(0));
    case Kind::TransitionWalk:
      return none_in(tested, "random walks over the transitions");
    case Kind::RandomW:
      return none_in(tested, "random words") + " of the W-method";
    case Kind::NearThreshold:
      return none_in(tested, "words") + " whose score is closest to the threshold";
    case Kind::All:
      return looked.complete_to ? fmt::format("no counterexample in all {} of up to {}",
                                              word_count(tested), symbol_count(*looked.complete_to))
                                : "no length was completed";
    case Kind::CharacterizingSet:
      return none_in(tested, "words") + ", which is complete for automata of up to " +
             state_count(looked.states.value_or(0));
  }
  return "";
}

/// What each kind of evidence allows to state when no counterexample was found, and when a limit
/// stopped the search.
struct Claim {
  const Evidence& evidence;

  [[nodiscard]] bool is_stopped() const { return evidence.end == Evidence::End::Stopped; }
  [[nodiscard]] std::string tested() const { return word_count(evidence.words_tested); }

  std::string operator()(const WordsCompared& looked) const {
    if (!is_stopped()) return words_claim(looked, evidence.words_tested);
    if (looked.complete_to && looked.kind == WordsCompared::Kind::All) {
      return words_claim(looked, evidence.words_tested) + "; stopped by a limit";
    }
    return none_in(evidence.words_tested, "words") + "; stopped by a limit";
  }

  std::string operator()(const LockstepWalk& walk) const {
    if (is_stopped()) return tested() + "; stopped by a limit";
    return fmt::format(
        "no conflict between automaton and abstraction ({} A-states, {} R-states, depth {}{})",
        format_count(walk.a_states), format_count(walk.r_states), walk.depth,
        walk.raised ? ", raised because sampled words disagreed" : "");
  }

  std::string operator()(const PacSample& pac) const {
    const std::string distribution = fmt::format(
        "lengths {} {}, symbols uniform",
        pac.geometric ? "geometric with mean" : "uniform from 0 to", format_count(pac.length));
    const double confidence = 1 - pac.delta;
    if (pac.differing > 0) {
      return fmt::format(
          "{} of {} differ, which is a share of {:.6g} to {:.6g} with confidence {:.6g} ({})",
          format_count(pac.differing), tested(), pac.least, pac.most, confidence, distribution);
    }
    if (is_stopped()) return none_in(evidence.words_tested, "words") + "; stopped by a limit";
    return fmt::format(
        "no counterexample in {}: with confidence {:.6g}, at most a share of {:.6g} differs ({})",
        tested(), confidence, pac.epsilon, distribution);
  }

  std::string operator()(const Quotient& quotient) const {
    const std::string k = quotient.clusters ? fmt::format("k = {}: ", *quotient.clusters) : "";
    if (is_stopped()) return k + "a limit stopped the clustering";
    const std::string counts =
        fmt::format("{}{} A-states, {} of them expanded", k, format_count(quotient.a_states),
                    format_count(quotient.expanded));
    return quotient.agreed ? fmt::format("{}; agrees on {:.1f} % of the {}", counts,
                                         100 * *quotient.agreed, tested())
                           : counts;
  }

  std::string operator()(const AlikeSymbols& alike) const {
    const std::string learned =
        fmt::format("learned over {} that stand for {}", symbol_count(alike.groups),
                    format_count(alike.symbols));
    if (is_stopped()) return learned + "; a limit stopped the comparison with the others";
    return fmt::format("{}; of {} with the others in their place, {} get another answer", learned,
                       tested(), format_count(alike.differing));
  }

  std::string operator()(const Coverage& coverage) const {
    if (coverage.complete) return "the automaton covers every word";
    std::vector<std::string> shares;
    for (const auto& [length, share] : coverage.by_length) {
      shares.push_back(
          fmt::format("{:.1f} % of the words of {}", 100 * share, symbol_count(length)));
    }
    return fmt::format("the automaton covers {}", fmt::join(shares, ", "));
  }

  std::string operator()(const LabelledSample& sample) const {
    using Fit = LabelledSample::Fit;
    if (sample.fit == Fit::None) {
      return fmt::format("a limit stopped the search for an automaton that explains {}", tested());
    }
    std::string text = fmt::format("agrees on all {} it was made from ({} accepted)", tested(),
                                   format_count(sample.accepted));
    if (evidence.words_tested < sample.wanted) {
      text += fmt::format("; a limit stopped at these of {}", word_count(sample.wanted));
    }
    if (sample.fit == Fit::NotSmallest) {
      text += "; made by merging states, because a limit stopped the search for a smallest one";
    }
    return text;
  }
};

}  // namespace

std::string claim(const Evidence& evidence) {
  // Some count the words that differ.
  const bool counts = std::holds_alternative<PacSample>(evidence.looked_at) ||
                      std::holds_alternative<AlikeSymbols>(evidence.looked_at);
  if (evidence.counterexample && !counts) {
    return fmt::format("a counterexample of {} after {}",
                       symbol_count(evidence.counterexample->size()),
                       word_count(evidence.words_tested));
  }
  return std::visit(Claim{evidence}, evidence.looked_at);
}

bool claims_nothing(const Evidence& evidence) {
  const bool about_words = std::holds_alternative<WordsCompared>(evidence.looked_at) ||
                           std::holds_alternative<LockstepWalk>(evidence.looked_at) ||
                           std::holds_alternative<PacSample>(evidence.looked_at);
  return about_words && evidence.words_tested == 0;
}

}  // namespace rnnalf
