#include "rnnalf/base/alphabet.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/suggestion.hpp"
#include "rnnalf/base/terminal_text.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

bool has_space_or_control(std::string_view symbol) {
  return std::any_of(symbol.begin(), symbol.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7f;
  });
}

/// The first symbols of an alphabet, for a message.
std::string beginning(const std::vector<std::string_view>& names) {
  constexpr std::size_t kMost = 40;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text.append(i == 0 ? "" : " ").append(names[i]);
  }
  return text + (names.size() > kMost ? fmt::format(" ... ({} symbols)", names.size()) : "");
}

}  // namespace

std::vector<std::string> utf8_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = first_character(text.substr(at)).bytes;
    if (length == 0) {
      throw OptionError(
          fmt::format("malformed UTF-8 at byte {} of a text of {} bytes", at, text.size()));
    }
    characters.emplace_back(text.substr(at, length));
    at += length;
  }
  return characters;
}

Alphabet::Alphabet(std::vector<std::string> symbols) : symbols_(std::move(symbols)) {
  positions_.reserve(symbols_.size());
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    const std::string& symbol = symbols_[i];
    if (symbol.empty()) {
      throw OptionError(fmt::format("alphabet: symbol {} is empty", i));
    }
    if (has_space_or_control(symbol)) {
      throw OptionError(
          fmt::format("alphabet: symbol {} contains white space or a control character", i));
    }
    compact_ = utf8_characters(symbol).size() == 1 && compact_;
    if (!positions_.emplace(symbol, static_cast<Symbol>(i)).second) {
      throw OptionError("alphabet: symbol '" + symbol + "' occurs twice");
    }
  }
}

Alphabet Alphabet::numbered(std::size_t size) {
  std::vector<std::string> symbols;
  symbols.reserve(size);
  for (std::size_t i = 0; i < size; ++i) symbols.push_back(std::to_string(i));
  return Alphabet(std::move(symbols));
}

Alphabet Alphabet::parse(std::string_view text) {
  const bool spaced = text.find(' ') != std::string_view::npos;
  Alphabet alphabet(spaced ? split_at_spaces(text) : utf8_characters(text));
  if (alphabet.size() == 0) throw OptionError("alphabet: expected at least one symbol, found none");
  return alphabet;
}

std::string Alphabet::text() const {
  std::string text;
  for (const std::string& symbol : symbols_) {
    if (!text.empty() && !compact_) text += ' ';
    text += symbol;
  }
  // A space at the end says that one long symbol is no row of characters.
  return compact_ || size() > 1 ? text : text + ' ';
}

std::optional<Symbol> Alphabet::find(std::string_view name) const {
  const auto found = positions_.find(std::string(name));
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

Word Alphabet::parse_word(std::string_view text) const {
  std::vector<std::string> parts;
  try {
    // Spaces are no symbols, so a word may have some wherever it is written.
    parts =
        compact_ ? utf8_characters(replaced(std::string(text), " ", "")) : split_at_spaces(text);
  } catch (const OptionError& error) {
    throw WordError(std::string("word: ") + error.what());
  }
  Word word;
  word.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto symbol = find(parts[i]);
    if (!symbol) {
      const std::vector<std::string_view> names(symbols_.begin(), symbols_.end());
      const std::string meant = compact_ ? "" : suggestion("", parts[i], names);
      throw WordError(fmt::format("word '{}': symbol {}: unknown symbol '{}'{} The alphabet is: {}",
                                  text, i + 1, parts[i], meant.empty() ? "." : meant,
                                  beginning(names)));
    }
    word.push_back(*symbol);
  }
  return word;
}

std::string Alphabet::format(WordView word) const {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i > 0 && !compact_) text += ' ';
    text += name(word[i]);
  }
  return text;
}

}  // namespace rnnalf
