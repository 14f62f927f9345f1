#include <libalf/alphabet.h>

#include <algorithm>
#include <cstdarg>
#include <iostream>

namespace libalf {

std::list<int>* concat(const std::list<int>& first, const std::list<int>& second) {
  return new std::list<int>(first + second);
}

std::list<int> operator+(const std::list<int>& first, const std::list<int>& second) {
  std::list<int> both = first;
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

std::list<int> word(int num_letters, ...) {
  std::list<int> letters;
  va_list arguments;
  va_start(arguments, num_letters);
  for (int i = 0; i < num_letters; ++i) letters.push_back(va_arg(arguments, int));
  va_end(arguments);
  return letters;
}

bool is_prefix_of(const std::list<int>& prefix, const std::list<int>& word) {
  return prefix.size() <= word.size() && std::equal(prefix.begin(), prefix.end(), word.begin());
}

bool is_suffix_of(const std::list<int>& suffix, const std::list<int>& word) {
  return suffix.size() <= word.size() && std::equal(suffix.rbegin(), suffix.rend(), word.rbegin());
}

std::string word2string(const std::list<int>& word, char separator) {
  std::string text(1, separator);
  for (int letter : word) {
    text += std::to_string(letter);
    text += separator;
  }
  return text;
}

void print_word(std::ostream& os, const std::list<int>& word) {
  os << word2string(word);
}

void print_word(const std::list<int>& word) {
  print_word(std::cout, word);
}

std::basic_string<std::int32_t> serialize_word(const std::list<int>& word) {
  return detail::serialize_value(word);
}

bool deserialize_word(std::list<int>& into, serial_stretch& serial) {
  return detail::deserialize_value(into, serial);
}

bool is_lex_smaller(const std::list<int>& a, const std::list<int>& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

bool is_graded_lex_smaller(const std::list<int>& a, const std::list<int>& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return is_lex_smaller(a, b);
}

void inc_graded_lex(std::list<int>& word, int alphabet_size) {
  for (auto letter = word.rbegin(); letter != word.rend(); ++letter) {
    if (++*letter < alphabet_size) return;
    *letter = 0;
  }
  word.push_front(0);
}

void dec_graded_lex(std::list<int>& word, int alphabet_size) {
  for (auto letter = word.rbegin(); letter != word.rend(); ++letter) {
    if (--*letter >= 0) return;
    *letter = alphabet_size - 1;
  }
  if (!word.empty()) word.pop_front();
}

}  // namespace libalf
