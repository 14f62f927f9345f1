#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// The symbols of a language in index order, and how words over them are written.
///
/// Symbols are distinct, non-empty UTF-8 strings without white space or control characters. A word
/// is written without separators when every symbol is one character, else with single spaces.
/// Immutable after construction.
class Alphabet {
 public:
  Alphabet() = default;
  /// Throws OptionError when a symbol is empty, repeated or unprintable.
  explicit Alphabet(std::vector<std::string> symbols);

  /// `0`, `1`, ... `size-1`: the names used when nobody gave any.
  [[nodiscard]] static Alphabet numbered(std::size_t size);
  /// The command line's form: split at spaces if there are any, else one symbol per character.
  [[nodiscard]] static Alphabet parse(std::string_view text);
  /// As `parse` reads it.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] std::size_t size() const noexcept { return symbols_.size(); }
  [[nodiscard]] const std::string& name(Symbol symbol) const { return symbols_[index(symbol)]; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return symbols_; }
  [[nodiscard]] std::optional<Symbol> find(std::string_view name) const;
  /// Whether words are written without separators.
  [[nodiscard]] bool is_compact() const noexcept { return compact_; }

  /// Throws WordError that names the unknown symbol and its position.
  [[nodiscard]] Word parse_word(std::string_view text) const;
  [[nodiscard]] std::string format(WordView word) const;

  bool operator==(const Alphabet& other) const { return symbols_ == other.symbols_; }

 private:
  std::vector<std::string> symbols_;
  std::unordered_map<std::string, Symbol> positions_;
  bool compact_ = true;
};

/// The characters of a UTF-8 text; throws OptionError on malformed UTF-8.
[[nodiscard]] std::vector<std::string> utf8_characters(std::string_view text);

}  // namespace rnnalf
