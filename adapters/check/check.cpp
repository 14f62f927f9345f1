#include "check.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "enclosure.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/network/fingerprint.hpp"

namespace rnnalf::check {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDeepest = 200;  // letters between two sets; recursion goes as deep
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// ---------------------------------------------------------------- reading

Json parsed(std::string_view text) {
  std::size_t depth =
      0;  // a certificate nests a few levels; what nests deeper would use up the stack
  for (const char c : text) {
    if ((c == '[' || c == '{') && ++depth > 1000) throw Refused("certificate: nested too deeply");
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return Json::parse(text, nullptr, false);
}

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
  for (const Json& value : found) values.push_back(real(value, where));
  return values;
}

/// A box (low, high) or an ellipsoid (middle, shape).
Region region(const Json& set, const Enclosure& enclosure, const std::string& where) {
  const std::size_t n = enclosure.state_size();
  if (set.is_object() && set.contains("shape")) {
    return enclosure.ellipsoid(reals(set, "middle", n, where),
                               reals(set, "shape", n * (n + 1) / 2, where));
  }
  const std::vector<double> low = reals(set, "low", n, where), high = reals(set, "high", n, where);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(low[i] <= high[i])) throw Refused(where + ": an empty set");
  }
  return {enclosure.box(low, high), {}, {}, 0};
}

Dfa read_dfa(const Json& from, const Alphabet& letters) {
  try {
    return over_alphabet(parse_dfa(from.dump(), DfaFormat::Json, "dfa"), letters);
  } catch (const std::exception& error) {
    throw Refused(error.what());
  }
}

/// Which words the claim is about, as an automaton: its state after a word, kNone once outside.
/// State = length * runs() + run, where run is 0 before the first letter, else
/// 1 + letter * max_run + (length of the last run - 1).
struct Words {
  std::vector<bool> letters;
  std::size_t max_run = 0, max_length = 0;  // 0: any
  std::string said = "every word";

  Words(const Json& from, const Alphabet& alphabet) : letters(alphabet.size(), true) {
    if (!from.is_object()) throw Refused("words: expected an object");
    for (const auto& [key, value] : from.items()) {
      if (key == "letters" && value.is_array()) {
        letters.assign(alphabet.size(), false);
        said += " of the letters";
        for (const Json& letter : value) {
          const auto symbol =
              letter.is_string() ? alphabet.find(letter.get<std::string>()) : std::nullopt;
          if (!symbol) throw Refused("words: a letter that the network does not have");
          letters[index(*symbol)] = true;
          said += " " + letter.get<std::string>();
        }
      } else if (key == "max_run") {
        max_run = number(value, 10000, "words: max_run");
        said += " with no letter more than " + std::to_string(max_run) + " times in a row";
      } else if (key == "max_length") {
        max_length = number(value, 10000, "words: max_length");
        said += " of at most " + std::to_string(max_length) + " letters";
      } else {
        throw Refused("words: expected letters, max_run or max_length, found \"" + key + "\"");
      }
      if (value == 0) throw Refused("words: expected " + key + " above 0");
    }
  }

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

// ---------------------------------------------------------------- the walk

struct Set {
  LState state;
  std::size_t monitor;  // state of Words
  Region region;
};

class Walk {
 public:
  Walk(const Enclosure& enclosure, const Dfa& dfa, const Words& words, const std::vector<Set>& sets)
      : enclosure_(enclosure), dfa_(dfa), words_(words), sets_(sets) {}

  /// Follows the tree of one set: for every letter that the claim allows, in order, either a leaf
  /// (the number of a set that contains the image) or -1 and, after it, the image's own letters.
  void tree(const Set& from, const Json& entries, std::string where) {
    entries_ = &entries;
    at_ = 0;
    where_ = std::move(where);
    descend(from.region.form, from.state, from.monitor, 0);
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
      const Json& entry = (*entries_)[at_++];
      if (entry == -1) {
        descend(image, next, next_monitor, depth + 1);
        continue;
      }
      const Set& set = sets_[number(entry, sets_.size(), where_ + ": leaf")];
      if (set.state != next || set.monitor != next_monitor) refuse("a leaf of another state");
      if (!set.region.contains(image)) refuse("the image is not in set " + entry.dump());
    }
  }

  const Enclosure& enclosure_;
  const Dfa& dfa_;
  const Words& words_;
  const std::vector<Set>& sets_;
  const Json* entries_ = nullptr;
  std::size_t at_ = 0;
  std::string where_ = "start";
  double margin_ = std::numeric_limits<double>::infinity();
  std::size_t images_ = 0;
};

}  // namespace

Theorem check(const NetworkSpec& network, const Dfa& dfa, std::string_view text) {
  const Json file = parsed(text);
  const auto top = [&](const char* key) -> const Json& { return field(file, key, "certificate"); };
  if (top("format") != "rnnalf certificate 1" && top("format") != "rnnalf certificate 2") {
    throw Refused("certificate: expected format \"rnnalf certificate 1\" or 2");
  }
  const std::string found = fingerprint(network);
  if (top("network") != found) {
    throw Refused("network: a certificate for other weights; this network is " + found);
  }
  if (network.answer_count() > 2 || !network.is_plain()) {
    throw Refused("network: expected a stack of equal layers that accepts and rejects");
  }
  const Json& arithmetic = top("arithmetic");
  if (arithmetic != "float32" && arithmetic != "float64") {
    throw Refused("arithmetic: expected float32 or float64");
  }
  const Words words(top("words"), network.alphabet);
  const Dfa certified = read_dfa(top("dfa"), network.alphabet);
  if (dfa.symbol_count() != network.symbol_count() || !equivalent(dfa, certified)) {
    throw Refused("dfa: a certificate for another language");
  }
  const double slack = real(top("slack"), "slack");
  if (!(slack >= 0)) throw Refused("slack: expected a number that is not below 0");
  if (!top("empty_word").is_boolean()) throw Refused("empty_word: expected true or false");
  const bool empty_word = top("empty_word").get<bool>();
  const Enclosure enclosure(network, arithmetic == "float32" ? kFloat32 : kFloat64, slack,
                            number(top("generators"), 10000, "generators"));

  const Json& stored = array(file, "sets", "certificate");
  std::vector<Set> sets;
  for (const Json& set : stored) {
    const std::string where = "set " + std::to_string(sets.size());
    sets.push_back({LState(number(field(set, "state", where), certified.size(), where + ": state")),
                    number(field(set, "monitor", where), words.states(), where + ": monitor"),
                    region(set, enclosure, where)});
  }

  Walk walk(enclosure, certified, words, sets);
  const Set start{certified.initial(), 0, {enclosure.initial(), {}, {}, 0}};
  if (empty_word) walk.side(start.region.form, start.state);
  walk.tree(start, array(file, "start", "certificate"), "start");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::string where = "set " + std::to_string(s);
    walk.tree(sets[s], array(stored[s], "tree", where), where);
  }
  return {words.said,  empty_word,   arithmetic.get<std::string>(), walk.margin(), slack,
          sets.size(), walk.images()};
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
