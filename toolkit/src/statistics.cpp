#include <libalf/statistics.h>

#include <sstream>

namespace libalf {
namespace {

const char* name_of(statistic_type type) {
  switch (type) {
    case INTEGER:
      return "integer";
    case DOUBLE:
      return "double";
    case BOOL:
      return "bool";
    case STRING:
      return "string";
    default:
      return "unset";
  }
}

template <class Data>
const Data* property(const std::map<std::string, Data>& all, const std::string& key) {
  const auto at = all.find(key);
  return at == all.end() ? nullptr : &at->second;
}

}  // namespace

statistic_data_bad_typecast_e::statistic_data_bad_typecast_e(statistic_type has,
                                                             statistic_type wanted)
    : message_(std::string("a statistic of type ") + name_of(has) + " was read as " +
               name_of(wanted)) {}

void statistic_data::set_type(statistic_type type) {
  *this = statistic_data();
  type_ = type;
}

void statistic_data::set_integer(int value) {
  set_type(INTEGER);
  integer_ = value;
}
void statistic_data::set_double(double value) {
  set_type(DOUBLE);
  double_ = value;
}
void statistic_data::set_bool(bool value) {
  set_type(BOOL);
  bool_ = value;
}
void statistic_data::set_string(std::string value) {
  set_type(STRING);
  string_ = std::move(value);
}

bool statistic_data::get_integer(int& into) const {
  if (type_ == INTEGER) into = integer_;
  return type_ == INTEGER;
}
bool statistic_data::get_double(double& into) const {
  if (type_ == DOUBLE) into = double_;
  return type_ == DOUBLE;
}
bool statistic_data::get_bool(bool& into) const {
  if (type_ == BOOL) into = bool_;
  return type_ == BOOL;
}
bool statistic_data::get_string(std::string& into) const {
  if (type_ == STRING) into = string_;
  return type_ == STRING;
}

statistic_data& statistic_data::operator=(int value) {
  set_integer(value);
  return *this;
}
statistic_data& statistic_data::operator=(double value) {
  set_double(value);
  return *this;
}
statistic_data& statistic_data::operator=(bool value) {
  set_bool(value);
  return *this;
}
statistic_data& statistic_data::operator=(const std::string& value) {
  set_string(value);
  return *this;
}
statistic_data& statistic_data::operator=(const char* value) {
  set_string(value);
  return *this;
}

statistic_data::operator int() const {
  if (type_ != INTEGER) throw statistic_data_bad_typecast_e(type_, INTEGER);
  return integer_;
}
statistic_data::operator double() const {
  if (type_ != DOUBLE) throw statistic_data_bad_typecast_e(type_, DOUBLE);
  return double_;
}
statistic_data::operator bool() const {
  if (type_ != BOOL) throw statistic_data_bad_typecast_e(type_, BOOL);
  return bool_;
}
statistic_data::operator std::string() const {
  if (type_ != STRING) throw statistic_data_bad_typecast_e(type_, STRING);
  return string_;
}

void statistic_data::print(std::ostream& os) const {
  switch (type_) {
    case INTEGER:
      os << integer_;
      break;
    case DOUBLE:
      os << double_;
      break;
    case BOOL:
      os << (bool_ ? "true" : "false");
      break;
    case STRING:
      os << '"' << string_ << '"';
      break;
    default:
      os << "unset";
  }
}

std::string statistic_data::to_string() const {
  std::ostringstream text;
  print(text);
  return text.str();
}

std::basic_string<std::int32_t> statistic_data::serialize() const {
  auto type = detail::serialize_value(static_cast<std::int32_t>(type_));
  switch (type_) {
    case INTEGER:
      return type + detail::serialize_value(integer_);
    case DOUBLE:
      return type + detail::serialize_value(double_);
    case BOOL:
      return type + detail::serialize_value(bool_);
    case STRING:
      return type + detail::serialize_value(string_);
    default:
      return type;
  }
}

bool statistic_data::deserialize(serial_stretch& serial) {
  int type = 0;
  if (!detail::deserialize_value(type, serial) || type < UNSET || type > STRING) return false;
  set_type(static_cast<statistic_type>(type));
  switch (type_) {
    case INTEGER:
      return detail::deserialize_value(integer_, serial);
    case DOUBLE:
      return detail::deserialize_value(double_, serial);
    case BOOL:
      return detail::deserialize_value(bool_, serial);
    case STRING:
      return detail::deserialize_value(string_, serial);
    default:
      return true;
  }
}

void generic_statistics::print(std::ostream& os) const {
  os << "statistics = { ";
  for (const auto& [key, data] : *this) {
    os << name_of(data.get_type()) << " \"" << key << '"';
    if (data.get_type() != UNSET) {
      os << " = ";
      data.print(os);
    }
    os << "; ";
  }
  os << "}; ";
}

std::string generic_statistics::to_string() const {
  std::ostringstream text;
  print(text);
  return text.str();
}

bool generic_statistics::get_integer_property(const std::string& key, int& into) const {
  const statistic_data* data = property(*this, key);
  return data && data->get_integer(into);
}
bool generic_statistics::get_double_property(const std::string& key, double& into) const {
  const statistic_data* data = property(*this, key);
  return data && data->get_double(into);
}
bool generic_statistics::get_bool_property(const std::string& key, bool& into) const {
  const statistic_data* data = property(*this, key);
  return data && data->get_bool(into);
}
bool generic_statistics::get_string_property(const std::string& key, std::string& into) const {
  const statistic_data* data = property(*this, key);
  return data && data->get_string(into);
}

}  // namespace libalf
