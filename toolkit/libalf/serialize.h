#pragma once

// Every header of the toolkit comes here before its own code. The file that is not there ends the
// compilation: what would follow says nothing more.
#if __cplusplus < 201703L
#error "this implementation of libalf needs C++17 or later: compile with -std=c++17"
#include <libalf/needs_C++17>
#endif

#include <arpa/inet.h>
#include <math.h>  // not used here: programs written for upstream libalf count on it, and on stdio
#include <stdio.h>
#include <sys/types.h>

#include <cstdint>
#include <cstring>
#include <iterator>
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
///
/// libAMoRE++ and libmVCA bring a header that declares the same global names, with the two macros
/// below as its guards. Whichever comes first in a source file is used by all of it; the toolkit's
/// own forms do not depend on which it was (detail, further down).
#ifndef __helper_serialize_h__forward__
#define __helper_serialize_h__forward__
#define __helper_serialize_h__body__

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

template <typename T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, int> = 0>
std::basic_string<std::int32_t> serialize(T value);
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
bool deserialize(T& into, serial_stretch& serial);

inline std::basic_string<std::int32_t> serialize(double value);
inline bool deserialize(double& into, serial_stretch& serial);

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

#define LIBALF_TOOLKIT_SERIALIZES
#endif

namespace libalf::detail {

// What has a form of its own here; for all other types serialize_value and deserialize_value call
// the functions `serialize` and `deserialize` found at global scope or beside the type.

template <class T>
struct is_container : std::false_type {};
template <class T>
struct is_container<std::list<T>> : std::true_type {};
template <class T>
struct is_container<std::vector<T>> : std::true_type {};
template <class T>
struct is_container<std::set<T>> : std::true_type {};
template <class S, class T>
struct is_container<std::map<S, T>> : std::true_type {};
template <class S, class T>
struct is_container<std::multimap<S, T>> : std::true_type {};
template <class T>
struct is_container<std::basic_string<T>> : std::true_type {};

template <class T>
struct is_pair : std::false_type {};
template <class S, class T>
struct is_pair<std::pair<S, T>> : std::true_type {};

/// The type of an element while it is being read: keys of a map are not const yet.
template <class T>
struct element_of {
  using type = typename T::value_type;
};
template <class S, class T>
struct element_of<std::map<S, T>> {
  using type = std::pair<S, T>;
};
template <class S, class T>
struct element_of<std::multimap<S, T>> {
  using type = std::pair<S, T>;
};

template <typename T>
std::basic_string<std::int32_t> serialize_value(const T& value) {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    const auto network = static_cast<std::int32_t>(htonl(static_cast<std::uint32_t>(value)));
    return std::basic_string<std::int32_t>(1, network);
  } else if constexpr (std::is_same_v<T, double>) {  // all 64 bits, high half first
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return serialize_value(static_cast<std::uint32_t>(bits >> 32)) +
           serialize_value(static_cast<std::uint32_t>(bits));
  } else if constexpr (is_pair<T>::value) {
    return serialize_value(value.first) + serialize_value(value.second);
  } else if constexpr (is_container<T>::value) {
    std::basic_string<std::int32_t> data = serialize_value(value.size());
    for (const auto& element : value) {
      data += serialize_value<std::decay_t<decltype(element)>>(element);
    }
    return data;
  } else {
    using ::serialize;
    return serialize(value);
  }
}

template <typename T>
bool deserialize_value(T& into, serial_stretch& from) {
  if constexpr (std::is_integral_v<T>) {
    if (from.current == from.limit) return false;
    const std::uint32_t host = ntohl(static_cast<std::uint32_t>(*from.current));
    ++from.current;
    if constexpr (std::is_same_v<T, bool>) {
      into = host != 0;
    } else {
      into = static_cast<T>(static_cast<std::int32_t>(host));
    }
    return true;
  } else if constexpr (std::is_same_v<T, double>) {
    std::uint32_t high = 0;
    std::uint32_t low = 0;
    if (!deserialize_value(high, from) || !deserialize_value(low, from)) return false;
    const std::uint64_t bits = (std::uint64_t{high} << 32) | low;
    std::memcpy(&into, &bits, sizeof into);
    return true;
  } else if constexpr (is_pair<T>::value) {
    return deserialize_value(into.first, from) && deserialize_value(into.second, from);
  } else if constexpr (is_container<T>::value) {
    into.clear();
    int count = 0;
    if (!deserialize_value(count, from) || count < 0) return false;
    for (; count > 0; --count) {  // nothing is reserved: the count may be a lie
      typename element_of<T>::type element{};
      if (!deserialize_value(element, from)) return false;
      into.insert(into.end(), std::move(element));
    }
    return true;
  } else {
    using ::deserialize;
    return deserialize(into, from);
  }
}

}  // namespace libalf::detail

#ifdef LIBALF_TOOLKIT_SERIALIZES
#undef LIBALF_TOOLKIT_SERIALIZES

template <typename T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, int>>
std::basic_string<std::int32_t> serialize(T value) {
  return libalf::detail::serialize_value(value);
}
template <typename T, std::enable_if_t<std::is_integral_v<T>, int>>
bool deserialize(T& into, serial_stretch& serial) {
  return libalf::detail::deserialize_value(into, serial);
}

inline std::basic_string<std::int32_t> serialize(double value) {
  return libalf::detail::serialize_value(value);
}
inline bool deserialize(double& into, serial_stretch& serial) {
  return libalf::detail::deserialize_value(into, serial);
}

template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::pair<S, T>& pair) {
  return libalf::detail::serialize_value(pair);
}
template <typename T>
std::basic_string<std::int32_t> serialize(const std::list<T>& list) {
  return libalf::detail::serialize_value(list);
}
template <typename T>
std::basic_string<std::int32_t> serialize(const std::vector<T>& vector) {
  return libalf::detail::serialize_value(vector);
}
template <typename T>
std::basic_string<std::int32_t> serialize(const std::set<T>& set) {
  return libalf::detail::serialize_value(set);
}
template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::map<S, T>& map) {
  return libalf::detail::serialize_value(map);
}
template <typename S, typename T>
std::basic_string<std::int32_t> serialize(const std::multimap<S, T>& map) {
  return libalf::detail::serialize_value(map);
}
template <typename T>
std::basic_string<std::int32_t> serialize(const std::basic_string<T>& string) {
  return libalf::detail::serialize_value(string);
}

template <typename S, typename T>
bool deserialize(std::pair<S, T>& pair, serial_stretch& serial) {
  return libalf::detail::deserialize_value(pair, serial);
}
template <typename T>
bool deserialize(std::list<T>& list, serial_stretch& serial) {
  return libalf::detail::deserialize_value(list, serial);
}
template <typename T>
bool deserialize(std::vector<T>& vector, serial_stretch& serial) {
  return libalf::detail::deserialize_value(vector, serial);
}
template <typename T>
bool deserialize(std::set<T>& set, serial_stretch& serial) {
  return libalf::detail::deserialize_value(set, serial);
}
template <typename S, typename T>
bool deserialize(std::map<S, T>& map, serial_stretch& serial) {
  return libalf::detail::deserialize_value(map, serial);
}
template <typename S, typename T>
bool deserialize(std::multimap<S, T>& map, serial_stretch& serial) {
  return libalf::detail::deserialize_value(map, serial);
}
template <typename T>
bool deserialize(std::basic_string<T>& string, serial_stretch& serial) {
  return libalf::detail::deserialize_value(string, serial);
}

#endif
