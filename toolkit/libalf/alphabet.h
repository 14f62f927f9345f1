#pragma once

#include <cstdint>
#include <iostream>
#include <list>
#include <string>

#include <libalf/serialize.h>

/// Words over the alphabet 0 ... n-1, as libalf clients write them: std::list<int>, epsilon is
/// empty.
namespace libalf {

/// The only letter of the normal form of a word that has none; see normalizer.
constexpr int BOTTOM_CHAR = -42;

/// first followed by second, on the heap: the caller deletes it. New code writes first + second.
std::list<int>* concat(const std::list<int>& first, const std::list<int>& second);
std::list<int> operator+(const std::list<int>& first, const std::list<int>& second);

/// word(3, 0, 1, 0) is the word 010.
std::list<int> word(int num_letters, ...);

bool is_prefix_of(const std::list<int>& prefix, const std::list<int>& word);
bool is_suffix_of(const std::list<int>& suffix, const std::list<int>& word);

/// ".0.1." for 01, "." for epsilon.
std::string word2string(const std::list<int>& word, char separator = '.');
void print_word(std::ostream& os, const std::list<int>& word);
void print_word(const std::list<int>& word);  // to std::cout

/// Length, then the letters.
std::basic_string<std::int32_t> serialize_word(const std::list<int>& word);
bool deserialize_word(std::list<int>& into, serial_stretch& serial);

/// Dictionary order (a proper prefix comes first), and length first, dictionary order second.
bool is_lex_smaller(const std::list<int>& a, const std::list<int>& b);
bool is_graded_lex_smaller(const std::list<int>& a, const std::list<int>& b);

/// The next and the previous word in graded order; epsilon has no previous word and stays.
void inc_graded_lex(std::list<int>& word, int alphabet_size);
void dec_graded_lex(std::list<int>& word, int alphabet_size);

}  // namespace libalf
