#include "rnnalf/report/verdict_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>

#include "rnnalf/report/answer_words.hpp"
#include "rnnalf/report/certification_words.hpp"
#include "rnnalf/report/presentation_words.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/symbol_class.hpp"

namespace rnnalf {
namespace {

/// A baseline: no oracle was asked, so nothing was checked.
bool is_unchecked(const Run& run) {
  return run.options.method.method != Method::AbstractionRefinement;
}

/// How to ask for more of what ran out; empty for Ctrl-C.
std::string larger_limit(const Run& run) {
  const auto was = [](const auto& value) {
    return value ? fmt::format(" (it was {})", *value) : "";
  };
  const ExtractionOptions& options = run.options;
  switch (run.limit) {
    case Limit::Time:
      return "a larger `time-limit` (it was " +
             option_value::text(Number{}, options.time_limit.count()) + " s)";
    case Limit::States:
      return "a larger `max-states`" + was(options.max_states);
    case Limit::Queries:
      return "a larger `max-queries`" + was(options.max_queries);
    case Limit::Rounds:
      return "a larger `max-rounds`" + was(options.max_rounds);
    case Limit::Steps:
      return "a larger `max-steps`" + was(options.max_steps);
    case Limit::Memory:
      return fmt::format("a larger `memory-limit` (it was {} bytes)", options.memory_limit);
    case Limit::None:
    case Limit::Interrupt:
      break;
  }
  return "";
}

std::string states(std::size_t count) {
  return counted(count, "state", "states");
}

/// The same automaton but for the empty word, which gets this answer.
Dfa with_empty_word(const Dfa& dfa, Answer answer) {
  Dfa other(dfa.symbol_count(), dfa.size() + 1, dfa.answer_count());
  const auto copy = [&](LState from, LState to) {
    other.set_answer(to, dfa.answer(from));
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      other.set_next(to, static_cast<Symbol>(a), dfa.next(from, static_cast<Symbol>(a)));
    }
  };
  for (std::size_t q = 0; q < dfa.size(); ++q) copy(static_cast<LState>(q), static_cast<LState>(q));
  const auto first = static_cast<LState>(dfa.size());
  copy(dfa.initial(), first);
  other.set_answer(first, answer);
  other.set_initial(first);
  return other;
}

/// How the result relates to the target, with the first word on which they differ. Few networks are
/// trained on the empty word, so that one alone says little.
std::string target_sentence(const Run& run, std::size_t width, bool utf8) {
  const Dfa& target = *run.target;
  auto witness = separating_word(run.dfa(), target);
  if (!witness) return "equivalent to the result";
  std::string where = "differs from the result, first on ";
  if (witness->empty()) {
    witness = separating_word(with_empty_word(run.dfa(), target.answer(Word{})), target);
    if (!witness) return "equivalent to the result but for the empty word";
    where = "differs from the result on the empty word, then first on ";
  }
  return where + shown_word(run.network.alphabet, *witness, width, utf8) + " (target " +
         printable(answer_verb(target.answer(*witness), run.network), utf8) + ")";
}

}  // namespace

std::string family_sentence(const Run& run, const Family& family, std::size_t width, bool utf8) {
  const Alphabet& alphabet = run.network.alphabet;
  const auto shown = [&](const Word& word) { return shown_word(alphabet, word, width, utf8); };
  std::string text = family.prefix.empty() ? "" : "after " + shown(family.prefix) + ", ";
  text += fmt::format("({})^{}", shown(family.loop), family.from);
  text += family.to ? (*family.to == family.from ? "" : fmt::format(" to ^{}", *family.to))
                    : " and more";
  if (!family.suffix.empty()) text += ", then " + shown(family.suffix);
  text += ": the network " + printable(answer_verb(family.answer, run.network), utf8);
  if (family.share >= 0.9) {
    text += fmt::format(" (and so after any word that leads to s{})", index(family.state));
  }
  return text;
}

