// Where the time of an extraction goes, and how far it is from the matrix products alone. See
// bench/README.md.
//   bench_extraction [--seconds S] NET...
// The published method (--preset paper), one thread. Every run is repeated, short ones often, and
// the fastest per step counts.

#include <sys/resource.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/networks/load_network.hpp"

namespace {

using Clock = std::chrono::steady_clock;

// CPU seconds of this process: on a shared machine the ratio of CPU times says more than that of
// wall times.
using rnnalf::cpu_seconds;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds that the matrix products of one step take in Eigen, in batches of 256. The first layer's
/// input is a table look-up and counts nothing.
double product_seconds(const rnnalf::NetworkSpec& spec) {
  constexpr Eigen::Index batch = 256;
  const rnnalf::LayerStack stack = rnnalf::stack_of(spec.step).value();
  const auto gates = static_cast<Eigen::Index>(gate_count(stack.cell));
  std::vector<Eigen::MatrixXf> weights, inputs;
  for (std::size_t l = 0; l < stack.layers.size(); ++l) {
    const auto hidden = static_cast<Eigen::Index>(stack.layers[l].hidden);
    const auto below =
        l == 0 ? Eigen::Index{0} : static_cast<Eigen::Index>(stack.layers[l - 1].hidden);
    for (const Eigen::Index depth : {hidden, below}) {
      if (depth == 0) continue;
      weights.push_back(Eigen::MatrixXf::Random(gates * hidden, depth));
      inputs.push_back(Eigen::MatrixXf::Random(depth, batch));
    }
  }
  std::vector<Eigen::MatrixXf> results;
  for (const auto& w : weights) results.emplace_back(w.rows(), batch);
  double best = 1e9;
  for (int round = 0; round < 200; ++round) {
    const double start = cpu_seconds();
    for (std::size_t i = 0; i < weights.size(); ++i) results[i].noalias() = weights[i] * inputs[i];
    best = std::min(best, cpu_seconds() - start);
  }
  return best / static_cast<double>(batch);
}

void measure(const std::string& file, double seconds) {
  const rnnalf::NetworkSpec spec = rnnalf::load_network(file).spec;
  const rnnalf::Network network = rnnalf::make_network(spec);
  rnnalf::Run best;
  double walk = 0, total = 0, product = 1e9, cpu = 0, fastest = 1e9;
  for (int round = 0; round < 50 && (round < 2 || total < 0.5); ++round) {
    product = std::min(product, product_seconds(spec));
    rnnalf::ExtractionOptions options = rnnalf::paper_options();
    options.time_limit = std::chrono::duration<double>(seconds);
    options.threads = 1;
    const auto start = Clock::now();
    const double cpu_start = cpu_seconds();
    const rnnalf::Run run = rnnalf::Extraction(network, rnnalf::libalf_learners(), options).run();
    const double elapsed = since(start);
    const double cpu_elapsed = cpu_seconds() - cpu_start;
    total += elapsed;
    const double per_step = cpu_elapsed / static_cast<double>(run.statistics.rnn_steps);
    if (per_step >= fastest) continue;
    fastest = per_step;
    cpu = cpu_elapsed;
    best = run;
    best.statistics.seconds = elapsed;
    walk = run.statistics.seconds_walk;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const rnnalf::RunStatistics& s = best.statistics;
  const double bound = product * static_cast<double>(s.rnn_steps);
  std::printf(
      "| %s | %s | %zu | %.2f | %.2f | %llu | %.2f | %.2f | %.2f | %.2f | %ld | %.2f | %.1f |\n",
      std::filesystem::path(file).stem().c_str(), std::string(name(verdict(best))).c_str(),
      best.hypotheses.back().dfa.size(), s.seconds * 1e3, cpu * 1e3,
      static_cast<unsigned long long>(s.rnn_steps), s.seconds_network * 1e3, s.seconds_svm * 1e3,
      walk * 1e3, s.seconds_learner * 1e3, usage.ru_maxrss / 1024, bound * 1e3, cpu / bound);
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = 10;
  std::puts(
      "Milliseconds; the walk includes SVM and its own share of the network; peak memory of the "
      "process so far, MB.\n");
  std::puts(
      "| network | verdict | states | all | all, CPU | RNN steps | network | SVM | walk | learner "
      "| peak MB | "
      "products alone | all / products |");
  std::puts("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--seconds") == 0 && i + 1 < count) {
      seconds = std::atof(arguments[++i]);
    } else {
      measure(arguments[i], seconds);
      std::fflush(stdout);
    }
  }
}
