#include "rnnalf/report/picture.hpp"

#include <optional>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/symbol_class.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLabelWidth = 24;   // columns of an arrow's label
constexpr std::size_t kAccessWidth = 12;  // columns of a state's access word
constexpr std::size_t kClassWidth = 12;   // columns of a state's class
constexpr std::size_t kWholeWidth = 400;  // columns in tooltips

std::string state_name(LState state) {
  return "s" + std::to_string(index(state));
}

/// For a quoted string of DOT. Graphviz reads backslash sequences and XML entities in it.
std::string quoted(const std::string& text) {
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
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '[':
        result += "&#91;";
        break;
      case ']':
        result += "&#93;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

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
  const bool small = dfa.size() <= 30;
  // They double the elements of an SVG, which browsers feel from some thousands on.
  const bool with_tooltips = dfa.size() <= 100;
  const auto is_dim = [&](LState q) { return options.sinks != Sinks::Shown && is_sink(dfa, q); };
  // An automaton that is nothing but a sink is shown.
  const auto is_hidden = [&](LState q) {
    return options.sinks == Sinks::Hidden && q != dfa.initial() && is_sink(dfa, q);
  };
  // States are numbered breadth first, so the first ones are the core.
  const auto is_beyond = [&](LState q) { return index(q) >= options.most_states; };

  std::string text = R"(digraph dfa {
  graph [rankdir="LR" bgcolor="transparent" outputorder="edgesfirst" nodesep="0.25" ranksep="0.5"
         overlap="prism" tooltip=" "];
  node [shape="circle" fontname="Helvetica" fontsize="12" margin="0.03" width="0.5"
        style="filled" fillcolor="white" color="#333333"];
  edge [class="transition" fontname="Helvetica" fontsize="11" arrowsize="0.7" color="#555555"];
)";
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
      text += std::string("<br/><font point-size=\"") + (small ? "9" : "7") + "\">" +
              markup(shown_word(alphabet, *words[q], kAccessWidth, true)) + "</font>";
      tooltip += ", reached by " + shown_word(alphabet, *words[q], kWholeWidth, true);
    }
    text += ">";
    if (with_tooltips) text += " tooltip=" + quoted(tooltip);
    if (accepting) text += " shape=\"doublecircle\" fillcolor=\"#dff0d8\"";
    if (is_dim(state)) {
      text += " style=\"dashed\" color=\"#aaaaaa\" fontcolor=\"#888888\"";
    }
    text += "];\n";
  }

  text += "  start [shape=\"point\" width=\"0.06\" style=\"invis\" tooltip=\" \"];\n  start -> " +
          state_name(dfa.initial()) + " [class=\"start\" tooltip=\"initial state\"];\n";
  if (dfa.size() > options.most_states) {
    text +=
        "  more [id=\"more\" shape=\"box\" style=\"dashed,rounded\" fixedsize=\"false\" label=\"" +
        std::to_string(dfa.size() - options.most_states) +
        " more states\\nnot drawn\" tooltip=\" \"];\n";
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
    const std::string label = printable(short_class_label(alphabet, symbols, kLabelWidth), true);
    const std::string tooltip =
        state_name(from) + " → " + state_name(to) + ": " +
        cut_to_width(printable(alphabet.format(symbols), true), kWholeWidth);
    text += "  " + state_name(from) + " -> " + state_name(to) + " [id=\"" + state_name(from) + "-" +
            state_name(to) + "\" label=" + quoted(cut_to_width(label, kLabelWidth)) +
            (with_tooltips ? " tooltip=" + quoted(tooltip) : "");
    if (is_dim(to)) {
      text += " class=\"transition sink\" color=\"#cccccc\" fontcolor=\"#888888\"";
    }
    text += "];\n";
  }
  return text + "}\n";
}

}  // namespace rnnalf
