#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf::cli {

/// Words from a text file, one per line, read in pieces: the file may be larger than the memory,
/// and a pipe is answered as it comes. An empty line is the empty word.
class WordSource {
 public:
  /// `-` is standard input. Throws FileError when the file cannot be opened.
  WordSource(const std::string& path, const Alphabet& alphabet, const Budget& budget);
  WordSource(const WordSource&) = delete;
  WordSource& operator=(const WordSource&) = delete;
  ~WordSource();

  /// The next words, some thousands at most and what a pipe has ready; empty at the end and when
  /// the budget is spent. Throws FileError with file, line, expected and found.
  [[nodiscard]] std::vector<Word> next();

 private:
  std::optional<std::string> line();
  [[nodiscard]] bool fill();  // false at the end

  std::string name_;
  const Alphabet& alphabet_;  // outlives this, as does the budget
  const Budget& budget_;
  int descriptor_ = -1;
  std::size_t line_number_ = 0;
  std::string buffer_;
  std::size_t at_ = 0;
  bool ended_ = false;
  std::optional<FileError> failure_;
};

/// The words of a whole file.
[[nodiscard]] std::vector<Word> read_words(const std::string& path, const Alphabet& alphabet,
                                           const Budget& budget);

}  // namespace rnnalf::cli
