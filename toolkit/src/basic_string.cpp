#include <libalf/basic_string.h>

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>

namespace libalf {
namespace {

using Serial = std::basic_string<std::int32_t>;

std::int32_t to_host(std::int32_t network) {
  return static_cast<std::int32_t>(ntohl(static_cast<std::uint32_t>(network)));
}

const char* bytes_of(const Serial& serial) {
  return reinterpret_cast<const char*>(serial.data());
}

std::size_t byte_count(const Serial& serial) {
  return serial.size() * sizeof(std::int32_t);
}

bool from_bytes(const std::string& bytes, Serial& serial) {
  if (bytes.size() % sizeof(std::int32_t) != 0) return false;
  serial.resize(bytes.size() / sizeof(std::int32_t));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(serial.data()));
  return true;
}

}  // namespace

void print_basic_string(const Serial& serial, std::ostream& os) {
  os << '_';
  for (std::int32_t value : serial) os << value << '_';
}

void print_basic_string_2hl(const Serial& serial, std::ostream& os) {
  os << '_';
  for (std::int32_t value : serial) os << to_host(value) << '_';
}

bool basic_string_to_file(const Serial& serial, const char* filename) {
  std::ofstream file(filename, std::ios::binary | std::ios::trunc);
  file.write(bytes_of(serial), static_cast<std::streamsize>(byte_count(serial)));
  file.close();
  return file.good();
}

bool file_to_basic_string(const char* filename, Serial& serial) {
  std::ifstream file(filename, std::ios::binary);
  if (!file) return false;
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return !file.bad() && from_bytes(bytes, serial);
}

bool basic_string_to_fd(const Serial& serial, int fd) {
  const char* rest = bytes_of(serial);
  std::size_t left = byte_count(serial);
  while (left > 0) {
    const ssize_t written = ::write(fd, rest, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    rest += written;
    left -= static_cast<std::size_t>(written);
  }
  return true;
}

bool fd_to_basic_string(int fd, Serial& serial) {
  std::string bytes;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return from_bytes(bytes, serial);
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
}

std::ostream& operator<<(std::ostream& os, const std::basic_string<std::int32_t>& serial) {
  return os.write(bytes_of(serial), static_cast<std::streamsize>(byte_count(serial)));
}

std::istream& operator>>(std::istream& is, std::basic_string<std::int32_t>& serial) {
  serial.clear();
  std::int32_t count = 0;
  if (!is.read(reinterpret_cast<char*>(&count), sizeof count)) return is;
  serial.push_back(count);
  for (std::int32_t left = to_host(count); left > 0; --left) {
    std::int32_t value = 0;
    if (!is.read(reinterpret_cast<char*>(&value), sizeof value)) return is;
    serial.push_back(value);
  }
  return is;
}

}  // namespace libalf
