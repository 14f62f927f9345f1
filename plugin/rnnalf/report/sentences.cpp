// Every sentence of the reports about a run. A function makes one sentence from a complete
// template; layout is the business of its callers. Numbers name what they count: a share stands
// next to the words it is a share of, and shares of different words never share a sentence.

#include "rnnalf/report/sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <variant>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/symbol_class.hpp"
#include "rnnalf/run/most_exceptions.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kShort = 10;  // symbols: who agrees on shorter words alone explains little

std::string symbols(std::size_t count) {
  return counted(count, "symbol", "symbols");
}

std::string words(std::uint64_t count) {
  return counted(count, "word", "words");
}

std::string states(std::size_t count) {
  return counted(count, "state", "states");
}

/// A baseline: no oracle was asked, so nothing was checked.
bool is_unchecked(const Run& run) {
  return run.options.method.method != Method::AbstractionRefinement;
}

bool is_proved(const Run& run) {
  return run.proof && run.proof->certificate;
}

std::string automaton(const Run& run) {
  return fmt::format("{}-state automaton", format_count(run.dfa().size()));
}

}  // namespace

// ---------------------------------------------------------------- agreement

namespace {

std::size_t longest(const Rung& rung) {
  return std::max(rung.agreement.uniform.size(), rung.agreement.language.size());
}

/// The words of `first` to `last` symbols.
LengthAgreement between(const std::vector<LengthAgreement>& by_length, std::size_t first,
                        std::size_t last) {
  LengthAgreement sum;
  for (const LengthAgreement& at : by_length) {
    if (at.length < first || at.length > last || at.words == 0) continue;
    sum.length = std::max(sum.length, at.length);
    sum.words += at.words;
    sum.agreed += at.agreed;
  }
  return sum;
}

/// The first length beyond the horizon where every hundredth word differs; none: there is none.
std::optional<std::size_t> first_poor_length(const Rung& rung) {
  for (std::size_t length = rung.horizon + 1; length <= longest(rung); ++length) {
    const auto at = weakest_at(rung.agreement, length);
    if (at && at->share() < 0.99) return length;
  }
  return std::nullopt;
}

/// Words of every length up to this one were compared, and all agree; 0: not even of one symbol.
std::size_t complete_length(const Run& run) {
  std::size_t length = 0;
  for (const Evidence& evidence : run.evidence) {
    const auto* const looked = std::get_if<WordsCompared>(&evidence.looked_at);
    if (looked == nullptr || !looked->complete_to) continue;
    const bool refuted =
        evidence.counterexample && evidence.counterexample->size() <= *looked->complete_to;
    if (!refuted) length = std::max(length, *looked->complete_to);
  }
  return length;
}

/// Words of 1 to `length` symbols; none where there are too many to count.
std::optional<std::uint64_t> words_up_to(std::size_t alphabet, std::size_t length) {
  double count = 0;
  for (std::size_t i = 1; i <= length; ++i) {
    count += std::pow(static_cast<double>(alphabet), static_cast<double>(i));
  }
  if (count >= 0x1p53) return std::nullopt;
  return static_cast<std::uint64_t>(count);
}

}  // namespace

std::string percent(const LengthAgreement& at) {
  if (at.agreed == at.words) return "100 %";
  const int digits = at.share() > 0.99 ? 2 : at.share() > 0.9 ? 1 : 0;
  return fmt::format("{:.{}f} %", std::min(100 * at.share(), 99.99), digits);
}

std::vector<AgreementRow> agreement_rows(const Run& run) {
  std::vector<AgreementRow> rows;
  const auto add = [&](std::string words, const LengthAgreement& at) {
    if (at.words > 0) rows.push_back({std::move(words), at});
  };
  if (const std::size_t length = complete_length(run); length > 0) {
    const auto all = words_up_to(run.network.alphabet.size(), length);
    if (all) {
      add(fmt::format("all words of 1 to {}", symbols(length)),
          {.length = length, .words = *all, .agreed = *all});
    }
  }
  const Rung* const rung = run.rung();
  if (rung == nullptr) return rows;
  const auto by_length = [&](const char* kind, const std::vector<LengthAgreement>& measured) {
    const LengthAgreement near = between(measured, 1, rung->horizon);
    const LengthAgreement far = between(measured, rung->horizon + 1, longest(*rung));
    add(fmt::format("{} of 1 to {}", kind, symbols(near.length)), near);
    add(fmt::format("{} of {} to {}", kind, rung->horizon + 1, symbols(far.length)), far);
  };
  by_length("random words", rung->agreement.uniform);
  by_length("words near the language", rung->agreement.language);
  const LengthAgreement& pumped = rung->agreement.pumped;
  add(pumped.length > 0 ? "pumped words of up to " + symbols(pumped.length) : "pumped words",
      pumped);
  if (rung->agreement.given) add("the words given", *rung->agreement.given);
  return rows;
}