namespace {

/// `100 %` only when no word differs.
std::string percent(const LengthAgreement& at) {
  if (at.agreed == at.words) return "100 %";
  const int digits = at.share() > 0.99 ? 2 : at.share() > 0.9 ? 1 : 0;
  return fmt::format("{:.{}f} %", std::min(100 * at.share(), 99.99), digits);
}

std::size_t longest(const Rung& rung) {
  return std::max(rung.agreement.uniform.size(), rung.agreement.language.size());
}

/// The first length beyond the horizon where every hundredth word differs; none: there is none.
std::optional<std::size_t> first_poor_length(const Rung& rung) {
  for (std::size_t length = rung.horizon + 1; length <= longest(rung); ++length) {
    const auto at = weakest_at(rung.agreement, length);
    if (at && at->share() < 0.99) return length;
  }
  return std::nullopt;
}

std::string at_length(const Rung& rung, std::size_t length) {
  const auto at = weakest_at(rung.agreement, length);
  return at ? fmt::format("{} at {}", percent(*at), length) : "";
}

/// All words of up to this length.
LengthAgreement together(const Rung& rung, std::size_t length) {
  LengthAgreement sum;
  for (const auto* kind : {&rung.agreement.uniform, &rung.agreement.language}) {
    for (std::size_t i = 0; i < std::min(kind->size(), length); ++i) {
      sum.words += (*kind)[i].words;
      sum.agreed += (*kind)[i].agreed;
    }
  }
  return sum;
}

constexpr std::size_t kShort = 10;  // symbols

/// How the result agrees with the network, by length.
std::string explanation(const Rung& rung) {
  const std::string subject = counted(rung.states, "state explains", "states explain");
  const LengthAgreement within = together(rung, rung.horizon);
  if (rung.horizon == 0) {
    const std::size_t further = std::min<std::size_t>(10, longest(rung));
    const auto one = weakest_at(rung.agreement, 1), some = weakest_at(rung.agreement, further);
    return fmt::format("{} the network badly: on {} of the words of one symbol, {} of those of {}.",
                       subject, one ? percent(*one) : "few", some ? percent(*some) : "few",
                       further);
  }
  const std::string words =
      fmt::format("{} of {}", percent(within), counted(within.words, "word", "words"));
  const LengthAgreement all = together(rung, longest(rung));
  if (rung.horizon < kShort && all.share() > 0.9) {
    // Odd on short words already: what it explains is not a matter of length.
    std::string text = fmt::format(
        "{} the network on {} of {} of up to {} symbols; completely only "
        "up to {}",
        subject, percent(all), counted(all.words, "word", "words"), longest(rung),
        counted(rung.horizon, "symbol", "symbols"));
    const auto poor = first_poor_length(rung);
    if (!poor) return text + ".";
    std::size_t worst = *poor;
    for (std::size_t length = worst; length <= longest(rung); ++length) {
      const auto at = weakest_at(rung.agreement, length);
      if (at && at->share() < weakest_at(rung.agreement, worst)->share()) worst = length;
    }
    text += ", " + at_length(rung, *poor);
    return text + (worst == *poor ? "."
                                  : ", and least at " +
                                        fmt::format("{}: {}.", worst,
                                                    percent(*weakest_at(rung.agreement, worst))));
  }
  const std::string surely =
      fmt::format(" ({} % of each length at least, with {:.0f} % confidence)",
                  format_percent_down(rung.assured, 1), 100 * kAssurance);
  if (rung.horizon == longest(rung)) {
    return fmt::format("{} the network on all words measured, up to {} symbols: {}{}.", subject,
                       rung.horizon, words, surely);
  }
  std::string text = fmt::format("{} the network on words of up to {}: {}{}", subject,
                                 counted(rung.horizon, "symbol", "symbols"), words, surely);
  const auto poor = first_poor_length(rung);
  if (poor && *poor < longest(rung)) text += "; " + at_length(rung, *poor);
  const auto last = weakest_at(rung.agreement, longest(rung));
  if (last && last->share() < 0.999) {
    text += (poor && *poor < longest(rung) ? ", " : "; ") + at_length(rung, longest(rung));
  }
  return text + ".";
}

/// How the run ended.
std::string ending(const Run& run) {
  switch (run.limit) {
    case Limit::None:
      return run.settled ? "Learning stopped early: larger automata were not worth it."
             : run.selection() == Selection::Smaller
                 ? fmt::format(
                       "No oracle found a counterexample to the last hypothesis ({}). The "
                       "result is smaller and agrees with the network as well.",
                       states(run.hypotheses.back().dfa.size()))
             : run.proof && run.proof->certificate
                 ? "No oracle found a counterexample to it."
                 : "No oracle found a counterexample to it, which is no proof.";
    case Limit::Time:
      return "Stopped at the time limit.";
    case Limit::States:
      return "Stopped at the limit for states.";
    case Limit::Queries:
      return "Stopped at the limit for membership queries.";
    case Limit::Rounds:
      return "Stopped at the limit for rounds.";
    case Limit::Steps:
      return "Stopped at the limit for steps of the network.";
    case Limit::Memory:
      return "Stopped at the memory limit.";
    case Limit::Interrupt:
      return "Interrupted.";
  }
  return "";
}

/// Where the network leaves the result.
std::string leaving(const Run& run, std::size_t width, bool utf8) {
  if (run.exceptions.empty()) return "";
  const Word& first = run.exceptions.front().word;
  std::string text = fmt::format("The network leaves this language from {} on",
                                 counted(first.size(), "symbol", "symbols"));
  const auto rule = run.families.begin();
  const bool begins_there = rule != run.families.end() && rule->shortest().size() == first.size();
  if (!begins_there) text += ", first on " + shown_word(run.network.alphabet, first, width, utf8);
  if (rule == run.families.end()) return text + ".";
  text += (begins_there ? ": " : "; also ") + family_sentence(run, *rule, width, utf8);
  if (run.families.size() > 1) {
    text += "; " + counted(run.families.size() - 1, "more such rule", "more such rules");
  }
  return text + ".";
}

/// How little is known of an answer that hardly any word measured has.
std::string rare_answer(const Run& run) {
  constexpr double kRare = 0.05;
  std::uint64_t all = 0;
  std::size_t longest = 0;
  for (const AnswerMet& met : run.met) {
    all += met.words;
    longest = std::max(longest, met.longest);
  }
  const auto rarest =
      std::min_element(run.met.begin(), run.met.end(),
                       [](const AnswerMet& a, const AnswerMet& b) { return a.words < b.words; });
  if (all == 0 || run.met.size() != 2) return "";
  const double share = static_cast<double>(rarest->words) / static_cast<double>(all);
  if (share >= kRare) return "";
  const auto answer = static_cast<Answer>(rarest - run.met.begin());
  const std::string verb = answer_verb(answer, run.network);
  if (rarest->words == 0) {
    return fmt::format("The network {} none of the {} measured.", verb,
                       counted(all, "word", "words"));
  }
  std::string text = fmt::format("The network {} {:.2g} % of the words measured ({} of {})", verb,
                                 100 * share, format_count(rarest->words), format_count(all));
  if (2 * rarest->longest < longest) {
    text += fmt::format("; none of more than {} was met",
                        counted(rarest->longest, "symbol", "symbols"));
  }
  return text + ".";
}

/// Whether larger automata do better where the result fails.
std::string larger_ones(const Run& run) {
  const Rung* const result = run.rung();
  if (result == nullptr || run.ladder.back().states <= result->states) return "";
  const auto poor = first_poor_length(*result);
  if (!poor) return "";
  const std::size_t length = *poor;
  const Rung* best = nullptr;
  for (const Rung& rung : run.ladder) {
    if (rung.states <= result->states) continue;
    const auto here = weakest_at(rung.agreement, length);
    const auto before = best != nullptr ? weakest_at(best->agreement, length) : std::nullopt;
    if (here && (!before || here->share() > before->share())) best = &rung;
  }
  if (best == nullptr) return "";
  const double gain = weakest_at(best->agreement, length)->share() -
                      weakest_at(result->agreement, length).value_or(LengthAgreement{}).share();
  return fmt::format("{} ({}: {}).",
                     gain > 0.1     ? "Larger automata do better there"
                     : gain > 0.01  ? "Larger automata do a little better there"
                     : gain > 0.001 ? "Larger automata do hardly better there"
                                    : "Larger automata do no better there",
                     counted(best->states, "state", "states"), at_length(*best, length));
}

/// On which words the result was checked completely.
std::string complete_check(const Run& run) {
  std::size_t length = 0;
  for (const Evidence& evidence : run.evidence) {
    const auto* const words = std::get_if<WordsCompared>(&evidence.looked_at);
    if (words == nullptr || !words->complete_to) continue;
    const bool refuted =
        evidence.counterexample && evidence.counterexample->size() <= *words->complete_to;
    if (!refuted) length = std::max(length, *words->complete_to);
  }
  const double symbols = static_cast<double>(run.network.alphabet.size());
  double words = 0;
  for (std::size_t i = 1; i <= length; ++i) words += std::pow(symbols, static_cast<double>(i));
  if (length == 0 || words >= 0x1p53) return "";
  return fmt::format("Right on all {} words of up to {}.",
                     format_count(static_cast<std::uint64_t>(words)),
                     counted(length, "symbol", "symbols"));
}

}  // namespace

