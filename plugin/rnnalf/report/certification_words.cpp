#include "rnnalf/report/certification_words.hpp"

#include <fmt/format.h>

#include <vector>

#include "rnnalf/report/shown_word.hpp"

namespace rnnalf {
namespace {

std::string proved(const certify::Certificate& certificate, const Alphabet& alphabet) {
  std::size_t images = certificate.start.size();
  for (const auto& set : certificate.sets) images += set.tree.size();
  return fmt::format(
      "{}{}\n  {} sets of R-states, {} images; smallest margin {:.3g}, slack per step {:.2g}\n",
      claimed_words(certificate.claim, alphabet),
      certificate.empty_word ? "" : ", the empty word left out", certificate.sets.size(), images,
      certificate.margin, certificate.slack);
}

/// What is proved, or was seen to hold.
std::string_view fact(certify::Property property) {
  using enum certify::Property;
  if (property == Equal) return "network and DFA agree";
  return property == Never ? "the network rejects every word of the property"
                           : "the network accepts every word of the property";
}

}  // namespace

std::string claimed_words(const certify::Claim& claim, const Alphabet& alphabet) {
  std::string text = "all words";
  if (claim.symbols) {
    text += " of the symbols";
    for (const Symbol symbol : *claim.symbols) text += " " + alphabet.name(symbol);
  }
  if (claim.max_run > 0) {
    text += fmt::format(" with no symbol more than {} times in a row", claim.max_run);
  }
  if (claim.max_length > 0) text += fmt::format(" of up to {} symbols", claim.max_length);
  return text;
}

std::string certification_text(const Certification& result, const Alphabet& alphabet,
                               std::size_t width, bool utf8) {
  const auto shown = [&](const Word& word) { return shown_word(alphabet, word, width, utf8); };
  switch (result.verdict) {
    case Certification::Verdict::Certified:
      return fmt::format("certified: {}, proved for {}", fact(result.property),
                         proved(*result.certificate, alphabet));
    case Certification::Verdict::Refuted:
      return fmt::format("refuted: {} {}\n",
                         result.property == certify::Property::Equal ? "network and DFA differ on"
                         : result.property == certify::Property::Never
                             ? "a word of the property, which the network accepts:"
                             : "a word of the property, which the network rejects:",
                         shown(*result.counterexample));
    case Certification::Verdict::Open:
      break;
  }
  std::string text = "open: no proof was found";
  if (result.limit != Limit::None) text += fmt::format(" ({})", name(result.limit));
  text += "\n";
  if (!result.open.empty()) {
    std::vector<std::string> places;
    for (const auto& [state, symbol] : result.open) {
      places.push_back(
          fmt::format("{}{}", index(state), symbol ? " " + alphabet.name(*symbol) : ""));
    }
    text += fmt::format(
        "  sets that did not close, by state of the minimal DFA and symbol read there: {}\n",
        fmt::join(places, ", "));
  }
  if (result.agreed_length) {
    text += fmt::format("  all words of up to {} symbols were run: {}\n", *result.agreed_length,
                        fact(result.property));
  }
  if (result.weaker) {
    text += "  proved for " + proved(*result.weaker, alphabet) + "  not for " +
            shown(*result.outside_weaker) + "\n";
  }
  return text;
}

std::string proof_sentence(const Certification& found, const Alphabet& alphabet, std::size_t width,
                           bool utf8) {
  const auto& proved = found.certificate ? found.certificate : found.weaker;
  if (proved) {
    std::string text = fmt::format("Proved: network and automaton agree on {}{}.",
                                   claimed_words(proved->claim, alphabet),
                                   proved->empty_word ? "" : " except the empty word");
    if (!found.certificate && found.outside_weaker) {
      text += fmt::format(" The proof does not cover longer or other words, such as {}.",
                          shown_word(alphabet, *found.outside_weaker, width, utf8));
    }
    return text;
  }
  if (found.counterexample) {
    return fmt::format("The search for a proof found that network and automaton differ on {}.",
                       shown_word(alphabet, *found.counterexample, width, utf8));
  }
  return "No proof was found that network and automaton agree on all words.";
}

}  // namespace rnnalf
