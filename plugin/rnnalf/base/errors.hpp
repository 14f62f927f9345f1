#pragma once

#include <stdexcept>
#include <string>

namespace rnnalf {

/// Base of everything this library throws about its input.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that is not what it should be. The message is one line: file, place, expected, found.
class FileError : public Error {
 public:
  FileError(const std::string& file, const std::string& message) : Error(file + ": " + message) {}
};

/// A network file that cannot be read, or a network that cannot be run.
class NetworkFileError : public FileError {
 public:
  using FileError::FileError;
};

/// An automaton file (DOT, JSON, libalf text) that cannot be read.
class AutomatonFileError : public FileError {
 public:
  using FileError::FileError;
};

/// An option with a value that cannot be used; the message names the option.
class OptionError : public Error {
 public:
  using Error::Error;
};

/// A word with a symbol that the alphabet does not have.
class WordError : public Error {
 public:
  using Error::Error;
};

/// A broken invariant: a bug of ours, never the user's fault.
[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               const std::string& values);

}  // namespace rnnalf

/// Checks an invariant; `values` is a string that gives the values involved.
#define RNNALF_CHECK(condition, values)                                                 \
  do {                                                                                  \
    if (!(condition)) ::rnnalf::check_failed(#condition, __FILE__, __LINE__, (values)); \
  } while (false)
