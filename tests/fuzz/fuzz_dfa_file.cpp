// Automaton files of every format: any text is read or refused, and what was read can be written
// and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rnnalf;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const DfaFormat format : {DfaFormat::Dot, DfaFormat::Json, DfaFormat::Alf}) {
    try {
      const DfaFile file = parse_dfa(text, format, "input");
      const NamedDfa whole{file.automaton.alphabet, canonical(file.automaton.dfa),
                           file.automaton.classes};
      const DfaFile again = parse_dfa(format_dfa(whole, format), format, "again");
      // Classes that no reachable state gives are not written.
      if (with_answers(again.automaton.dfa, whole.dfa.answer_count()) != whole.dfa) std::abort();
      if (separating_word(again.automaton, whole)) std::abort();
    } catch (const AutomatonFileError& error) {
      if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
    }
  }
  return 0;
}
