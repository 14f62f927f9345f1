// DOT, the language of Graphviz, as far as automata use it. The grammar is read whole (default
// attributes, subgraphs, edge chains, ports, comments, string concatenation); of the attributes
// only label, shape, style, peripheries and class mean something here.
//
// Why this reader is ours: Graphviz' own keeps its grammar in global variables and prints what it
// thinks of a file, and a message here says which line is wrong and what was expected there.

#include <fmt/core.h>
#include <algorithm>
#include <optional>

#include "rnnalf/automaton/dfa_builder.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf::detail {
namespace {

enum class TokenKind : std::uint8_t { Id, Arrow, Line, Punctuation, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;     // an id without its quotes, or the character
  bool bare = false;    // an id without quotes: only these can be keywords
  bool markup = false;  // an id in angle brackets
  std::size_t line = 0;

  [[nodiscard]] bool is(char c) const {
    return kind == TokenKind::Punctuation && text.size() == 1 && text[0] == c;
  }
};

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view file) : text_(text), file_(file) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    read();
  }

  [[nodiscard]] const Token& peek() const { return token_; }

  Token take() {
    Token taken = std::move(token_);
    read();
    // "a" + "b" is one string.
    while (taken.kind == TokenKind::Id && !taken.bare && !taken.markup && token_.is('+')) {
      read();
      if (token_.kind != TokenKind::Id || token_.bare || token_.markup) {
        refuse("expected a quoted string after +, found " + describe(token_));
      }
      taken.text += token_.text;
      read();
    }
    return taken;
  }

  [[nodiscard]] static std::string describe(const Token& token) {
    return token.kind == TokenKind::End ? "the end of the file" : in_quotes(token.text);
  }

  [[noreturn]] void refuse(const std::string& message) const {
    detail::refuse({file_, token_.line}, message);
  }

 private:
  [[nodiscard]] char at(std::size_t offset) const {
    return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_space_and_comments() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else if ((c == '/' && at(1) == '/') || c == '#') {
        skip_line();  // Graphviz on #: output of a C preprocessor; AutomataLib: a comment
      } else if (c == '/' && at(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail("expected */ after /*, found the end of the file");
        line_ += static_cast<std::size_t>(
            std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                       text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  void read() {
    skip_space_and_comments();
    token_ = {};
    token_.line = line_;
    if (at_ >= text_.size()) return;
    const char c = text_[at_];
    if (c == '"') {
      read_quoted();
    } else if (c == '<') {
      read_markup();
    } else if (c == '-' && (at(1) == '>' || at(1) == '-')) {
      token_.kind = at(1) == '>' ? TokenKind::Arrow : TokenKind::Line;
      token_.text = text_.substr(at_, 2);
      at_ += 2;
    } else if (starts_name(c) || starts_number()) {
      token_.kind = TokenKind::Id;
      token_.bare = true;
      const bool name = starts_name(c);
      const std::size_t begin = at_++;
      while (at_ < text_.size() && (name ? continues_name(text_[at_]) : continues_number())) ++at_;
      token_.text = text_.substr(begin, at_ - begin);
    } else {
      token_.kind = TokenKind::Punctuation;
      token_.text = c;
      ++at_;
    }
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  }
  static bool continues_name(char c) { return starts_name(c) || is_digit(c); }
  [[nodiscard]] bool starts_number() const {
    const std::size_t sign = at(0) == '-' ? 1 : 0;
    return is_digit(at(sign)) || (at(sign) == '.' && is_digit(at(sign + 1)));
  }
  [[nodiscard]] bool continues_number() const { return is_digit(text_[at_]) || text_[at_] == '.'; }

  // As Graphviz does: \" is a quote, a backslash before a line break joins the lines, and every
  // other escape stays as it is.
  void read_quoted() {
    token_.kind = TokenKind::Id;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return;
      }
      if (c == '\\' && at(1) == '"') {
        token_.text += '"';
        ++at_;
      } else if (c == '\\' && at(1) == '\n') {
        ++at_;
        ++line_;
      } else if (c == '\\' && at(1) == '\\') {
        token_.text += "\\\\";
        ++at_;
      } else {
        if (c == '\n') ++line_;
        token_.text += c;
      }
    }
    fail("expected a closing quote, found the end of the file");
  }

  void read_markup() {
    token_.kind = TokenKind::Id;
    token_.markup = true;
    const std::size_t begin = at_;
    std::size_t depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '<') ++depth;
      if (c == '>' && --depth == 0) {
        ++at_;
        token_.text = text_.substr(begin, at_ - begin);
        return;
      }
    }
    fail("expected a closing >, found the end of the file");
  }

  [[noreturn]] void fail(const std::string& message) const {
    detail::refuse({file_, token_.line == 0 ? line_ : token_.line}, message);
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  Token token_;
};

