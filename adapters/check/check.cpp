#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/json.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/network/fingerprint.hpp"

namespace rnnalf::check {
namespace {

using Json = nlohmann::json;

std::size_t number(const Json& value, std::size_t below, std::string_view what) {
  need(value.is_number_unsigned() && value < below, "{}: expected a number below {}", what, below);
  return value;
}

const Json& member(const Json& object, const char* key) {
  need(object.is_object() && object.contains(key), "expected a member \"{}\", found none", key);
  return object[key];
}

/// A hexadecimal floating-point number in a string, such as "-0x1.8p-3": exactly one double.
double real(const Json& value, std::string_view what) {
  need(value.is_string(), "{}: expected a hexadecimal number in quotes", what);
  const auto& text = value.get_ref<const std::string&>();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  need(text.find("0x") <= 1 && end == text.c_str() + text.size() && std::abs(number) <= 0x1p20,
       "{}: expected a hexadecimal number up to 2^20, found {}", what, in_quotes(text));
  return number;
}

Array reals(const Json& set, const char* key, Index size, std::string_view where) {
  const Json& from = member(set, key);
  need(from.is_array() && Index(from.size()) == size, "{}: expected {} numbers in \"{}\", found {}",
       where, size, key, from.size());
  Array values(size);
  for (Index i = 0; i < size; ++i) values[i] = real(from[std::size_t(i)], where);
  return values;
}

/// A box (low, high) or an ellipsoid (middle, shape: the rows of a lower triangle).
Region region(const Json& set, Index size, std::string_view where) {
  if (!set.contains("shape")) {
    const Array low = reals(set, "low", size, where), high = reals(set, "high", size, where);
    need((low <= high).all(), "{}: an empty set", where);
    return box(low, high);
  }
  const Array rows = reals(set, "shape", size * (size + 1) / 2, where);
  MatrixXd shape = MatrixXd::Zero(size, size);
  for (Index i = 0, at = 0; i < size; at += ++i) shape.row(i).head(i + 1) = rows.segment(at, i + 1);
  return ellipsoid(reals(set, "middle", size, where), shape);
}

/// Which words the claim is about, as an automaton whose states are numbers: length * runs + run,
/// where run is 0 before the first letter, else 1 + letter * max_run + (length of the last run -
/// 1).
struct Words {
  std::vector<bool> letters;
  std::size_t max_run = 0, max_length = 0, runs = 1;  // 0: any
  std::string said = "every word";

  Words(const Json& from, const Alphabet& alphabet) : letters(alphabet.size(), true) {
    need(from.is_object(), "words: expected an object");
    for (const auto& [key, value] : from.items()) {
      if (key == "max_run") {
        max_run = number(value, 10000, "words: max_run");
        said += fmt::format(" with no symbol more than {} times in a row", max_run);
      } else if (key == "max_length") {
        max_length = number(value, 10000, "words: max_length");
        said += fmt::format(" of at most {} symbols", max_length);
      } else {
        need(key == "letters", "words: expected letters, max_run or max_length");
        letters.assign(alphabet.size(), false);
        need(value.is_array() && std::all_of(value.begin(), value.end(),
                                             [](const Json& one) { return one.is_string(); }),
             "words: expected an array of symbols");
        for (const std::string letter : value) {
          need(alphabet.find(letter).has_value(), "words: a symbol that the network does not have");
          letters[index(*alphabet.find(letter))] = true;
        }
        said += fmt::format(" of the symbols {}",
                            fmt::join(value.get<std::vector<std::string>>(), " "));
      }
      need(value != 0, "words: expected {} above 0", key);
    }
    runs = 1 + letters.size() * max_run;
  }

  /// The state after one more letter; none: no such word is meant.
  [[nodiscard]] std::optional<std::size_t> next(std::size_t state, std::size_t letter) const {
    std::size_t length = state / runs, run = state % runs;
    if (!letters[letter] || (max_length > 0 && ++length > max_length)) return std::nullopt;
    if (max_run > 0) {
      const bool same = run > 0 && (run - 1) / max_run == letter;
      const std::size_t count = same ? (run - 1) % max_run + 1 : 0;
      if (count == max_run) return std::nullopt;
      run = 1 + letter * max_run + count;
    }
    return length * runs + run;
  }
};

/// What is claimed of the automaton's words. equal: the network accepts these and no others;
/// never: it rejects them; always: it accepts them.
struct Property {
  std::vector<std::optional<bool>> accept;  ///< in each state of the automaton; none: either
  std::vector<bool> live;                   ///< whether a word leads from there to a demand
  std::string said = "accepts if and only if the automaton does";

  Property(const Json& name, const Dfa& dfa) : live(dfa.size()) {
    need(name == "equal" || name == "never" || name == "always",
         "property: expected never or always");
    const bool equal = name == "equal", always = name == "always";
    if (!equal) said = fmt::format("{} what the automaton accepts", always ? "accepts" : "rejects");
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      const bool in = dfa.accepts(LState(q));
      accept.push_back(equal ? std::optional(in) : in ? std::optional(always) : std::nullopt);
      live[q] = accept[q].has_value();
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t q = 0; q < dfa.size(); ++q) {
        for (std::size_t a = 0; a < dfa.symbol_count() && !live[q]; ++a) {
          if (live[index(dfa.next(LState(q), Symbol(a)))]) live[q] = changed = true;
        }
      }
    }
  }
};

struct Set {
  LState state;
  std::size_t monitor;  // state of Words
  Region region;
};

struct Walk {
  const Enclosure& enclosure;
  const Dfa& dfa;
  const Property& property;
  const Words& words;
  const std::vector<Set>& sets;
  double margin = HUGE_VAL;
  std::size_t images = 0, at = 0;  // at: the next entry of the tree

