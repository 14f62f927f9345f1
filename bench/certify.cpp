// bench_certify LIST.tsv SECONDS [THREADS] [OUT] [ONLY]: searches for a proof for every network of
// a list and checks what was found; with a folder OUT, certificates are kept there, and the Python
// checker is asked, too. SECONDS are of processor time, for each network and all its threads.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/networks/load_network.hpp"
#include "watch.hpp"

namespace {

using namespace rnnalf;
using rnnalf::bench::processor_seconds, rnnalf::bench::Watch;
namespace files = std::filesystem;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Line {
  std::string file, cell, letters, target;
};

struct Tally {
  int all = 0, certified = 0, refuted = 0, checked = 0, checked_in_python = 0;
  std::vector<double> searches, checks, ratios;
};

bool python_accepts(const files::path& network, const files::path& target, const files::path& file,
                    const Line& line) {
  const std::string command = "/usr/bin/python3 '" RNNALF_PYTHON_CHECKER "' '" + network.string() +
                              "' '" + target.string() + "' '" + file.string() + "' --alphabet '" +
                              line.letters + "' --cell " + line.cell + " > /dev/null";
  return std::system(command.c_str()) == 0;
}

void one(const files::path& folder, const Line& line, double seconds, unsigned threads,
         const files::path& out, Tally& counts) {
  ReadOptions read;
  read.alphabet = Alphabet::parse(line.letters);
  read.cell = line.cell;
  const NetworkSpec spec = load_network(folder / line.file, read).spec;
  const Dfa dfa = over_alphabet(read_dfa_file(folder / line.target), spec.alphabet);
  CertifyOptions options;
  options.threads = threads;
  options.empty_word = dfa.accepts(dfa.initial());
  Budget budget;
  Progress progress;
  double before = processor_seconds();
  Certification result;
  {
    const Watch watch(budget, seconds);
    result = certify_agreement(spec, dfa, options, budget, progress);
  }
  const double search = processor_seconds() - before;
  ++counts.all;
  const char* verdict = "open";
  if (result.verdict == Certification::Verdict::Certified) verdict = "certified";
  if (result.verdict == Certification::Verdict::Refuted) verdict = "refuted", ++counts.refuted;
  std::printf("%-38s %-9s %6.2f s %8llu images", line.file.c_str(), verdict, search,
              static_cast<unsigned long long>(result.images));
  if (result.certificate) {
    const auto& found = *result.certificate;
    const std::string text = certify::format_certificate(found);
    ++counts.certified;
    before = processor_seconds();
    bool accepted = false;
    std::size_t images = 0;
    try {
      images = check::check(spec, dfa, text).images;
      accepted = true;
    } catch (const std::exception& error) {
      std::printf("  CHECK FAILED: %s", error.what());
    }
    const double check = processor_seconds() - before;
    counts.checked += accepted ? 1 : 0;
    counts.searches.push_back(search);
    counts.checks.push_back(check);
    counts.ratios.push_back(check / search);
    std::printf(
        " | check %.3f s, %zu sets, %zu images, %zu kB, %zu columns, margin %.2g, slack %.1g",
        check, found.sets.size(), images, text.size() / 1024, found.generators, found.margin,
        found.slack);
    if (!out.empty()) {
      const files::path file =
          out / (files::path(line.file).filename().string() + ".certificate.json");
      std::ofstream(file) << text;
      const bool too = python_accepts(folder / line.file, folder / line.target, file, line);
      counts.checked_in_python += too ? 1 : 0;
      if (!too) std::printf("  PYTHON CHECK FAILED");
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** values) {
  if (count < 3) return 2;
  const files::path list = values[1], out = count > 4 ? values[4] : "";
  const std::string only = count > 5 ? values[5] : "";
  std::ifstream lines(list);
  std::string text;
  std::getline(lines, text);
  Tally counts;
  while (std::getline(lines, text)) {
    std::istringstream fields(text);
    Line line;
    for (std::string* field : {&line.file, &line.cell, &line.letters, &line.target}) {
      std::getline(fields, *field, '\t');
    }
    if (line.file.find(only) == std::string::npos) continue;
    one(list.parent_path(), line, std::stod(values[2]),
        count > 3 ? static_cast<unsigned>(std::stoul(values[3])) : 1, out == "-" ? "" : out,
        counts);
  }
  std::printf(
      "%d certified, %d of them accepted by the checker and %d by the Python one, %d refuted, of "
      "%d\n",
      counts.certified, counts.checked, counts.checked_in_python, counts.refuted, counts.all);
  std::printf("medians: search %.4f s, check %.4f s, check / search %.3f\n",
              median(counts.searches), median(counts.checks), median(counts.ratios));
  std::vector<double> long_searches;
  for (std::size_t i = 0; i < counts.ratios.size(); ++i) {
    if (counts.searches[i] >= 0.1) long_searches.push_back(counts.ratios[i]);
  }
  std::printf("check / search of the %zu with a search of 0.1 s or more: median %.3f\n",
              long_searches.size(), median(long_searches));
}