/// What the attributes of a node say about a state.
struct Look {
  std::string shape;
  std::string style;
  std::string peripheries;
  std::string label;
  std::string number;  ///< the attribute class

  [[nodiscard]] bool accepting() const { return shape == "doublecircle" || peripheries == "2"; }
  /// Nodes drawn as nothing or as a dot only hold the arrow into the initial state.
  [[nodiscard]] bool hidden() const {
    return shape == "none" || shape == "point" || shape == "plaintext" || shape == "plain" ||
           style.find("invis") != std::string::npos;
  }
};

struct Node {
  Look look;
  bool entered = false;
};

struct Edge {
  std::uint32_t from, to;
  std::optional<Token> label;
  std::size_t line;
};

struct Defaults {
  Look node;
  std::optional<Token> edge_label;
};

class DotParser {
 public:
  DotParser(std::string_view text, const std::string& file) : lexer_(text, file), file_(file) {}

  DfaFile parse() {
    header();
    scopes_.emplace_back();
    while (!scopes_.empty()) statement();
    if (lexer_.peek().is(';')) lexer_.take();  // as libalf ends the picture of a Moore machine
    if (lexer_.peek().kind != TokenKind::End) {
      lexer_.refuse("expected nothing after the graph, found " + Lexer::describe(lexer_.peek()));
    }
    return automaton();
  }

 private:
  [[nodiscard]] bool next_is_keyword(std::string_view keyword) const {
    const Token& token = lexer_.peek();
    return token.kind == TokenKind::Id && token.bare && lower(token.text) == keyword;
  }

  void expect(char c, const std::string& where) {
    if (!lexer_.peek().is(c)) {
      lexer_.refuse(std::string("expected ") + c + " " + where + ", found " +
                    Lexer::describe(lexer_.peek()));
    }
    lexer_.take();
  }

  Token id(const std::string& what) {
    if (lexer_.peek().kind != TokenKind::Id) {
      lexer_.refuse("expected " + what + ", found " + Lexer::describe(lexer_.peek()));
    }
    return lexer_.take();
  }

  void header() {
    if (next_is_keyword("strict")) lexer_.take();
    if (!next_is_keyword("digraph")) {
      lexer_.refuse("expected digraph, found " + Lexer::describe(lexer_.peek()));
    }
    lexer_.take();
    if (lexer_.peek().kind == TokenKind::Id) lexer_.take();
    expect('{', "after digraph");
  }

  void statement() {
    const Token& next = lexer_.peek();
    if (next.is(';')) {
      lexer_.take();
    } else if (next.is('}')) {
      lexer_.take();
      scopes_.pop_back();
      if (!scopes_.empty()) refuse_edge_of_subgraph();
    } else if (next.is('{') || next_is_keyword("subgraph")) {
      subgraph();
    } else if (next_is_keyword("node")) {
      lexer_.take();
      node_attributes(scopes_.back().node);
    } else if (next_is_keyword("edge")) {
      lexer_.take();
      edge_attributes(scopes_.back().edge_label);
    } else if (next_is_keyword("graph")) {
      lexer_.take();
      attributes([](const std::string&, const Token&) {});
    } else {
      node_or_edge();
    }
  }

  void refuse_edge_of_subgraph() const {
    if (lexer_.peek().kind == TokenKind::Arrow) {
      lexer_.refuse("expected edges between single nodes, found one from a subgraph");
    }
  }

  void subgraph() {
    constexpr std::size_t kDeepest = 64;
    if (next_is_keyword("subgraph")) {
      lexer_.take();
      if (lexer_.peek().kind == TokenKind::Id) lexer_.take();
    }
    expect('{', "after subgraph");
    if (scopes_.size() == kDeepest) {
      lexer_.refuse(fmt::format("expected at most {} nested subgraphs, found more", kDeepest));
    }
    scopes_.push_back(scopes_.back());
  }

