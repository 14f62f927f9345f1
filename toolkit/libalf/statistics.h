#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <ostream>
#include <string>

#include <libalf/serialize.h>

/// Named measurements of a learner. Keys are dotted paths such as "size.table.columns".
namespace libalf {

enum statistic_type { UNSET = 0, INTEGER = 1, DOUBLE = 2, BOOL = 3, STRING = 4 };

/// Thrown when a statistic is read as another type than it has.
class statistic_data_bad_typecast_e : public std::exception {
 public:
  statistic_data_bad_typecast_e(statistic_type has, statistic_type wanted);
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// One value: unset, int, double, bool or string. Conversions throw on the wrong type.
class statistic_data {
 public:
  statistic_type get_type() const { return type_; }
  /// The value becomes the default one of that type (0, false, "").
  void set_type(statistic_type type);
  void unset() { set_type(UNSET); }

  void set_integer(int value);
  void set_double(double value);
  void set_bool(bool value);
  void set_string(std::string value);

  // False, and nothing written, on the wrong type.
  bool get_integer(int& into) const;
  bool get_double(double& into) const;
  bool get_bool(bool& into) const;
  bool get_string(std::string& into) const;

  statistic_data& operator=(int value);
  statistic_data& operator=(double value);
  statistic_data& operator=(bool value);
  statistic_data& operator=(const std::string& value);
  statistic_data& operator=(const char* value);

  operator int() const;
  operator double() const;
  operator bool() const;
  operator std::string() const;

  std::string to_string() const;
  void print(std::ostream& os) const;

  std::basic_string<std::int32_t> serialize() const;
  bool deserialize(serial_stretch& serial);

 private:
  statistic_type type_ = UNSET;
  int integer_ = 0;
  double double_ = 0;
  bool bool_ = false;
  std::string string_;
};

inline std::basic_string<std::int32_t> serialize(const statistic_data& data) {
  return data.serialize();
}
inline bool deserialize(statistic_data& into, serial_stretch& serial) {
  return into.deserialize(serial);
}

class generic_statistics : public std::map<std::string, statistic_data> {
 public:
  std::string to_string() const;
  void print(std::ostream& os) const;

  void remove_property(const std::string& key) { erase(key); }
  void unset_property(const std::string& key) { (*this)[key].unset(); }

  void set_integer_property(const std::string& key, int value) { (*this)[key] = value; }
  void set_double_property(const std::string& key, double value) { (*this)[key] = value; }
  void set_bool_property(const std::string& key, bool value) { (*this)[key] = value; }
  void set_string_property(const std::string& key, const std::string& value) {
    (*this)[key] = value;
  }

  bool get_integer_property(const std::string& key, int& into) const;
  bool get_double_property(const std::string& key, double& into) const;
  bool get_bool_property(const std::string& key, bool& into) const;
  bool get_string_property(const std::string& key, std::string& into) const;
};

// The plain counters of older libalf programs, which fill them in themselves.

struct timing_statistics {
  std::int32_t user_sec = 0;
  std::int32_t user_usec = 0;
  std::int32_t sys_sec = 0;
  std::int32_t sys_usec = 0;
  void reset() { *this = timing_statistics(); }
};

struct query_statistics {
  std::int32_t membership = 0;
  std::int32_t uniq_membership = 0;
  std::int32_t equivalence = 0;
  void reset() { *this = query_statistics(); }
};

struct memory_statistics {
  std::int32_t bytes = 0;
  std::int32_t members = 0;
  std::int32_t words = 0;
  std::int32_t upper_table = 0;
  std::int32_t lower_table = 0;
  std::int32_t columns = 0;
  void reset() { *this = memory_statistics(); }
};

struct statistics {
  query_statistics queries;
  memory_statistics memory;
  timing_statistics time;
  void reset() { *this = statistics(); }
};

}  // namespace libalf
