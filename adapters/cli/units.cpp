#include "units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "arguments.hpp"

namespace rnnalf::cli {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kTimeUnits = {Unit{"", 1},     Unit{"ms", 1e-3}, Unit{"s", 1},
                                   Unit{"m", 60},   Unit{"min", 60},  Unit{"h", 3600},
                                   Unit{"d", 86400}};
constexpr std::array kByteUnits = {Unit{"", 1},         Unit{"b", 1},        Unit{"k", 1e3},
                                   Unit{"kb", 1e3},     Unit{"m", 1e6},      Unit{"mb", 1e6},
                                   Unit{"g", 1e9},      Unit{"gb", 1e9},     Unit{"t", 1e12},
                                   Unit{"tb", 1e12},    Unit{"ki", 0x1p10},  Unit{"kib", 0x1p10},
                                   Unit{"mi", 0x1p20},  Unit{"mib", 0x1p20}, Unit{"gi", 0x1p30},
                                   Unit{"gib", 0x1p30}, Unit{"ti", 0x1p40},  Unit{"tib", 0x1p40}};

[[noreturn]] void refuse(std::string_view option, const std::string& expected,
                         std::string_view found) {
  throw UsageError("--" + std::string(option) + ": expected " + expected + ", found '" +
                   std::string(found) + "'");
}

/// A number, possibly a space, and a unit.
template <std::size_t N>
double parse_quantity(std::string_view option, std::string_view text,
                      const std::array<Unit, N>& units, const std::string& expected) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || number < 0) refuse(option, expected, text);
  std::string unit;
  for (const char* c = stopped; c != end; ++c) {
    if (*c == ' ' && unit.empty()) continue;
    unit += *c >= 'A' && *c <= 'Z' ? static_cast<char>(*c - 'A' + 'a') : *c;
  }
  for (const Unit& known : units) {
    if (known.name == unit) return number * known.factor;
  }
  refuse(option, expected, text);
}

}  // namespace

std::chrono::duration<double> parse_duration(std::string_view option, std::string_view text) {
  return std::chrono::duration<double>(
      parse_quantity(option, text, kTimeUnits, "a time such as 60s, 5m or 2h"));
}

std::uint64_t parse_bytes(std::string_view option, std::string_view text) {
  const std::string expected = "a size such as 200MB or 4GiB";
  const double bytes = parse_quantity(option, text, kByteUnits, expected);
  if (bytes >= 0x1p63) refuse(option, expected, text);
  return static_cast<std::uint64_t>(bytes);
}

std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t least,
                          std::uint64_t most) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end || number < least || number > most) {
    const std::string expected =
        most == UINT64_MAX
            ? "a whole number" + (least > 0 ? " from " + std::to_string(least) : "")
            : "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    refuse(option, expected, text);
  }
  return number;
}

double parse_number(std::string_view option, std::string_view text, double least, double most) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end || !(number >= least && number <= most)) {
    std::array<char, 96> expected{};
    std::snprintf(expected.data(), expected.size(), "a number from %g to %g", least, most);
    refuse(option, expected.data(), text);
  }
  return number;
}

std::vector<std::size_t> parse_counts(std::string_view option, std::string_view text,
                                      std::uint64_t least, std::uint64_t most) {
  std::vector<std::size_t> counts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    counts.push_back(parse_count(option, text.substr(begin, end - begin), least, most));
    if (end == text.size()) return counts;
    begin = end + 1;
  }
}

}  // namespace rnnalf::cli
