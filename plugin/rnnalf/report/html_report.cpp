#include "rnnalf/report/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rnnalf/report/certification_words.hpp"
#include "rnnalf/report/claims.hpp"
#include "rnnalf/report/page_network.hpp"
#include "rnnalf/report/page_parts.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/run_json.hpp"
#include "rnnalf/report/sentences.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/symbol_class.hpp"

namespace rnnalf {
namespace {

using detail::OrderedJson;

// Parts of the page that grow with the run share the 5 MB.
constexpr std::size_t kBytesForAutomata = 3'000'000;
constexpr std::size_t kBytesForPoints = 700'000;
constexpr std::size_t kBytesForWords = 500'000;
constexpr std::size_t kShownWidth = 48;  // columns of a word in a table

OrderedJson indices(WordView word) {
  OrderedJson list = OrderedJson::array();
  for (const Symbol symbol : word) list.push_back(index(symbol));
  return list;
}

/// Four digits are more than a screen shows.
double rounded(double number) {
  if (number == 0 || !std::isfinite(number)) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(number))));
  return std::round(number * scale) / scale;
}

OrderedJson printable_names(const std::vector<std::string>& names) {
  OrderedJson shown = OrderedJson::array();
  for (const std::string& name : names) shown.push_back(printable(name, true));
  return shown;
}

/// A hypothesis as the page draws and walks it. What is too large to be drawn brings no labels.
OrderedJson automaton_json(const Alphabet& alphabet, const Dfa& dfa, const std::string* picture) {
  std::string accepting;
  OrderedJson classes = OrderedJson::array();  // of a Moore machine
  OrderedJson next = OrderedJson::array();
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    accepting += !dfa.is_moore() && dfa.accepts(state) ? '1' : '0';
    if (dfa.is_moore()) classes.push_back(index(dfa.answer(state)));
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      next.push_back(index(dfa.next(state, static_cast<Symbol>(a))));
    }
  }
  OrderedJson json = {{"accepting", accepting}, {"next", std::move(next)}};
  if (dfa.is_moore()) json["classes"] = std::move(classes);
  if (picture != nullptr) json["svg"] = *picture;
  if (dfa.size() > kDrawnStates) return json;
  OrderedJson edges = OrderedJson::array();
  for (const auto& [from, to, symbols] : merged_transitions(dfa)) {
    const std::string label =
        printable(short_class_label(alphabet, symbols, kClassLabelWidth), true);
    edges.push_back(
        OrderedJson::array({index(from), index(to), cut_to_width(label, kClassLabelWidth)}));
  }
  OrderedJson access = OrderedJson::array();
  for (const auto& word : access_words(dfa)) {
    access.push_back(word ? shown_word(alphabet, *word, kAccessWordWidth, true) : "");
  }
  json["edges"] = std::move(edges);
  json["access"] = std::move(access);
  return json;
}

/// How a rung agrees with the network, by length: [length, words that agree, words].
OrderedJson agreement_lines(const Rung& rung) {
  OrderedJson list = OrderedJson::array();
  const std::size_t longest =
      std::max(rung.agreement.uniform.size(), rung.agreement.language.size());
  for (std::size_t length = 1; length <= longest; ++length) {
    const auto at = weakest_at(rung.agreement, length);
    if (at) list.push_back(OrderedJson::array({length, at->agreed, at->words}));
  }
  return list;
}

/// The rungs, smallest first, with as many automata as fit; that of the result always does.
OrderedJson rungs_json(const Run& run, const ReportExtras& extras) {
  const std::vector<std::size_t> shown = shown_hypotheses(run);
  std::vector<OrderedJson> list(shown.size());
  std::vector<std::size_t> order;  // of places in the page: the result first, then the small ones
  for (std::size_t i = 0; i < shown.size(); ++i) order.push_back(i);
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return shown[i] == run.recommended; });
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    const HypothesisRecord& hypothesis = run.hypotheses[shown[i]];
    list[i] = {{"hypothesis", shown[i]},
               {"states", hypothesis.dfa.size()},
               {"at", rounded(hypothesis.at_seconds)}};
    const auto rung = std::find_if(run.ladder.begin(), run.ladder.end(),
                                   [&](const Rung& r) { return r.hypothesis == shown[i]; });
    if (rung != run.ladder.end()) {
      list[i]["horizon"] = rung->horizon;
      list[i]["assured"] = rung->assured;
      list[i]["agreement"] = agreement_lines(*rung);
    }
    // Of a large alphabet, what cannot fit is not even made: a number takes two bytes and more.
    const bool is_result = shown[i] == run.recommended;
    const std::size_t least = 2 * hypothesis.dfa.size() * run.network.alphabet.size();
    if (!is_result && bytes + least > kBytesForAutomata) continue;
    const Dfa dfa = is_result ? run.dfa() : run.hypothesis(shown[i]);
    const auto place = [&](const std::string* picture) {
      const OrderedJson automaton = automaton_json(run.network.alphabet, dfa, picture);
      const std::size_t size = detail::bytes_in_page(detail::one_line(automaton));
      if (!is_result && bytes + size > kBytesForAutomata) return false;
      bytes += size;
      list[i].update(automaton);
      return true;
    };
    const auto picture = extras.pictures.find(shown[i]);
    if (picture != extras.pictures.end() && place(&picture->second)) continue;
    place(nullptr);  // otherwise the page lays it out itself, which takes less space
  }
  return list;
}