namespace {

/// Words without an answer belong to the first sentence: what it says is about the others.
std::string without_answer(const Run& run) {
  if (!run.unanswered) return "";
  constexpr std::size_t kWidth = 40;
  return " The network gives no answer on " +
         shown_word(run.network.alphabet, *run.unanswered, kWidth, false) + " (" +
         counted(run.unanswered->size(), "symbol", "symbols") +
         "): its numbers are no longer finite. Such words are left out.";
}

std::string verdict_of_answered(const Run& run) {
  if (is_unchecked(run) && run.limit == Limit::None && run.rung() == nullptr) {
    return "Extracted by " + run.options.method.text() + ".";
  }
  if (const Rung* const rung = run.rung()) return explanation(*rung);
  return run.limit == Limit::None ? "No counterexample found." : ending(run);
}

}  // namespace

std::string verdict_sentence(const Run& run) {
  return verdict_of_answered(run) + without_answer(run);
}

std::vector<std::string> findings(const Run& run, std::size_t width, bool utf8, Spelling spelling) {
  std::vector<std::string> list;
  const auto add = [&](std::string text) {
    if (!text.empty()) list.push_back(std::move(text));
  };
  if (is_unchecked(run)) {
    if (run.limit != Limit::None) add(ending(run));
    add("Extracted by " + run.options.method.text() +
        ". This method checks nothing: no oracle was asked whether network and DFA agree.");
    return list;
  }
  if (run.proof) add(proof_sentence(*run.proof, run.network.alphabet, width, utf8));
  add(rare_answer(run));
  add(leaving(run, width, utf8));
  add(larger_ones(run));
  add(complete_check(run));
  if (const Rung* const rung = run.rung(); rung != nullptr && rung->agreement.given) {
    add(fmt::format("On the {} given: {}.", counted(rung->agreement.given->words, "word", "words"),
                    percent(*rung->agreement.given)));
  }
  if (run.empty.alone) {
    add(fmt::format("The answer for the empty word alone adds {}: without it the DFA has {} ({}).",
                    counted(run.dfa().size() - run.empty.states_without, "state", "states"),
                    states(run.empty.states_without),
                    with_option_names("`empty-word=accept` or reject", spelling)));
  }
  if (run.rung() != nullptr || run.limit == Limit::None) add(ending(run));
  if (run.rung() == nullptr && run.limit != Limit::None) {
    add(run.hypotheses.back().refuted_by
            ? "The last hypothesis is already refuted by a counterexample."
            : "The last hypothesis was not checked to the end.");
  }
  return list;
}

