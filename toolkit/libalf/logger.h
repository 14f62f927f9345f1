#pragma once

#include <ostream>
#include <string>

/// Where learners tell what they do. A learner's logger may be NULL: then it is silent.
namespace libalf {

enum logger_loglevel {
  LOGGER_INTERNAL = 0,  // start and stop of a logger itself
  LOGGER_ERROR = 1,
  LOGGER_WARN = 2,
  LOGGER_INFO = 3,
  LOGGER_DEBUG = 4,
  LOGGER_ALGORITHM = 5,  // switched by set_log_algorithm, independent of the minimal level
};

class logger {
 public:
  logger();
  virtual ~logger() = default;

  virtual void operator()(logger_loglevel level, std::string& message);
  virtual void operator()(logger_loglevel level, const char* format, ...)
      __attribute__((format(printf, 3, 4)));

  /// Messages of a higher (less important) level are dropped.
  void set_minimal_loglevel(logger_loglevel level);
  void set_log_algorithm(bool log);

 protected:
  virtual void log(logger_loglevel level, const char* message) = 0;

  logger_loglevel minimal_loglevel;
  bool log_algorithm;

 private:
  bool wants(logger_loglevel level) const;
};

class ignore_logger : public logger {
 protected:
  void log(logger_loglevel level, const char* message) override;
};

/// Writes to a stream, which must outlive it; a line at the start and one at the stop of the
/// logger.
class ostream_logger : public logger {
 public:
  ostream_logger();  // std::cerr, errors only
  ostream_logger(std::ostream* stream, logger_loglevel level, bool log_algorithm_too = true,
                 bool colors = true);
  ~ostream_logger() override;

 protected:
  void log(logger_loglevel level, const char* message) override;

 private:
  std::ostream* out;
  bool use_color;
};

/// Collects messages until somebody asks for them.
class buffered_logger : public logger {
 public:
  buffered_logger();  // errors only
  explicit buffered_logger(logger_loglevel level, bool log_algorithm_too = true);

  /// All messages since the last call; the caller deletes the string.
  std::string* receive_and_flush();

 protected:
  void log(logger_loglevel level, const char* message) override;

 private:
  std::string buffer;
};

}  // namespace libalf
