#include "rnnalf/report/language_model_report.hpp"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "rnnalf/base/power_text.hpp"
#include "rnnalf/language_model/pdfa_json.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/run_json.hpp"
#include "rnnalf/report/shown_word.hpp"

namespace rnnalf {
namespace {

using detail::OrderedJson;

constexpr std::size_t kShownWords = 5;
constexpr std::size_t kWordWidth = 40;

std::string shown(const Alphabet& alphabet, const Word& word, const TextStyle& style) {
  return shown_word(alphabet, word, kWordWidth, style.utf8);
}

std::string length_text(const WordsJudged::OfLength& part, bool last) {
  return last ? fmt::format("{}+", part.shortest)
              : fmt::format("{}-{}", part.shortest, part.longest);
}

std::string words_line(std::string_view kind, const WordsJudged& judged) {
  if (judged.words == 0)
    return fmt::format("  {:<9}  not measured: there was no time left\n", kind);
  std::string text =
      fmt::format("  {:<9}{:>7}  {:>8.3f}  {:>9.4g}  {:>9.4g}", kind, format_count(judged.words),
                  judged.decades, judged.perplexity, judged.network_perplexity);
  if (judged.impossible_to_pdfa + judged.impossible_to_network > 0) {
    text += fmt::format("  {} impossible to the automaton alone, {} to the network alone",
                        judged.impossible_to_pdfa, judged.impossible_to_network);
  }
  return text + "\n";
}

std::string by_length_line(std::string_view kind, const WordsJudged& judged) {
  std::string text = fmt::format("  {:<9}", kind);
  for (const auto& part : judged.by_length) {
    text += fmt::format("  {}: {:.3f}", length_text(part, part.longest > 1000), part.decades);
  }
  return text + "\n";
}

template <class Use>
void each_kind(const PdfaJudgement& judged, Use use) {
  use("sampled", judged.sampled);
  use("uniform", judged.uniform);
  if (judged.given) use("given", *judged.given);
}

std::string judgement_text(const NetworkSummary& network, const Pdfa& pdfa,
                           const PdfaJudgement& judged, const TextStyle& style) {
  const Alphabet& alphabet = network.alphabet;
  std::string text =
      "Error of word probabilities, in decades: the mean of |log10(p / p of the network)|\n"
      "             words   decades  perplexity    network's\n";
  each_kind(judged, [&](std::string_view kind, const WordsJudged& words) {
    text += words_line(kind, words);
  });
  text += "\nDecades by length\n";
  each_kind(judged, [&](std::string_view kind, const WordsJudged& words) {
    text += by_length_line(kind, words);
  });
  text += fmt::format(
      "\nNext symbol, on sampled words\n"
      "  KL divergence    {:.4g} +- {:.2g} nats per symbol (95 % confidence)\n"
      "  word error rate  {:.1f} % of the positions have another most probable symbol\n"
      "  NDCG             {:.4f} of the five most probable symbols\n",
      judged.divergence, judged.divergence_error, 100 * judged.word_error_rate, judged.ndcg);
  if (judged.left_out > 1e-3) {
    text += fmt::format(
        "  The network gives {:.1f} % to symbols that no word has. Its word probabilities lack\n"
        "  that share at every symbol; the automaton's rows sum to 1.\n",
        100 * judged.left_out);
  }
  text += "\nMost probable words\n";
  for (const ProbableWord& one : most_probable_words(pdfa, kShownWords)) {
    text += fmt::format("  {:<10.4g}{}\n", one.probability, shown(alphabet, one.word, style));
  }
  text += "\nWorst of the sampled words (log10 p, automaton and network)\n";
  for (const WorstWord& one : judged.worst) {
    text += fmt::format("  {:>8.2f}  {:>8.2f}  {}\n", one.pdfa, one.network,
                        shown(alphabet, one.word, style));
  }
  if (!judged.families.empty()) {
    text += "\nLoops on which the error grows (decades per repetition)\n";
    for (const WorstFamily& one : judged.families) {
      text += fmt::format(
          "  {:>+8.3f}  {}\n", one.decades_per_loop,
          printable(pumped_text(alphabet, one.prefix, one.loop, "k", one.suffix), style.utf8));
    }
  }
  return text;
}

OrderedJson words_json(const WordsJudged& judged) {
  OrderedJson by_length = OrderedJson::array();
  for (const auto& part : judged.by_length) {
    by_length.push_back({{"shortest", part.shortest},
                         {"longest", part.longest},
                         {"words", part.words},
                         {"decades", part.decades}});
  }
  const auto measured = [&](double value) {
    return judged.words > 0 ? OrderedJson(value) : OrderedJson(nullptr);
  };
  return {{"words", judged.words},
          {"decades", measured(judged.decades)},
          {"mean_squared_error", measured(judged.mean_squared_error)},
          {"perplexity", measured(judged.perplexity)},
          {"network_perplexity", measured(judged.network_perplexity)},
          {"impossible_to_automaton", judged.impossible_to_pdfa},
          {"impossible_to_network", judged.impossible_to_network},
          {"by_length", std::move(by_length)}};
}

OrderedJson judgement_json(const Alphabet& alphabet, const PdfaJudgement& judged) {
  OrderedJson json;
  each_kind(judged, [&](std::string_view kind, const WordsJudged& words) {
    json[std::string(kind)] = words_json(words);
  });
  json["kl_divergence"] = judged.divergence;
  json["kl_divergence_error"] = judged.divergence_error;
  json["word_error_rate"] = judged.word_error_rate;
  json["ndcg"] = judged.ndcg;
  json["left_out"] = judged.left_out;
  json["worst"] = OrderedJson::array();
  for (const WorstWord& one : judged.worst) {
    json["worst"].push_back({{"word", detail::word_json(alphabet, one.word)},
                             {"log10_automaton", one.pdfa},
                             {"log10_network", one.network}});
  }
  json["families"] = OrderedJson::array();
  for (const WorstFamily& one : judged.families) {
    json["families"].push_back({{"prefix", detail::word_json(alphabet, one.prefix)},
                                {"loop", detail::word_json(alphabet, one.loop)},
                                {"suffix", detail::word_json(alphabet, one.suffix)},
                                {"decades_per_loop", one.decades_per_loop}});
  }
  return json;
}

std::string network_line(const NetworkSummary& network, const TextStyle& style) {
  return fmt::format("  network  {}: {}, state size {}, {} symbols\n",
                     printable(network.file, style.utf8), network.cell, network.state_size,
                     network.alphabet.size());
}

}  // namespace

std::string language_model_text(const LanguageModelRun& run, const TextStyle& style) {
  const PdfaJudgement& judged = run.judgement;
  std::string text = fmt::format(
      "A probabilistic automaton of {} gives words the network's probability within {:.2f} "
      "decades\n"
      "(a factor of {:.3g}) on average, over {} words drawn from the network.\n",
      counted(run.pdfa.size(), "state", "states"), judged.sampled.decades,
      std::pow(10, judged.sampled.decades), format_count(judged.sampled.words));
  if (run.limit != Limit::None) {
    text += fmt::format("Learning ended early: {}.\n", name(run.limit));
  }
  if (run.ladder.size() > 1) {
    text += "\nSizes tried, with decades on words held out\n";
    for (const PdfaRung& rung : run.ladder) {
      text += fmt::format("{} {:>6}  {:.3f}\n", rung.states == run.pdfa.size() ? ">" : " ",
                          rung.states, rung.decades);
    }
  }
  text += "\n" + network_line(run.network, style);
  text += fmt::format("  work     {}: {}, {} network steps, method {}\n\n",
                      format_seconds(run.seconds), counted(run.words, "word drawn", "words drawn"),
                      format_count(run.steps), run.options.method.text());
  return text + judgement_text(run.network, run.pdfa, judged, style);
}

std::string language_model_json(const LanguageModelRun& run) {
  OrderedJson json;
  json["format"] = "rnnalf.extraction/2";
  json["network"] = detail::network_json(run.network);
  json["options"] = detail::options_json(used_options(run.options, run.network.alphabet));
  json["verdict"] =
      run.limit == Limit::None ? std::string("settled") : std::string(name(run.limit));
  json["reproducible"] = !run.cut_short;
  json["dfa"] = nullptr;
  json["pdfa"] = to_json({run.network.alphabet, run.pdfa});
  json["judgement"] = judgement_json(run.network.alphabet, run.judgement);
  json["ladder"] = OrderedJson::array();
  for (const PdfaRung& rung : run.ladder) {
    json["ladder"].push_back(
        {{"states", rung.states}, {"decades", rung.decades}, {"at_seconds", rung.at_seconds}});
  }
  json["statistics"] = {{"words", run.words}, {"rnn_steps", run.steps}, {"seconds", run.seconds}};
  std::string text = "{\n";
  for (const auto& [name, value] : json.items()) {
    text += (text.size() > 2 ? ",\n  \"" : "  \"") + name + "\": " + detail::one_line(value);
  }
  return text + "\n}\n";
}

std::string pdfa_judgement_text(const NetworkSummary& network, const Pdfa& pdfa,
                                const PdfaJudgement& judgement, const TextStyle& style) {
  return network_line(network, style) +
         fmt::format("  PDFA     {}\n\n", counted(pdfa.size(), "state", "states")) +
         judgement_text(network, pdfa, judgement, style);
}

std::string pdfa_judgement_json(const NetworkSummary& network, const PdfaJudgement& judgement) {
  OrderedJson json = {{"network", detail::network_json(network)}};
  json.update(judgement_json(network.alphabet, judgement));
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace rnnalf
