#include "rnnalf/report/presentation_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include <fmt/ranges.h>

namespace rnnalf {
namespace {

constexpr std::size_t kNamesShown = 8;

/// Distinct symbols of the network: those of words, and those that begin, end or are left out.
std::size_t symbols_of(const NetworkSummary& network) {
  std::set<std::string> all(network.alphabet.names().begin(), network.alphabet.names().end());
  for (const auto* list : {&network.begin, &network.end, &network.left_out}) {
    all.insert(list->begin(), list->end());
  }
  return all.size();
}

}  // namespace

std::string presentation_words(const NetworkSummary& network) {
  const std::size_t all = symbols_of(network);
  if (network.begin.empty() && network.end.empty() && network.alphabet.size() == all) return "";
  std::string text = "read as ";
  for (const std::string& name : network.begin) text += name + " ";
  text += "w";
  for (const std::string& name : network.end) text += " " + name;
  text += fmt::format(", w over {} of {} symbols", network.alphabet.size(), all);
  if (network.left_out.empty()) return text;
  const std::size_t shown = std::min(kNamesShown, network.left_out.size());
  return text + fmt::format("; left out: {}{}",
                            fmt::join(std::span(network.left_out).first(shown), " "),
                            shown < network.left_out.size() ? " ..." : "");
}

}  // namespace rnnalf
