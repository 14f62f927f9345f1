#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include <libalf/serialize.h>

/// What a membership query may be answered with.
///
/// Any type with ==, !=, assignment, a default constructor, operator<< and (for serialisation)
/// serialize and deserialize will do: bool and int need nothing further.
namespace libalf {

/// True, false, or "the teacher does not know".
class extended_bool {
 public:
  enum e_extended_bool { EBOOL_FALSE = 0, EBOOL_UNKNOWN = 1, EBOOL_TRUE = 2 };

  e_extended_bool value = EBOOL_UNKNOWN;

  extended_bool() = default;
  extended_bool(bool known) : value(known ? EBOOL_TRUE : EBOOL_FALSE) {}
  extended_bool(e_extended_bool other) : value(other) {}

  bool valid() const {
    return value == EBOOL_FALSE || value == EBOOL_UNKNOWN || value == EBOOL_TRUE;
  }
  explicit operator std::int32_t() const { return static_cast<std::int32_t>(value); }
};

inline bool operator==(extended_bool a, extended_bool b) {
  return a.value == b.value;
}
inline bool operator!=(extended_bool a, extended_bool b) {
  return a.value != b.value;
}

inline std::basic_string<std::int32_t> serialize(extended_bool answer) {
  return ::serialize(static_cast<std::int32_t>(answer.value));
}
inline bool deserialize(extended_bool& into, serial_stretch& serial) {
  std::int32_t value = 0;
  if (!::deserialize(value, serial) || value < 0 || value > 2) return false;
  into.value = static_cast<extended_bool::e_extended_bool>(value);
  return true;
}

inline std::ostream& operator<<(std::ostream& os, extended_bool answer) {
  switch (answer.value) {
    case extended_bool::EBOOL_FALSE:
      return os << "false";
    case extended_bool::EBOOL_TRUE:
      return os << "true";
    default:
      return os << "unknown";
  }
}

}  // namespace libalf
