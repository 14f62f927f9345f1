#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include <libalf/serialize.h>

/// Like std::pair, for three. libAMoRE++ and libmVCA bring the same with the same guard.
#ifndef __helper_triple_h__
#define __helper_triple_h__

template <class First, class Second, class Third>
class triple {
 public:
  using first_type = First;
  using second_type = Second;
  using third_type = Third;

  First first{};
  Second second{};
  Third third{};

  triple() = default;
  triple(const First& a, const Second& b, const Third& c) : first(a), second(b), third(c) {}

  bool operator==(const triple& o) const { return tied() == o.tied(); }
  bool operator!=(const triple& o) const { return tied() != o.tied(); }
  bool operator<(const triple& o) const { return tied() < o.tied(); }
  bool operator<=(const triple& o) const { return tied() <= o.tied(); }
  bool operator>(const triple& o) const { return tied() > o.tied(); }
  bool operator>=(const triple& o) const { return tied() >= o.tied(); }

 private:
  auto tied() const { return std::tie(first, second, third); }
};

template <class First, class Second, class Third>
std::basic_string<std::int32_t> serialize(const triple<First, Second, Third>& t) {
  return libalf::detail::serialize_value(t.first) + libalf::detail::serialize_value(t.second) +
         libalf::detail::serialize_value(t.third);
}
template <class First, class Second, class Third>
bool deserialize(triple<First, Second, Third>& into, serial_stretch& serial) {
  return libalf::detail::deserialize_value(into.first, serial) &&
         libalf::detail::deserialize_value(into.second, serial) &&
         libalf::detail::deserialize_value(into.third, serial);
}

#endif