  void node_or_edge() {
    const Token first = id("a node, an edge or }");
    if (lexer_.peek().is('=')) {  // an attribute of the graph
      lexer_.take();
      id("a value after =");
      return;
    }
    skip_port();
    std::vector<std::uint32_t> chain{node(first)};
    std::vector<std::size_t> lines;
    while (lexer_.peek().kind == TokenKind::Arrow) {
      lines.push_back(lexer_.take().line);
      if (lexer_.peek().is('{') || next_is_keyword("subgraph")) {
        lexer_.refuse("expected edges between single nodes, found one to a subgraph");
      }
      const Token target = id("a node after ->");
      skip_port();
      chain.push_back(node(target));
    }
    if (lexer_.peek().kind == TokenKind::Line) {
      lexer_.refuse("expected a directed edge ->, found --");
    }
    if (chain.size() == 1) {
      node_attributes(nodes_[chain[0]].look);
      return;
    }
    std::optional<Token> label = scopes_.back().edge_label;
    edge_attributes(label);
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
      nodes_[chain[i + 1]].entered = true;
      edges_.push_back({chain[i], chain[i + 1], label, lines[i]});
    }
  }

  void skip_port() {
    while (lexer_.peek().is(':')) {
      lexer_.take();
      id("a port after :");
    }
  }

  std::uint32_t node(const Token& token) {
    const std::uint32_t number = names_.number(token.text);
    if (number == nodes_.size()) nodes_.push_back({scopes_.back().node, false});
    return number;
  }

  template <class Use>
  void attributes(Use use) {
    while (lexer_.peek().is('[')) {
      lexer_.take();
      while (!lexer_.peek().is(']')) {
        const Token name = id("an attribute or ]");
        Token value;
        value.text = "true";
        if (lexer_.peek().is('=')) {
          lexer_.take();
          value = id("a value after =");
        }
        use(lower(name.text), value);
        if (lexer_.peek().is(',') || lexer_.peek().is(';')) lexer_.take();
      }
      lexer_.take();
    }
  }

  void node_attributes(Look& look) {
    attributes([&](const std::string& name, const Token& value) {
      if (name == "shape") look.shape = lower(value.text);
      if (name == "style") look.style = lower(value.text);
      if (name == "peripheries") look.peripheries = value.text;
      if (name == "label") look.label = value.text;
      if (name == "class") look.number = value.text;
    });
  }

  void edge_attributes(std::optional<Token>& label) {
    attributes([&](const std::string& name, const Token& value) {
      if (name == "label") label = value;
    });
  }

  [[nodiscard]] bool holds_start_arrow(std::uint32_t number) const {
    const Node& node = nodes_[number];
    return !node.entered && (names_.names()[number].starts_with("__start") || node.look.hidden());
  }

  DfaFile automaton() {
    ListedDfa listed;
    listed.file = file_;
    std::vector<std::uint32_t> state_of(nodes_.size());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (holds_start_arrow(i)) continue;
      state_of[i] = static_cast<std::uint32_t>(listed.states.size());
      listed.states.push_back(names_.names()[i]);
      listed.answers.push_back(nodes_[i].look.accepting() ? 1 : 0);
    }
    read_classes(listed);
    Names symbols;
    std::optional<std::uint32_t> initial;
    for (const Edge& edge : edges_) {
      if (holds_start_arrow(edge.from)) {
        if (initial && *initial != edge.to) {
          refuse({file_, edge.line}, "expected one initial state, found " + node_name(*initial) +
                                         " and " + node_name(edge.to));
        }
        initial = edge.to;
        continue;
      }
      for (const std::string& symbol : symbols_of(edge)) {
        listed.transitions.push_back(
            {state_of[edge.from], symbols.number(symbol), state_of[edge.to], edge.line});
      }
    }
    if (!initial) {
      throw_no_initial_state();
    }
    listed.initial = state_of[*initial];
    listed.symbols = symbols.names();
    return complete(listed);
  }

  /// A Moore machine: no state is accepting, and every label has a class, all of them by number or
  /// else by name.
  void read_classes(ListedDfa& listed) const {
    std::vector<std::string> outputs;
    std::vector<std::optional<std::uint32_t>> written;  // the attributes class
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (holds_start_arrow(i)) continue;
      const auto output = output_in(nodes_[i].look.label);
      if (!output || nodes_[i].look.accepting()) return;
      outputs.push_back(*output);
      written.push_back(class_number(nodes_[i].look.number));
    }
    const auto is_number = [](const std::string& output) {
      return class_number(output).has_value();
    };
    const bool named = !std::all_of(outputs.begin(), outputs.end(), is_number);
    const bool numbered = std::find(written.begin(), written.end(), std::nullopt) == written.end();
    Names names;
    for (std::size_t q = 0; q < outputs.size(); ++q) {
      const std::uint32_t answer = !named     ? *class_number(outputs[q])
                                   : numbered ? *written[q]
                                              : names.number(outputs[q]);
      listed.answers[q] = answer;
      if (!named) continue;
      if (answer >= listed.classes.size()) listed.classes.resize(answer + std::size_t{1});
      std::string& name = listed.classes[answer];
      if (name.empty()) name = outputs[q];
      if (name != outputs[q]) {
        throw AutomatonFileError(
            file_, fmt::format("state {}: expected {}, as class {} is called elsewhere, found {}",
                               in_quotes(listed.states[q]), in_quotes(name), answer,
                               in_quotes(outputs[q])));
      }
    }
  }

  /// What follows the name in `name|output`, `{name|output}`, `name / output` or, as libalf draws
  /// it, `name\n[output]`.
  static std::optional<std::string> output_in(std::string_view label) {
    const std::size_t line = label.find("\\n[");
    if (line != 0 && line != std::string_view::npos && label.ends_with(']')) {
      return std::string(label.substr(line + 3, label.size() - line - 4));
    }
    if (label.size() > 1 && label.front() == '{' && label.back() == '}') {
      label = label.substr(1, label.size() - 2);
    }
    const std::size_t at = label.find_first_of("|/");
    if (at == std::string_view::npos || at == 0) return std::nullopt;
    std::string_view output = label.substr(at + 1);
    while (output.starts_with(' ')) output.remove_prefix(1);
    while (output.ends_with(' ')) output.remove_suffix(1);
    if (output.empty() || output.find_first_of("|/") != std::string_view::npos) return std::nullopt;
    return std::string(output);
  }

  [[noreturn]] void throw_no_initial_state() const {
    lexer_.refuse(
        "expected an edge into the initial state from a node __start0 (or one of shape none or "
        "point), found none");
  }

  [[nodiscard]] std::string node_name(std::uint32_t node) const {
    return in_quotes(names_.names()[node]);
  }

  /// The symbols of an edge: one, or several in lines of their own, which is how merged edges look.
  [[nodiscard]] std::vector<std::string> symbols_of(const Edge& edge) const {
    const FileLine line{file_, edge.line};
    const std::string where = node_name(edge.from) + " -> " + node_name(edge.to);
    if (!edge.label) refuse(line, where + ": expected a label with a symbol, found no label");
    if (edge.label->markup) {
      refuse(line, where + ": expected a plain label, found " + in_quotes(edge.label->text));
    }
    std::vector<std::string> symbols(1);
    const std::string& text = edge.label->text;
    for (std::size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      if (c == '\\' && i + 1 < text.size()) {
        c = text[++i];
        if (c == 'n' || c == 'l' || c == 'r') c = '\n';
      }
      if (c == '\n') {
        symbols.emplace_back();
      } else {
        symbols.back() += c;
      }
    }
    if (symbols.size() > 1 && symbols.back().empty()) symbols.pop_back();
    for (const std::string& symbol : symbols) {
      if (symbol.empty() || std::any_of(symbol.begin(), symbol.end(), [](char c) {
            return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
          })) {
        refuse(line, where + ": expected one symbol, without spaces, as the label, found " +
                         in_quotes(text));
      }
    }
    return symbols;
  }

  Lexer lexer_;
  const std::string& file_;  // outlives the parser
  std::vector<Defaults> scopes_;
  Names names_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

