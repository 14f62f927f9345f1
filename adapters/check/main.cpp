// rnnalf-check NETWORK AUTOMATON CERTIFICATE: checks a proof that network and automaton agree, or
// that the network never (or always) accepts what the automaton accepts.
//
// What a reader has to trust, beside this folder (it shares no code with the search):
//   - the readers of network and automaton files, nlohmann-json for the certificate, Eigen for
//     matrix products (in whichever order they are summed), SHA-256 of the canonical weights
//     (plugin/rnnalf/network/fingerprint.cpp), the letters' order they give;
//   - IEEE 754 arithmetic of the compiler in double, and Eigen's exp and log within 2^-45;
//   - that the network is executed as plugin/rnnalf/acceptor/kernels.inl says: every operation
//     rounded once, products as chains of fused operations; and the error of its tanh and sigmoid,
//     measured over all floats by bench/activations (check.hpp has the constants).
// docs/certificates.md has the induction that turns the obligations into the theorem.

#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "check.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/automaton/product.hpp"
#include "rnnalf/automaton/regex.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/option_names.hpp"
#include "rnnalf/base/terminal_text.hpp"
#include "rnnalf/networks/load_network.hpp"

namespace {

// Values take up to 8 times the room of their text.
constexpr std::size_t kLargestCertificate = std::size_t{128} << 20U;

/// Names of files and symbols are shown to a person.
void print(std::FILE* to, const std::string& text) {
  std::fputs(rnnalf::terminal_text(text, rnnalf::Colours::None).c_str(), to);
}

rnnalf::Dfa read_automaton(const std::string& text, const rnnalf::Alphabet& alphabet) {
  if (text.starts_with(rnnalf::kRegex)) {
    return rnnalf::parse_regex(text.substr(rnnalf::kRegex.size()), alphabet);
  }
  return rnnalf::over_alphabet(rnnalf::read_dfa_file(text), alphabet);
}

}  // namespace

int main(int count, char** values) {
  using namespace rnnalf;
  const char* const usage =
      "usage: rnnalf-check NETWORK AUTOMATON CERTIFICATE [--without AUTOMATON]\n"
      "                    [--alphabet SYMBOLS] [--cell KIND] [--accept-class N]\n"
      "AUTOMATON is a file or regex:...; --without leaves out the words of another one.\n"
      "Exit 0: every obligation holds, and the theorem is printed. Exit 1: one does not. Exit 2: "
      "usage.\n";
  std::vector<std::string> files;
  std::string without;
  ReadOptions options;
  try {
    for (int i = 1; i < count; ++i) {
      const std::string word = values[i];
      if (word == "--help") return std::fputs(usage, stdout) < 0;
      if (!word.starts_with("--")) {
        files.push_back(word);
        continue;
      }
      const std::string value = ++i < count ? values[i] : "";
      const bool is_number = value.find_first_not_of("0123456789") == std::string::npos;
      if (word == "--without") {
        without = value;
      } else if (word == "--alphabet") {
        options.alphabet = Alphabet::parse(value);
      } else if (word == "--cell" && cell_from_name(value)) {
        options.cell = name(*cell_from_name(value));
      } else if (word == "--accept-class" && is_number && !value.empty() && value.size() < 6) {
        options.accept_class = std::stoul(value);
      } else {
        throw OptionError(word + ": no such option, or not with '" + value + "'");
      }
    }
    if (files.size() != 3) throw OptionError("expected three files");
  } catch (const std::exception& error) {
    print(stderr, fmt::format("rnnalf-check: {}\n{}", error.what(), usage));
    return 2;
  }
  try {
    const NetworkSpec network = load_network(files[0], options).spec;
    Dfa dfa = read_automaton(files[1], network.alphabet);
    if (!without.empty()) dfa = difference(dfa, read_automaton(without, network.alphabet));
    const check::Theorem theorem =
        check::check(network, dfa, read_file(files[2], kLargestCertificate));
    print(stdout, fmt::format("{}\n{} sets, {} images, every one inside.\n", theorem.sentence,
                              theorem.sets, theorem.images));
    return 0;
  } catch (const check::Refused& refused) {
    print(stderr, fmt::format("rnnalf-check: {}: refused: {}\n", files[2], refused.what()));
  } catch (const std::bad_alloc&) {
    print(stderr, "rnnalf-check: out of memory\n");
  } catch (const std::exception& error) {
    print(stderr, fmt::format("rnnalf-check: {}\n",
                              with_option_names(error.what(), Spelling::CommandLine)));
  }
  return 1;
}
