#pragma once

#include <string>

#include "rnnalf/base/class_names.hpp"
#include "rnnalf/base/ids.hpp"
#include "rnnalf/network/summary.hpp"

namespace rnnalf {

/// Of `answers` answers: "accept", "reject", the name of a class or, without names, "class 3"; "no
/// answer" for None.
[[nodiscard]] inline std::string answer_name(Answer answer, std::size_t answers,
                                             const ClassNames& classes) {
  if (answer == Answer::None) return "no answer";
  if (answers > 2) return (classes.empty() ? "class " : "") + classes.name(answer);
  return answer == Answer::Accept ? "accept" : "reject";
}
[[nodiscard]] inline std::string answer_name(Answer answer, const NetworkSummary& network) {
  return answer_name(answer, network.answers, network.classes);
}

/// What a network or an automaton does: "accepts", "rejects", "says positive" or "says class 3".
[[nodiscard]] inline std::string answer_verb(Answer answer, const NetworkSummary& network) {
  const std::string name = answer_name(answer, network);
  if (answer == Answer::None) return "gives " + name;
  return network.answers > 2 ? "says " + name : name + "s";
}

}  // namespace rnnalf
