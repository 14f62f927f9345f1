#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "rnnalf/automaton/dfa_builder.hpp"
#include "rnnalf/automaton/dfa_json.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/json.hpp"

namespace rnnalf {
namespace detail {
namespace {

using Json = nlohmann::json;

/// Reads the members of a "dfa" object; every message names the member.
class JsonReader {
 public:
  explicit JsonReader(const std::string& file) : file_(file) {}

  DfaFile read(const Json& document) {
    const bool whole_extraction = document.is_object() && document.contains("dfa");
    if (whole_extraction) prefix_ = "dfa.";
    const Json& dfa = whole_extraction ? document["dfa"] : document;
    if (!dfa.is_object()) refuse("dfa", "an object", dfa);

    ListedDfa listed;
    listed.file = file_;
    listed.symbols = names(dfa, "alphabet");
    const std::string answers = dfa.contains("outputs") ? "outputs" : "accepting";
    for (const Json& answer : array(dfa, answers)) {
      listed.states.push_back(std::to_string(listed.states.size()));
      listed.answers.push_back(answers == "outputs" ? class_of(answer) : accepting(answer));
    }
    const std::size_t states = listed.states.size();
    if (states == 0) refuse(answers, "at least one state", dfa[answers]);
    if (dfa.contains("classes")) {
      const Json& classes = dfa["classes"];
      if (!classes.is_number_unsigned() || classes.get<std::uint64_t>() < 2 ||
          classes.get<std::uint64_t>() > kMostAnswers) {
        refuse("classes", fmt::format("a number from 2 to {}", kMostAnswers), classes);
      }
      listed.least_answers = classes.get<std::size_t>();
    }
    if (dfa.contains("class_names")) {
      listed.classes = names(dfa, "class_names");
      if (listed.classes.size() != listed.least_answers) {
        refuse("class_names", fmt::format("{} names, one per class,", listed.least_answers),
               std::to_string(listed.classes.size()));
      }
    }
    listed.initial = state(member(dfa, "initial"), states, "initial");

    const Json& rows = array(dfa, "transitions");
    if (rows.size() != states) {
      refuse("transitions", fmt::format("{} rows, one per state,", states),
             std::to_string(rows.size()));
    }
    for (std::uint32_t q = 0; q < states; ++q) {
      const std::string place = fmt::format("transitions[{}]", q);
      if (!rows[q].is_array()) refuse(place, "an array", rows[q]);
      if (rows[q].size() != listed.symbols.size()) {
        refuse(place, fmt::format("{} states, one per symbol,", listed.symbols.size()),
               std::to_string(rows[q].size()));
      }
      for (std::uint32_t a = 0; a < rows[q].size(); ++a) {
        listed.transitions.push_back({q, a, state(rows[q][a], states, place), 0});
      }
    }
    return complete(listed);
  }

 private:
  [[noreturn]] void refuse(const std::string& place, const std::string& expected,
                           const std::string& found) const {
    throw AutomatonFileError(file_, prefix_ + place + ": expected " + expected + " found " + found);
  }

  [[noreturn]] void refuse(const std::string& place, const std::string& expected,
                           const Json& found) const {
    const bool small = found.is_primitive();
    refuse(place, expected + ",",
           small ? in_quotes(found.dump(-1, ' ', false, Json::error_handler_t::replace))
                 : std::string("an ") + (found.is_array() ? "array" : "object"));
  }

  [[nodiscard]] std::uint32_t accepting(const Json& answer) const {
    if (!answer.is_boolean()) refuse("accepting", "true or false", answer);
    return answer.get<bool>() ? 1 : 0;
  }

  [[nodiscard]] std::uint32_t class_of(const Json& answer) const {
    if (!answer.is_number_unsigned() || answer.get<std::uint64_t>() >= kMostAnswers) {
      refuse("outputs", fmt::format("classes below {}", kMostAnswers), answer);
    }
    return answer.get<std::uint32_t>();
  }

  const Json& member(const Json& object, const std::string& name) const {
    if (!object.contains(name)) refuse(name, "a member of this name,", std::string("none"));
    return object[name];
  }

  const Json& array(const Json& object, const std::string& name) const {
    const Json& found = member(object, name);
    if (!found.is_array()) refuse(name, "an array", found);
    return found;
  }

  [[nodiscard]] std::vector<std::string> names(const Json& object, const std::string& name) const {
    std::vector<std::string> all;
    for (const Json& one : array(object, name)) {
      if (!one.is_string()) refuse(name, "strings", one);
      all.push_back(one.get<std::string>());
    }
    return all;
  }

  [[nodiscard]] std::uint32_t state(const Json& number, std::size_t states,
                                    const std::string& place) const {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() >= states) {
      refuse(place, fmt::format("a state from 0 to {}", states - 1), number);
    }
    return number.get<std::uint32_t>();
  }

  const std::string& file_;  // outlives the reader
  std::string prefix_;
};

}  // namespace

DfaFile parse_json(std::string_view text, const std::string& file) {
  return JsonReader(file).read(rnnalf::parse_json(
      text, 100, [&](const std::string& message) { throw AutomatonFileError(file, message); }));
}

std::string format_json(const NamedDfa& automaton) {
  // One row of transitions per line: readable, and a changed row is one changed line.
  const auto json = to_json(automaton);
  std::string text = "{\n";
  text += "  \"alphabet\": " + json["alphabet"].dump() + ",\n";
  text += "  \"initial\": " + json["initial"].dump() + ",\n";
  for (const char* name : {"accepting", "outputs", "classes", "class_names"}) {
    if (!json.contains(name)) continue;
    text += "  \"" + std::string(name) + "\": " + json[name].dump() + ",\n";
  }
  text += "  \"transitions\": [\n";
  const auto& rows = json["transitions"];
  for (std::size_t q = 0; q < rows.size(); ++q) {
    text += "    " + rows[q].dump() + (q + 1 < rows.size() ? ",\n" : "\n");
  }
  return text + "  ]\n}\n";
}

}  // namespace detail

nlohmann::ordered_json to_json(const NamedDfa& automaton) {
  using Json = nlohmann::ordered_json;
  const auto& [alphabet, dfa, classes] = automaton;
  Json answers = Json::array();
  Json transitions = Json::array();
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    answers.push_back(dfa.is_moore() ? Json(index(dfa.answer(state))) : Json(dfa.accepts(state)));
    Json row = Json::array();
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      row.push_back(index(dfa.next(state, static_cast<Symbol>(a))));
    }
    transitions.push_back(std::move(row));
  }
  Json json;
  json["alphabet"] = alphabet.names();
  json["initial"] = index(dfa.initial());
  if (dfa.is_moore()) {
    json["accepting"] = nullptr;
    json["outputs"] = std::move(answers);
    json["classes"] = dfa.answer_count();
    if (!classes.empty()) json["class_names"] = classes.names();
  } else {
    json["accepting"] = std::move(answers);
  }
  json["transitions"] = std::move(transitions);
  return json;
}

}  // namespace rnnalf
