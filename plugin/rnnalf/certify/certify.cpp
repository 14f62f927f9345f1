#include "rnnalf/certify/certify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/certify/ellipsoid.hpp"
#include "rnnalf/certify/search.hpp"
#include "rnnalf/certify/short_words.hpp"
#include "rnnalf/certify/verify.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "rnnalf/oracle/search_oracles.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {
namespace {

using namespace certify;

/// Settings to try, one after the other; each round allows more images. Boxes are one for every
/// state of the automaton at first, or smaller; ellipsoids are worth their time where an R-state is
/// short, or boxes have failed for long.
std::vector<SearchOptions> portfolio(std::size_t state_size) {
  struct Round {
    std::uint64_t steps;
    std::size_t images, sets;
    std::size_t most_round;  ///< ellipsoids up to this size of an R-state
  };
  const SearchOptions one_box{.size = HUGE_VAL}, small_box{.shrunk = 0.4}, box{};
  const SearchOptions round{.round = true};
  const SearchOptions small_round{.round = true, .size = 0.2, .near = 1.15, .images = 300};
  std::vector<SearchOptions> all;
  const auto add = [&](const Round& limits, SearchOptions options) {
    if (options.round && state_size > limits.most_round) return;
    options.steps = limits.steps;
    options.images = std::min(options.images, limits.images);
    options.sets = limits.sets;
    all.push_back(options);
  };
  for (const Round& limits : {Round{8'000, 300, 300, 48}, Round{50'000, 1000, 2000, 48}}) {
    for (const SearchOptions& options : {one_box, round, small_box, box}) add(limits, options);
  }
  for (const Round& limits : {Round{300'000, 3000, 10'000, 48}, Round{2'000'000, 3000, 30'000, 128},
                              Round{20'000'000, 10'000, 100'000, 128}}) {
    for (const SearchOptions& options : {small_round, one_box, small_box, box}) {
      add(limits, options);
    }
  }
  return all;
}

double margin_of(const RnnAcceptor& acceptor, WordView word) {
  std::vector<double> state = acceptor.initial_state(), next(state.size());
  for (const Symbol symbol : word) {
    acceptor.step({state.data(), state.size(), 1}, {&symbol, 1}, {next.data(), next.size(), 1});
    state.swap(next);
  }
  double margin = 0;
  acceptor.margins({state.data(), state.size(), 1}, {&margin, 1});
  return margin;
}

bool accepts(const RnnAcceptor& acceptor, WordView word) {
  return margin_of(acceptor, word) > 0;
}

/// A claim about words of some symbols may be about none of the property's words.
bool asks_for_something(const BaseAutomaton& base) {
  for (std::size_t q = 0; q < base.size(); ++q) {
    if (base.demand(q)) return true;
  }
  return false;
}

std::string symbols_text(const CertifyOptions& options) {
  return options.symbols ? options.symbols->text() : "none";
}

Claim claim_of(const CertifyOptions& options, const Alphabet& alphabet) {
  Claim claim{.max_run = options.max_run.value_or(0),
              .max_length = options.max_length.value_or(0),
              .property = options.property};
  if (!options.symbols) return claim;
  claim.symbols.emplace();
  for (const std::string& name : options.symbols->names()) {
    const auto symbol = alphabet.find(name);
    if (!symbol) {
      throw OptionError("letters: expected symbols of the network, found " + in_quotes(name));
    }
    claim.symbols->push_back(*symbol);
  }
  return claim;
}

}  // namespace

const std::vector<OptionField<CertifyOptions>>& CertifyOptions::table() {
  using Options = CertifyOptions;
  const Count lengths{.least = 1, .most = 1000};
  static const std::vector<OptionField<Options>> fields = {
      option("max-run", "N", lengths, &Options::max_run,
             "only words with no symbol more than N times in a row"),
      option("max-length", "N", lengths, &Options::max_length, "only words of up to N symbols"),
      {"letters", "L", "only words of these symbols",
       [](Options& options, std::string_view text) { options.symbols = Alphabet::parse(text); },
       symbols_text, [](const Options& options) { return OptionValue(symbols_text(options)); },
       [](const Options&) {}},
      option("time-limit", "D", Seconds{}, &Options::time_limit,
             "give up after this time, such as 30s or 5min"),
      option("memory-limit", "B", Bytes{}, &Options::memory_limit,
             "give up beyond this much memory, such as 2GB"),
      option("threads", "N", Count{.most = 1024}, &Options::threads,
             "results do not depend on it; 0: one per core"),
      option("seed", "N", Count{}, &Options::seed, "of the sampled words")};
  return fields;
}

void validate(const CertifyOptions& options) {
  check_all(CertifyOptions::table(), options);
  naming("slack", [&] { option_value::check(Number{.least = 0, .most = 1}, options.slack); });
}

namespace {

class Certifier {
 public:
  Certifier(const NetworkSpec& network, const Dfa& dfa, const CertifyOptions& options,
            const Budget& budget, Progress& progress)
      : network_(network),
        dfa_(options.property == Property::Equal ? minimise(dfa) : dfa),  // finer states help
        options_(options),
        claim_(claim_of(options, network.alphabet)),
        base_(dfa_, claim_),
        budget_(budget),
        progress_(progress),
        acceptor_(make_acceptor(network, options.precision)),
        short_words_(*acceptor_, base_),
        workers_(thread_count(options.threads)),
        memory_(options.memory_limit.value_or(std::uint64_t{4} << 30U)),
        columns_(3 * network.state_size()) {}

