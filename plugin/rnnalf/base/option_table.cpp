#include "rnnalf/base/option_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace rnnalf::option_value {
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

[[noreturn]] void refuse(const std::string& expected, std::string_view found) {
  throw OptionError("expected " + expected + ", found '" + std::string(found) + "'");
}

std::string with_range(const std::string& what, const std::string& range) {
  return range.empty() ? what : what + " " + range;
}

std::string expected(const Count& kind) {
  return with_range("a whole number", range(kind));
}

std::string expected(const Number& kind) {
  return with_range("a number", range(kind));
}

std::string expected(const Seconds& kind) {
  return with_range("a time", range(kind)) + " such as 60s, 5m or 2h";
}

bool in_range(const Number& kind, double value) {
  if (!std::isfinite(value)) return false;
  return kind.open ? value > kind.least && value < kind.most
                   : value >= kind.least && value <= kind.most;
}

/// A number, possibly a space, and a unit.
template <std::size_t N>
double read_quantity(std::string_view text, const std::array<Unit, N>& units,
                     const std::string& expected) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || number < 0) refuse(expected, text);
  std::string unit;
  for (const char* c = stopped; c != end; ++c) {
    if (*c == ' ' && unit.empty()) continue;
    unit += *c >= 'A' && *c <= 'Z' ? static_cast<char>(*c - 'A' + 'a') : *c;
  }
  for (const Unit& known : units) {
    if (known.name == unit) return number * known.factor;
  }
  refuse(expected, text);
}

template <class Value>
bool read_whole(std::string_view text, Value& value) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

}  // namespace

std::string range(const Count& kind) {
  if (kind.most != std::numeric_limits<std::uint64_t>::max()) {
    return fmt::format("from {} to {}", kind.least, kind.most);
  }
  return kind.least > 0 ? fmt::format("from {}", kind.least) : "";
}

std::string range(const Counts& kind) {
  const std::string each = range(kind.each);
  return each.empty() ? "" : "each " + each;
}

std::string range(const Number& kind) {
  if (kind.most >= std::numeric_limits<double>::max()) {
    if (kind.least <= -std::numeric_limits<double>::max()) return "";
    return kind.open ? "above " + text(kind, kind.least) : "from " + text(kind, kind.least) + " on";
  }
  return (kind.open ? "between " : "from ") + text(kind, kind.least) +
         (kind.open ? " and " : " to ") + text(kind, kind.most);
}

std::string range(const Seconds& kind) {
  return kind.open ? "above 0" : "";
}

void read(const Count& kind, std::string_view text, std::uint64_t& value) {
  std::uint64_t number = 0;
  if (!read_whole(text, number) || number < kind.least || number > kind.most) {
    refuse(expected(kind), text);
  }
  value = number;
}

void read(const Counts& kind, std::string_view text, std::vector<std::size_t>& value) {
  std::vector<std::size_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::uint64_t count = 0;
    read(kind.each, text.substr(begin, end - begin), count);
    counts.push_back(count);
    begin = end + 1;
  }
  value = std::move(counts);
}

void read(const Number& kind, std::string_view text, double& value) {
  double number = 0;
  if (!read_whole(text, number) || !in_range(kind, number)) refuse(expected(kind), text);
  value = number;
}

void read(const Seconds& kind, std::string_view text, std::chrono::duration<double>& value) {
  const double seconds = read_quantity(text, kTimeUnits, expected(kind));
  if (kind.open && seconds == 0) refuse(expected(kind), text);
  value = std::chrono::duration<double>(seconds);
}

void read(const Bytes& /*kind*/, std::string_view text, std::uint64_t& value) {
  const std::string expected = "a size such as 200MB or 4GiB";
  const double bytes = read_quantity(text, kByteUnits, expected);
  if (bytes >= 0x1p63) refuse(expected, text);
  value = static_cast<std::uint64_t>(bytes);
}

void read(const Flag& /*kind*/, std::string_view text, bool& value) {
  if (text != "true" && text != "false") refuse("true or false", text);
  value = text == "true";
}

void check(const Count& kind, std::uint64_t value) {
  if (value < kind.least || value > kind.most) refuse(expected(kind), std::to_string(value));
}

void check(const Counts& kind, const std::vector<std::size_t>& value) {
  for (const std::size_t count : value) check(kind.each, count);
}

void check(const Number& kind, double value) {
  if (!in_range(kind, value)) refuse(expected(kind), text(kind, value));
}

void check(const Seconds& kind, std::chrono::duration<double> value) {
  if (!(kind.open ? value.count() > 0 : value.count() >= 0)) {
    refuse(expected(kind), text(kind, value));
  }
}

std::string text(const Number& /*kind*/, double value) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end};
}

std::string text(const Counts& /*kind*/, const std::vector<std::size_t>& value) {
  std::string joined;
  for (const std::size_t count : value) {
    joined += fmt::format("{}{}", (joined.empty() ? "" : ","), count);
  }
  return joined;
}

std::string text(const OptionValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) return text(Flag{}, *flag);
  if (const auto* const count = std::get_if<std::uint64_t>(&value)) return text(Count{}, *count);
  if (const auto* const number = std::get_if<double>(&value)) return text(Number{}, *number);
  return std::get<std::string>(value);
}

std::string text(const Bytes& /*kind*/, std::uint64_t value) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 4> units = {
      {{1ULL << 40U, "TiB"}, {1ULL << 30U, "GiB"}, {1ULL << 20U, "MiB"}, {1ULL << 10U, "KiB"}}};
  for (const auto& [size, name] : units) {
    if (value >= size && value % size == 0) return fmt::format("{}{}", value / size, name);
  }
  return std::to_string(value);
}

}  // namespace rnnalf::option_value
