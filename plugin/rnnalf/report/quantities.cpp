#include "rnnalf/report/quantities.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace rnnalf {
namespace {

std::string with_digits(double number, std::string_view unit) {
  return fmt::format("{:.{}f} {}", number, number < 9.95 ? 1 : 0, unit);
}

}  // namespace

std::string format_seconds(double seconds) {
  if (seconds < 0.9995) return with_digits(seconds * 1e3, "ms");
  if (seconds < 99.5) return with_digits(seconds, "s");
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 7200) {
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string format_count(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string format_percent_down(double share, int digits) {
  const double scale = std::pow(10.0, digits);
  // The small number undoes the rounding of the share itself.
  return fmt::format("{:.{}f}", std::floor(share * 100 * scale + 1e-6) / scale, digits);
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", format_count(count), count == 1 ? singular : plural);
}

}  // namespace rnnalf
