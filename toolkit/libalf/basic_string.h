#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>

/// Serialised values (strings of 32 bit integers) on their way to and from files and streams.
namespace libalf {

/// "_1_2_": the raw integers, for debugging. print_basic_string_2hl swaps the byte order first.
void print_basic_string(const std::basic_string<std::int32_t>& serial, std::ostream& os);
void print_basic_string_2hl(const std::basic_string<std::int32_t>& serial, std::ostream& os);

/// False when the file cannot be opened, read or written, or is no sequence of whole integers.
bool basic_string_to_file(const std::basic_string<std::int32_t>& serial, const char* filename);
bool file_to_basic_string(const char* filename, std::basic_string<std::int32_t>& serial);

/// The same for an open file descriptor; reads until end of file.
bool basic_string_to_fd(const std::basic_string<std::int32_t>& serial, int fd);
bool fd_to_basic_string(int fd, std::basic_string<std::int32_t>& serial);

/// Binary. serial[0] is the number of integers that follow, as serialize() of a knowledgebase,
/// learner or conjecture writes it; >> sets failbit when fewer are there.
std::ostream& operator<<(std::ostream& os, const std::basic_string<std::int32_t>& serial);
std::istream& operator>>(std::istream& is, std::basic_string<std::int32_t>& serial);

}  // namespace libalf
