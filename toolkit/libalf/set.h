#pragma once

#include <algorithm>
#include <iterator>
#include <ostream>
#include <set>
#include <sstream>
#include <string>

/// Set operations under the global names that libalf's clients use. libAMoRE++ and libmVCA bring
/// the same ones with the same guard.
#ifndef __helper_set_h__
#define __helper_set_h__

template <class T>
bool set_includes(const std::set<T>& superset, const std::set<T>& subset) {
  return std::includes(superset.begin(), superset.end(), subset.begin(), subset.end());
}

template <class T>
std::set<T> set_union(std::set<T> s, const std::set<T>& t) {
  s.insert(t.begin(), t.end());
  return s;
}

template <class T>
std::set<T> set_intersect(const std::set<T>& s, const std::set<T>& t) {
  std::set<T> common;
  std::set_intersection(s.begin(), s.end(), t.begin(), t.end(),
                        std::inserter(common, common.end()));
  return common;
}

template <class T>
std::set<T> set_without(const std::set<T>& s, const std::set<T>& remove) {
  std::set<T> left;
  std::set_difference(s.begin(), s.end(), remove.begin(), remove.end(),
                      std::inserter(left, left.end()));
  return left;
}

/// "{ 1, 2 }"
template <class T>
void print_set(std::ostream& os, const std::set<T>& s) {
  const char* separator = "{ ";
  for (const T& element : s) {
    os << separator << element;
    separator = ", ";
  }
  os << (s.empty() ? "{  }" : " }");
}

template <class T>
std::string set2string(const std::set<T>& s) {
  std::ostringstream text;
  print_set(text, s);
  return text.str();
}

#endif
