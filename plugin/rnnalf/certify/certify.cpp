#include "rnnalf/certify/certify.hpp"

#include <algorithm>
#include <cmath>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/certify/search.hpp"
#include "rnnalf/network/fingerprint.hpp"

namespace rnnalf {
namespace {

using namespace certify;

/// Settings to try, one after the other; each round allows more images.
std::vector<SearchOptions> portfolio() {
  std::vector<SearchOptions> all;
  struct Round {
    std::uint64_t steps;
    std::size_t images, depth, sets;
  };
  for (const Round& round :
       {Round{10'000, 300, 16, 300}, Round{100'000, 300, 16, 1500},
        Round{1'000'000, 1000, 24, 4000}, Round{10'000'000, 3000, 30, 20'000}}) {
    for (const double size : {0.5, 1.0, 0.3, 0.1}) {
      SearchOptions options;
      options.size = size;
      options.steps = round.steps;
      options.images = round.images;
      options.depth = round.depth;
      options.sets = round.sets;
      all.push_back(options);
    }
  }
  return all;
}

bool accepts(const RnnAcceptor& acceptor, WordView word) {
  std::vector<double> state = acceptor.initial_state(), next(state.size());
  for (const Symbol symbol : word) {
    acceptor.step({state.data(), state.size(), 1}, {&symbol, 1}, {next.data(), next.size(), 1});
    state.swap(next);
  }
  double margin = 0;
  acceptor.margins({state.data(), state.size(), 1}, {&margin, 1});
  return margin > 0;
}

}  // namespace

void validate(const CertifyOptions& options) {
  if (!(options.slack >= 0 && options.slack < 1)) {
    throw OptionError("slack: expected a number from 0 to below 1, found " +
                      std::to_string(options.slack));
  }
  if (options.threads == 0) throw OptionError("threads: expected at least 1, found 0");
}

Certification certify_agreement(const NetworkSpec& network, const Dfa& given,
                                const CertifyOptions& options, const Budget& budget,
                                Progress& progress) {
  validate(options);
  const Dfa dfa = minimise(given);
  const std::unique_ptr<RnnAcceptor> acceptor = make_acceptor(network, options.precision);
  const BaseAutomaton base(dfa, options.claim);
  Certification result;
  if (!options.empty_word && accepts(*acceptor, {}) != dfa.accepts(dfa.initial())) {
    result.verdict = Certification::Verdict::Refuted;
    result.counterexample = Word{};
    return result;
  }

  Random random(options.seed);
  progress.activity = "samples";
  const Samples samples = take_samples(*acceptor, base, random);
  Workers workers(options.threads);
  const std::size_t columns = 3 * network.state_size();
  const auto imager_with = [&](double slack) {
    return Imager(network, {options.precision, slack, columns});
  };
  const Imager imager = imager_with(options.slack);
  for (const SearchOptions& settings : portfolio()) {
    if (budget.spent()) break;
    progress.activity = "search";
    SearchResult found = search(*acceptor, imager, base, samples, settings, workers, budget);
    result.images += found.images;
    progress.steps = result.images;
    if (found.suspect && accepts(*acceptor, *found.suspect) != dfa.accepts(*found.suspect)) {
      result.verdict = Certification::Verdict::Refuted;
      result.counterexample = found.suspect;
      return result;
    }
    for (const std::size_t state : found.open) result.open_states.push_back(base.dfa_state(state));
    if (!found.closed) continue;

    progress.activity = "verify";
    Certificate certificate;
    certificate.network = fingerprint(network);
    certificate.alphabet = network.alphabet;
    certificate.dfa = dfa;
    certificate.precision = options.precision;
    certificate.claim = options.claim;
    certificate.empty_word = !options.empty_word.has_value();
    certificate.generators = columns;
    // The largest slack that the sets have room for.
    for (const double factor : {100.0, 50.0, 20.0, 10.0, 5.0, 2.0, 1.0}) {
      const double slack = factor * options.slack;
      const std::optional<double> margin =
          verify(*acceptor, imager_with(slack), base, found, workers);
      if (!margin) continue;
      certificate.slack = slack;
      certificate.margin = *margin;
      certificate.start = std::move(found.start);
      certificate.sets = std::move(found.sets);
      result.verdict = Certification::Verdict::Certified;
      result.certificate = std::move(certificate);
      result.open_states.clear();
      return result;
    }
  }
  result.limit = budget.limit();
  std::sort(result.open_states.begin(), result.open_states.end());
  result.open_states.erase(std::unique(result.open_states.begin(), result.open_states.end()),
                           result.open_states.end());
  return result;
}

}  // namespace rnnalf