std::string confidence_sentence(const Run& run) {
  const Rung* const rung = run.rung();
  if (rung == nullptr || rung->horizon == 0 || is_proved(run)) return "";
  return fmt::format(
      "With {:.0f} % confidence, at least {} % of all words of every length up to {} agree.",
      100 * kAssurance, format_percent_down(rung->assured, 1), rung->horizon);
}

// ---------------------------------------------------------------- verdict

namespace {

/// How far the result explains the network.
std::string explanation(const Run& run, const Rung& rung) {
  if (rung.horizon < kShort && rung.horizon < longest(rung)) {
    const LengthAgreement random = between(rung.agreement.uniform, 1, longest(rung));
    const auto fails = weakest_at(rung.agreement, rung.horizon + 1);
    return fmt::format(
        "A {} agrees with the network on {} of {} random words of up to {}.{}", automaton(run),
        percent(random), format_count(random.words), symbols(random.length),
        fails ? fmt::format(" At {}, it agrees on {} of {}.", symbols(rung.horizon + 1),
                            percent(*fails), words(fails->words))
              : "");
  }
  const bool differs =
      std::any_of(run.exceptions.begin(), run.exceptions.end(),
                  [&](const Counterexample& one) { return one.word.size() <= rung.horizon; });
  return fmt::format("A {} agrees with the network on {} words tested of up to {}.", automaton(run),
                     differs ? "almost all" : "all", symbols(rung.horizon));
}

std::string finding(const Run& run) {
  if (const Rung* const rung = run.rung()) return explanation(run, *rung);
  const std::string size = states(run.dfa().size());
  if (is_unchecked(run)) {
    return fmt::format("The method {} returned an automaton of {}.", run.options.method.text(),
                       size);
  }
  if (is_proved(run)) return fmt::format("The automaton has {}.", size);
  if (is_unrefuted(run)) {
    return fmt::format("No oracle found a counterexample to an automaton of {}.", size);
  }
  return fmt::format("The last hypothesis has {}. Its agreement with the network was not measured.",
                     size);
}

}  // namespace

std::string verdict_sentence(const Run& run) {
  std::string text = finding(run);
  if (run.unanswered) {
    constexpr std::size_t kWidth = 40;
    text += fmt::format(
        " The network gives no answer on {} ({}), because its numbers are no longer finite. Such "
        "words are left out.",
        shown_word(run.network.alphabet, *run.unanswered, kWidth, false),
        symbols(run.unanswered->size()));
  }
  return text;
}

bool is_unrefuted(const Run& run) {
  return run.limit == Limit::None && !is_unchecked(run) && !run.is_refuted();
}

namespace {

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

}  // namespace

std::string target_sentence(const Run& run, const Reader& reader) {
  if (!run.target) return "";
  const Dfa& target = *run.target;
  auto witness = separating_word(run.dfa(), target);
  if (!witness) return "It is equivalent to the target.";
  // Few networks are trained on the empty word, so that one alone says little.
  const bool on_empty = witness->empty();
  if (on_empty) {
    witness = separating_word(with_empty_word(run.dfa(), target.answer(Word{})), target);
    if (!witness) return "It is equivalent to the target except for the empty word.";
  }
  return fmt::format("It differs from the target{} first on {}, which the target {}.",
                     on_empty ? " on the empty word, and then" : ",",
                     shown_word(run.network.alphabet, *witness, reader.width, reader.utf8),
                     printable(answer_verb(target.answer(*witness), run.network), reader.utf8));
}

// ---------------------------------------------------------------- differences

