#include "word_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16U;
constexpr std::size_t kMostWords = 4096;
constexpr std::size_t kMostSymbols = std::size_t{1} << 20U;
constexpr std::size_t kLongestLine = std::size_t{64} << 20U;

}  // namespace

WordSource::WordSource(const std::string& path, const Alphabet& alphabet, const Budget& budget)
    : name_(path == "-" ? "standard input" : path), alphabet_(alphabet), budget_(budget) {
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw FileError(name_, std::strerror(errno));
}

WordSource::~WordSource() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

bool WordSource::fill() {
  if (ended_) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > kLongestLine) {
    throw FileError(fmt::format("{}:{}", name_, line_number_ + 1),
                    "expected a word of at most 64 MiB, found a longer line");
  }
  const std::size_t filled = buffer_.size();
  buffer_.resize(filled + kPiece);
  ssize_t count = 0;
  do {
    count = budget_.spent() ? 0 : ::read(descriptor_, buffer_.data() + filled, kPiece);
  } while (count < 0 && errno == EINTR);
  buffer_.resize(filled + (count > 0 ? static_cast<std::size_t>(count) : 0));
  if (count < 0) throw FileError(name_, std::strerror(errno));
  ended_ = count == 0;
  return !ended_;
}

std::optional<std::string> WordSource::line() {
  std::size_t searched = at_;
  while (true) {
    std::size_t end = buffer_.find('\n', searched);
    if (end == std::string::npos) {
      const std::size_t offset = buffer_.size() - at_;
      if (fill()) {
        searched = at_ + offset;
        continue;
      }
      if (at_ == buffer_.size()) return std::nullopt;
      end = buffer_.size();
    }
    ++line_number_;
    std::string text = buffer_.substr(at_, end - at_);
    at_ = std::min(end + 1, buffer_.size());
    if (!text.empty() && text.back() == '\r') text.pop_back();
    return text;
  }
}

std::vector<Word> WordSource::next() {
  if (failure_) throw FileError(*failure_);
  std::vector<Word> words;
  std::size_t symbols = 0;
  while (words.size() < kMostWords && symbols < kMostSymbols) {
    // Words that have arrived are answered before the program waits for more.
    if (!words.empty() && buffer_.find('\n', at_) == std::string::npos) break;
    const auto text = line();
    if (!text || budget_.spent()) break;
    try {
      words.push_back(alphabet_.parse_word(*text));
    } catch (const WordError& error) {
      const std::string place = fmt::format("{}:{}", name_, line_number_);
      if (words.empty()) throw FileError(place, error.what());
      failure_ = FileError(place, error.what());  // the words before it are answered first
      break;
    }
    symbols += words.back().size();
  }
  return words;
}

std::vector<Word> read_words(const std::string& path, const Alphabet& alphabet,
                             const Budget& budget) {
  std::vector<Word> all;
  WordSource source(path, alphabet, budget);
  while (true) {
    std::vector<Word> words = source.next();
    if (words.empty()) return all;
    all.insert(all.end(), std::make_move_iterator(words.begin()),
               std::make_move_iterator(words.end()));
  }
}

}  // namespace rnnalf::cli
