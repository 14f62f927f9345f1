#include "rnnalf/automaton/regex.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

// Brzozowski's derivatives. The derivative of r by a symbol a is an expression of the words w with
// aw in r. Expressions are kept in a normal form (unions are sorted sets, products lean to the
// right), so that an expression has finitely many derivatives: they are the states of the
// automaton, and a state accepts if its expression has the empty word.

namespace rnnalf {
namespace {

constexpr std::size_t kMostStates = 10'000, kMostNodes = 1'000'000, kMostTimes = 1000,
                      kMostNested = 200;
constexpr std::size_t kDeepest = 5000;  // of an expression: functions here follow it recursively

enum class Kind : std::uint8_t { Nothing, Empty, Set, Product, Union, Star };

using Id = std::size_t;  // of an expression
constexpr Id kNothing = 0, kEmpty = 1;

class Expressions {
 public:
  explicit Expressions(std::size_t symbols) : symbols_(symbols) {
    add({Kind::Nothing, 0, 0}, false);
    add({Kind::Empty, 0, 0}, true);
  }

  Id one_of(const std::vector<bool>& symbols) {
    if (std::find(symbols.begin(), symbols.end(), true) == symbols.end()) return kNothing;
    const auto number = sets_.try_emplace(symbols, sets_.size()).first->second;
    if (number == members_.size()) members_.push_back(symbols);
    return add({Kind::Set, number, 0}, false);
  }
  Id product(Id a, Id b) {
    if (a == kNothing || b == kNothing) return kNothing;
    if (a == kEmpty) return b;
    if (b == kEmpty) return a;
    const Node left = nodes_[a];
    if (left.kind == Kind::Product) return product(left.a, product(left.b, b));
    return add({Kind::Product, a, b}, nullable_[a] && nullable_[b]);
  }
  Id either(Id a, Id b) {
    std::set<Id> all;
    for (Id from : {a, b}) {
      for (; nodes_[from].kind == Kind::Union; from = nodes_[from].b) all.insert(nodes_[from].a);
      if (from != kNothing) all.insert(from);
    }
    Id sum = kNothing;
    for (auto one = all.rbegin(); one != all.rend(); ++one) {
      sum =
          sum == kNothing ? *one : add({Kind::Union, *one, sum}, nullable_[*one] || nullable_[sum]);
    }
    return sum;
  }
  Id star(Id a) {
    if (a <= kEmpty) return kEmpty;
    return nodes_[a].kind == Kind::Star ? a : add({Kind::Star, a, 0}, true);
  }
  /// From `least` to `most` times.
  Id times(Id a, std::size_t least, std::size_t most) {
    Id result = kEmpty;
    for (std::size_t i = least; i < most; ++i) result = either(kEmpty, product(a, result));
    for (std::size_t i = 0; i < least; ++i) result = product(a, result);
    return result;
  }

  Id derivative(Id of, std::size_t symbol) {
    const Node node = nodes_[of];
    switch (node.kind) {
      case Kind::Nothing:
      case Kind::Empty:
        return kNothing;
      case Kind::Set:
        return members_[node.a][symbol] ? kEmpty : kNothing;
      case Kind::Product: {
        const Id first = product(derivative(node.a, symbol), node.b);
        return nullable_[node.a] ? either(first, derivative(node.b, symbol)) : first;
      }
      case Kind::Union:
        return either(derivative(node.a, symbol), derivative(node.b, symbol));
      case Kind::Star:
        return product(derivative(node.a, symbol), of);
    }
    return kNothing;
  }

  Dfa automaton(Id start) {
    std::map<Id, LState> states{{start, LState{0}}};
    std::vector<Id> order{start};
    Dfa dfa(symbols_, 1);
    dfa.set_accepting(LState{0}, nullable_[start]);
    for (std::size_t at = 0; at < order.size(); ++at) {
      for (std::size_t a = 0; a < symbols_; ++a) {
        const Id next = derivative(order[at], a);
        const auto [found, fresh] = states.try_emplace(next, LState(order.size()));
        if (fresh) {
          if (order.size() == kMostStates) refuse_size();
          order.push_back(next);
          dfa.add_state(nullable_[next]);
        }
        dfa.set_next(LState(at), Symbol(a), found->second);
      }
    }
    return minimise(dfa);
  }

 private:
  struct Node {
    Kind kind;
    Id a, b;

    auto operator<=>(const Node&) const = default;
  };
  [[noreturn]] static void refuse_size() {
    throw OptionError(fmt::format("regex: expected at most {} states, found more", kMostStates));
  }
  Id add(const Node& node, bool nullable) {
    const auto [found, fresh] = numbers_.try_emplace(node, nodes_.size());
    if (fresh) {
      const bool has_parts = node.kind >= Kind::Product;
      const std::size_t depth = has_parts ? 1 + std::max(depth_[node.a], depth_[node.b]) : 0;
      if (nodes_.size() == kMostNodes || depth > kDeepest) refuse_size();
      nodes_.push_back(node);
      nullable_.push_back(nullable);
      depth_.push_back(depth);
    }
    return found->second;
  }

  std::size_t symbols_;
  std::vector<Node> nodes_;
  std::vector<bool> nullable_;  ///< has the empty word
  std::vector<std::size_t> depth_;
  std::map<Node, Id> numbers_;
  std::vector<std::vector<bool>> members_;  ///< of sets
  std::map<std::vector<bool>, std::size_t> sets_;
};

/// Recursive descent: union of products of repeated atoms.
class Parser {
 public:
  Parser(std::string_view text, const Alphabet& alphabet, Expressions& expressions)
      : text_(utf8_characters(text)), alphabet_(alphabet), make_(expressions) {}

