#include "rnnalf/network/metadata.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/json.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

using nlohmann::json;

// Names of symbols take more room than their weights, so that the file's size alone is no bound.
constexpr std::size_t kMostSymbols = 1U << 20;

[[noreturn]] void refuse(const TextPlace& place, const std::string& message) {
  throw NetworkFileError(place.file, place.what.empty() ? message : place.what + ": " + message);
}

/// `most_depth`: of brackets; bounds what a text of brackets costs.
json parse(const std::string& text, int most_depth, const TextPlace& place) {
  return parse_json(text, most_depth, [&](const std::string& message) { refuse(place, message); });
}

std::string found(const json& value) {
  return std::string("found ") + value.type_name();
}

/// An Alphabet or ClassNames.
template <class Names>
Names named(std::vector<std::string> names, const TextPlace& place) {
  try {
    return Names(std::move(names));
  } catch (const OptionError& error) {
    refuse(place, error.what());
  }
}

/// `what` they are names of, for messages.
std::vector<std::string> strings(const json& parsed, const char* what, const TextPlace& place) {
  std::vector<std::string> names;
  for (const json& name : parsed) {
    if (!name.is_string()) {
      refuse(place, fmt::format("{} {}: expected a string, {}", what, names.size(), found(name)));
    }
    names.push_back(name.get<std::string>());
  }
  return names;
}

/// All of a text.
std::vector<std::string> strings(const std::string& text, const char* what,
                                 const TextPlace& place) {
  const json parsed = parse(text, 1, place);
  if (!parsed.is_array()) refuse(place, "expected an array of strings, " + found(parsed));
  return strings(parsed, what, place);
}

std::optional<std::size_t> as_index(const std::string& text) {
  std::size_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

constexpr const char* kForms =
    "a JSON list of symbols, a JSON dictionary from symbol to index or back (also under"
    " \"word_index\", \"stoi\", \"itos\" or \"vocab\"), or one symbol per line";

/// {"a": 0, "b": 1} or {"0": "a", "1": "b"}
Vocabulary by_index(const json& parsed, const TextPlace& place) {
  Vocabulary vocabulary;
  for (const auto& [key, value] : parsed.items()) {
    const bool to_symbol = value.is_string();
    std::optional<std::size_t> index;
    if (to_symbol) {
      index = as_index(key);
    } else if (value.is_number_unsigned()) {
      index = value.get<std::size_t>();
    }
    if (!index) {
      refuse(place, "symbol " + in_quotes(key) +
                        ": expected an index and a symbol, one the key and one the value, " +
                        found(value) + "; a vocabulary is " + kForms);
    }
    if (!vocabulary.names.emplace(*index, to_symbol ? value.get<std::string>() : key).second) {
      refuse(place, fmt::format("symbol {}: expected each index once, found {} twice",
                                in_quotes(key), *index));
    }
  }
  return vocabulary;
}

Vocabulary in_order(std::vector<std::string> symbols) {
  Vocabulary vocabulary{.is_list = true};
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    vocabulary.names.emplace(i, std::move(symbols[i]));
  }
  return vocabulary;
}

/// Where the vocabulary of an object lies; the object itself when it says no place.
const json& vocabulary_in(const json& object) {
  for (const char* key : {"word_index", "stoi", "itos", "vocab"}) {
    const auto inside = object.find(key);
    // {"stoi": 0} is a vocabulary with a symbol of this name.
    if (inside != object.end() && !inside->is_number()) return *inside;
  }
  return object;
}

