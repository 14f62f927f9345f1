#pragma once

#include <string>

#include "rnnalf/base/ids.hpp"

namespace rnnalf {

/// Of a network with `answers` answers: "accept", "reject" or "class 3".
[[nodiscard]] inline std::string answer_name(Answer answer, std::size_t answers) {
  if (answers > 2) return "class " + std::to_string(index(answer));
  return answer == Answer::Accept ? "accept" : "reject";
}

/// What a network or an automaton does: "accepts", "rejects" or "says class 3".
[[nodiscard]] inline std::string answer_verb(Answer answer, std::size_t answers) {
  return answers > 2 ? "says " + answer_name(answer, answers) : answer_name(answer, answers) + "s";
}

}  // namespace rnnalf