std::string differences_sentence(const Run& run) {
  if (run.exceptions.empty()) return "";
  const std::size_t found = run.exceptions.size();
  return fmt::format("The network differs from the automaton on {}{} found so far. {} has {}.",
                     found < kMostExceptions ? "" : "at least ", words(found),
                     found == 1 ? "It" : "The shortest",
                     symbols(run.exceptions.front().word.size()));
}

std::vector<Difference> differences(const Run& run, std::size_t most, const Reader& reader) {
  std::vector<Difference> rules;
  std::vector<Difference> single;
  const auto verb = [&](Answer answer) {
    return printable(answer_verb(answer, run.network), reader.utf8);
  };
  const auto difference = [&](std::string pattern, Answer network, const Word& word) {
    return Difference{std::move(pattern), verb(network), verb(run.dfa().answer(word)), 0};
  };
  std::vector<const Counterexample*> left;
  for (const Counterexample& one : run.exceptions) left.push_back(&one);
  for (const Family& family : run.families) {
    if (rules.size() == most) break;
    const auto first = std::partition(left.begin(), left.end(), [&](const Counterexample* one) {
      return !explains(family, one->word, run.dfa());
    });
    const auto explained = static_cast<std::size_t>(left.end() - first);
    if (explained == 0) continue;
    left.erase(first, left.end());
    rules.push_back(difference(printable(family_pattern(run.network.alphabet, family), reader.utf8),
                               family.answer, family.shortest()));
    rules.back().words = explained;
  }
  std::sort(left.begin(), left.end());
  for (const Counterexample* one : left) {
    if (single.size() == most) break;
    single.push_back(
        difference(shown_word(run.network.alphabet, one->word, reader.width, reader.utf8),
                   one->answer, one->word));
  }
  rules.insert(rules.end(), std::make_move_iterator(single.begin()),
               std::make_move_iterator(single.end()));
  return rules;
}

std::string network_errors_sentence(const Run& run, std::size_t errors) {
  return fmt::format("The network is wrong on {} of the {} it was learned from.",
                     format_count(errors),
                     counted(run.counterexamples.size(), "counterexample", "counterexamples"));
}

// ---------------------------------------------------------------- remarks

namespace {

/// Of a large alphabet, the symbols that act alike.
std::string alike_symbols(const Run& run) {
  constexpr std::size_t kLarge = 40;
  constexpr std::size_t kMostClasses = 12;
  const Alphabet& alphabet = run.network.alphabet;
  if (alphabet.size() <= kLarge) return "";
  const auto classes = symbol_classes(run.dfa());
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < std::min(kMostClasses, classes.size()); ++c) {
    labels.push_back(short_class_label(alphabet, classes[c], 30));
  }
  if (classes.size() > kMostClasses) labels.emplace_back("...");
  return fmt::format("The {} symbols form {} that act alike: {}.", format_count(alphabet.size()),
                     counted(classes.size(), "class", "classes"), fmt::join(labels, ", "));
}

/// Of the answers, the one that the fewest of the words measured get; none where it is not rare.
struct RareAnswer {
  Answer answer = Answer::Reject;
  AnswerMet met;
  std::uint64_t all = 0;
};
std::optional<RareAnswer> rare_answer(const Run& run) {
  constexpr double kRare = 0.05;
  std::uint64_t all = 0;
  for (const AnswerMet& met : run.met) all += met.words;
  if (all == 0 || run.met.size() != 2) return std::nullopt;
  const Answer rarest = accept_if(run.met[1].words < run.met[0].words);
  const AnswerMet& met = run.met[index(rarest)];
  if (static_cast<double>(met.words) >= kRare * static_cast<double>(all)) return std::nullopt;
  return RareAnswer{rarest, met, all};
}

std::string rare_sentence(const Run& run) {
  const auto rare = rare_answer(run);
  if (!rare) return "";
  const std::string verb = answer_verb(rare->answer, run.network);
  const std::string_view searched = rare->met.found == 0 ? " A search for others found none." : "";
  if (rare->met.words == 0) {
    return fmt::format("The network {} none of the {} words measured.{}", verb,
                       format_count(rare->all), searched);
  }
  return fmt::format("The network {} {} of the {} words measured, the longest of {}.{}", verb,
                     format_count(rare->met.words), format_count(rare->all),
                     symbols(rare->met.longest), searched);
}

}  // namespace

