#pragma once

#include <arpa/inet.h>

#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Values as sequences of 32 bit integers in network byte order.
///
/// These names are global because libalf's clients call them so. deserialize returns false on a
/// short or malformed stretch and then leaves `into` in a valid but unspecified state.

/// The part of a serialisation that has not been read yet. The string must outlive it.
class serial_stretch {
 public:
  using const_iterator = std::basic_string<std::int32_t>::const_iterator;

  const_iterator current;
  const_iterator limit;

  serial_stretch() : current(), limit() {}
  serial_stretch(const_iterator first, const_iterator last) : current(first), limit(last) {}
  serial_stretch(const std::basic_string<std::int32_t>& serial)
      : current(serial.begin()), limit(serial.end()) {}

  void init(const std::basic_string<std::int32_t>& serial) {
    current = serial.begin();
    limit = serial.end();
  }
  bool empty() const { return current == limit; }
  serial_stretch& operator++() {
    ++current;
    return *this;
  }
  serial_stretch operator++(int) {
    serial_stretch before = *this;
    ++current;
    return before;
  }
  int operator*() const { return *current; }
};

template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
std::basic_string<std::int32_t> serialize(T value) {
  const auto host = static_cast<std::uint32_t>(value);
  return std::basic_string<std::int32_t>(1, static_cast<std::int32_t>(htonl(host)));
}

template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
bool deserialize(T& into, serial_stretch& serial) {
  if (serial.empty()) return false;
  const std::uint32_t host = ntohl(static_cast<std::uint32_t>(*serial));
  ++serial;
  if constexpr (std::is_same_v<T, bool>) {
    into = host != 0;
  } else {
    into = static_cast<T>(static_cast<std::int32_t>(host));
  }
  return true;
}

/// All 64 bits of the number, high half first.
inline std::basic_string<std::int32_t> serialize(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return serialize(static_cast<std::uint32_t>(bits >> 32)) +
         serialize(static_cast<std::uint32_t>(bits));
}

inline bool deserialize(double& into, serial_stretch& serial) {
  std::uint32_t high = 0;
  std::uint32_t low = 0;
  if (!deserialize(high, serial) || !deserialize(low, serial)) return false;
  const std::uint64_t bits = (std::uint64_t{high} << 32) | low;
  std::memcpy(&into, &bits, sizeof into);
  return true;
}

// Declared before they are defined, so that containers of containers find each other.
template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::pair<S, T>& pair);
template <typename T>
std::basic_string<std::int32_t> serialize(const std::list<T>& list);
template <typename T>
std::basic_string<std::int32_t> serialize(const std::vector<T>& vector);
template <typename T>
std::basic_string<std::int32_t> serialize(const std::set<T>& set);
template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::map<S, T>& map);
template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::multimap<S, T>& map);
template <typename T>
std::basic_string<std::int32_t> serialize(const std::basic_string<T>& string);

template <typename S, typename T>
bool deserialize(std::pair<S, T>& pair, serial_stretch& serial);
template <typename T>
bool deserialize(std::list<T>& list, serial_stretch& serial);
template <typename T>
bool deserialize(std::vector<T>& vector, serial_stretch& serial);
template <typename T>
bool deserialize(std::set<T>& set, serial_stretch& serial);
template <typename S, typename T>
bool deserialize(std::map<S, T>& map, serial_stretch& serial);
template <typename S, typename T>
bool deserialize(std::multimap<S, T>& map, serial_stretch& serial);
template <typename T>
bool deserialize(std::basic_string<T>& string, serial_stretch& serial);

namespace libalf::detail {

// The global overloads for plain types and containers, and by argument dependent look-up those of
// other namespaces; callable where a member function of the same name hides both.
template <typename T>
std::basic_string<std::int32_t> serialize_value(const T& value) {
  using ::serialize;
  return serialize(value);
}
template <typename T>
bool deserialize_value(T& into, serial_stretch& serial) {
  using ::deserialize;
  return deserialize(into, serial);
}

template <typename Container>
std::basic_string<std::int32_t> serialize_elements(const Container& elements) {
  std::basic_string<std::int32_t> serial = ::serialize(elements.size());
  for (const auto& element : elements) serial += serialize_value(element);
  return serial;
}

/// Reads a count and that many elements. Nothing is reserved: the count may be a lie.
template <typename Element, typename Append>
bool deserialize_elements(serial_stretch& serial, Append append) {
  int count = 0;
  if (!::deserialize(count, serial) || count < 0) return false;
  for (; count > 0; --count) {
    Element element{};
    if (!deserialize_value(element, serial)) return false;
    append(std::move(element));
  }
  return true;
}

}  // namespace libalf::detail

template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::pair<S, T>& pair) {
  return libalf::detail::serialize_value(pair.first) + libalf::detail::serialize_value(pair.second);
}
template <typename T>
std::basic_string<std::int32_t> serialize(const std::list<T>& list) {
  return libalf::detail::serialize_elements(list);
}
template <typename T>
std::basic_string<std::int32_t> serialize(const std::vector<T>& vector) {
  return libalf::detail::serialize_elements(vector);
}
template <typename T>
std::basic_string<std::int32_t> serialize(const std::set<T>& set) {
  return libalf::detail::serialize_elements(set);
}
template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::map<S, T>& map) {
  return libalf::detail::serialize_elements(map);
}
template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::multimap<S, T>& map) {
  return libalf::detail::serialize_elements(map);
}
template <typename T>
std::basic_string<std::int32_t> serialize(const std::basic_string<T>& string) {
  return libalf::detail::serialize_elements(string);
}

template <typename S, typename T>
bool deserialize(std::pair<S, T>& pair, serial_stretch& serial) {
  return libalf::detail::deserialize_value(pair.first, serial) &&
         libalf::detail::deserialize_value(pair.second, serial);
}
template <typename T>
bool deserialize(std::list<T>& list, serial_stretch& serial) {
  list.clear();
  return libalf::detail::deserialize_elements<T>(
      serial, [&](T&& element) { list.push_back(std::move(element)); });
}
template <typename T>
bool deserialize(std::vector<T>& vector, serial_stretch& serial) {
  vector.clear();
  return libalf::detail::deserialize_elements<T>(
      serial, [&](T&& element) { vector.push_back(std::move(element)); });
}
template <typename T>
bool deserialize(std::set<T>& set, serial_stretch& serial) {
  set.clear();
  return libalf::detail::deserialize_elements<T>(
      serial, [&](T&& element) { set.insert(std::move(element)); });
}
template <typename S, typename T>
bool deserialize(std::map<S, T>& map, serial_stretch& serial) {
  map.clear();
  return libalf::detail::deserialize_elements<std::pair<S, T>>(
      serial, [&](std::pair<S, T>&& element) { map.insert(std::move(element)); });
}
template <typename S, typename T>
bool deserialize(std::multimap<S, T>& map, serial_stretch& serial) {
  map.clear();
  return libalf::detail::deserialize_elements<std::pair<S, T>>(
      serial, [&](std::pair<S, T>&& element) { map.insert(std::move(element)); });
}
template <typename T>
bool deserialize(std::basic_string<T>& string, serial_stretch& serial) {
  string.clear();
  return libalf::detail::deserialize_elements<T>(serial,
                                                 [&](T&& element) { string.push_back(element); });
}
