#include "rnnalf/network/presentation.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kNamesInMessages = 20;

/// Such as "the 4 symbols a b <s> </s>".
std::string symbols_of(const Alphabet& alphabet) {
  std::string text = fmt::format("the {} symbols", alphabet.size());
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    if (i == kNamesInMessages) return text + " ...";
    text += " " + alphabet.names()[i];
  }
  return text;
}

/// The names as symbols; `what` is how users call the list.
Word resolve(const std::vector<std::string>& names, const char* what, const Alphabet& network,
             const std::string& file) {
  Word word;
  for (const std::string& name : names) {
    if (const auto symbol = network.find(name)) {
      word.push_back(*symbol);
      continue;
    }
    const std::vector<std::string> characters =
        network.is_compact() ? utf8_characters(name) : std::vector<std::string>{name};
    for (const std::string& character : characters) {
      const auto symbol = network.find(character);
      if (!symbol) {
        throw NetworkFileError(file, std::string(what) + ": expected some of " +
                                         symbols_of(network) + ", found " + in_quotes(name));
      }
      word.push_back(*symbol);
    }
  }
  return word;
}

}  // namespace

Presentation present(const Tokens& tokens, const Alphabet& network, const std::string& file,
                     const std::vector<Symbol>& padding) {
  Presentation result{.begin = resolve(tokens.begin, "begin", network, file),
                      .end = resolve(tokens.end, "end", network, file),
                      .over = resolve(tokens.over, "over", network, file)};
  if (tokens.over.empty()) {
    for (std::size_t a = 0; a < network.size(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      const auto is_in = [&](const Word& word) {
        return std::find(word.begin(), word.end(), symbol) != word.end();
      };
      if (!is_in(result.begin) && !is_in(result.end) && !is_in(padding))
        result.over.push_back(symbol);
    }
    if (result.over.empty()) {
      throw NetworkFileError(file,
                             "expected symbols besides those that begin and end words, found "
                             "none; say which words are made of (over) among " +
                                 symbols_of(network));
    }
  }
  std::vector<bool> taken(network.size(), false);
  std::vector<std::string> names;
  for (const Symbol symbol : result.over) {
    if (taken[index(symbol)]) {
      throw NetworkFileError(file, "over: expected every symbol once, found " +
                                       in_quotes(network.name(symbol)) + " twice");
    }
    taken[index(symbol)] = true;
    names.push_back(network.name(symbol));
  }
  result.alphabet = Alphabet(std::move(names));
  return result;
}

}  // namespace rnnalf