  /// A tree has for every symbol after which the claim still asks for something, in order: a leaf
  /// (the number of a set that contains the image), or -1 and, after it, the image's own symbols.
  void tree(const Set& from, const Json& tree, const std::string& where) {
    need(tree.is_array(), "{}: expected an array \"tree\"", where);
    at = 0;
    descend(from.region.form, from.state, from.monitor, tree, where, 0);
    need(at == tree.size(), "{}: more entries than the tree has symbols", where);
  }

  void descend(const Form& from, LState state, std::size_t monitor, const Json& tree,
               const std::string& where, int depth) {
    need(depth <= 200, "{}: a tree deeper than 200 symbols", where);  // as deep as the recursion
    const Prepared prepared = enclosure.prepare(from);
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const auto next_monitor = words.next(monitor, a);
      const LState next = dfa.next(state, Symbol(a));
      if (!next_monitor || !property.live[index(next)]) continue;
      const Form image = enclosure.step(prepared, a);
      ++images;
      side(image, next, where);
      need(at < tree.size(), "{}: fewer entries than the tree has symbols", where);
      const Json& entry = tree[at++];
      if (entry == -1) {
        descend(image, next, *next_monitor, tree, where, depth + 1);
        continue;
      }
      const Set& leaf = sets[number(entry, sets.size(), where)];
      need(leaf.state == next && leaf.monitor == *next_monitor,
           "{}, entry {}: a leaf of another state", where, at);
      need(leaf.region.contains(image), "{}, entry {}: the image is not in set {}", where, at,
           entry.get<std::size_t>());
    }
  }

  /// The margin is on the side that the claim asks for in this state of the automaton.
  void side(const Form& image, LState state, const std::string& where) {
    const std::optional<bool> accept = property.accept[index(state)];
    if (!accept) return;
    const auto [low, high] = enclosure.margin(image);
    const double distance = *accept ? low : -high;
    need(distance > 0, "{}, entry {}: expected to {}, the margin may be {:.3g} on the other side",
         where, at, *accept ? "accept" : "reject", -distance);
    margin = std::min(margin, distance);
  }
};

Theorem checked(const NetworkSpec& network, const Dfa& dfa, std::string_view text) {
  const Json file =
      parse_json(text, 10, [](const std::string& message) { need(false, "{}", message); });
  const Json &format = member(file, "format"), &arithmetic = member(file, "arithmetic");
  const bool has_property = format == "rnnalf certificate 3";
  need(has_property || format == "rnnalf certificate 1" || format == "rnnalf certificate 2",
       "certificate: expected format \"rnnalf certificate 1\", 2 or 3");
  need(arithmetic == "float32" || arithmetic == "float64",
       "arithmetic: expected float32 or float64");
  need(member(file, "network") == fingerprint(network),
       "network: a certificate for other weights; this network is {}", fingerprint(network));
  need(network.answer_count() <= 2 && network.is_plain(),
       "network: expected a stack of equal layers that accepts and rejects");
  const Words words(member(file, "words"), network.alphabet);
  const Dfa certified = over_alphabet(parse_dfa(member(file, "dfa").dump(), DfaFormat::Json, "dfa"),
                                      network.alphabet);
  need(dfa.symbol_count() == network.symbol_count() && equivalent(dfa, certified),
       "dfa: a certificate for another language");
  const Property property(has_property ? member(file, "property") : "equal", certified);
  const double slack = real(member(file, "slack"), "slack");
  need(slack >= 0, "slack: expected a number that is not below 0");
  const Enclosure enclosure(network, arithmetic == "float32" ? kFloat32 : kFloat64, slack,
                            number(member(file, "generators"), 10000, "generators"));

  const Set start{certified.initial(), 0, {enclosure.initial(), {}, 0}};
  std::vector<Set> sets;
  need(member(file, "sets").is_array(), "certificate: expected an array \"sets\"");
  for (const Json& set : member(file, "sets")) {
    const std::string where = fmt::format("set {}", sets.size());
    sets.push_back({LState(number(member(set, "state"), certified.size(), where + ": state")),
                    number(member(set, "monitor"), SIZE_MAX, where + ": monitor"),
                    region(set, start.region.form.low.size(), where)});
  }
  Walk walk{enclosure, certified, property, words, sets};
  const Json& with_empty = member(file, "empty_word");
  need(with_empty.is_boolean(), "empty_word: expected true or false");
  const bool empty_word = with_empty.get<bool>();
  if (empty_word) walk.side(start.region.form, start.state, "empty word");
  walk.tree(start, member(file, "start"), "start");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    walk.tree(sets[s], member(member(file, "sets")[s], "tree"), fmt::format("set {}", s));
  }
  return {fmt::format(
              "For {} over {{{}}}, the empty word {}, the network as rnnalf executes it in {} "
              "{}. The smallest margin is {:.3g}; the same "
              "holds for any implementation that is off by at most {:.2g} in every component of "
              "the state in every step.",
              words.said, fmt::join(network.alphabet.names(), " "),
              empty_word ? "included" : "left out", std::string(arithmetic), property.said,
              walk.margin, slack),
          walk.margin, slack, sets.size(), walk.images};
}

}  // namespace

Theorem check(const NetworkSpec& network, const Dfa& dfa, std::string_view text) {
  try {
    return checked(network, dfa, text);
  } catch (const Refused&) {
    throw;
  } catch (const Error& error) {  // of the reader of automata
    throw Refused(error.what());
  }
}

}  // namespace rnnalf::check
