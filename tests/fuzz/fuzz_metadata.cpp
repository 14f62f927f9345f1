// Any text as a vocabulary, as names of classes or as probes: read, or refused with a
// NetworkFileError of one line.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/network/metadata.hpp"

using namespace rnnalf;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto one_line = [](const auto& parse) {
    try {
      parse();
    } catch (const NetworkFileError& error) {
      if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    }
  };
  one_line([&] {
    const Vocabulary vocabulary = parse_vocabulary(text, {"fuzz", ""});
    std::vector<std::string> said;
    for (const std::size_t symbols : {1U, 3U, 1000U}) {
      one_line([&] {
        if (alphabet_of(vocabulary, symbols, {"fuzz", ""}, said).size() != symbols) std::abort();
      });
    }
  });
  one_line([&] { static_cast<void>(parse_alphabet(text, {"fuzz", "metadata"})); });
  one_line([&] {
    const ClassNames classes = parse_classes(text, {"fuzz", "metadata"});
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes.find(classes.names()[i]) != i) std::abort();
    }
  });
  one_line([&] {
    for (const Probe& probe : parse_probes(text, Alphabet::parse("a b c"), {"fuzz", ""})) {
      for (const Symbol symbol : probe.word) {
        if (index(symbol) >= 3) std::abort();
      }
    }
  });
  return 0;
}