  Id whole() {
    const Id id = either(0);
    if (at_ < text_.size()) refuse("an expression", found());
    return id;
  }

 private:
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    throw OptionError(
        fmt::format("regex: character {}: expected {}, found {}", at_ + 1, expected, found));
  }
  [[nodiscard]] std::string found() const {
    return at_ == text_.size() ? "the end" : in_quotes(text_[at_]);
  }
  bool next_is(std::string_view character) {
    while (at_ < text_.size() && text_[at_] == " ") ++at_;
    return at_ < text_.size() && text_[at_] == character;
  }
  bool take(std::string_view character) {
    const bool taken = next_is(character);
    if (taken) ++at_;
    return taken;
  }
  void need(std::string_view character) {
    if (!take(character)) refuse(in_quotes(character), found());
  }

  Id either(std::size_t nested) {
    if (nested > kMostNested) refuse(fmt::format("at most {} brackets", kMostNested), "more");
    Id id = product(nested);
    while (take("|")) id = make_.either(id, product(nested));
    return id;
  }

  Id product(std::size_t nested) {
    std::vector<Id> factors;
    while (!next_is("|") && !next_is(")") && at_ < text_.size())
      factors.push_back(repeated(nested));
    Id id = kEmpty;
    for (auto one = factors.rbegin(); one != factors.rend(); ++one) id = make_.product(*one, id);
    return id;
  }

  Id repeated(std::size_t nested) {
    Id id = atom(nested);
    while (true) {
      if (take("*")) {
        id = make_.star(id);
      } else if (take("+")) {
        id = make_.product(id, make_.star(id));
      } else if (take("?")) {
        id = make_.either(kEmpty, id);
      } else if (take("{")) {
        const std::size_t least = number();
        if (!take(",")) {
          id = make_.times(id, least, least);
        } else if (next_is("}")) {
          id = make_.product(make_.times(id, least, least), make_.star(id));
        } else {
          const std::size_t most = number();
          if (most < least) refuse(fmt::format("{} or more", least), std::to_string(most));
          id = make_.times(id, least, most);
        }
        need("}");
      } else {
        return id;
      }
    }
  }

  std::size_t number() {
    std::size_t value = 0, digits = 0;
    for (; at_ < text_.size() && text_[at_] >= "0" && text_[at_] <= "9"; ++at_, ++digits) {
      value = 10 * value + std::size_t(text_[at_][0] - '0');
      if (value > kMostTimes) refuse(fmt::format("a number up to {}", kMostTimes), "more");
    }
    if (digits == 0) refuse("a number", found());
    return value;
  }

  Id atom(std::size_t nested) {
    if (take("(")) {
      const Id id = either(nested + 1);
      need(")");
      return id;
    }
    constexpr std::string_view special = "*+?{}[]()|.^$<>", in_set = "[]^-<>";
    std::vector<bool> symbols(alphabet_.size());
    if (take(".")) {
      symbols.flip();
    } else if (take("[")) {
      const bool others = take("^");
      do {
        const std::size_t from = symbol(in_set);
        if (!take("-")) {
          symbols[from] = true;
          continue;
        }
        const std::size_t begin = at_, to = symbol(in_set);
        if (name(from).size() != name(to).size() || name(from) > name(to)) {
          at_ = begin;
          refuse("a range from a character to a later one", in_quotes(name(to)));
        }
        for (std::size_t a = 0; a < symbols.size(); ++a) {
          const bool one_character = utf8_characters(name(a)).size() == 1;
          if (one_character && name(from) <= name(a) && name(a) <= name(to)) symbols[a] = true;
        }
      } while (!take("]"));
      if (others) symbols.flip();
    } else {
      symbols[symbol(special)] = true;
    }
    return make_.one_of(symbols);
  }

  [[nodiscard]] const std::string& name(std::size_t symbol) const {
    return alphabet_.name(Symbol(symbol));
  }

  std::size_t symbol(std::string_view special) {
    std::string name;
    (void)next_is("");  // skips spaces
    const std::size_t begin = at_;
    if (take("<")) {
      while (at_ < text_.size() && text_[at_] != ">") name += text_[at_++];
      need(">");
    } else if (take("\\")) {
      constexpr std::string_view plain =
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
      if (at_ == text_.size() || plain.find(text_[at_]) != std::string_view::npos) {
        refuse("a character that is no letter and no digit after \\", found());
      }
      name = text_[at_++];
    } else if (at_ < text_.size() && special.find(text_[at_]) == std::string_view::npos) {
      name = text_[at_++];
    } else {
      refuse("a symbol", found());
    }
    const auto found = alphabet_.find(name);
    if (!found) {
      at_ = begin;
      refuse(fmt::format("a symbol of the alphabet {}", alphabet_.text()), in_quotes(name));
    }
    return index(*found);
  }

  std::vector<std::string> text_;
  const Alphabet& alphabet_;
  Expressions& make_;
  std::size_t at_ = 0;
};

}  // namespace

Dfa parse_regex(std::string_view text, const Alphabet& alphabet) {
  Expressions expressions(alphabet.size());
  const Id whole = Parser(text, alphabet, expressions).whole();
  return expressions.automaton(whole);
}

}  // namespace rnnalf
