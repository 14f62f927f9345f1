// How many networks each oracle tells from the automaton they were trained on. See
// bench/oracles.md.
//
//   bench_refutations FOLDER [--seed N] SPEC...
//
// FOLDER has state_dict files LANGUAGE_CELL_LAYERS_HIDDEN.pt and targets/LANGUAGE.dot; SPEC is an
// oracle as on the command line. The hypothesis is the target; the empty word is left out.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/networks/load_network.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"

namespace {

using namespace rnnalf;

struct Subject {
  std::string name;
  std::unique_ptr<RnnAcceptor> acceptor;
  Alphabet alphabet;
  Dfa target;
};

Subject load(const std::filesystem::path& file) {
  const std::string name = file.stem().string();
  std::string language = name;
  std::string cell;
  for (int part = 0; part < 3; ++part) {
    cell = language.substr(language.rfind('_') + 1);
    language.resize(language.rfind('_'));
  }
  const DfaFile dfa = read_dfa_file(file.parent_path() / "targets" / (language + ".dot"));
  std::vector<std::string> letters = dfa.automaton.alphabet.names();
  std::sort(letters.begin(), letters.end());
  // Of the 720 orders of its letters, the one under which networks and target agree on short words.
  if (language == "dfa_size_5_inputs_6_3") letters = {"1", "2", "6", "3", "4", "5"};
  ReadOptions options{.alphabet = Alphabet(letters), .cell = {}, .accept_class = {}};
  if (cell == "relu") options.cell = "elman-relu";
  if (cell == "tanh") options.cell = "elman-tanh";
  const NetworkSpec spec = load_network(file, options).spec;
  return {name, make_acceptor(spec), *options.alphabet,
          minimise(over_alphabet(dfa, *options.alphabet))};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: bench_refutations FOLDER [--seed N] SPEC...\n", stderr);
    return 2;
  }
  const bool seeded = argc > 4 && std::string(argv[2]) == "--seed";
  const std::uint64_t seed = seeded ? std::stoull(argv[3]) : 1;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.path().extension() == ".pt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Subject> subjects;
  for (const auto& file : files) subjects.push_back(load(file));

  for (int i = seeded ? 4 : 2; i < argc; ++i) {
    const OracleChain chain = parse_oracles(argv[i]);
    std::size_t refuted = 0;
    std::uint64_t words = 0;
    std::uint64_t steps = 0;
    double seconds = 0;
    std::string which;
    for (const Subject& subject : subjects) {
      StateTree tree(*subject.acceptor, {.empty_word = subject.target.answer(Word{})});
      const auto start = std::chrono::steady_clock::now();
      const OraclePtr oracle = make_chain(chain, {.tree = tree, .seed = seed});
      const EquivalenceAnswer answer = oracle->find(subject.target, Budget{});
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      for (const Evidence& evidence : answer.evidence) words += evidence.words_tested;
      steps += tree.stats().steps;
      if (answer.verdict != Verdict::Counterexample) continue;
      ++refuted;
      which += "\n      " + subject.name + "  length " +
               std::to_string(answer.counterexample->word.size()) + "  " +
               answer.counterexample->oracle;
      if (answer.counterexample->pumped) {
        which += " " + answer.counterexample->pumped->text(subject.alphabet);
      }
    }
    std::printf("%3zu of %zu  %8.2f s  %9llu words  %9llu steps  %s%s\n", refuted, subjects.size(),
                seconds, static_cast<unsigned long long>(words),
                static_cast<unsigned long long>(steps), argv[i], which.c_str());
  }
}