Vocabulary from_json(const std::string& text, const TextPlace& place) {
  constexpr int most_depth = 8;  // of files that hold other things, too
  const json parsed = parse(text, most_depth, place);
  const json* inside = &parsed;
  for (const char* key : {"config", "model"}) {
    if (inside->is_object() && inside->contains(key) && (*inside)[key].is_object()) {
      inside = &(*inside)[key];
    }
  }
  if (inside->is_object()) inside = &vocabulary_in(*inside);
  json text_of_json;
  if (inside->is_string()) {  // as Tokenizer.to_json has it
    text_of_json = parse(inside->get<std::string>(), most_depth, {place.file, "word_index"});
    inside = &text_of_json;
  }
  if (inside->is_array()) return in_order(strings(*inside, "symbol", place));
  if (!inside->is_object()) {
    refuse(place, std::string("expected ") + kForms + ", " + found(*inside));
  }
  return by_index(*inside, place);
}

std::vector<std::string> lines(const std::string& text, const TextPlace& place) {
  std::vector<std::string> symbols;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) {
      refuse(place, fmt::format("line {}: expected a symbol, found nothing; a vocabulary is {}",
                                symbols.size() + 1, kForms));
    }
    symbols.push_back(std::move(line));
    at = end + 1;
  }
  return symbols;
}

/// White space by visible names.
std::string visible(const std::string& symbol) {
  std::string text;
  for (const char c : symbol) {
    switch (c) {
      case ' ':
        text += "\u2423";
        break;
      case '\t':
        text += "\u2409";
        break;
      case '\n':
        text += "\u2424";
        break;
      default:
        text += c;
    }
  }
  return text;
}

Symbol symbol_of(const json& symbol, const Alphabet& alphabet, const TextPlace& place,
                 const std::string& probe) {
  if (symbol.is_number_unsigned()) {
    const auto number = symbol.get<std::uint64_t>();
    if (number < alphabet.size()) return static_cast<Symbol>(number);
    refuse(place,
           fmt::format("{}expected indices below {}, found {}", probe, alphabet.size(), number));
  }
  if (!symbol.is_string())
    refuse(place, probe + "expected symbols as strings or indices, " + found(symbol));
  const auto& name = symbol.get_ref<const std::string&>();
  const auto position = alphabet.find(name);
  const auto shown = position ? position : alphabet.find(visible(name));
  if (!shown) {
    refuse(place, fmt::format("{}expected one of the {} symbols of the alphabet, found {}", probe,
                              alphabet.size(), in_quotes(name)));
  }
  return *shown;
}

}  // namespace

Alphabet parse_alphabet(const std::string& text, const TextPlace& place) {
  std::vector<std::string> symbols = strings(text, "symbol", place);
  for (std::string& symbol : symbols) symbol = visible(symbol);
  return named<Alphabet>(std::move(symbols), place);
}

ClassNames parse_classes(const std::string& text, const TextPlace& place) {
  std::vector<std::string> names = strings(text, "class", place);
  if (names.empty()) refuse(place, "expected the names of the classes, found none");
  return named<ClassNames>(std::move(names), place);
}

Vocabulary parse_vocabulary(const std::string& text, const TextPlace& place) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) refuse(place, "expected symbols, found none");
  // A bracket alone on the first line may be a symbol.
  const bool as_json = (text[start] == '[' || text[start] == '{') && json::accept(text);
  Vocabulary vocabulary = as_json ? from_json(text, place) : in_order(lines(text, place));
  if (vocabulary.names.empty()) {
    refuse(place, std::string("expected ") + kForms + ", found no symbol");
  }
  if (vocabulary.names.size() > kMostSymbols) {
    refuse(place, fmt::format("expected at most {} symbols, found {}", kMostSymbols,
                              vocabulary.names.size()));
  }
  for (auto& [index, name] : vocabulary.names) name = visible(name);
  return vocabulary;
}