  Certification run() {
    result_.property = claim_.property;
    if (!refuted_quickly()) {
      Budget most;
      most.share_of(budget_, 0.8);
      if (auto certificate = prove(claim_, portfolio(network_.state_size()), most)) {
        result_.verdict = Certification::Verdict::Certified;
        result_.certificate = std::move(certificate);
        result_.open.clear();
      } else if (result_.verdict == Certification::Verdict::Open) {
        say_what_is_known();
      }
      result_.cut_short = most.cut_short();
    }
    result_.cut_short = result_.cut_short || budget_.cut_short();
    result_.limit = result_.verdict == Certification::Verdict::Open ? budget_.limit() : Limit::None;
    return std::move(result_);
  }

 private:
  /// Whether the network gives another answer than the claim demands.
  [[nodiscard]] bool refutes(WordView word) const {
    const auto accept = demand(claim_.property, dfa_, dfa_.run(word));
    return accept && accepts(*acceptor_, word) != *accept;
  }

  /// After one more run of the word alone, whoever found it.
  void refute(const Word& word) {
    RNNALF_CHECK(refutes(word), fmt::format("a counterexample of length {} vanished", word.size()));
    result_.verdict = Certification::Verdict::Refuted;
    result_.counterexample = word;
  }

  /// The empty word, short words, then longer ones that are likely to differ.
  bool refuted_quickly() {
    if (!options_.empty_word && refutes({})) {
      refute({});
      return true;
    }
    if (!options_.words_first) return false;
    if (short_words_differ(2048)) return true;
    if (claim_.property != Property::Equal) return suspects_differ();
    return claim_.every_word() && pumped_words_differ();
  }

  /// Words that come nearest to an answer that is forbidden.
  bool suspects_differ() {
    constexpr std::size_t width = 16, length = 60;
    ShortWords suspects = short_words_;
    const auto found = suspects.run_suspects(width, length, budget_);
    if (found) refute(*found);
    return found.has_value();
  }

  bool pumped_words_differ() {
    progress_.activity = "pumping";
    StateTree tree(*acceptor_, {.memory = memory_ / 4,
                                .threads = thread_count(options_.threads),
                                .empty_word = dfa_.answer(dfa_.initial())});
    PumpingOracle oracle(tree, {.words = 1500, .seed = options_.seed});
    const EquivalenceAnswer answer = oracle.find(dfa_, budget_);
    if (!answer.counterexample) return false;
    refute(answer.counterexample->word);
    return true;
  }

  /// All words, shortest first, as long as a length has at most `most` and 16 MB hold them.
  bool short_words_differ(std::size_t most) {
    const auto found = short_words_.run_all(
        std::min(most, (std::size_t{1} << 21U) / acceptor_->state_size()), budget_);
    result_.agreed_length = short_words_.checked_length();
    if (found) refute(*found);
    return found.has_value();
  }

  [[nodiscard]] Imager imager(double slack) const {
    return Imager(network_, {options_.precision, slack, columns_});
  }

  std::optional<Certificate> prove(const Claim& claim, const std::vector<SearchOptions>& settings,
                                   const Budget& budget) {
    const BaseAutomaton base(dfa_, claim);
    Random random(options_.seed);
    const Samples samples = take_samples(*acceptor_, base, random, budget);
    const Imager with_slack = imager(options_.slack);
    std::vector<std::vector<double>> felt;
    for (const SearchOptions& one : settings) {
      if (budget.spent()) break;
      if (one.round && felt.empty()) {
        felt = felt_differences(*acceptor_, base, samples, random, budget);
        if (budget.spent()) break;
      }
      progress_.activity = "search";
      SearchResult found =
          search(*acceptor_, with_slack, base, samples, felt, one, workers_, budget);
      result_.images += found.images;
      progress_.steps = result_.images;
      if (found.suspect && refutes(*found.suspect)) {
        refute(*found.suspect);
        return std::nullopt;
      }
      note_open(base, found.open);
      if (!found.closed) continue;
      progress_.activity = "verify";
      if (auto certificate = certificate_of(claim, base, std::move(found), budget))
        return certificate;
    }
    return std::nullopt;
  }

  void note_open(const BaseAutomaton& base, const std::vector<SearchResult::Open>& sets) {
    auto& open = result_.open;
    for (const SearchResult::Open& set : sets) {
      open.emplace_back(base.dfa_state(set.base), set.symbol);
    }
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
  }

