// Proofs of what is false must not be found, nor accepted.
//
// bench_controls LIST.tsv SECONDS: for every network of a list (as of bench_certify) that pumping
//   tells from its target, searches for a proof all the same, without looking for words first.
// bench_controls NETWORK AUTOMATON CERTIFICATE SECONDS: for every automaton of another language
//   that differs in one transition or in one accepting state, searches again, and asks the
//   checker about the certificate with that automaton in it.
// SECONDS is processor time for each search, as in bench_certify.
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/networks/load_network.hpp"
#include "rnnalf/oracle/search_oracles.hpp"
#include "rnnalf/states/state_tree.hpp"
#include "watch.hpp"

namespace {

using namespace rnnalf;
using Json = nlohmann::json;

struct Tally {
  std::size_t searched = 0, certified = 0, checked = 0, accepted = 0;
};

void search(const NetworkSpec& network, const Dfa& dfa, double seconds, Tally& counts) {
  CertifyOptions options;
  options.empty_word = dfa.accepts(dfa.initial());
  options.words_first = false;
  options.threads = 1;
  Budget budget;
  const bench::Watch watch(budget, seconds);
  Progress progress;
  ++counts.searched;
  const Certification found = certify_agreement(network, dfa, options, budget, progress);
  if (found.verdict == Certification::Verdict::Certified) ++counts.certified;
}

void false_networks(const std::filesystem::path& list, double seconds, Tally& counts) {
  std::ifstream lines(list);
  std::string line, file, cell, letters, target;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    for (std::string* field : {&file, &cell, &letters, &target}) std::getline(fields, *field, '\t');
    ReadOptions read;
    read.alphabet = Alphabet::parse(letters);
    read.cell = cell;
    const NetworkSpec network = load_network(list.parent_path() / file, read).spec;
    const Dfa dfa = over_alphabet(read_dfa_file(list.parent_path() / target), network.alphabet);
    const auto acceptor = make_acceptor(network, Precision::Float);
    StateTree tree(*acceptor, {.empty_word = dfa.answer(dfa.initial())});
    PumpingOracle oracle(tree, {.words = 1500, .seed = 1});
    if (oracle.find(dfa, Budget{}).counterexample) search(network, dfa, seconds, counts);
  }
}

Dfa dfa_of(const Json& from, std::size_t letters) {
  Dfa dfa(letters, from["transitions"].size());
  dfa.set_initial(LState(from["initial"].get<std::uint32_t>()));
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    dfa.set_accepting(LState(q), from["accepting"][q].get<bool>());
    for (std::size_t a = 0; a < letters; ++a) {
      dfa.set_next(LState(q), Symbol(a), LState(from["transitions"][q][a].get<std::uint32_t>()));
    }
  }
  return dfa;
}

void mutants(char** values, double seconds, Tally& counts) {
  const NetworkSpec network = load_network(values[1], {}).spec;
  const Dfa dfa = over_alphabet(read_dfa_file(values[2]), network.alphabet);
  const Json file = Json::parse(read_file(values[3], std::size_t(1) << 30U));
  const auto try_one = [&](const Json& changed) {
    const Dfa mutant = dfa_of(changed["dfa"], network.symbol_count());
    if (equivalent(mutant, dfa)) return;
    search(network, mutant, seconds, counts);
    ++counts.checked;
    try {
      (void)check::check(network, mutant, changed.dump());
      ++counts.accepted;
    } catch (const check::Refused&) {
    }
  };
  const std::size_t states = file["dfa"]["transitions"].size();
  for (std::size_t q = 0; q < states; ++q) {
    Json changed = file;
    changed["dfa"]["accepting"][q] = !file["dfa"]["accepting"][q].get<bool>();
    try_one(changed);
    for (std::size_t a = 0; a < network.symbol_count(); ++a) {
      for (std::size_t p = 0; p < states; ++p) {
        changed = file;
        changed["dfa"]["transitions"][q][a] = p;
        try_one(changed);
      }
    }
  }
}

}  // namespace

int main(int count, char** values) {
  if (count != 3 && count != 5) return std::fputs("usage: see bench/controls.cpp\n", stderr), 2;
  Tally counts;
  const double seconds = std::stod(values[count - 1]);
  if (count == 3) {
    false_networks(values[1], seconds, counts);
  } else {
    mutants(values, seconds, counts);
  }
  std::printf("%zu searched, %zu certified; %zu certificates checked, %zu accepted\n",
              counts.searched, counts.certified, counts.checked, counts.accepted);
  // A list that is not there, or has no such network, shows nothing.
  return counts.searched > 0 && counts.certified + counts.accepted == 0 ? 0 : 1;
}
