#include <libalf/logger.h>

#include <cstdarg>
#include <cstdio>
#include <iostream>
#include <vector>

namespace libalf {
namespace {

// ANSI: red, yellow, green, blue; the rest bold. Never empty: what ends with a reset begins with a
// colour.
const char* color_of(logger_loglevel level) {
  switch (level) {
    case LOGGER_ERROR:
      return "\033[31m";
    case LOGGER_WARN:
      return "\033[33m";
    case LOGGER_INFO:
      return "\033[32m";
    case LOGGER_DEBUG:
      return "\033[34m";
    default:
      return "\033[1m";
  }
}

}  // namespace

logger::logger() : minimal_loglevel(LOGGER_ERROR), log_algorithm(false) {}

bool logger::wants(logger_loglevel level) const {
  return level == LOGGER_ALGORITHM ? log_algorithm : level <= minimal_loglevel;
}

void logger::operator()(logger_loglevel level, std::string& message) {
  if (wants(level)) log(level, message.c_str());
}

void logger::operator()(logger_loglevel level, const char* format, ...) {
  if (!wants(level)) return;
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  if (length >= 0) {
    std::vector<char> text(static_cast<std::size_t>(length) + 1);
    std::vsnprintf(text.data(), text.size(), format, again);
    log(level, text.data());
  }
  va_end(again);
}

void logger::set_minimal_loglevel(logger_loglevel level) {
  minimal_loglevel = level;
}

void logger::set_log_algorithm(bool wanted) {
  log_algorithm = wanted;
}

void ignore_logger::log(logger_loglevel, const char*) {}

ostream_logger::ostream_logger() : ostream_logger(&std::cerr, LOGGER_ERROR, false, false) {}

ostream_logger::ostream_logger(std::ostream* stream, logger_loglevel level, bool log_algorithm_too,
                               bool colors)
    : out(stream), use_color(colors) {
  set_minimal_loglevel(level);
  set_log_algorithm(log_algorithm_too);
  ostream_logger::log(LOGGER_INTERNAL, "started logger instance\n");
}

ostream_logger::~ostream_logger() {
  ostream_logger::log(LOGGER_INTERNAL, "stopped logger instance\n");
}

void ostream_logger::log(logger_loglevel level, const char* message) {
  if (!out) return;
  if (use_color) *out << color_of(level);
  *out << message;
  if (use_color) *out << "\033[m";
  out->flush();
}

buffered_logger::buffered_logger() : buffered_logger(LOGGER_ERROR, false) {}

buffered_logger::buffered_logger(logger_loglevel level, bool log_algorithm_too)
    : buffer("started logger instance\n") {
  set_minimal_loglevel(level);
  set_log_algorithm(log_algorithm_too);
}

std::string* buffered_logger::receive_and_flush() {
  auto* messages = new std::string();
  messages->swap(buffer);
  return messages;
}

void buffered_logger::log(logger_loglevel, const char* message) {
  buffer += message;
}

}  // namespace libalf
