// bench_certify INDEX.tsv SECONDS [THREADS] [OUT]: searches for a proof for every network of a
// list.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/networks/load_network.hpp"

namespace {

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int count, char** values) {
  using namespace rnnalf;
  if (count < 3) return 2;
  const std::filesystem::path list = values[1];
  const std::string only = count > 5 ? values[5] : "";
  std::ifstream lines(list);
  std::string line;
  std::getline(lines, line);
  int certified = 0, refuted = 0, all = 0;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string file, cell, letters, target;
    std::getline(fields, file, '\t');
    std::getline(fields, cell, '\t');
    std::getline(fields, letters, '\t');
    std::getline(fields, target, '\t');
    if (file.find(only) == std::string::npos) continue;
    ReadOptions read;
    read.alphabet = Alphabet::parse(letters);
    read.cell = cell_from_name(cell);
    const NetworkSpec spec = load_network(list.parent_path() / file, read).spec;
    const Dfa dfa = over_alphabet(read_dfa_file(list.parent_path() / target), spec.alphabet);
    CertifyOptions options;
    options.threads = count > 3 ? static_cast<unsigned>(std::stoul(values[3])) : 1;
    options.empty_word = dfa.accepts(dfa.initial());
    Budget budget;
    Progress progress;
    const double before = processor_seconds();
    std::atomic<bool> done = false;
    std::thread watch([&] {
      while (!done && processor_seconds() - before < std::stod(values[2])) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      budget.interrupt();
    });
    const Certification result = certify_agreement(spec, dfa, options, budget, progress);
    const double took = processor_seconds() - before;
    done = true;
    watch.join();
    ++all;
    const char* verdict = "open";
    if (result.verdict == Certification::Verdict::Certified) verdict = "certified", ++certified;
    if (result.verdict == Certification::Verdict::Refuted) verdict = "refuted", ++refuted;
    std::printf("%-45s %-10s %7.2f s %8llu images", file.c_str(), verdict, took,
                static_cast<unsigned long long>(result.images));
    if (result.certificate) {
      const auto& c = *result.certificate;
      std::size_t entries = c.start.size();
      for (const auto& set : c.sets) entries += set.tree.size();
      std::printf("  %5zu sets %6zu steps, margin %.3g, slack %.2g", c.sets.size(), entries,
                  c.margin, c.slack);
      if (count > 4 && values[4][0] != '-') {
        std::ofstream(std::filesystem::path(values[4]) /
                      (std::filesystem::path(file).filename().string() + ".certificate.json"))
            << certify::format_certificate(c);
      }
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  std::printf("%d certified, %d refuted, of %d\n", certified, refuted, all);
}
