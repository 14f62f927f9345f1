#pragma once

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>

#include <libalf/serialize.h>

/// What a membership query may be answered with.
///
/// Any type with ==, !=, assignment, a default constructor, operator<< and (for serialisation)
/// serialize and deserialize will do: bool and int need nothing further.
namespace libalf {

/// True, false, or "the teacher does not know". Ordered false, unknown, true.
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

  extended_bool& operator=(bool known) { return *this = extended_bool(known); }
  extended_bool& operator=(std::int32_t number) {
    value = static_cast<e_extended_bool>(number);
    return *this;
  }
  operator std::int32_t() const { return static_cast<std::int32_t>(value); }

  bool operator!=(const extended_bool& other) const { return value != other.value; }
  bool operator>(const extended_bool& other) const { return value > other.value; }
  bool operator==(bool known) const { return value == extended_bool(known).value; }
  bool operator>(bool known) const { return value > extended_bool(known).value; }
};

inline bool operator==(extended_bool a, extended_bool b) {
  return a.value == b.value;
}

/// True, false or unknown, where unknown equals both of them: == is not transitive. Ask is_true(),
/// is_false() and is_unknown() for the value.
class weak_bool {
 public:
  enum e_weak_bool { WBOOL_FALSE = 0, WBOOL_UNKNOWN = 1, WBOOL_TRUE = 2 };

  e_weak_bool value = WBOOL_UNKNOWN;

  weak_bool() = default;
  weak_bool(bool known) : value(known ? WBOOL_TRUE : WBOOL_FALSE) {}
  weak_bool(e_weak_bool other) : value(other) {}

  static weak_bool create_true() { return WBOOL_TRUE; }
  static weak_bool create_false() { return WBOOL_FALSE; }
  static weak_bool create_unknown() { return WBOOL_UNKNOWN; }

  bool is_true() const { return value == WBOOL_TRUE; }
  bool is_false() const { return value == WBOOL_FALSE; }
  bool is_unknown() const { return value == WBOOL_UNKNOWN; }

  weak_bool& operator=(bool known) { return *this = weak_bool(known); }
  weak_bool& operator=(std::int32_t number) {
    value = static_cast<e_weak_bool>(number);
    return *this;
  }
  operator std::int32_t() const { return static_cast<std::int32_t>(value); }

  bool operator==(const weak_bool& other) const {
    return is_unknown() || other.is_unknown() || value == other.value;
  }
  bool operator!=(const weak_bool& other) const { return !(*this == other); }
  bool operator>(const weak_bool& other) const { return value > other.value; }
  bool operator==(bool known) const { return value == weak_bool(known).value; }
  bool operator>(bool known) const { return value > weak_bool(known).value; }
};

/// How many answers a fixed_count_answer has: derive from it and give the number.
class fixed_count_answer__size_definition {
 public:
  virtual ~fixed_count_answer__size_definition() = default;
  virtual int get_size() = 0;
};

/// One of the letters 'a', 'b', ..., as many as size_definition says: outputs of Moore machines.
template <typename size_definition>
class fixed_count_answer {
 public:
  fixed_count_answer() = default;
  fixed_count_answer(char letter) : value_(letter) {}

  static int get_alphabet_size() { return size_definition().get_size(); }

  /// A letter out of range becomes the nearest one in it.
  void set(char letter) {
    const int last = 'a' + get_alphabet_size() - 1;
    value_ = letter < 'a' ? 'a' : letter > last ? static_cast<char>(last) : letter;
  }
  char get() const { return value_; }

  fixed_count_answer& operator=(std::int32_t letter) {
    set(static_cast<char>(letter));
    return *this;
  }
  operator std::int32_t() const { return value_; }

  bool operator==(fixed_count_answer other) const { return value_ == other.value_; }
  bool operator!=(fixed_count_answer other) const { return value_ != other.value_; }
  bool operator==(char letter) const { return value_ == letter; }

 private:
  char value_ = 0;
};

namespace detail {

/// Reads one integer of a small range.
inline bool deserialize_within(int first, int last, int& into, serial_stretch& serial) {
  return detail::deserialize_value(into, serial) && first <= into && into <= last;
}

inline char sign_of_three(int value) {
  return value == 0 ? '-' : value == 2 ? '+' : '?';
}

}  // namespace detail

inline std::basic_string<std::int32_t> serialize(extended_bool answer) {
  return detail::serialize_value(static_cast<int>(answer.value));
}
inline bool deserialize(extended_bool& into, serial_stretch& serial) {
  int value = 0;
  if (!detail::deserialize_within(0, 2, value, serial)) return false;
  into = static_cast<std::int32_t>(value);
  return true;
}
inline std::ostream& operator<<(std::ostream& os, const extended_bool& answer) {
  return os << detail::sign_of_three(answer.value);
}

inline std::basic_string<std::int32_t> serialize(weak_bool answer) {
  return detail::serialize_value(static_cast<int>(answer.value));
}
inline bool deserialize(weak_bool& into, serial_stretch& serial) {
  int value = 0;
  if (!detail::deserialize_within(0, 2, value, serial)) return false;
  into = static_cast<std::int32_t>(value);
  return true;
}
inline std::ostream& operator<<(std::ostream& os, const weak_bool& answer) {
  return os << detail::sign_of_three(answer.value);
}

template <typename size_definition>
std::basic_string<std::int32_t> serialize(fixed_count_answer<size_definition> answer) {
  return detail::serialize_value(static_cast<int>(answer.get()));
}
template <typename size_definition>
bool deserialize(fixed_count_answer<size_definition>& into, serial_stretch& serial) {
  int value = 0;
  if (!detail::deserialize_within(0, 'a' + into.get_alphabet_size() - 1, value, serial)) {
    return false;
  }
  if (value != 0 && value < 'a') return false;  // 0: never set
  into = fixed_count_answer<size_definition>(static_cast<char>(value));
  return true;
}
template <typename size_definition>
std::ostream& operator<<(std::ostream& os, const fixed_count_answer<size_definition>& answer) {
  return os << answer.get();
}

}  // namespace libalf
