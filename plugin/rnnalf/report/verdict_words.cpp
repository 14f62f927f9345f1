#include "rnnalf/report/verdict_words.hpp"

#include <algorithm>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/shown_word.hpp"

namespace rnnalf {
namespace {

/// A baseline: no oracle was asked, so nothing was checked.
bool is_unchecked(const Run& run) {
  return run.options.method.method != Method::AbstractionRefinement;
}

/// How to ask for more of what ran out; empty for Ctrl-C.
std::string larger_limit(const Run& run) {
  const auto was = [](const auto& value) {
    return value ? " (it was " + std::to_string(*value) + ")" : "";
  };
  const ExtractionOptions& options = run.options;
  switch (run.limit) {
    case Limit::Time:
      return "a larger --time-limit (it was " +
             option_value::text(Number{}, options.time_limit.count()) + " s)";
    case Limit::States:
      return "a larger --max-states" + was(options.max_states);
    case Limit::Queries:
      return "a larger --max-queries" + was(options.max_queries);
    case Limit::Rounds:
      return "a larger --max-rounds" + was(options.max_rounds);
    case Limit::Memory:
      return "a larger --memory-limit (it was " + std::to_string(options.memory_limit) + " bytes)";
    case Limit::None:
    case Limit::Interrupt:
      break;
  }
  return "";
}

std::string states(std::size_t count) {
  return counted(count, "state", "states");
}

/// How the result relates to the target, with the first word on which they differ.
std::string target_sentence(const Run& run, std::size_t width, bool utf8) {
  const auto witness = separating_word(run.dfa(), *run.target);
  if (!witness) return "equivalent to the result";
  return "differs from the result, first on " +
         shown_word(run.network.alphabet, *witness, width, utf8) + " (target " +
         (run.target->accepts(*witness) ? "accepts" : "rejects") + ")";
}

}  // namespace

std::string verdict_sentence(const Run& run) {
  switch (run.limit) {
    case Limit::None:
      return is_unchecked(run) ? "Extracted by " + run.options.method.text() + "."
                               : "No counterexample found.";
    case Limit::Time:
      return "Stopped at the time limit.";
    case Limit::States:
      return "Stopped at the limit for states.";
    case Limit::Queries:
      return "Stopped at the limit for membership queries.";
    case Limit::Rounds:
      return "Stopped at the limit for rounds.";
    case Limit::Memory:
      return "Stopped at the memory limit.";
    case Limit::Interrupt:
      return "Interrupted.";
  }
  return "";
}

std::string verdict_meaning(const Run& run) {
  const HypothesisRecord& last = run.hypotheses.back();
  const bool last_is_result = run.recommended + 1 == run.hypotheses.size();
  if (is_unchecked(run)) {
    return "This method checks nothing: no oracle was asked whether network and DFA agree. rnnalf "
           "evaluate tells how far they are from each other.";
  }
  std::string text;
  if (run.limit == Limit::None) {
    text = last_is_result ? "The DFA and the network agree on everything that was checked, "
                          : "The last hypothesis and the network agree on everything that was "
                            "checked, ";
    text += "which is no proof that they agree everywhere.";
  } else if (last.refuted_by) {
    text = "The last hypothesis is already refuted by a counterexample.";
  } else {
    text = "The last hypothesis was not checked to the end.";
  }
  if (!last_is_result) {
    text += " The result is hypothesis " + std::to_string(run.recommended + 1) + " of " +
            std::to_string(run.hypotheses.size()) + ": " + states(run.dfa().size()) +
            " instead of " + states(last.dfa.size()) + ", and within the tolerance of the best.";
  }
  return text;
}

namespace {

/// Of the hypotheses with the best estimated agreement, the smallest; the result where nothing was
/// estimated.
std::size_t smallest_closest(const Run& run) {
  std::size_t closest = run.recommended;
  const auto agreement = [&](std::size_t i) {
    double sum = 0;
    for (const auto& [length, share] : run.hypotheses[i].agreement) sum += share;
    return sum;
  };
  double best = agreement(closest);
  for (std::size_t i = 0; i < run.hypotheses.size(); ++i) {
    const double here = agreement(i);
    const bool smaller = run.hypotheses[i].dfa.size() < run.hypotheses[closest].dfa.size();
    if (here > best || (here == best && smaller)) {
      best = here;
      closest = i;
    }
  }
  return closest;
}

}  // namespace

std::vector<std::string> suggestions(const Run& run) {
  std::vector<std::string> list;
  if (run.limit == Limit::None) return list;
  if (std::string larger = larger_limit(run); !larger.empty()) list.push_back(std::move(larger));
  const std::size_t final_size = run.hypotheses.back().dfa.size();
  const std::size_t middle_size = run.hypotheses[run.hypotheses.size() / 2].dfa.size();
  const bool last_is_result = run.recommended + 1 == run.hypotheses.size();
  const bool still_growing =
      last_is_result && final_size >= 30 && final_size >= middle_size + middle_size / 2;
  if (still_growing && run.options.exact) {
    list.push_back("without --exact: the hypotheses were still growing (" + states(final_size) +
                   "), and a small one may explain almost every word");
  } else if (still_growing) {
    list.push_back("a larger --tolerance: the hypotheses were still growing (" +
                   states(final_size) + "), and a small one may explain most words");
  }
  const std::size_t closest = smallest_closest(run);
  if (run.hypotheses[closest].dfa.size() > run.dfa().size()) {
    list.push_back("--tolerance 0, for the hypothesis that agrees best with the network (" +
                   states(run.hypotheses[closest].dfa.size()) + ")");
  }
  if (!last_is_result) {
    list.push_back("--exact, if the last hypothesis (" + states(final_size) + ") is wanted");
  }
  const bool oracles_took_most =
      run.statistics.seconds_oracle > run.statistics.seconds / 2 && run.limit == Limit::Time;
  if (run.limit == Limit::Memory || oracles_took_most) {
    list.push_back("a smaller budget for the oracles, such as --oracle samples,abstraction");
  }
  if (run.limit == Limit::Interrupt) {
    list.push_back("a --time-limit, to stop by itself with the best hypothesis so far");
  }
  return list;
}

std::vector<std::pair<std::string, std::string>> facts(const Run& run, std::size_t width,
                                                       bool utf8) {
  const RunStatistics& statistics = run.statistics;
  const NetworkSummary& network = run.network;
  std::size_t accepting = 0;
  for (std::size_t q = 0; q < run.dfa().size(); ++q) {
    accepting += run.dfa().accepts(static_cast<LState>(q)) ? 1 : 0;
  }
  std::vector<std::pair<std::string, std::string>> list = {
      {"DFA", states(run.dfa().size()) + ", " + format_count(accepting) + " accepting, over " +
                  counted(network.alphabet.size(), "symbol", "symbols") + "; hypothesis " +
                  std::to_string(run.recommended + 1) + " of " +
                  std::to_string(run.hypotheses.size())},
      {"network", printable(network.file, utf8) + ": " + network.cell + ", " +
                      counted(network.layers, "layer", "layers") + ", state size " +
                      std::to_string(network.state_size)}};
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