std::vector<std::string> remarks(const Run& run, const Reader& reader) {
  std::vector<std::string> list;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) list.push_back(printable(text, reader.utf8));
  };
  add(rare_sentence(run));
  add(presentation_sentence(run.network));
  add(alike_symbols(run));
  // What the file does not say, and nobody has checked.
  if (run.network.probes == 0) {
    for (const std::string& assumed : run.network.assumed) {
      add(fmt::format("Assumed, and not checked by probes: {}.", assumed));
    }
  }
  return list;
}

std::string work_sentence(const Run& run) {
  const RunStatistics& work = run.statistics;
  return fmt::format("Learning took {}: {}, {}, {}, {}.", format_seconds(work.seconds),
                     counted(run.hypotheses.size(), "hypothesis", "hypotheses"),
                     counted(run.counterexamples.size(), "counterexample", "counterexamples"),
                     counted(work.membership_queries, "membership query", "membership queries"),
                     counted(work.rnn_steps, "network step", "network steps"));
}

// ---------------------------------------------------------------- ending

namespace {

/// The best of the larger automata where the result first fails; where it never does, the largest.
std::string larger_automata(const Run& run) {
  const Rung* const result = run.rung();
  if (result == nullptr || run.ladder.back().states <= result->states) {
    return "Learning stopped because larger automata did not agree better.";
  }
  const auto poor = first_poor_length(*result);
  if (!poor) {
    return fmt::format(
        "Learning stopped because larger automata (up to {}) explain only a few words more.",
        states(run.ladder.back().states));
  }
  const LengthAgreement here = weakest_at(result->agreement, *poor).value_or(LengthAgreement{});
  const Rung* best = nullptr;
  for (const Rung& rung : run.ladder) {
    if (rung.states <= result->states || !weakest_at(rung.agreement, *poor)) continue;
    if (best == nullptr ||
        weakest_at(rung.agreement, *poor)->share() > weakest_at(best->agreement, *poor)->share()) {
      best = &rung;
    }
  }
  if (best == nullptr) return "Learning stopped because larger automata did not agree better.";
  const LengthAgreement there = *weakest_at(best->agreement, *poor);
  const std::string found = fmt::format("{}: {} of {} of {}", states(best->states), percent(there),
                                        words(there.words), symbols(*poor));
  if (there.share() <= here.share() + 0.01) {
    return fmt::format("Learning stopped because larger automata did not agree better ({}).",
                       found);
  }
  return fmt::format(
      "Learning stopped because larger automata are not worth their states ({}, instead of {}).",
      found, percent(here));
}

}  // namespace

std::string ending_sentence(const Run& run) {
  const std::string last = states(run.hypotheses.back().dfa.size());
  const ExtractionOptions& options = run.options;
  const auto at_limit = [&](const std::string& limit) {
    return fmt::format("Learning stopped at the limit of {}; the last hypothesis has {}.", limit,
                       last);
  };
  switch (run.limit) {
    case Limit::None:
      if (is_unchecked(run)) {
        return fmt::format("The method {} asks no oracle, so nothing was checked.",
                           options.method.text());
      }
      if (run.settled) return larger_automata(run);
      if (run.selection() == Selection::Smaller) {
        return fmt::format(
            "Learning stopped because no oracle found a counterexample to an automaton of {}. The "
            "result is smaller and agrees with the network as well.",
            last);
      }
      return run.exceptions.empty()
                 ? "Learning stopped because no oracle found a counterexample."
                 : "Learning stopped because no oracle found a counterexample. The differences "
                   "above were found later, when agreement was measured.";
    case Limit::Time:
      return fmt::format(
          "The time limit of {}, which includes measuring, stopped learning; the last hypothesis "
          "has {}.",
          format_seconds(options.time_limit.count()), last);
    case Limit::States:
      return at_limit(states(options.max_states.value_or(0)));
    case Limit::Queries:
      return at_limit(
          counted(options.max_queries.value_or(0), "membership query", "membership queries"));
    case Limit::Rounds:
      return at_limit(counted(options.max_rounds.value_or(0), "round", "rounds"));
    case Limit::Steps:
      return at_limit(counted(options.max_steps.value_or(0), "network step", "network steps"));
    case Limit::Memory:
      return at_limit(fmt::format("{} MiB of memory", options.memory_limit >> 20U));
    case Limit::Interrupt:
      return fmt::format("Learning was interrupted; the last hypothesis has {}.", last);
  }
  return "";
}

