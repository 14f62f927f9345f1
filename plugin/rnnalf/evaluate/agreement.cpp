#include "rnnalf/evaluate/agreement.hpp"

#include <array>

namespace rnnalf {

std::string_view name(WordKind kind) noexcept {
  constexpr std::array<std::string_view, kWordKinds> names = {"uniform", "automata", "found",
                                                              "given", "near"};
  return names[static_cast<std::size_t>(kind)];
}

std::optional<LengthAgreement> weakest_at(const Agreement& agreement, std::size_t length) {
  std::optional<LengthAgreement> weakest;
  for (const auto* kind : {&agreement.uniform, &agreement.language}) {
    if (length == 0 || length > kind->size() || (*kind)[length - 1].words < kFewWords) continue;
    const LengthAgreement& at = (*kind)[length - 1];
    if (!weakest || at.share() < weakest->share()) weakest = at;
  }
  return weakest;
}

}  // namespace rnnalf
