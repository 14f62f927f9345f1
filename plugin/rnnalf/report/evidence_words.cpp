#include "rnnalf/report/evidence_words.hpp"

#include <array>
#include <cstdio>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/report/quantities.hpp"

namespace rnnalf {
namespace {

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string percent(double of_one) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", 100 * of_one);
  return text.data();
}

std::string count(std::uint64_t value) {
  return format_count(value);
}

/// `kind` says "words", of which there may be one.
std::string none_among(std::uint64_t words, std::string kind) {
  if (words == 1) kind.replace(kind.find("words"), 5, "word");
  return "no counterexample among " + count(words) + " " + kind;
}

std::string up_to(std::size_t symbols) {
  return " of up to " + count(symbols) + " symbols";
}

std::string words_sentence(const WordsCompared& words, std::uint64_t tested) {
  using Kind = WordsCompared::Kind;
  switch (words.kind) {
    case Kind::Sample:
      return none_among(tested, "sample words");
    case Kind::Random:
      return none_among(tested, "random words") + up_to(words.longest.value_or(0)) +
             (words.complete_to ? ", among them all words" + up_to(*words.complete_to) : "");
    case Kind::Pumped:
      return none_among(tested, "pumped words") + up_to(words.longest.value_or(0));
    case Kind::Walk:
      return none_among(tested, "words of walks from ") + count(words.states.value_or(0)) +
             " states";
    case Kind::TransitionWalk:
      return none_among(tested, "words of walks along the hypothesis's transitions");
    case Kind::RandomW:
      return none_among(tested, "random words of the W-method");
    case Kind::NearThreshold:
      return none_among(tested, "words nearest to the network's threshold");
    case Kind::All:
      return counted(tested, "word", "words") + ": " +
             (words.complete_to ? "agrees on all words" + up_to(*words.complete_to)
                                : "no word was completed");
    case Kind::CharacterizingSet:
      return none_among(tested, "words, complete for automata of up to ") +
             count(words.states.value_or(0)) + " states";
  }
  return "";
}

/// What may be said of each kind of evidence when nothing was found, when a counterexample was, and
/// when a limit stopped the search.
struct Sentence {
  const Evidence& evidence;

  [[nodiscard]] bool is_stopped() const { return evidence.end == Evidence::End::Stopped; }

  std::string operator()(const WordsCompared& words) const {
    if (!is_stopped()) return words_sentence(words, evidence.words_tested);
    if (words.complete_to && words.kind == WordsCompared::Kind::All) {
      return words_sentence(words, evidence.words_tested) + ", then stopped by a limit";
    }
    return none_among(evidence.words_tested, "words, stopped by a limit");
  }

  std::string operator()(const LockstepWalk& walk) const {
    const std::string words = counted(evidence.words_tested, "word", "words") + ": ";
    if (is_stopped()) return words + "stopped by a limit";
    return words + "the walk of hypothesis and abstraction ended without conflict: " +
           count(walk.a_states) + " A-states, " + count(walk.r_states) + " R-states, depth " +
           count(walk.depth) + (walk.raised ? ", raised because sampled words disagreed" : "");
  }

  std::string operator()(const PacSample& pac) const {
    const std::string distribution =
        (pac.geometric ? "lengths geometric with mean " : "lengths uniform from 0 to ") +
        count(pac.length) + ", symbols uniform";
    const std::string confidence = "confidence " + number(1 - pac.delta);
    if (pac.differing > 0) {
      return count(pac.differing) + " of " + count(evidence.words_tested) +
             " words differ: a share of " + number(pac.least) + " to " + number(pac.most) +
             " with " + confidence + "; " + distribution;
    }
    if (is_stopped()) return none_among(evidence.words_tested, "words, stopped by a limit");
    return counted(evidence.words_tested, "word", "words") + ": PAC: with " + confidence +
           " no more than a share of " + number(pac.epsilon) + " of all words differs; " +
           distribution;
  }

  std::string operator()(const Quotient& quotient) const {
    const std::string k = quotient.clusters ? "k = " + count(*quotient.clusters) : "";
    if (is_stopped()) {
      return "stopped by a limit before " + (k.empty() ? std::string("the clustering") : k);
    }
    std::string text = (k.empty() ? "" : k + ": ") + count(quotient.a_states) + " A-states, " +
                       count(quotient.expanded) + " of them expanded";
    if (quotient.agreed) {
      text += "; agrees on " + percent(*quotient.agreed) + " of the " +
              counted(evidence.words_tested, "word", "words");
    }
    return text;
  }

  std::string operator()(const AlikeSymbols& alike) const {
    const std::string learned = "learned over " + counted(alike.groups, "symbol", "symbols") +
                                " that stand for " + count(alike.symbols);
    if (is_stopped()) return learned + ", which a limit kept from being compared with the others";
    return learned + "; of " + counted(evidence.words_tested, "word", "words") +
           " with the others in their place " + count(alike.differing) + " get another answer";
  }

  std::string operator()(const Coverage& coverage) const {
    if (coverage.complete) return "complete: it covers every word";
    std::string text = "partial: it covers";
    for (const auto& [length, share] : coverage.by_length) {
      text += (text.ends_with("covers") ? " " : ", ") + percent(share) +
              " of uniform words of length " + count(length);
    }
    return text;
  }

  std::string operator()(const LabelledSample& sample) const {
    using Fit = LabelledSample::Fit;
    const std::string words = counted(evidence.words_tested, "word", "words");
    if (sample.fit == Fit::None) return "stopped by a limit before " + words + " were explained";
    std::string text = "agrees on all " + words + " it was made from";
    if (evidence.words_tested < sample.wanted) {
      text += ", of " + count(sample.wanted) + " when a limit ended the asking";
    }
    if (sample.fit == Fit::NotSmallest) {
      text += ", by merging states: a limit ended the search for a smallest one";
    }
    return text + "; the network accepts " + count(sample.accepted) + " of them";
  }
};

}  // namespace

std::string claim(const Evidence& evidence) {
  // Some say in their own words that words differ.
  const bool says_so = std::holds_alternative<PacSample>(evidence.looked_at) ||
                       std::holds_alternative<AlikeSymbols>(evidence.looked_at);
  if (evidence.counterexample && !says_so) {
    return counted(evidence.words_tested, "word", "words") + ": a counterexample of length " +
           count(evidence.counterexample->size());
  }
  return std::visit(Sentence{evidence}, evidence.looked_at);
}

bool claims_nothing(const Evidence& evidence) {
  const bool about_words = std::holds_alternative<WordsCompared>(evidence.looked_at) ||
                           std::holds_alternative<LockstepWalk>(evidence.looked_at) ||
                           std::holds_alternative<PacSample>(evidence.looked_at);
  return about_words && evidence.words_tested == 0;
}

}  // namespace rnnalf
