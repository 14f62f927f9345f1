#include "rnnalf/base/word_list.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {

std::vector<Word> parse_words(std::string_view text, const std::string& file,
                              const Alphabet& alphabet) {
  std::vector<Word> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    try {
      words.push_back(alphabet.parse_word(line));
    } catch (const WordError& error) {
      throw FileError(fmt::format("{}:{}", file, words.size() + 1), error.what());
    }
  }
  return words;
}

}  // namespace rnnalf
