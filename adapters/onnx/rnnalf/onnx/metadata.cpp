#include "rnnalf/onnx/metadata.hpp"

#include <nlohmann/json.hpp>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::onnx_impl {
namespace {

using nlohmann::json;

constexpr const char* kAlphabet = "metadata 'rnnalf.alphabet': ";
constexpr const char* kProbes = "metadata 'rnnalf.probes': ";

/// `most_depth`: of brackets; bounds what a text of brackets costs.
json parse(const std::string& text, int most_depth, const char* what, const Context& context) {
  try {
    return json::parse(text, [&](int depth, json::parse_event_t, json&) {
      if (depth > most_depth)
        context.refuse(std::string(what) + "expected no deeper nesting, found it");
      return true;
    });
  } catch (const json::parse_error& error) {
    context.refuse(std::string(what) + "expected JSON, found an error at byte " +
                   std::to_string(error.byte));
  }
}

std::string found(const json& value) {
  return std::string("found ") + value.type_name();
}

}  // namespace

Alphabet parse_alphabet(const std::string& text, const Context& context) {
  const json parsed = parse(text, 1, kAlphabet, context);
  if (!parsed.is_array()) {
    context.refuse(std::string(kAlphabet) + "expected an array of strings, " + found(parsed));
  }
  std::vector<std::string> symbols;
  for (const json& symbol : parsed) {
    if (!symbol.is_string()) {
      context.refuse(std::string(kAlphabet) + "symbol " + std::to_string(symbols.size()) +
                     ": expected a string, " + found(symbol));
    }
    symbols.push_back(symbol.get<std::string>());
  }
  try {
    return Alphabet(std::move(symbols));
  } catch (const OptionError& error) {
    context.refuse(std::string(kAlphabet) + error.what());
  }
}

std::vector<Probe> parse_probes(const std::string& text, const Alphabet& alphabet,
                                const Context& context) {
  const json parsed = parse(text, 3, kProbes, context);
  if (!parsed.is_array()) {
    context.refuse(std::string(kProbes) + "expected an array of [word, probability], " +
                   found(parsed));
  }
  std::vector<Probe> probes;
  for (const json& pair : parsed) {
    const std::string place = kProbes + ("probe " + std::to_string(probes.size()) + ": ");
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_array() || !pair[1].is_number()) {
      context.refuse(place + "expected [array of symbols, probability], " + found(pair));
    }
    Probe probe;
    for (const json& symbol : pair[0]) {
      if (!symbol.is_string())
        context.refuse(place + "expected symbols as strings, " + found(symbol));
      const auto& name = symbol.get_ref<const std::string&>();
      const auto position = alphabet.find(name);
      if (!position) {
        context.refuse(place + "expected one of the " + std::to_string(alphabet.size()) +
                       " symbols of the alphabet, found " + quoted(name));
      }
      probe.word.push_back(*position);
    }
    probe.probability = pair[1].get<double>();
    if (!(probe.probability >= 0 && probe.probability <= 1)) {
      context.refuse(place + "expected a probability from 0 to 1, found " + pair[1].dump());
    }
    probes.push_back(std::move(probe));
  }
  return probes;
}

}  // namespace rnnalf::onnx_impl
