// How close batched steps come to their matrix products alone. See bench/README.md.
//
// A step is what the StateTree asks for: R-states as they are kept, the next one and its margin.
// "products" is Eigen computing W x and U h of every layer (the first layer's W x is a table
// look-up in rnnalf and is not counted), same shapes, same run, interleaved with the step.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

#include "rnnalf/acceptor/kernels.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "support/random_networks.hpp"

namespace {

using rnnalf::CellKind;

constexpr std::size_t kSymbols = 28;

/// CPU time, so that a busy machine does not count; reading it costs some 300 ns.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds of one call, the mean of `calls`.
double seconds_of(const std::function<void()>& work, int calls) {
  const double start = cpu_seconds();
  for (int i = 0; i < calls; ++i) work();
  return (cpu_seconds() - start) / calls;
}

/// Best times of the two, measured in turn so that a noisy neighbour hits both.
std::pair<double, double> best_of(const std::function<void()>& a, const std::function<void()>& b) {
  constexpr double worth_reading_the_clock = 1e-4;
  const auto calls_of = [](const std::function<void()>& work) {
    work();  // the first call meets cold caches
    return 1 + static_cast<int>(worth_reading_the_clock / seconds_of(work, 1));
  };
  const int calls_a = calls_of(a), calls_b = calls_of(b);
  double best_a = 1e9, best_b = 1e9, total = 0;
  for (int round = 0; round < 2000 && (total < 0.3 || round < 20); ++round) {
    const double ta = seconds_of(a, calls_a), tb = seconds_of(b, calls_b);
    best_a = std::min(best_a, ta);
    best_b = std::min(best_b, tb);
    total += ta * calls_a + tb * calls_b;
  }
  return {best_a, best_b};
}

void measure(CellKind cell, std::size_t hidden, std::size_t batch) {
  rnnalf::Random random(1);
  const std::size_t layers = 2;
  const auto spec = rnnalf::support::random_network(
      {.cell = cell, .symbols = kSymbols, .hidden = hidden, .layers = layers}, random);
  const auto acceptor = rnnalf::make_acceptor(spec);
  const std::size_t size = acceptor->state_size();
  const std::size_t bytes = acceptor->kept_bytes();
  std::vector<double> state(size);
  std::vector<std::byte> states(bytes * batch), next(bytes * std::max(batch, kSymbols));
  std::vector<const std::byte*> origins;
  std::vector<rnnalf::Symbol> symbols;
  for (std::size_t i = 0; i < batch; ++i) {
    for (double& value : state) value = static_cast<float>(2 * random.unit() - 1);
    acceptor->keep(state.data(), states.data() + i * bytes);
    origins.push_back(states.data() + i * bytes);
    symbols.push_back(static_cast<rnnalf::Symbol>(random.below(kSymbols)));
  }
  std::vector<rnnalf::Judgement> judged(std::max(batch, kSymbols));

  const auto rows = static_cast<Eigen::Index>(rnnalf::gate_count(cell) * hidden);
  const auto h = static_cast<Eigen::Index>(hidden);
  const auto n = static_cast<Eigen::Index>(batch);
  std::vector<Eigen::MatrixXf> weights(2 * layers - 1, Eigen::MatrixXf::Random(rows, h));
  const Eigen::MatrixXf x = Eigen::MatrixXf::Random(h, n);
  Eigen::MatrixXf y(rows, n);
  const auto products = [&] {
    for (const Eigen::MatrixXf& w : weights) y.noalias() = w * x;
  };
  const auto step = [&] {
    acceptor->follow(origins, symbols, next.data(), std::span(judged).first(batch));
  };
  const auto [step_time, product_time] = best_of(step, products);

  // One R-state over the alphabet against as many single steps.
  const std::vector<const std::byte*> same_origin(kSymbols, states.data());
  std::vector<rnnalf::Symbol> alphabet;
  for (std::uint32_t a = 0; a < kSymbols; ++a) alphabet.push_back(rnnalf::Symbol{a});
  const auto successors = [&] {
    acceptor->follow(same_origin, alphabet, next.data(), std::span(judged).first(kSymbols));
  };
  const auto singles = [&] {
    for (std::size_t a = 0; a < kSymbols; ++a) {
      acceptor->follow({same_origin.data(), 1}, {&alphabet[a], 1}, next.data(), {&judged[a], 1});
    }
  };
  const auto [successors_time, singles_time] = best_of(successors, singles);
  const double per = 1e6 / static_cast<double>(batch);
  std::printf("| %s | %zu | %zu | %.3f | %.3f | %.2f | %.2f |\n", std::string(name(cell)).c_str(),
              hidden, batch, step_time * per, product_time * per, step_time / product_time,
              successors_time / singles_time);
}

}  // namespace

int main() {
  std::printf("kernels: %s\n\n", rnnalf::kernels::best<float>().instruction_set);
  std::puts(
      "| cell | hidden | batch | us per step | us per step, products alone | ratio | 28 successors "
      "/ 28 steps |");
  std::puts("|---|---|---|---|---|---|---|");
  for (const CellKind cell : {CellKind::Gru, CellKind::Lstm}) {
    for (const std::size_t hidden : {50U, 100U, 500U}) {
      for (const std::size_t batch : {1U, 8U, 64U, 256U}) measure(cell, hidden, batch);
    }
  }
}
