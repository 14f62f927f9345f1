#include "rnnalf/automaton/dfa_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::detail {
namespace {

constexpr std::uint32_t kMissing = 0xffffffffU;

/// `0,1` on an edge of a partial automaton: very likely two symbols, and as one symbol it would be
/// a different language.
void refuse_symbol_lists(const ListedDfa& listed, const Alphabet& alphabet) {
  for (const ListedDfa::Transition& transition : listed.transitions) {
    const std::string& symbol = listed.symbols[transition.symbol];
    if (symbol.find(',') == std::string::npos) continue;
    bool all_known = true;
    for (std::size_t at = 0; at <= symbol.size() && all_known;) {
      const std::size_t end = std::min(symbol.find(',', at), symbol.size());
      all_known = alphabet.find(std::string_view(symbol).substr(at, end - at)).has_value();
      at = end + 1;
    }
    if (all_known) {
      refuse({listed.file, transition.line}, "expected one symbol per edge, found " +
                                                 in_quotes(symbol) + ", which looks like several");
    }
  }
}

/// How many, with names at least 3: two named classes are no accept and reject.
std::size_t answers_of(const ListedDfa& listed) {
  std::size_t answers = listed.least_answers;
  if (!listed.classes.empty()) answers = std::max({answers, listed.classes.size(), std::size_t{3}});
  for (const std::uint32_t answer : listed.answers) {
    answers = std::max(answers, answer + std::size_t{1});
  }
  return answers;
}

/// A class that the file has no name for, as no state gives it, is called by its number.
ClassNames classes_of(const ListedDfa& listed, std::size_t answers) {
  std::vector<std::string> names = listed.classes;
  if (names.empty()) return {};
  while (names.size() < answers) names.emplace_back();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) names[i] = std::to_string(i);
  }
  return ClassNames(std::move(names));
}

}  // namespace

void refuse(const FileLine& at, const std::string& message) {
  throw AutomatonFileError(fmt::format("{}:{}", at.file, at.line), message);
}

std::uint32_t Names::number(std::string_view name) {
  const auto [found, added] =
      numbers_.emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
  if (added) names_.emplace_back(name);
  return found->second;
}

std::optional<std::uint32_t> class_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number >= kMostAnswers) {
    return std::nullopt;
  }
  return number;
}

DfaFile complete(const ListedDfa& listed) {
  const std::size_t states = listed.answers.size();
  const std::size_t symbols = listed.symbols.size();
  if (states == 0) throw AutomatonFileError(listed.file, "expected at least one state, found none");

  // A few lines can name many states and many symbols; their product must stay in proportion.
  const std::size_t largest = (std::size_t{1} << 20U) + 16 * listed.transitions.size();
  if (symbols > largest / states) {
    throw AutomatonFileError(
        listed.file,
        fmt::format("expected a transition for most of the {} states and {} symbols, found only {}",
                    states, symbols, listed.transitions.size()));
  }
  const std::size_t answers = answers_of(listed);
  if (answers > kMostAnswers) {
    throw AutomatonFileError(
        listed.file, fmt::format("expected at most {} classes, found {}", kMostAnswers, answers));
  }
  Alphabet alphabet;
  ClassNames classes;
  try {
    alphabet = Alphabet(listed.symbols);
    classes = classes_of(listed, answers);
  } catch (const OptionError& error) {
    throw AutomatonFileError(listed.file, error.what());
  }

  std::vector<std::uint32_t> target(states * symbols, kMissing);
  for (const ListedDfa::Transition& transition : listed.transitions) {
    std::uint32_t& slot = target[transition.from * symbols + transition.symbol];
    if (slot != kMissing && slot != transition.to) {
      refuse({listed.file, transition.line},
             "expected a deterministic automaton, found a second transition of state " +
                 in_quotes(listed.states[transition.from]) + " for symbol " +
                 in_quotes(listed.symbols[transition.symbol]));
    }
    slot = transition.to;
  }

  DfaFile file{listed.file, {alphabet, Dfa(symbols, states, answers), classes}, true, 0, {}};
  Dfa& dfa = file.automaton.dfa;
  for (std::size_t q = 0; q < states; ++q) {
    dfa.set_answer(static_cast<LState>(q), static_cast<Answer>(listed.answers[q]));
  }
  dfa.set_initial(static_cast<LState>(listed.initial));
  LState sink{};
  for (std::size_t q = 0; q < states; ++q) {
    for (std::size_t a = 0; a < symbols; ++a) {
      std::uint32_t to = target[q * symbols + a];
      if (to == kMissing) {
        if (file.missing_transitions++ == 0) {
          refuse_symbol_lists(listed, alphabet);
          sink = dfa.add_state(false);
          file.first_missing =
              "state " + in_quotes(listed.states[q]) + ", symbol " + in_quotes(listed.symbols[a]);
        }
        to = static_cast<std::uint32_t>(index(sink));
      }
      dfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a), static_cast<LState>(to));
    }
  }
  return file;
}

}  // namespace rnnalf::detail