OrderedJson evidence_json(const Run& run) {
  OrderedJson list = OrderedJson::array();
  for (const Evidence& evidence : run.evidence) {
    if (claims_nothing(evidence)) continue;
    list.push_back(detail::evidence_json(run.network.alphabet, evidence));
    list.back()["end"] = evidence.end == Evidence::End::NoneFound        ? "none found"
                         : evidence.end == Evidence::End::Counterexample ? "refuted"
                                                                         : "stopped";
  }
  return list;
}

/// What stands below the verdict: the proof, how words are passed, why learning stopped.
OrderedJson findings(const Run& run, const Reader& reader) {
  OrderedJson list = OrderedJson::array();
  if (run.proof) {
    list.push_back(proof_sentence(*run.proof, run.network.alphabet, reader.width, reader.utf8));
  }
  if (!run.exceptions.empty()) list.push_back(differences_sentence(run));
  for (const std::string& remark : remarks(run, reader)) list.push_back(remark);
  list.push_back(ending_sentence(run));
  return list;
}

/// The table of agreement: which words, how many, the share that agrees.
OrderedJson agreement_json(const Run& run) {
  OrderedJson rows = OrderedJson::array();
  for (const AgreementRow& row : agreement_rows(run)) {
    rows.push_back(OrderedJson::array({row.words, row.agreement.words, percent(row.agreement)}));
  }
  return rows;
}

OrderedJson facts_json(const Run& run, const Reader& reader) {
  const NetworkSummary& network = run.network;
  return {{"automaton", fmt::format("{} over {}, hypothesis {} of {}",
                                    counted(run.dfa().size(), "state", "states"),
                                    counted(network.alphabet.size(), "symbol", "symbols"),
                                    run.recommended + 1, run.hypotheses.size())},
          {"network", fmt::format("{}: {}, state size {}", printable(network.file, reader.utf8),
                                  network.cell, network.state_size)},
          {"learning", work_sentence(run)}};
}

/// Words while they fit, then null: a page can do without walking the longest ones.
class WordsWithinBudget {
 public:
  OrderedJson operator()(WordView word) {
    bytes_ += word.size() * 3;
    return bytes_ <= kBytesForWords ? indices(word) : OrderedJson(nullptr);
  }

 private:
  std::size_t bytes_ = 0;
};

OrderedJson plot_json(const RStatePlot& plot, std::size_t answers) {
  OrderedJson x = OrderedJson::array();
  OrderedJson y = OrderedJson::array();
  OrderedJson words = OrderedJson::array();
  OrderedJson l_states = OrderedJson::array();
  OrderedJson a_states = OrderedJson::array();
  std::string accepted;
  OrderedJson classes = OrderedJson::array();  // of more than two answers
  std::size_t bytes = 0;
  for (const RStatePoint& point : plot.points) {
    bytes += 36 + point.word.size() * 3;
    if (bytes > kBytesForPoints) break;
    x.push_back(rounded(point.x));
    y.push_back(rounded(point.y));
    words.push_back(indices(point.word));
    l_states.push_back(index(point.l_state));
    a_states.push_back(index(point.a_state));
    accepted += point.answer == Answer::Accept ? '1' : '0';
    if (answers > 2) classes.push_back(index(point.answer));
  }
  return {{"variance", {rounded(plot.variance[0]), rounded(plot.variance[1])}},
          {"seen", std::max<std::uint64_t>(plot.seen, plot.points.size())},
          {"x", std::move(x)},
          {"y", std::move(y)},
          {"word", std::move(words)},
          {"l", std::move(l_states)},
          {"a", std::move(a_states)},
          {"accepted", accepted},
          {"classes", answers > 2 ? std::move(classes) : OrderedJson(nullptr)}};
}

}  // namespace

