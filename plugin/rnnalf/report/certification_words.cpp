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

}  // namespace

std::string claimed_words(const certify::Claim& claim, const Alphabet& alphabet) {
  std::string text = "all words";
  if (claim.letters) {
    text += " of the letters";
    for (const Symbol symbol : *claim.letters) text += " " + alphabet.name(symbol);
  }
  if (claim.max_run > 0) {
    text += fmt::format(" with no letter more than {} times in a row", claim.max_run);
  }
  if (claim.max_length > 0) text += fmt::format(" of up to {} letters", claim.max_length);
  return text;
}

std::string certification_text(const Certification& result, const Alphabet& alphabet,
                               std::size_t width, bool utf8) {
  const auto shown = [&](const Word& word) { return shown_word(alphabet, word, width, utf8); };
  switch (result.verdict) {
    case Certification::Verdict::Certified:
      return "certified: network and DFA agree, proved for " +
             proved(*result.certificate, alphabet);
    case Certification::Verdict::Refuted:
      return "refuted: network and DFA differ on " + shown(*result.counterexample) + "\n";
    case Certification::Verdict::Open:
      break;
  }
  std::string text = "open: no proof was found";
  if (result.limit != Limit::None) text += fmt::format(" ({})", name(result.limit));
  text += "\n";
  if (!result.open.empty()) {
    std::vector<std::string> places;
    for (const auto& [state, letter] : result.open) {
      places.push_back(
          fmt::format("{}{}", index(state), letter ? " " + alphabet.name(*letter) : ""));
    }
    text += fmt::format(
        "  sets that did not close, by state of the minimal DFA and letter read there: {}\n",
        fmt::join(places, ", "));
  }
  if (result.agreed_length) {
    text += fmt::format("  all words of up to {} letters were run: network and DFA agree on them\n",
                        *result.agreed_length);
  }
  if (result.weaker) {
    text += "  proved for " + proved(*result.weaker, alphabet) + "  not for " +
            shown(*result.outside_weaker) + "\n";
  }
  return text;
}

std::string proof_sentence(const Certification& found, const Alphabet& alphabet, std::size_t width,
                           bool utf8) {
  const auto theorem = [&](const certify::Certificate& certificate) {
    return fmt::format("Proved: network and DFA agree on {}{}.",
                       claimed_words(certificate.claim, alphabet),
                       certificate.empty_word ? "" : ", the empty word left out");
  };
  if (found.certificate) return theorem(*found.certificate);
  if (found.counterexample) {
    return fmt::format("No proof: network and DFA differ on {}.",
                       shown_word(alphabet, *found.counterexample, width, utf8));
  }
  return found.weaker ? theorem(*found.weaker) + " No proof for more words was found."
                      : "No proof that network and DFA agree on all words was found.";
}

}  // namespace rnnalf