// ---------------------------------------------------------------- advice

namespace {

/// The limit that ended the run, doubled.
std::string larger_limit(const Run& run) {
  const ExtractionOptions& options = run.options;
  switch (run.limit) {
    case Limit::Time:
      return fmt::format("`time-limit={}s`", std::ceil(2 * options.time_limit.count()));
    case Limit::States:
      return fmt::format("`max-states={}`", 2 * options.max_states.value_or(1));
    case Limit::Queries:
      return fmt::format("`max-queries={}`", 2 * options.max_queries.value_or(1));
    case Limit::Rounds:
      return fmt::format("`max-rounds={}`", 2 * options.max_rounds.value_or(1));
    case Limit::Steps:
      return fmt::format("`max-steps={}`", 2 * options.max_steps.value_or(1));
    case Limit::Memory:
      return fmt::format("`memory-limit={}MiB`", options.memory_limit >> 19U);
    case Limit::None:
    case Limit::Interrupt:
      break;
  }
  return "";
}

/// The answer for the empty word with which the result has the fewest states.
Answer cheapest_empty_word(const Run& run) {
  Answer best = run.dfa().answer(run.dfa().initial());
  std::size_t least = run.dfa().size();
  for (std::size_t a = 0; a < run.dfa().answer_count(); ++a) {
    const auto answer = static_cast<Answer>(a);
    const std::size_t size = minimise(with_empty_word(run.dfa(), answer)).size();
    if (size < least) {
      least = size;
      best = answer;
    }
  }
  return best;
}

std::string empty_word_option(const Run& run) {
  const Answer answer = cheapest_empty_word(run);
  return fmt::format("`empty-word={}`", run.dfa().is_moore() ? run.network.classes.name(answer)
                                                             : answer_name(answer, run.network));
}

}  // namespace

namespace {

/// A symbol that is called padding and never changes the state; none: there is none.
std::optional<Symbol> padding(const Run& run) {
  const Dfa& dfa = run.dfa();
  for (std::size_t a = 0; a < run.network.alphabet.size(); ++a) {
    const auto symbol = static_cast<Symbol>(a);
    std::string name = run.network.alphabet.name(symbol);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.find("pad") == name.npos) continue;
    bool stays = true;
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      stays = stays && dfa.next(static_cast<LState>(q), symbol) == static_cast<LState>(q);
    }
    if (stays) return symbol;
  }
  return std::nullopt;
}

std::string padding_advice(const Run& run, Symbol pad) {
  std::vector<std::string> others = run.network.alphabet.names();
  const std::string name = others[index(pad)];
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(index(pad)));
  return fmt::format("{} never changes the state. If it is padding, leave it out: `over={}`", name,
                     others.size() > 40 ? "SYMBOLS" : fmt::format("{}", fmt::join(others, " ")));
}

/// A module that Python runs step by step, and often.
bool could_be_exported(const Run& run) {
  constexpr std::uint64_t kMany = 10'000;
  return run.network.cell.starts_with("torch module, called") && run.statistics.rnn_steps > kMany;
}

}  // namespace

std::string advice(const Run& run, const Reader& reader) {
  const auto rare = rare_answer(run);
  std::string text;
  if (rare && run.options.samples.empty() && !is_proved(run)) {
    text = fmt::format("Give words that the network {}: {}", answer_verb(rare->answer, run.network),
                       reader.spelling == Spelling::Python ? "samples=[...]" : "`samples=FILE`");
  } else if (const auto pad = padding(run)) {
    text = padding_advice(run, *pad);
  } else if (const std::string larger = larger_limit(run); !larger.empty()) {
    text = "To continue further, raise the limit: " + larger;
  } else if (run.empty.alone) {
    text = fmt::format(
        "The answer for the empty word alone costs {}. If the network was not trained on it: {}",
        states(run.dfa().size() - run.empty.states_without), empty_word_option(run));
  } else if (could_be_exported(run)) {
    text = fmt::format(
        "The module itself ran {} steps. Exported with torch.onnx.export, it runs without Python.",
        format_count(run.statistics.rnn_steps));
  }
  return printable(with_option_names(text, reader.spelling), reader.utf8);
}

}  // namespace rnnalf