std::vector<std::size_t> shown_hypotheses(const Run& run) {
  std::vector<std::size_t> shown;
  for (const Rung& rung : run.ladder) shown.push_back(rung.hypothesis);
  if (run.rung() == nullptr) shown.push_back(run.recommended);
  std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
    return run.hypotheses.at(a).dfa.size() < run.hypotheses.at(b).dfa.size();
  });
  return shown;
}

std::string extraction_html(const Run& run, const ReportExtras& extras) {
  const Alphabet& alphabet = run.network.alphabet;
  const std::string file =
      printable(std::filesystem::path(run.network.file).filename().string(), true);
  const std::string title = "Extraction from " + file;
  const Reader reader{.width = kShownWidth, .utf8 = true, .spelling = extras.spelling};
  const std::vector<std::size_t> rungs = shown_hypotheses(run);
  const auto result = std::find(rungs.begin(), rungs.end(), run.recommended) - rungs.begin();
  OrderedJson growth = OrderedJson::array();
  for (const HypothesisRecord& hypothesis : run.hypotheses) {
    growth.push_back(OrderedJson::array({rounded(hypothesis.at_seconds), hypothesis.dfa.size()}));
  }
  OrderedJson json = {{"title", title},
                      {"file", file},
                      {"verdict", name(verdict(run))},
                      {"unrefuted", is_unrefuted(run)},
                      {"sentence", verdict_sentence(run)},
                      {"target", target_sentence(run, reader)},
                      {"findings", findings(run, reader)},
                      {"advice", advice(run, reader)},
                      {"agreement", agreement_json(run)},
                      {"differences", differences_sentence(run)},
                      {"facts", facts_json(run, reader)},
                      {"alphabet", alphabet.names()},
                      {"shown", printable_names(alphabet.names())},
                      {"compact", alphabet.is_compact()},
                      {"classes", run.network.answers},
                      {"class_names", printable_names(run.network.classes.names())},
                      {"empty", shown_word(alphabet, {}, kShownWidth, true)},
                      {"evidence", evidence_json(run)},
                      {"rungs", rungs_json(run, extras)},
                      {"result", result},
                      {"growth", std::move(growth)}};
  WordsWithinBudget word_json;
  json["counterexamples"] = OrderedJson::array();
  for (const Counterexample& record : run.counterexamples) {
    json["counterexamples"].push_back(
        OrderedJson{{"word", word_json(record.word)},
                    {"text", shown_word(alphabet, record.word, kShownWidth, true)},
                    {"network", detail::answer_json(record.answer, run.network.answers)},
                    {"target", detail::answer_json(record.target, run.network.answers)},
                    {"oracle", record.oracle},
                    {"how", record.pumped ? printable(record.pumped->text(alphabet), true) : ""},
                    {"length", record.word.size()},
                    {"seconds", rounded(record.seconds)}});
  }
  json["exceptions"] = OrderedJson::array();
  for (const Counterexample& record : run.exceptions) {
    json["exceptions"].push_back(
        OrderedJson{{"word", word_json(record.word)},
                    {"text", shown_word(alphabet, record.word, kShownWidth, true)},
                    {"network", detail::answer_json(record.answer, run.network.answers)},
                    {"probability", record.probability.value_or(0)}});
  }
  json["families"] = OrderedJson::array();
  for (const Family& family : run.families) {
    json["families"].push_back(
        OrderedJson{{"pattern", printable(family_pattern(alphabet, family), true)},
                    {"words", family.words},
                    {"prefix", indices(family.prefix)},
                    {"loop", indices(family.loop)},
                    {"suffix", indices(family.suffix)},
                    {"from", family.from},
                    {"to", family.to ? OrderedJson(*family.to) : OrderedJson(nullptr)},
                    {"tried", family.tried},
                    {"network", detail::answer_json(family.answer, run.network.answers)}});
  }
  if (!run.plot.points.empty()) json["points"] = plot_json(run.plot, run.network.answers);
  json["options"] = detail::options_json(run);
  for (auto& option : json["options"]) {  // words in them are shown as all others are
    if (option.is_string()) option = printable(option.get<std::string>(), true);
  }
  const bool runs_in_pages = extras.network != nullptr && !extras.network->word_graph;
  json["network"] = runs_in_pages
                        ? detail::page_network(*extras.network, run.network, run.precision)
                    : extras.network != nullptr
                        ? OrderedJson{{"absent", "pages cannot run networks that read whole words"}}
                        : OrderedJson{{"absent", "the page was written without the network"}};
  json["empty_word"] = detail::answer_json(run.empty_word, run.network.answers);
  json["command"] = extras.command;
  json["footer"] = extras.program;
  return detail::assemble_page(detail::k_extraction_page, title, detail::one_line(json));
}

}  // namespace rnnalf
