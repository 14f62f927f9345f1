#include "check.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "enclosure.hpp"
#include "rnnalf/network/fingerprint.hpp"

namespace rnnalf::check {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDeepest = 200;  // letters between two sets; recursion goes as deep
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// ---------------------------------------------------------------- reading

const Json& field(const Json& object, const char* key, const std::string& where) {
  if (!object.is_object() || !object.contains(key)) {
    throw Refused(where + ": expected a field \"" + key + "\", found none");
  }
  return object[key];
}

const Json& array(const Json& object, const char* key, const std::string& where) {
  const Json& found = field(object, key, where);
  if (!found.is_array()) throw Refused(where + ": expected an array \"" + key + "\"");
  return found;
}

std::size_t number(const Json& value, std::size_t below, const std::string& what) {
  if (!value.is_number_unsigned() || value.get<std::size_t>() >= below) {
    throw Refused(what + ": expected a number below " + std::to_string(below) + ", found " +
                  value.dump().substr(0, 40));
  }
  return value.get<std::size_t>();
}

/// A hexadecimal floating-point number in a string, such as "-0x1.8p-3": exactly one double.
double real(const Json& value, const std::string& what) {
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.find("0x") > 1 || end != text.c_str() + text.size() || !(std::abs(number) <= 0x1p20)) {
    throw Refused(what + ": expected a hexadecimal number up to 2^20, found " +
                  value.dump().substr(0, 40));
  }
  return number;
}

std::vector<double> reals(const Json& object, const char* key, std::size_t size,
                          const std::string& where) {
  const Json& found = array(object, key, where);
  if (found.size() != size) {
    throw Refused(where + ": expected " + std::to_string(size) + " numbers in \"" + key +
                  "\", found " + std::to_string(found.size()));
  }
  std::vector<double> values;
  for (const Json& value : found) values.push_back(real(value, where + ": \"" + key + "\""));
  return values;
}

Dfa read_dfa(const Json& from, const Alphabet& alphabet) {
  const std::size_t letters = alphabet.size();
  const std::string where = "dfa";
  const Json& rows = array(from, "transitions", where);
  const Json& accepting = array(from, "accepting", where);
  const std::size_t states = rows.size();
  if (field(from, "alphabet", where) != Json(alphabet.names())) {
    throw Refused("dfa: expected the network's letters, in its order");
  }
  if (states == 0) throw Refused("dfa: expected at least one state, found none");
  Dfa dfa(letters, states);
  dfa.set_initial(LState(number(field(from, "initial", where), states, "dfa: initial")));
  if (accepting.size() != states) throw Refused("dfa: expected true or false for every state");
  for (std::size_t q = 0; q < states; ++q) {
    if (!accepting[q].is_boolean()) throw Refused("dfa: expected true or false for every state");
    dfa.set_accepting(LState(q), accepting[q].get<bool>());
    if (!rows[q].is_array() || rows[q].size() != letters) {
      throw Refused("dfa: state " + std::to_string(q) + ": expected " + std::to_string(letters) +
                    " transitions");
    }
    for (std::size_t a = 0; a < letters; ++a) {
      dfa.set_next(LState(q), Symbol(a), LState(number(rows[q][a], states, "dfa: transitions")));
    }
  }
  return dfa;
}

