#include "rnnalf/report/picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "rnnalf/base/markup.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/symbol_class.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kClassWidth = 12;       // columns of a state's class
constexpr std::size_t kSmallAccessWidth = 8;  // the same in circles of one size
constexpr std::size_t kWholeWidth = 400;      // columns in tooltips
constexpr std::size_t kLineWidth = 150;       // columns of a line of words

std::string state_name(LState state) {
  return fmt::format("s{}", index(state));
}

/// For a quoted string of DOT. Graphviz reads backslash sequences and XML entities in it.
std::string dot_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + "\"";
}

/// For an HTML-like label of DOT, in which Graphviz stumbles over brackets too.
std::string markup(const std::string& text) {
  std::string result;
  for (const char c : escaped_markup(text)) {
    if (c == '[') {
      result += "&#91;";
    } else if (c == ']') {
      result += "&#93;";
    } else {
      result += c;
    }
  }
  return result;
}

/// Of an automaton that is not drawn whole: how much of it is.
std::vector<std::string> left_out(std::size_t drawn, std::size_t size,
                                  const PictureOptions& options) {
  if (drawn == size) return {};
  std::vector<std::string> lines = {"The core: " + format_count(drawn) + " of " +
                                    counted(size, "state", "states") +
                                    ", those with the shortest access words."};
  if (!options.rest.empty()) lines.push_back(printable(options.rest, true));
  return lines;
}

}  // namespace

std::size_t drawn_states(std::size_t size, const PictureOptions& options) noexcept {
  return size <= options.most_states ? size : std::min(options.core_states, size);
}

bool is_sink(const Dfa& dfa, LState state) {
  if (dfa.is_moore() || dfa.accepts(state)) return false;
  for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
    if (dfa.next(state, static_cast<Symbol>(a)) != state) return false;
  }
  return true;
}

std::string picture_dot(const NamedDfa& automaton, const PictureOptions& options) {
  const Alphabet& alphabet = automaton.alphabet;
  const Dfa& dfa = automaton.dfa;
  const std::size_t drawn = drawn_states(dfa.size(), options);
  const bool small = drawn <= 30;
  // They double the elements of an SVG, and thousands of elements make browsers slow.
  const bool with_tooltips = drawn <= 100;
  const auto is_dim = [&](LState q) { return options.sinks != Sinks::Shown && is_sink(dfa, q); };
  // An automaton that is nothing but a sink is shown.
  const auto is_hidden = [&](LState q) {
    return options.sinks == Sinks::Hidden && q != dfa.initial() && is_sink(dfa, q);
  };
  // States are numbered breadth first, so the first ones are the core.
  const auto is_beyond = [&](LState q) { return index(q) >= drawn; };

  std::string text = R"(digraph dfa {
  graph [bgcolor="transparent" outputorder="edgesfirst" nodesep="0.2" ranksep="0.35" tooltip=" "];
  node [shape="circle" fontname="Helvetica" fontsize="12" margin="0.03" width="0.5"
        style="filled" fillcolor="white" color="#333333"];
  edge [class="transition" fontname="Helvetica" fontsize="11" arrowsize="0.7" color="#555555"];
)";
  text += std::string("  graph [rankdir=\"") +
          (options.direction == Direction::Right ? "LR" : "TB") + "\"];\n";
  const std::vector<std::string> said_below = left_out(drawn, dfa.size(), options);
  if (!said_below.empty()) {
    text += "  graph [labelloc=\"b\" fontname=\"Helvetica\" fontsize=\"12\" label=<";
    for (const std::string& line : said_below) text += markup(line) + "<br align=\"left\"/>";
    text += ">];\n";
  }
  // Circles as large as their words would hide the rest.
  if (!small) text += "  node [width=\"0.72\" fixedsize=\"true\"];\n";

  const auto words = access_words(dfa);
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    if (is_hidden(state) || is_beyond(state)) continue;
    const std::string name = state_name(state);
    const bool accepting = !dfa.is_moore() && dfa.accepts(state);
    const std::string answer = printable(automaton.classes.name(dfa.answer(state)), true);
    text += "  " + name + " [id=\"" + name + "\" class=\"state" + (accepting ? " accepting" : "") +
            (is_dim(state) ? " sink" : "") + "\" label=<" + name +
            (dfa.is_moore() ? " / <b>" + markup(cut_to_width(answer, kClassWidth)) + "</b>" : "");
    std::string tooltip = name + (dfa.is_moore() ? ", class " + answer
                                  : accepting    ? ", accepting"
                                                 : "");
    if (words[q]) {
      const std::size_t width = small ? kAccessWordWidth : kSmallAccessWidth;
      text += "<br/><font point-size=\"10\">" +
              markup(shown_word(alphabet, *words[q], width, true)) + "</font>";
      tooltip += ", reached by " + shown_word(alphabet, *words[q], kWholeWidth, true);
    }
    text += ">";
    if (with_tooltips) text += " tooltip=" + dot_quoted(tooltip);
    if (accepting) text += " shape=\"doublecircle\" fillcolor=\"#dff0d8\"";
    if (is_dim(state)) {
      text += " style=\"dashed\" color=\"#aaaaaa\" fontcolor=\"#888888\"";
    }
    text += "];\n";
  }

  text += "  start [shape=\"point\" width=\"0.06\" style=\"invis\" tooltip=\" \"];\n  start -> " +
          state_name(dfa.initial()) + " [class=\"start\" tooltip=\"initial state\"];\n";
  if (drawn < dfa.size()) {
    text +=
        "  more [id=\"more\" shape=\"box\" style=\"dashed,rounded\" fixedsize=\"false\" label=\"" +
        counted(dfa.size() - drawn, "more state", "more states") + "\\nnot drawn\" tooltip=\" \"";
    if (!options.rest_link.empty()) {
      text += " fontcolor=\"#1a5fb4\" target=\"_top\" URL=" + dot_quoted(options.rest_link);
    }
    text += "];\n";
  }
  std::optional<LState> leads_beyond;  // the last state with an arrow to those not drawn
  for (const auto& [from, to, symbols] : merged_transitions(dfa)) {
    if (is_hidden(from) || is_hidden(to) || is_beyond(from)) continue;
    if (is_beyond(to)) {
      if (leads_beyond != from) {
        text += "  " + state_name(from) + " -> more [style=\"dashed\" color=\"#aaaaaa\"];\n";
      }
      leads_beyond = from;
      continue;
    }
    const std::string label =
        printable(short_class_label(alphabet, symbols, kClassLabelWidth), true);
    const std::string tooltip =
        state_name(from) + " → " + state_name(to) + ": " +
        cut_to_width(printable(alphabet.format(symbols), true), kWholeWidth);
    text += "  " + state_name(from) + " -> " + state_name(to) + " [id=\"" + state_name(from) + "-" +
            state_name(to) + "\" label=" + dot_quoted(cut_to_width(label, kClassLabelWidth)) +
            (with_tooltips ? " tooltip=" + dot_quoted(tooltip) : "");
    if (is_dim(to)) {
      text += " class=\"transition sink\" color=\"#cccccc\" fontcolor=\"#888888\"";
    }
    text += "];\n";
  }
  return text + "}\n";
}

