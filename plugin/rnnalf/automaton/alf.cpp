// The text form of libalf's finite_automaton: sections [general], [initial states], [final states],
// [transitions]; of its moore_machine<int>, [outputs] instead of [final states]. Statements end in
// a semicolon, # starts a comment, names are case-insensitive.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "rnnalf/automaton/dfa_builder.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf::detail {
namespace {

/// One statement, or one section header (with its brackets), in lower case and single spaces.
struct Piece {
  std::string text;
  std::size_t line = 0;
};

class Pieces {
 public:
  Pieces(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::optional<Piece> next() {
    Piece piece;
    bool space = false;
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        continue;
      }
      if (c == '\n') ++line_;
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        space = true;
        continue;
      }
      if (c == ';') {
        if (piece.text.empty()) continue;
        return piece;
      }
      if (c == '[' && !piece.text.empty()) {
        refuse({file_, piece.line},
               "expected a semicolon after " + in_quotes(piece.text) + ", found a new section");
      }
      if (piece.text.empty()) {
        piece.line = line_;
      } else if (space) {
        piece.text += ' ';
      }
      space = false;
      piece.text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      if (c == ']' && piece.text[0] == '[') return piece;
    }
    if (!piece.text.empty()) {
      refuse({file_, piece.line},
             "expected a semicolon after " + in_quotes(piece.text) + ", found the end of the file");
    }
    return std::nullopt;
  }

 private:
  std::string_view text_;
  const std::string& file_;  // outlives the pieces
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

class AlfReader {
 public:
  AlfReader(std::string_view text, const std::string& file) : pieces_(text, file), file_(file) {}

  DfaFile read() {
    while (const auto piece = pieces_.next()) {
      if (piece->text.front() == '[') {
        enter(*piece);
      } else if (section_ == "[general]") {
        general(*piece);
      } else if (section_ == "[initial states]") {
        append(*piece, initial_);
      } else if (section_ == "[final states]") {
        append(*piece, final_);
      } else if (section_ == "[outputs]") {
        output(*piece);
      } else if (section_ == "[transitions]") {
        transition(*piece);
      } else {
        refuse({file_, piece->line},
               "expected a section such as [general], found " + in_quotes(piece->text));
      }
    }
    return finish();
  }

 private:
  void enter(const Piece& piece) {
    for (const char* known :
         {"[general]", "[initial states]", "[final states]", "[outputs]", "[transitions]"}) {
      if (piece.text == known) {
        section_ = known;
        return;
      }
    }
    refuse({file_, piece.line},
           "expected a section [general], [initial states], [final states], [outputs] or "
           "[transitions], found " +
               in_quotes(piece.text));
  }

  void general(const Piece& piece) {
    const std::size_t equals = piece.text.find('=');
    const std::string name = trimmed(std::string_view(piece.text).substr(0, equals));
    const std::string value =
        equals == std::string::npos ? "" : trimmed(std::string_view(piece.text).substr(equals + 1));
    if (name == "is dfa") {
      // What counts is whether it is one; NL* says false even of automata that are deterministic.
      if (value != "true" && value != "false" && value != "yes" && value != "no") {
        refuse({file_, piece.line}, "is dfa: expected true or false, found " + in_quotes(value));
      }
    } else if (name == "alphabet size") {
      alphabet_size_ = number(value, piece, name);
    } else if (name == "number of states") {
      state_count_ = number(value, piece, name);
    } else {
      refuse({file_, piece.line},
             "expected 'is dfa', 'alphabet size' or 'number of states', found " + in_quotes(name));
    }
  }

  void append(const Piece& piece, std::vector<std::pair<std::uint32_t, std::size_t>>& states) {
    for (const std::uint32_t state : numbers(piece)) states.emplace_back(state, piece.line);
  }

  void output(const Piece& piece) {
    const auto parts = numbers(piece);
    if (parts.size() != 2 || parts[1] >= kMostAnswers) {
      refuse({file_, piece.line},
             "expected an output 'state, class', found " + in_quotes(piece.text));
    }
    outputs_.push_back({parts[0], parts[1], piece.line});
  }

  void transition(const Piece& piece) {
    const auto parts = numbers(piece);
    if (parts.size() != 3) {
      refuse({file_, piece.line},
             "expected a transition 'source, symbol, target', found " + in_quotes(piece.text));
    }
    transitions_.push_back({parts[0], parts[1], parts[2], piece.line});
  }