bool is_unrefuted(const Run& run) {
  return run.limit == Limit::None && !is_unchecked(run) && !run.is_refuted();
}

std::vector<std::string> suggestions(const Run& run, Spelling spelling) {
  std::vector<std::string> list;
  if (run.limit == Limit::None) return list;
  if (std::string larger = larger_limit(run); !larger.empty()) list.push_back(std::move(larger));
  const std::size_t final_size = run.hypotheses.back().dfa.size();
  const bool last_is_result = run.recommended + 1 == run.hypotheses.size();
  if (run.options.exact && final_size >= 30) {
    list.push_back("without `exact`: a smaller automaton may explain almost every word");
  } else if (!last_is_result) {
    list.push_back("`exact`, if the last hypothesis (" + states(final_size) + ") is wanted");
  }
  const bool oracles_took_most =
      run.statistics.seconds_oracle > run.statistics.seconds / 2 && run.limit == Limit::Time;
  if (run.limit == Limit::Memory || oracles_took_most) {
    list.push_back("a smaller budget for the oracles, such as `oracle=samples,abstraction`");
  }
  if (run.limit == Limit::Interrupt) {
    list.push_back("a `time-limit`, to stop by itself with the best hypothesis so far");
  }
  for (std::string& text : list) text = with_option_names(text, spelling);
  return list;
}