std::string escaped(const std::string& symbol) {
  std::string text;
  for (const char c : symbol) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

DfaFile parse_dot(std::string_view text, const std::string& file) {
  return DotParser(text, file).parse();
}

// One statement per line with the label among a node's attributes: AALpy reads line by line. No
// comma between attributes and no label on the start edge: AutomataLib's way. The class of a state
// is where each of the two looks for it: AALpy in the first label of a line, AutomataLib, as
// Graphviz, in the last. A class with a name keeps its number in an attribute of its own.
std::string format_dot(const NamedDfa& automaton) {
  const auto& [alphabet, dfa, classes] = automaton;
  const auto number = [](auto id) { return std::to_string(index(id)); };
  const auto name = [&](LState q) { return "s" + number(q); };
  std::string text = dfa.is_moore() ? "digraph moore {\n" : "digraph dfa {\n";
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    if (dfa.is_moore()) {
      const std::string output = classes.name(dfa.answer(state));
      text += "  " + name(state) + " [label=\"" + name(state) + "|" + output +
              "\" shape=\"record\" style=\"rounded\"" +
              (classes.empty() ? "" : " class=\"" + number(dfa.answer(state)) + "\"") +
              " label=\"" + name(state) + " / " + output + "\"];\n";
      continue;
    }
    text += "  " + name(state) + " [shape=\"" + (dfa.accepts(state) ? "doublecircle" : "circle") +
            "\" label=\"" + name(state) + "\"];\n";
  }
  text += "  __start0 [label=\"\" shape=\"none\"];\n  __start0 -> " + name(dfa.initial()) + ";\n";
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const auto state = static_cast<LState>(q);
      const auto symbol = static_cast<Symbol>(a);
      text += "  " + name(state) + " -> " + name(dfa.next(state, symbol)) + " [label=\"" +
              escaped(alphabet.name(symbol)) + "\"];\n";
    }
  }
  return text + "}\n";
}

}  // namespace rnnalf::detail