  [[nodiscard]] std::vector<std::uint32_t> numbers(const Piece& piece) const {
    std::vector<std::uint32_t> found;
    const std::string_view text = piece.text;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      found.push_back(number(trimmed(text.substr(at, end - at)), piece, section_));
      at = end + 1;
    }
    return found;
  }

  [[nodiscard]] std::uint32_t number(const std::string& text, const Piece& piece,
                                     const std::string& what) const {
    std::uint32_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stopped != end) {
      refuse({file_, piece.line}, what + ": expected a number, found " + in_quotes(text));
    }
    return value;
  }

  static std::string trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return std::string(text);
  }

  void in_range(std::uint32_t found, std::uint32_t count, const std::string& what,
                std::size_t line) const {
    if (found >= count) {
      refuse({file_, line},
             fmt::format("{}: expected a number below {}, found {}", what, count, found));
    }
  }

  DfaFile finish() {
    if (!alphabet_size_) refuse_missing("alphabet size");
    if (!state_count_) refuse_missing("number of states");
    if (initial_.size() != 1) {
      throw AutomatonFileError(
          file_,
          fmt::format(
              "[initial states]: expected one state, as a deterministic automaton has, found {}",
              initial_.size()));
    }
    // Two numbers in a tiny file must not make a huge automaton.
    const std::size_t most = 1000 + 2 * transitions_.size();
    if (*state_count_ > most || *alphabet_size_ > most) {
      throw AutomatonFileError(file_,
                               fmt::format("[general]: expected sizes that fit the {} transitions, "
                                           "found {} states and {} symbols",
                                           transitions_.size(), *state_count_, *alphabet_size_));
    }
    ListedDfa listed;
    listed.file = file_;
    for (std::uint32_t q = 0; q < *state_count_; ++q) listed.states.push_back(std::to_string(q));
    for (std::uint32_t a = 0; a < *alphabet_size_; ++a) {
      listed.symbols.push_back(std::to_string(a));
    }
    listed.answers.resize(*state_count_, 0);
    for (const auto& [state, line] : final_) {
      in_range(state, *state_count_, "final state", line);
      listed.answers[state] = 1;
    }
    if (!final_.empty() && !outputs_.empty()) {
      refuse({file_, outputs_.front().line}, "expected final states or outputs, found both");
    }
    for (const auto& [state, answer, line] : outputs_) {
      in_range(state, *state_count_, "state with an output", line);
      listed.answers[state] = answer;
    }
    in_range(initial_[0].first, *state_count_, "initial state", initial_[0].second);
    listed.initial = initial_[0].first;
    for (const ListedDfa::Transition& transition : transitions_) {
      in_range(transition.from, *state_count_, "source", transition.line);
      in_range(transition.symbol, *alphabet_size_, "symbol", transition.line);
      in_range(transition.to, *state_count_, "target", transition.line);
    }
    listed.transitions = std::move(transitions_);
    DfaFile file = complete(listed);
    file.has_names = false;
    return file;
  }

  [[noreturn]] void refuse_missing(const std::string& what) const {
    throw AutomatonFileError(file_, "[general]: expected '" + what + " = ...;', found none");
  }

  Pieces pieces_;
  const std::string& file_;  // outlives the reader
  std::string section_;
  std::optional<std::uint32_t> alphabet_size_;
  std::optional<std::uint32_t> state_count_;
  std::vector<std::pair<std::uint32_t, std::size_t>> initial_;
  std::vector<std::pair<std::uint32_t, std::size_t>> final_;
  struct Output {
    std::uint32_t state, answer;
    std::size_t line;
  };
  std::vector<Output> outputs_;
  std::vector<ListedDfa::Transition> transitions_;
};

std::string final_states(const Dfa& dfa) {
  std::string accepting;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    if (!dfa.accepts(static_cast<LState>(q))) continue;
    accepting += fmt::format("{}{}", accepting.empty() ? "\t" : ", ", q);
  }
  return "[final states]\n" + accepting + (accepting.empty() ? "\n" : ";\n");
}

std::string outputs(const Dfa& dfa) {
  std::string text = "[outputs]\n";
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    text += fmt::format("\t{}, {};\n", q, index(dfa.answer(static_cast<LState>(q))));
  }
  return text;
}

}  // namespace

DfaFile parse_alf(std::string_view text, const std::string& file) {
  return AlfReader(text, file).read();
}

std::string format_alf(const Dfa& dfa) {
  std::string text = fmt::format(
      "[general]\n\tis dfa = true;\n\talphabet size = {};\n\tnumber of states = {};\n"
      "[initial states]\n\t{};\n{}[transitions]\n",
      dfa.symbol_count(), dfa.size(), index(dfa.initial()),
      dfa.is_moore() ? outputs(dfa) : final_states(dfa));
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const LState to = dfa.next(static_cast<LState>(q), static_cast<Symbol>(a));
      text += fmt::format("\t{}, {}, {};\n", q, a, index(to));
    }
  }
  return text;
}

}  // namespace rnnalf::detail