  /// With the largest slack that the sets have room for; none if they close with none.
  std::optional<Certificate> certificate_of(const Claim& claim, const BaseAutomaton& base,
                                            SearchResult found, const Budget& budget) {
    for (const double factor : {100.0, 50.0, 20.0, 10.0, 5.0, 2.0, 1.0}) {
      const double slack = factor * options_.slack;
      auto margin = verify(*acceptor_, imager(slack), base, found, workers_, budget);
      if (!margin) continue;
      if (!options_.empty_word && base.demand(BaseAutomaton::initial())) {
        margin = std::min(*margin, std::abs(margin_of(*acceptor_, {})));
      }
      return Certificate{.network = fingerprint(network_),
                         .alphabet = network_.alphabet,
                         .dfa = dfa_,
                         .precision = options_.precision,
                         .claim = claim,
                         .empty_word = !options_.empty_word.has_value(),
                         .generators = columns_,
                         .slack = slack,
                         .margin = *margin,
                         .start = std::move(found.start),
                         .sets = std::move(found.sets)};
    }
    return std::nullopt;
  }

  /// After a search that did not close: all short words, and claims about fewer words.
  void say_what_is_known() {
    if (short_words_differ(50'000) || !claim_.every_word()) return;
    const std::vector<SearchOptions> all = portfolio(network_.state_size());
    const std::vector<SearchOptions> quick(all.begin(), all.begin() + 2);
    const auto open = result_.open;
    for (const std::size_t runs : {16U, 8U, 4U, 2U}) {
      if (try_weaker({.max_run = runs, .property = claim_.property}, quick,
                     Word(runs + 1, Symbol{0}))) {
        break;
      }
    }
    for (std::size_t a = dfa_.symbol_count();
         a-- > 0 && !result_.weaker && dfa_.symbol_count() > 1;) {
      std::vector<Symbol> others;
      for (std::size_t b = 0; b < dfa_.symbol_count(); ++b) {
        if (b != a) others.push_back(static_cast<Symbol>(b));
      }
      try_weaker({.symbols = others, .property = claim_.property}, quick,
                 Word{static_cast<Symbol>(a)});
    }
    result_.open = open;
  }

  bool try_weaker(const Claim& claim, const std::vector<SearchOptions>& settings, Word outside) {
    if (budget_.spent() || result_.verdict != Certification::Verdict::Open) return false;
    if (!asks_for_something(BaseAutomaton(dfa_, claim))) return false;
    result_.weaker = prove(claim, settings, budget_);
    if (!result_.weaker) return false;
    result_.outside_weaker = std::move(outside);
    return true;
  }

  const NetworkSpec& network_;
  const Dfa dfa_;
  const CertifyOptions& options_;
  const Claim claim_;
  const BaseAutomaton base_;
  const Budget& budget_;
  Progress& progress_;
  std::unique_ptr<RnnAcceptor> acceptor_;
  ShortWords short_words_;
  Workers workers_;
  std::uint64_t memory_;
  std::size_t columns_;
  Certification result_;
};

}  // namespace

void require_certifiable(const NetworkSpec& network) {
  if (network.answer_count() > 2) {
    throw NetworkFileError(network.file,
                           fmt::format("expected one class that accepts (`accept-class`), found {} "
                                       "classes: a certificate is about accept and reject",
                                       network.answer_count()));
  }
  if (!network.is_plain()) {
    throw NetworkFileError(network.file,
                           "expected a stack of equal layers with relu, tanh or sigmoid in the "
                           "head, found another network, about which there are no certificates");
  }
}

void require_certifiable(const Network& network) {
  if (!network.spec) {
    throw OptionError("certify: expected a network whose weights are known, found a function");
  }
  const NetworkSummary& shown = network.summary;
  if (!(shown.alphabet == network.spec->alphabet && shown.begin.empty() && shown.end.empty())) {
    throw OptionError(
        "certify: expected words as the network reads them, found begin, end or over; there are no "
        "certificates about these");
  }
  require_certifiable(*network.spec);
}

Certification certify_agreement(const NetworkSpec& network, const Dfa& dfa,
                                const CertifyOptions& options, const Budget& budget,
                                Progress& progress) {
  validate(options);
  require_certifiable(network);
  if (dfa.symbol_count() != network.symbol_count()) {
    throw std::invalid_argument(
        fmt::format("certify_agreement: the DFA has {} symbols, the network {}", dfa.symbol_count(),
                    network.symbol_count()));
  }
  Budget limited;
  limited.share_of(budget, 1);
  if (options.time_limit) limited.restrict_time(*options.time_limit);
  // What may be taken before somebody looks again is left over.
  if (options.memory_limit) {
    limited.restrict_memory(*options.memory_limit -
                            std::min<std::uint64_t>(*options.memory_limit / 4, 20U << 20U));
  }
  return Certifier(network, dfa, options, limited, progress).run();
}

}  // namespace rnnalf