/// Whether two automata accept the same words: no reachable pair of states that disagrees.
bool same_language(const Dfa& a, const Dfa& b) {
  std::set<std::pair<LState, LState>> seen = {{a.initial(), b.initial()}};
  std::vector<std::pair<LState, LState>> open(seen.begin(), seen.end());
  while (!open.empty()) {
    const auto [p, q] = open.back();
    open.pop_back();
    if (a.accepts(p) != b.accepts(q)) return false;
    for (std::size_t i = 0; i < a.symbol_count(); ++i) {
      const std::pair next{a.next(p, Symbol(i)), b.next(q, Symbol(i))};
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return true;
}

/// Which words the claim is about, as an automaton: its state after a word, kNone once outside.
/// State = length * runs() + run, where run is 0 before the first letter, else
/// 1 + letter * max_run + (length of the last run - 1).
struct Words {
  std::vector<bool> letters;
  std::size_t max_run = 0, max_length = 0;  // 0: any

  [[nodiscard]] std::size_t runs() const { return 1 + letters.size() * max_run; }
  [[nodiscard]] std::size_t states() const { return runs() * (max_length + 1); }
  [[nodiscard]] std::size_t next(std::size_t state, std::size_t letter) const {
    std::size_t length = state / runs(), run = state % runs();
    if (!letters[letter]) return kNone;
    if (max_length > 0 && ++length > max_length) return kNone;
    if (max_run > 0) {
      const bool same = run > 0 && (run - 1) / max_run == letter;
      const std::size_t count = same ? (run - 1) % max_run + 1 : 0;
      if (count == max_run) return kNone;
      run = 1 + letter * max_run + count;
    }
    return length * runs() + run;
  }
};

Words read_words(const Json& from, const Alphabet& alphabet, std::string& said) {
  if (!from.is_object()) throw Refused("words: expected an object");
  Words words{std::vector<bool>(alphabet.size(), true), 0, 0};
  said = "every word";
  for (const auto& [key, value] : from.items()) {
    if (key == "letters" && value.is_array()) {
      words.letters.assign(alphabet.size(), false);
      said += " of the letters";
      for (const Json& letter : value) {
        const auto symbol =
            letter.is_string() ? alphabet.find(letter.get<std::string>()) : std::nullopt;
        if (!symbol) throw Refused("words: a letter that the network does not have");
        words.letters[index(*symbol)] = true;
        said += " " + letter.get<std::string>();
      }
    } else if (key == "max_run") {
      words.max_run = number(value, 10000, "words: max_run");
      said += " with no letter more than " + std::to_string(words.max_run) + " times in a row";
    } else if (key == "max_length") {
      words.max_length = number(value, 10000, "words: max_length");
      said += " of at most " + std::to_string(words.max_length) + " letters";
    } else {
      throw Refused("words: expected letters, max_run or max_length, found \"" + key + "\"");
    }
    if (value == 0) throw Refused("words: expected " + key + " above 0");
  }
  return words;
}

// ---------------------------------------------------------------- the walk

struct Box {
  LState state;
  std::size_t monitor;  // state of Words
  std::vector<double> low, high;
};

class Walk {
 public:
  Walk(const Enclosure& enclosure, const Dfa& dfa, const Words& words, const std::vector<Box>& sets)
      : enclosure_(enclosure), dfa_(dfa), words_(words), sets_(sets) {}

  /// Follows the tree of one set: for every letter that the claim allows, in order, either a leaf
  /// (the number of a set that contains the image) or -1 and, after it, the image's own letters.
  void tree(const Form& from, LState state, std::size_t monitor, const Json& entries,
            std::string where) {
    entries_ = &entries;
    at_ = 0;
    where_ = std::move(where);
    descend(from, state, monitor, 0);
    if (at_ != entries.size()) refuse("more entries than the tree has letters");
  }

  /// The margin is on the side that the automaton says.
  void side(const Form& image, LState state) {
    const Margin margin = enclosure_.margin(image);
    const bool accepts = dfa_.accepts(state);
    const double distance = accepts ? margin.low : -margin.high;
    if (!(distance > 0)) {
      refuse(std::string("the automaton ") + (accepts ? "accepts" : "rejects") +
             ", the margin may be " + std::to_string(accepts ? margin.low : margin.high));
    }
    margin_ = std::min(margin_, distance);
  }

  [[nodiscard]] double margin() const { return margin_; }
  [[nodiscard]] std::size_t images() const { return images_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Refused(where_ + ", entry " + std::to_string(at_) + ": " + what);
  }

  void descend(const Form& from, LState state, std::size_t monitor, std::size_t depth) {
    if (depth > kDeepest) refuse("a tree deeper than 200 letters");
    const Prepared prepared = enclosure_.prepare(from);
    for (std::size_t a = 0; a < dfa_.symbol_count(); ++a) {
      const std::size_t next_monitor = words_.next(monitor, a);
      if (next_monitor == kNone) continue;
      const LState next = dfa_.next(state, Symbol(a));
      const Form image = enclosure_.step(prepared, a);
      ++images_;
      side(image, next);
      if (at_ >= entries_->size()) refuse("fewer entries than the tree has letters");
      const Json& entry = (*entries_)[at_];
      if (entry == -1) {
        ++at_;
        descend(image, next, next_monitor, depth + 1);
        continue;
      }
      const Box& set = sets_[number(entry, sets_.size(), where_ + ": leaf")];
      if (set.state != next || set.monitor != next_monitor) refuse("a leaf of another state");
      for (std::size_t i = 0; i < set.low.size(); ++i) {
        if (!(set.low[i] <= image.low[i] && image.high[i] <= set.high[i])) {
          refuse("component " + std::to_string(i) + " of the image is not in set " + entry.dump());
        }
      }
      ++at_;
    }
  }

  const Enclosure& enclosure_;
  const Dfa& dfa_;
  const Words& words_;
  const std::vector<Box>& sets_;
  const Json* entries_ = nullptr;
  std::size_t at_ = 0;
  std::string where_ = "start";
  double margin_ = std::numeric_limits<double>::infinity();
  std::size_t images_ = 0;
};

}  // namespace

Theorem check(const NetworkSpec& network, const Dfa& dfa, std::string_view text) {
  const Json file = Json::parse(text, nullptr, false);
  if (field(file, "format", "certificate") != "rnnalf certificate 1") {
    throw Refused("certificate: expected format \"rnnalf certificate 1\"");
  }
  const std::string found = fingerprint(network);
  if (field(file, "network", "certificate") != found) {
    throw Refused("network: a certificate for other weights; this network is " + found);
  }
  Theorem theorem;
  const Json& arithmetic = field(file, "arithmetic", "certificate");
  if (arithmetic != "float32" && arithmetic != "float64") {
    throw Refused("arithmetic: expected float32 or float64");
  }
  theorem.arithmetic = arithmetic.get<std::string>();
  const Words words =
      read_words(field(file, "words", "certificate"), network.alphabet, theorem.words);
  const Dfa certified = read_dfa(field(file, "dfa", "certificate"), network.alphabet);
  if (network.answer_count() > 2 || !network.is_plain()) {
    throw Refused("network: expected a stack of equal layers that accepts and rejects");
  }
  if (dfa.symbol_count() != network.symbol_count() || !same_language(dfa, certified)) {
    throw Refused("dfa: a certificate for another language");
  }
  theorem.slack = real(field(file, "slack", "certificate"), "slack");
  if (!(theorem.slack >= 0)) throw Refused("slack: expected a number that is not below 0");
  const std::size_t generators =
      number(field(file, "generators", "certificate"), 10000, "generators");
  const Enclosure enclosure(network, theorem.arithmetic == "float32" ? kFloat32 : kFloat64,
                            theorem.slack, generators);

  const Json& stored = array(file, "sets", "certificate");
  std::vector<Box> sets;
  for (std::size_t s = 0; s < stored.size(); ++s) {
    const std::string where = "set " + std::to_string(s);
    Box box{LState(number(field(stored[s], "state", where), certified.size(), where + ": state")),
            number(field(stored[s], "monitor", where), words.states(), where + ": monitor"),
            reals(stored[s], "low", enclosure.state_size(), where),
            reals(stored[s], "high", enclosure.state_size(), where)};
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      if (!(box.low[i] <= box.high[i])) throw Refused(where + ": an empty set");
    }
    sets.push_back(std::move(box));
  }

  Walk walk(enclosure, certified, words, sets);
  const Json& empty_word = field(file, "empty_word", "certificate");
  if (!empty_word.is_boolean()) throw Refused("empty_word: expected true or false");
  theorem.empty_word = empty_word.get<bool>();
  const Form initial = enclosure.initial();
  if (theorem.empty_word) walk.side(initial, certified.initial());
  walk.tree(initial, certified.initial(), 0, array(file, "start", "certificate"), "start");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::string where = "set " + std::to_string(s);
    walk.tree(enclosure.box(sets[s].low, sets[s].high), sets[s].state, sets[s].monitor,
              array(stored[s], "tree", where), where);
  }
  theorem.sets = sets.size();
  theorem.images = walk.images();
  theorem.margin = walk.margin();
  return theorem;
}

std::string sentence(const Theorem& theorem, const Alphabet& alphabet) {
  std::string letters;
  for (const std::string& letter : alphabet.names())
    letters += (letters.empty() ? "" : " ") + letter;
  char numbers[200];
  std::snprintf(numbers, sizeof numbers,
                " The smallest margin is %.3g; the same holds for any implementation that is off "
                "by at most %.2g in every component of the state in every step.",
                theorem.margin, theorem.slack);
  return "For " + theorem.words + " over {" + letters + "}, the empty word " +
         (theorem.empty_word ? "included" : "left out") +
         ", the network as rnnalf executes it in " + theorem.arithmetic +
         " accepts if and only if the automaton does." + numbers;
}

}  // namespace rnnalf::check
