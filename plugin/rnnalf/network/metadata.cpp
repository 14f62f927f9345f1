#include "rnnalf/network/metadata.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "rnnalf/base/errors.hpp"
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
  try {
    return json::parse(text, [&](int depth, json::parse_event_t, json&) {
      if (depth > most_depth) refuse(place, "expected no deeper nesting, found it");
      return true;
    });
  } catch (const json::parse_error& error) {
    refuse(place, "expected JSON, found an error at byte " + std::to_string(error.byte));
  }
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
      refuse(place, std::string(what) + " " + std::to_string(names.size()) +
                        ": expected a string, " + found(name));
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

/// {"a": 0, "b": 1} or {"0": "a", "1": "b"}
std::vector<std::string> by_index(const json& parsed, const TextPlace& place) {
  std::vector<std::string> symbols(parsed.size());
  std::vector<bool> seen(parsed.size(), false);
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
                        found(value));
    }
    if (*index >= symbols.size() || seen[*index]) {
      refuse(place, "symbol " + in_quotes(key) + ": expected each index from 0 to " +
                        std::to_string(symbols.size() - 1) + " once, found " +
                        std::to_string(*index) + (*index >= symbols.size() ? "" : " twice"));
    }
    seen[*index] = true;
    symbols[*index] = to_symbol ? value.get<std::string>() : key;
  }
  return symbols;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> symbols;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
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
    refuse(place, probe + "expected indices below " + std::to_string(alphabet.size()) + ", found " +
                      std::to_string(number));
  }
  if (!symbol.is_string())
    refuse(place, probe + "expected symbols as strings or indices, " + found(symbol));
  const auto& name = symbol.get_ref<const std::string&>();
  const auto position = alphabet.find(name);
  const auto shown = position ? position : alphabet.find(visible(name));
  if (!shown) {
    refuse(place, probe + "expected one of the " + std::to_string(alphabet.size()) +
                      " symbols of the alphabet, found " + in_quotes(name));
  }
  return *shown;
}

}  // namespace

Alphabet parse_alphabet(const std::string& text, const TextPlace& place) {
  return named<Alphabet>(strings(text, "symbol", place), place);
}

ClassNames parse_classes(const std::string& text, const TextPlace& place) {
  std::vector<std::string> names = strings(text, "class", place);
  if (names.empty()) refuse(place, "expected the names of the classes, found none");
  return named<ClassNames>(std::move(names), place);
}

Alphabet parse_vocabulary(const std::string& text, const TextPlace& place) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) refuse(place, "expected symbols, found none");
  std::vector<std::string> symbols;
  // A bracket alone on the first line may be a symbol.
  const bool as_json = (text[start] == '[' || text[start] == '{') && json::accept(text);
  if (as_json) {
    const json parsed = parse(text, 1, place);
    symbols = parsed.is_array() ? strings(parsed, "symbol", place) : by_index(parsed, place);
  } else {
    symbols = lines(text);
  }
  if (symbols.size() > kMostSymbols) {
    refuse(place, "expected at most " + std::to_string(kMostSymbols) + " symbols, found " +
                      std::to_string(symbols.size()));
  }
  for (std::string& symbol : symbols) symbol = visible(symbol);
  return named<Alphabet>(std::move(symbols), place);
}

std::vector<Probe> parse_probes(const std::string& text, const Alphabet& alphabet,
                                const TextPlace& place) {
  const json parsed = parse(text, 3, place);
  if (!parsed.is_array()) {
    refuse(place, "expected an array of [word, probability], " + found(parsed));
  }
  std::vector<Probe> probes;
  for (const json& pair : parsed) {
    const std::string probe_place = "probe " + std::to_string(probes.size()) + ": ";
    if (!pair.is_array() || pair.size() != 2 || !(pair[0].is_array() || pair[0].is_string()) ||
        !(pair[1].is_number() || pair[1].is_array())) {
      refuse(place, probe_place + "expected [array of symbols, probability], " + found(pair));
    }
    Probe probe;
    if (pair[0].is_string()) {
      try {
        probe.word = alphabet.parse_word(pair[0].get_ref<const std::string&>());
      } catch (const WordError& error) {
        refuse(place, probe_place + error.what());
      }
    } else {
      for (const json& symbol : pair[0]) {
        probe.word.push_back(symbol_of(symbol, alphabet, place, probe_place));
      }
    }
    const auto probability = [&](const json& number) {
      if (!number.is_number() || !(number.get<double>() >= 0 && number.get<double>() <= 1)) {
        refuse(place, probe_place + "expected a probability from 0 to 1, found " + number.dump());
      }
      return number.get<double>();
    };
    if (pair[1].is_array()) {
      for (const json& number : pair[1]) probe.classes.push_back(probability(number));
      if (probe.classes.size() < 2) {
        refuse(place, probe_place + "expected a probability for each class, found " +
                          std::to_string(probe.classes.size()));
      }
    } else {
      probe.probability = probability(pair[1]);
    }
    probes.push_back(std::move(probe));
  }
  return probes;
}

}  // namespace rnnalf
