// rnnalf-check NETWORK AUTOMATON CERTIFICATE: checks a proof that network and automaton agree.
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

#include <cstdio>

#include "check.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/option_names.hpp"
#include "rnnalf/networks/load_network.hpp"

int main(int count, char** values) {
  using namespace rnnalf;
  const char* const usage =
      "usage: rnnalf-check NETWORK AUTOMATON CERTIFICATE [--alphabet LETTERS] [--cell KIND]\n"
      "                    [--accept-class N]\n"
      "Exit 0: every obligation holds, and the theorem is printed. Exit 1: one does not. Exit 2: "
      "usage.\n";
  std::vector<std::string> files;
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
      if (word == "--alphabet") {
        options.alphabet = Alphabet::parse(value);
      } else if (word == "--cell" && cell_from_name(value)) {
        options.cell = cell_from_name(value);
      } else if (word == "--accept-class" && is_number && !value.empty() && value.size() < 6) {
        options.accept_class = std::stoul(value);
      } else {
        throw OptionError(word + ": no such option, or not with '" + value + "'");
      }
    }
    if (files.size() != 3) throw OptionError("expected three files");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rnnalf-check: %s\n%s", error.what(), usage);
    return 2;
  }
  try {
    const NetworkSpec network = load_network(files[0], options).spec;
    const Dfa dfa = over_alphabet(read_dfa_file(files[1]), network.alphabet);
    const check::Theorem theorem =
        check::check(network, dfa, read_file(files[2], std::size_t(1) << 30U));
    std::printf("%s\n%zu sets, %zu images, every one inside.\n", theorem.sentence.c_str(),
                theorem.sets, theorem.images);
    return 0;
  } catch (const check::Refused& refused) {
    std::fprintf(stderr, "rnnalf-check: %s: refused: %s\n", files[2].c_str(), refused.what());
  } catch (const std::exception& error) {
    const std::string message = with_option_names(error.what(), Spelling::CommandLine);
    std::fprintf(stderr, "rnnalf-check: %s\n", message.c_str());
  }
  return 1;
}