namespace {

/// Of a large alphabet, the symbols that act alike: "1,000 in 3 classes that act alike: ...".
std::string alike_words(const Run& run) {
  constexpr std::size_t kLarge = 40;
  constexpr std::size_t kMostClasses = 12;
  const Alphabet& alphabet = run.network.alphabet;
  if (alphabet.size() <= kLarge) return "";
  const auto classes = symbol_classes(run.dfa());
  std::string text = format_count(alphabet.size()) + " in " +
                     counted(classes.size(), "class that acts alike", "classes that act alike");
  for (std::size_t c = 0; c < std::min(kMostClasses, classes.size()); ++c) {
    text += (c == 0 ? ": " : ", ") + short_class_label(alphabet, classes[c], 30);
  }
  return text + (classes.size() > kMostClasses ? ", ..." : "");
}

/// What the classes are called, the first of them.
std::string class_words(const ClassNames& classes) {
  constexpr std::size_t kMostNames = 12;
  std::string text;
  for (std::size_t c = 0; c < std::min(kMostNames, classes.size()); ++c) {
    text += (c == 0 ? "" : " ") + classes.names()[c];
  }
  return text + (classes.size() > kMostNames ? " ..." : "");
}

/// Such as "2 accepting", or "4 of 5 classes".
std::string answers_of(const Dfa& dfa) {
  std::vector<bool> given(dfa.answer_count(), false);
  std::size_t accepting = 0;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    given[index(dfa.answer(state))] = true;
    accepting += dfa.accepts(state) ? 1 : 0;
  }
  if (!dfa.is_moore()) return format_count(accepting) + " accepting";
  const auto classes = static_cast<std::size_t>(std::count(given.begin(), given.end(), true));
  return (classes < given.size() ? format_count(classes) + " of " : "") +
         format_count(given.size()) + " classes";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> facts(const Run& run, std::size_t width,
                                                       bool utf8) {
  const RunStatistics& statistics = run.statistics;
  const NetworkSummary& network = run.network;
  std::vector<std::pair<std::string, std::string>> list = {
      {run.dfa().is_moore() ? "Moore" : "DFA",
       fmt::format("{}, {}, over {}; hypothesis {} of {}", states(run.dfa().size()),
                   answers_of(run.dfa()), counted(network.alphabet.size(), "symbol", "symbols"),
                   run.recommended + 1, run.hypotheses.size())},
      {"network",
       fmt::format("{}: {}, {}state size {}", printable(network.file, utf8), network.cell,
                   (network.layers > 0 ? counted(network.layers, "layer", "layers") + ", " : ""),
                   network.state_size)}};
  if (const std::string alike = alike_words(run); !alike.empty()) {
    list.emplace_back("symbols", printable(alike, utf8));
  }
  if (!network.classes.empty()) {
    list.emplace_back("classes", printable(class_words(network.classes), utf8));
  }
  const std::string presented = presentation_words(network);
  if (!presented.empty()) list.emplace_back("words", printable(presented, utf8));
  // What the file does not say, and nobody has checked.
  if (network.probes == 0) {
    for (const std::string& assumed : network.assumed) {
      list.emplace_back("assumed", printable(assumed, utf8) + " (no probes checked it)");
    }
  }
  if (run.target) list.emplace_back("target", target_sentence(run, width, utf8));
  std::string work =
      format_seconds(statistics.seconds) + ": " +
      counted(statistics.membership_queries, "membership query", "membership queries") + ", " +
      counted(statistics.equivalence_queries, "equivalence query", "equivalence queries") + ", " +
      counted(statistics.rnn_steps, "network step", "network steps");
  if (statistics.a_states > 0) work += ", " + counted(statistics.a_states, "A-state", "A-states");
  list.emplace_back("work", work);
  return list;
}

}  // namespace rnnalf