std::string transitions_svg(const NamedDfa& automaton, const PictureOptions& options) {
  const Dfa& dfa = automaton.dfa;
  const std::size_t drawn = drawn_states(dfa.size(), options);
  std::vector<std::string> lines(drawn);
  for (std::size_t q = 0; q < drawn; ++q) {
    const auto state = static_cast<LState>(q);
    lines[q] = state_name(state);
    if (state == dfa.initial()) lines[q] += ", initial";
    if (dfa.is_moore()) {
      lines[q] += ", class " + printable(automaton.classes.name(dfa.answer(state)), true);
    } else if (dfa.accepts(state)) {
      lines[q] += ", accepting";
    }
    lines[q] += ":";
  }
  for (const auto& [from, to, symbols] : merged_transitions(dfa)) {
    if (index(from) >= drawn) continue;
    lines[index(from)] +=
        "  " + printable(short_class_label(automaton.alphabet, symbols, kClassLabelWidth), true) +
        " → " + state_name(to);
  }
  for (std::string& line : lines) line = cut_to_width(line, kLineWidth);
  for (std::string& line : left_out(drawn, dfa.size(), options)) lines.push_back(std::move(line));

  constexpr std::size_t kColumn = 8, kLine = 18, kMargin = 10;  // points; letters are 13 high
  std::size_t columns = 0;
  for (const std::string& line : lines) columns = std::max(columns, display_width(line));
  const std::string width = std::to_string(columns * kColumn + 2 * kMargin);
  const std::string height = std::to_string(lines.size() * kLine + 2 * kMargin);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width +
                     "pt\" height=\"" + height + "pt\" viewBox=\"0 0 " + width + " " + height +
                     "\" font-family=\"monospace\" font-size=\"13\">\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("<text xml:space=\"preserve\" x=\"{}\" y=\"{}\">{}</text>\n", kMargin,
                        kMargin + (i + 1) * kLine - 5, markup(lines[i]));
  }
  return text + "</svg>\n";
}

}  // namespace rnnalf
