// Words per second of each oracle, against the bound of its matrix products. See bench/oracles.md.
//
// The network is a two-layer GRU with random weights and a bias that makes it reject everything, as
// the hypothesis does, so that every oracle runs to its end. The bound is the time of the
// recurrent products of the steps that were really computed, measured in the same process.

#include <Eigen/Core>
#include <chrono>
#include <cstdio>
#include <limits>

#include "rnnalf/oracle/oracle_chain.hpp"
#include "support/random_networks.hpp"

namespace {

using namespace rnnalf;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of the products of one step: U h of both layers and W x of the second, batch 256.
double product_seconds(std::size_t hidden) {
  constexpr Eigen::Index kBatch = 256;
  const auto rows = static_cast<Eigen::Index>(3 * hidden), h = static_cast<Eigen::Index>(hidden);
  const Eigen::MatrixXf w = Eigen::MatrixXf::Random(rows, h);
  const Eigen::MatrixXf x = Eigen::MatrixXf::Random(h, kBatch);
  Eigen::MatrixXf y(rows, kBatch);
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < 200; ++round) {
    const auto start = Clock::now();
    for (int product = 0; product < 3; ++product) y.noalias() = w * x;
    best = std::min(best, seconds_since(start));
  }
  return best / static_cast<double>(kBatch);
}

void measure(std::size_t hidden) {
  Random random(1);
  NetworkSpec spec = support::random_network(
      {.cell = CellKind::Gru, .symbols = 3, .hidden = hidden, .layers = 2}, random);
  spec.head.back().bias.assign(spec.head.back().weights.rows, -1000);
  const auto acceptor = make_acceptor(spec);
  const double per_step = product_seconds(hidden);
  for (const OracleKind& kind : oracle_kinds()) {
    StateTree tree(*acceptor, {});
    const OraclePtr oracle = make_chain(parse_oracles(kind.name), {.tree = tree});
    const auto start = Clock::now();
    const EquivalenceAnswer answer = oracle->find(Dfa(3), Budget{});
    const double seconds = seconds_since(start);
    const auto steps = static_cast<double>(tree.stats().steps);
    const auto words = static_cast<double>(answer.evidence.front().words_tested);
    std::printf("| %s | %zu | %.0f | %.0f | %.2f | %.0f | %.2f |%s\n",
                std::string(kind.name).c_str(), hidden, words, steps, seconds, words / seconds,
                steps > 0 ? seconds / (steps * per_step) : 0.0,
                answer.verdict == Verdict::NoneFound ? "" : " stopped early");
  }
}

}  // namespace

int main() {
  std::puts("| oracle | hidden | words | steps | s | words/s | time / products |");
  std::puts("|---|---|---|---|---|---|---|");
  for (const std::size_t hidden : {50U, 100U}) measure(hidden);
}
