// Random sequences of calls in one process: extractions with other options on networks that were
// used before, interrupted ones, evaluations, several threads at once. Each gives what a fresh
// process gives for the same call, so nothing of one call is left for the next.

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/evaluation_report.hpp"
#include "rnnalf/report/json_report.hpp"
#include "support/seeded_random.hpp"

namespace rnnalf {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kNetworks = {"tomita5_rnn30", "tomita3_proved", "bp_gru50"};

/// All that a caller can change between two calls.
std::vector<ExtractionOptions> all_options() {
  const OracleChain random = parse_oracles("samples,random:per-length=50:max-length=12");
  const OracleChain walk = parse_oracles("samples,abstraction:depth=6,pumping:words=100");
  std::vector<ExtractionOptions> all;
  for (const char* const learner : {"lstar", "ttt", "kearns-vazirani"}) {
    all.push_back({.learner = learner, .oracles = random, .max_steps = 20'000, .threads = 1});
    all.push_back({.learner = learner, .oracles = walk, .max_steps = 20'000, .seed = 7});
  }
  all.push_back({.oracles = walk, .max_states = 3, .threads = 2, .exact = true});
  all.push_back({.method = parse_method("quantization:q=2"), .max_steps = 20'000});
  return all;
}

Network opened(std::size_t network) {
  return open_network(std::string(RNNALF_EXAMPLE_NETWORKS "/") + kNetworks.at(network) + ".onnx")
      .network;
}

/// What a result says, but for times and memory.
Json without_times(const Json& json) {
  if (!json.is_structured()) return json;
  Json kept = json.is_array() ? Json::array() : Json::object();
  for (const auto& [name, value] : json.items()) {
    if (json.is_array()) {
      kept.push_back(without_times(value));
    } else if (name.find("seconds") == std::string::npos && name != "peak_memory_bytes") {
      kept[name] = without_times(value);
    }
  }
  return kept;
}

std::string extracted(const Extraction& extraction) {
  return without_times(Json::parse(extraction_json(extraction.run()))).dump();
}

std::string evaluated(const Network& network, std::uint64_t seed) {
  const Dfa none(network.summary.alphabet.size());  // rejects every word
  const EvaluateOptions options{.per_length = 50, .pumped = 50, .seed = seed, .time_limit = {}};
  const EvaluationReport report{.network = network.summary,
                                .dfa = {"none", none.size()},
                                .target = {},
                                .seed = seed,
                                .found = evaluate(network, none, nullptr, options, Budget())};
  return without_times(Json::parse(evaluation_json(report))).dump();
}

/// What the call gives in a process that has done nothing else.
template <class Call>
std::string in_fresh_process(const Call& call) {
  std::array<int, 2> ends{};
  BOOST_REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    const std::string text = call();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t count = ::write(ends[1], text.data() + at, text.size() - at);
      if (count <= 0) ::_exit(1);
      at += static_cast<std::size_t>(count);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_REQUIRE(status == 0);
  return text;
}

/// Ends the extraction at one of its first hypotheses.
void interrupt(const Extraction& extraction, std::uint64_t hypothesis) {
  Budget budget;
  const Run run = extraction.run(budget, nullptr, [&](std::size_t number, const auto& /*record*/) {
    if (number >= hypothesis) budget.interrupt();
  });
  BOOST_TEST(!run.hypotheses.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(api_sequences)

// The one test of its program: the fresh processes are forked before the library has done anything.
BOOST_AUTO_TEST_CASE(every_call_of_a_sequence_gives_what_a_fresh_process_gives) {
  const std::vector<ExtractionOptions> options = all_options();
  std::vector<std::vector<std::string>> fresh(kNetworks.size());
  std::vector<std::string> fresh_evaluation(kNetworks.size());
  for (std::size_t n = 0; n < kNetworks.size(); ++n) {
    for (const ExtractionOptions& one : options) {
      fresh[n].push_back(in_fresh_process(
          [&] { return extracted(Extraction(opened(n), libalf_learners(), one)); }));
    }
    fresh_evaluation[n] = in_fresh_process([&] { return evaluated(opened(n), n); });
  }

  support::SeededRandom random(61);
  std::vector<Network> networks;  // used again and again
  for (std::size_t n = 0; n < kNetworks.size(); ++n) networks.push_back(opened(n));
  std::string calls;
  for (int i = 0; i < 60; ++i) {
    const std::size_t n = random.below(networks.size());
    const std::size_t o = random.below(options.size());
    const Extraction extraction(networks[n], libalf_learners(), options[o]);
    const std::size_t call = random.below(5);
    calls += " " + std::to_string(call) + ":" + std::to_string(n) + "," + std::to_string(o);
    BOOST_TEST_CONTEXT("calls (kind:network,options)" << calls) {
      switch (call) {
        case 0:
          BOOST_TEST(extracted(extraction) == fresh[n][o]);
          break;
        case 1:  // the same object again
          BOOST_TEST(extracted(extraction) == fresh[n][o]);
          BOOST_TEST(extracted(extraction) == fresh[n][o]);
          break;
        case 2:
          interrupt(extraction, random.below(3));
          BOOST_TEST(extracted(extraction) == fresh[n][o]);
          break;
        case 3:
          BOOST_TEST(evaluated(networks[n], n) == fresh_evaluation[n]);
          break;
        default: {  // others at the same time, on the same network
          const std::size_t other = random.below(options.size());
          std::string second;
          std::string third;
          std::thread beside([&] {
            second = extracted(Extraction(networks[n], libalf_learners(), options[other]));
          });
          std::thread evaluating([&] { third = evaluated(networks[n], n); });
          const std::string first = extracted(extraction);
          beside.join();
          evaluating.join();
          BOOST_TEST(first == fresh[n][o]);
          BOOST_TEST(second == fresh[n][other]);
          BOOST_TEST(third == fresh_evaluation[n]);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