Alphabet alphabet_of(const Vocabulary& vocabulary, std::size_t symbols, const TextPlace& place,
                     std::vector<std::string>& said) {
  if (vocabulary.is_list && vocabulary.names.size() < symbols) {
    refuse(place, fmt::format(
                      "expected {} symbols, as the network has, found {}; a dictionary from symbol "
                      "to index may leave some out, a list has to name each from index 0 on",
                      symbols, vocabulary.names.size()));
  }
  std::vector<std::string> names(symbols);
  std::size_t beyond = 0;
  for (const auto& [index, name] : vocabulary.names) {
    if (index < symbols) {
      names[index] = name;
    } else {
      ++beyond;
    }
  }
  if (beyond == vocabulary.names.size()) {
    refuse(place, fmt::format("expected an index below {}, the symbols of the network, found none",
                              symbols));
  }
  // A name of ours that is no symbol's.
  std::string mark = "#";
  const auto taken = [&](const std::string& name) { return name.starts_with(mark); };
  std::size_t unnamed = 0;
  std::size_t first = 0;
  for (std::size_t i = symbols; i-- > 0;) {
    if (!names[i].empty()) continue;
    ++unnamed;
    first = i;
  }
  while (unnamed > 0 && std::any_of(names.begin(), names.end(), taken)) mark += '#';
  for (std::size_t i = 0; i < symbols; ++i) {
    if (names[i].empty()) names[i] = fmt::format("{}{}", mark, i);
  }
  if (unnamed > 0) {
    said.push_back(
        fmt::format("{} of {} symbols, which the vocabulary does not name, are called by their "
                    "numbers, the first one {}",
                    unnamed, symbols, names[first]));
  }
  if (beyond > 0) {
    said.push_back(fmt::format(
        "{} symbols of the vocabulary, beyond the {} that the network has, are left out", beyond,
        symbols));
  }
  return named<Alphabet>(std::move(names), place);
}

std::vector<Probe> parse_probes(const std::string& text, const Alphabet& alphabet,
                                const TextPlace& place) {
  const json parsed = parse(text, 3, place);
  if (!parsed.is_array()) {
    refuse(place, "expected an array of [word, score] or {\"word\": word, \"score\": score}, " +
                      found(parsed));
  }
  std::vector<Probe> probes;
  for (const json& entry : parsed) {
    const std::string probe_place = fmt::format("probe {}: ", probes.size());
    const bool object = entry.is_object() && entry.contains("word") && entry.contains("score");
    const bool pair = entry.is_array() && entry.size() == 2;
    const json& word = object ? entry["word"] : pair ? entry[0] : entry;
    const json& score = object ? entry["score"] : pair ? entry[1] : entry;
    if ((!object && !pair) || !(word.is_array() || word.is_string()) ||
        !(score.is_number() || score.is_array())) {
      refuse(place, probe_place +
                        "expected [array of symbols, probability], or the same as {\"word\": [...],"
                        " \"score\": probability}, " +
                        found(entry));
    }
    Probe probe;
    if (word.is_string()) {
      try {
        probe.word = alphabet.parse_word(word.get_ref<const std::string&>());
      } catch (const WordError&) {  // whose message has the word as it is, line ends and all
        refuse(place, fmt::format("{}expected a word over the {} symbols of the alphabet, found {}",
                                  probe_place, alphabet.size(),
                                  in_quotes(word.get_ref<const std::string&>())));
      }
    } else {
      for (const json& symbol : word) {
        probe.word.push_back(symbol_of(symbol, alphabet, place, probe_place));
      }
    }
    const auto probability = [&](const json& number) {
      if (!number.is_number() || !(number.get<double>() >= 0 && number.get<double>() <= 1)) {
        refuse(place, probe_place + "expected a probability from 0 to 1, found " + number.dump());
      }
      return number.get<double>();
    };
    if (score.is_array()) {
      for (const json& number : score) probe.classes.push_back(probability(number));
      if (probe.classes.size() < 2) {
        refuse(place, fmt::format("{}expected a probability for each class, found {}", probe_place,
                                  probe.classes.size()));
      }
    } else {
      probe.probability = probability(score);
    }
    probes.push_back(std::move(probe));
  }
  return probes;
}

}  // namespace rnnalf
