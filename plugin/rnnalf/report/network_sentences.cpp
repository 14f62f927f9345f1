// What reports say about a network: its answers, and how words are passed to it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>

#include "rnnalf/report/sentences.hpp"

namespace rnnalf {

std::string answer_name(Answer answer, std::size_t answers, const ClassNames& classes) {
  if (answer == Answer::None) return "no answer";
  if (answers > 2) return (classes.empty() ? "class " : "") + classes.name(answer);
  return answer == Answer::Accept ? "accept" : "reject";
}

std::string answer_name(Answer answer, const NetworkSummary& network) {
  return answer_name(answer, network.answers, network.classes);
}

std::string answer_verb(Answer answer, const NetworkSummary& network) {
  const std::string name = answer_name(answer, network);
  if (answer == Answer::None) return "gives " + name;
  return network.answers > 2 ? "answers " + name : name + "s";
}

std::string presentation_sentence(const NetworkSummary& network) {
  std::set<std::string> all(network.alphabet.names().begin(), network.alphabet.names().end());
  for (const auto* list : {&network.begin, &network.end, &network.left_out}) {
    all.insert(list->begin(), list->end());
  }
  std::vector<std::string> sentences;
  if (!network.begin.empty() || !network.end.empty()) {
    std::vector<std::string> parts = network.begin;
    parts.emplace_back("w");
    parts.insert(parts.end(), network.end.begin(), network.end.end());
    sentences.push_back(
        fmt::format("Each word w is passed to the network as {}.", fmt::join(parts, " ")));
  }
  if (network.alphabet.size() < all.size()) {
    sentences.push_back(fmt::format("Words have {} of the network's {} symbols.",
                                    network.alphabet.size(), all.size()));
  }
  if (!network.left_out.empty()) {
    constexpr std::size_t kNamesShown = 8;
    const std::size_t shown = std::min(kNamesShown, network.left_out.size());
    sentences.push_back(fmt::format("Left out: {}{}.",
                                    fmt::join(std::span(network.left_out).first(shown), " "),
                                    shown < network.left_out.size() ? " ..." : ""));
  }
  if (network.whole_words) {
    sentences.emplace_back(
        "The network reads whole words: each answer takes as many steps as the word has symbols.");
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace rnnalf
