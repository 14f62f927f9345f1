#include "rnnalf/report/quantities.hpp"

#include <array>
#include <cstdio>

namespace rnnalf {
namespace {

std::string with_digits(double number, const char* unit) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), number < 9.95 ? "%.1f %s" : "%.0f %s", number, unit);
  return text.data();
}

}  // namespace

std::string format_seconds(double seconds) {
  if (seconds < 0.9995) return with_digits(seconds * 1e3, "ms");
  if (seconds < 99.5) return with_digits(seconds, "s");
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 7200) {
    return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  }
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string format_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return format_count(count) + ' ' + std::string(count == 1 ? singular : plural);
}

}  // namespace rnnalf
