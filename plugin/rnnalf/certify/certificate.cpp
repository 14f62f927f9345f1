#include "rnnalf/certify/certificate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rnnalf/automaton/dfa_json.hpp"

namespace rnnalf::certify {
namespace {

using Json = nlohmann::ordered_json;

std::string hexadecimal(double value) {
  return fmt::format("{:a}", value);
}

Json numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(hexadecimal(value));
  return array;
}

/// Row after row of a matrix that is given column after column.
Json lower_triangle(const std::vector<double>& values, std::size_t size) {
  Json array = Json::array();
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t c = 0; c <= r; ++c) array.push_back(hexadecimal(values[c * size + r]));
  }
  return array;
}

Json words(const Certificate& certificate) {
  Json claim = Json::object();
  if (certificate.claim.symbols) {
    claim["letters"] = Json::array();
    for (const Symbol symbol : *certificate.claim.symbols) {
      claim["letters"].push_back(certificate.alphabet.name(symbol));
    }
  }
  if (certificate.claim.max_run > 0) claim["max_run"] = certificate.claim.max_run;
  if (certificate.claim.max_length > 0) claim["max_length"] = certificate.claim.max_length;
  return claim;
}

}  // namespace

std::string format_certificate(const Certificate& certificate) {
  Json file;
  const bool round = std::any_of(certificate.sets.begin(), certificate.sets.end(),
                                 [](const Certificate::Set& set) { return !set.shape.empty(); });
  const Property property = certificate.claim.property;
  file["format"] = property != Property::Equal ? "rnnalf certificate 3"
                   : round                     ? "rnnalf certificate 2"
                                               : "rnnalf certificate 1";
  if (property != Property::Equal) file["property"] = name(property);
  file["network"] = certificate.network;
  file["arithmetic"] = certificate.precision == Precision::Float ? "float32" : "float64";
  file["words"] = words(certificate);
  file["empty_word"] = certificate.empty_word;
  file["dfa"] = to_json({certificate.alphabet, certificate.dfa});
  file["generators"] = certificate.generators;
  file["slack"] = hexadecimal(certificate.slack);
  file["start"] = certificate.start;
  // One set on a line: readable, and small changes are small differences.
  std::string text = file.dump();
  text.pop_back();
  text += ",\n\"sets\":[";
  for (std::size_t s = 0; s < certificate.sets.size(); ++s) {
    const Certificate::Set& from = certificate.sets[s];
    Json set;
    set["state"] = index(from.state);
    set["monitor"] = from.monitor;
    if (from.shape.empty()) {
      set["low"] = numbers(from.box.low);
      set["high"] = numbers(from.box.high);
    } else {
      set["middle"] = numbers(from.middle);
      set["shape"] = lower_triangle(from.shape, from.middle.size());
    }
    set["tree"] = from.tree;
    text += (s == 0 ? "\n" : ",\n") + set.dump();
  }
  return text + "]}\n";
}

}  // namespace rnnalf::certify
