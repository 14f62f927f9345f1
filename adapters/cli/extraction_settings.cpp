#include "extraction_settings.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <thread>

#include "report_extras.hpp"
#include "rnnalf/evaluate/recommend.hpp"
#include "rnnalf/libalf/extraction.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "units.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::string_view kPaperOracles = "samples,abstraction:depth=10:depth-limit=10:samples=0";
constexpr std::string_view kPaperLearner = "lstar";

/// What the recommendation may take after a run that was stopped: half of it is reserved from the
/// time limit.
constexpr std::chrono::duration<double> kTimeToRecommend{1.0};

std::size_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string limit_text(std::uint64_t limit) {
  return limit == std::numeric_limits<std::uint64_t>::max() ? "none" : std::to_string(limit);
}

/// Fills in the agreement of every hypothesis, which one is recommended, and the exceptions to it.
void recommend_one(Run& run, const ExtractionSettings& settings, StateTree& tree,
                   const Budget& budget) {
  // When a limit stopped the run, little more time may pass.
  Budget rest;
  if (budget.limit() != Limit::None) rest.restrict_time(kTimeToRecommend);
  std::vector<Dfa> hypotheses;
  for (const HypothesisRecord& hypothesis : run.hypotheses) hypotheses.push_back(hypothesis.dfa);
  std::vector<Word> known;
  for (const CounterexampleRecord& counterexample : run.counterexamples)
    known.push_back(counterexample.word);
  RecommendOptions options;
  options.tolerance = settings.tolerance;
  options.seed = settings.seed;
  const Recommendation recommendation = recommend(hypotheses, known, tree, options, rest);
  run.recommended = recommendation.index;
  for (std::size_t i = 0; i < recommendation.agreement.size(); ++i) {
    for (const LengthAgreement& of_length : recommendation.agreement[i]) {
      run.hypotheses[i].agreement.emplace_back(of_length.length, of_length.share());
    }
  }
  for (const Exception& exception : recommendation.exceptions) {
    run.exceptions.push_back({exception.word, exception.accepted, exception.probability});
  }
}

}  // namespace

std::vector<Option> with_extraction_options(std::vector<Option> more) {
  std::vector<Option> options = with_network_options(
      {{"learner", "NAME", "the learning algorithm; rnnalf list learners (default: ttt)"},
       {"oracle", "SPEC",
        "a comma-separated chain with parameters after colons, such as "
        "samples,abstraction:depth=10,"
        "pumping; rnnalf list oracles (default: samples,abstraction,pumping,random)"},
       {"oracle-mode", "M",
        "first: the first counterexample wins; shortest: all are asked (default: first)"},
       {"preset", "paper",
        "exactly the published method: lstar, samples and abstraction of depth 10"},
       {"method", "M",
        "abstraction-refinement, or a baseline: quantization:q=2, kmeans:k=10, kmeans (several k; "
        "of the R-states of the given samples, else of random words) (default: "
        "abstraction-refinement)"},
       {"time-limit", "D", "wall time, such as 500ms, 30s, 5m (default: 60s)"},
       {"max-states", "N", "stop before a hypothesis with more states"},
       {"max-queries", "N", "stop before more membership queries"},
       {"max-rounds", "N", "stop before more equivalence queries"},
       {"memory-limit", "B",
        "memory beyond what the program has at start, such as 500MB (default: 4GiB)"},
       {"seed", "N", "of everything that is drawn at random (default: 1)"},
       {"threads", "N", "results do not depend on it (default: all cores)"},
       {"tolerance", "T",
        "the result is the smallest hypothesis whose agreement with the network is within T of the "
        "best "
        "one's (default: 0.001)"},
       {"exact", "", "the result is the last hypothesis"}});
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

ExtractionSettings extraction_settings(const Arguments& arguments, Preset preset_decides) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  ExtractionSettings settings;
  if (const auto preset = arguments.value("preset")) {
    if (*preset != "paper") throw UsageError("--preset: expected paper, found '" + *preset + "'");
    const bool all = preset_decides == Preset::DecidesAll;
    for (const std::string_view option : {"learner", "oracle", "oracle-mode"}) {
      if (arguments.has(option) && (all || option == "oracle-mode")) {
        throw UsageError("--preset paper says which learner and oracles to use; leave --" +
                         std::string(option) + " out");
      }
    }
    settings.paper = true;
  }
  if (const auto text = arguments.value("method")) settings.method = parse_method(*text);
  if (settings.method.method != Method::AbstractionRefinement) {
    for (const std::string_view option : kForLearners) {
      if (arguments.has(option)) {
        throw UsageError("--method " + settings.method.text() +
                         " has no learner and no oracles; leave --" + std::string(option) + " out");
      }
    }
  }
  settings.learner = arguments.value("learner").value_or(
      std::string(settings.paper ? kPaperLearner : kDefaultLearner));
  settings.oracles = arguments.value("oracle").value_or(
      std::string(settings.paper ? kPaperOracles : kDefaultOracles));
  // Unknown names are found before a network is loaded.
  const auto known = learners();
  if (std::none_of(known.begin(), known.end(),
                   [&](const LearnerInfo& info) { return info.name == settings.learner; })) {
    Knowledge nothing;
    static_cast<void>(
        make_learner(settings.learner, &nothing, 1));  // throws, naming those there are
  }
  static_cast<void>(parse_oracles(settings.oracles));
  if (const auto mode = arguments.value("oracle-mode")) {
    if (*mode != "first" && *mode != "shortest") {
      throw UsageError("--oracle-mode: expected first or shortest, found '" + *mode + "'");
    }
    settings.mode = *mode == "first" ? OracleMode::First : OracleMode::Shortest;
  }
  if (const auto text = arguments.value("time-limit"))
    settings.time_limit = parse_duration("time-limit", *text);
  if (const auto text = arguments.value("max-states"))
    settings.max_states = parse_count("max-states", *text, 1, most);
  if (const auto text = arguments.value("max-queries"))
    settings.max_queries = parse_count("max-queries", *text, 0, most);
  if (const auto text = arguments.value("max-rounds"))
    settings.max_rounds = parse_count("max-rounds", *text, 1, most);
  if (const auto text = arguments.value("memory-limit"))
    settings.memory_limit = parse_bytes("memory-limit", *text);
  if (const auto text = arguments.value("seed"))
    settings.seed = parse_count("seed", *text, 0, most);
  settings.threads = std::max(1U, std::thread::hardware_concurrency());
  if (const auto text = arguments.value("threads")) {
    settings.threads = static_cast<unsigned>(parse_count("threads", *text, 1, 1024));
  }
  if (const auto text = arguments.value("tolerance"))
    settings.tolerance = parse_number("tolerance", *text, 0, 1);
  settings.exact = arguments.has("exact") || settings.paper;
  return settings;
}

std::vector<UsedOption> used_options(const ExtractionSettings& settings, const Network& network,
                                     const std::vector<Word>& samples, const std::string& oracles) {
  std::string words;
  for (const Word& word : samples) {
    if (!words.empty()) words += " | ";
    words += network.spec.alphabet.format(word);
  }
  return {
      {"learner", settings.learner},
      {"oracle", oracles},
      {"oracle-mode", settings.mode == OracleMode::First ? "first" : "shortest"},
      {"preset", settings.paper ? "paper" : "none"},
      {"sample", samples.empty() ? "searched" : words},
      {"time-limit", number(settings.time_limit.count())},
      {"max-states", limit_text(settings.max_states)},
      {"max-queries", limit_text(settings.max_queries)},
      {"max-rounds", limit_text(settings.max_rounds)},
      {"memory-limit", std::to_string(settings.memory_limit)},
      {"seed", std::to_string(settings.seed)},
      {"threads", std::to_string(settings.threads)},
      {"method", settings.method.text()},
      {"tolerance", number(settings.tolerance)},
      {"exact", settings.exact ? "true" : "false"},
      {"empty-word", network.empty_word ? (*network.empty_word ? "accept" : "reject") : "network"},
      {"precision", network.acceptor->precision() == Precision::Float ? "float" : "double"}};
}

void restrict(Budget& budget, const ExtractionSettings& settings) {
  // Choosing among the hypotheses takes some of the time.
  const auto reserved = settings.exact ? std::chrono::duration<double>(0)
                                       : std::min(settings.time_limit / 10, kTimeToRecommend / 2);
  budget.restrict_time(settings.time_limit - reserved);
  // Memory is looked at between batches, and one of them may take this much.
  const std::size_t batch = std::min<std::size_t>(settings.memory_limit / 4, 20U << 20U);
  budget.restrict_memory(settings.memory_limit - batch);
}

namespace {

/// What the run says about itself, whatever the method was.
void describe(Run& run, const Network& network, const ExtractionSettings& settings,
              const std::vector<Word>& samples, const std::optional<Dfa>& target,
              const std::string& oracles) {
  const NetworkSpec& spec = network.spec;
  run.network = {spec.file,          std::string(name(spec.cell)),
                 spec.layers.size(), spec.layers.back().hidden,
                 spec.state_size(),  spec.alphabet};
  run.options = used_options(settings, network, samples, oracles);
  run.target = target;
}

/// R-states that are used again are kept in a sixteenth as well as in all of it: most are steps on
/// the way to an answer. The rest is for words, the learner's table and batches under way.
StateTreeOptions tree_options(const Network& network, const ExtractionSettings& settings) {
  StateTreeOptions options;
  options.memory = settings.memory_limit / 16;
  options.threads = settings.threads;
  options.empty_word = network.empty_word;
  return options;
}

/// A baseline has one hypothesis, its result.
Run run_baseline_method(const Network& network, const ExtractionSettings& settings,
                        const std::vector<Word>& samples, const std::optional<Dfa>& target,
                        const Budget& budget) {
  const auto began = std::chrono::steady_clock::now();
  const double cpu_began = cpu_seconds();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  StateTree tree(*network.acceptor, tree_options(network, settings));
  const BaselineResult result = run_baseline(
      tree, settings.method,
      {.words = samples, .max_states = settings.max_states, .seed = settings.seed}, budget);
  Run run;
  describe(run, network, settings, samples, target, "none");
  if (!result.complete) {
    run.limit = budget.limit() == Limit::None ? Limit::States : budget.limit();
  }
  run.evidence = result.evidence;
  run.hypotheses.push_back({minimise(result.automaton.dfa), seconds(), std::nullopt, {}});
  run.statistics.a_states = result.automaton.a_states;
  run.covered = result.automaton.covered();
  run.coverage = result.coverage;
  // Of a DFA that knows only some words the rest would be listed as its exceptions.
  if (!settings.exact && !run.covered) recommend_one(run, settings, tree, budget);
  run.statistics.rnn_steps = tree.stats().steps;
  run.statistics.rnn_steps_recomputed = tree.stats().recomputed;
  run.statistics.seconds = seconds();
  run.statistics.seconds_cpu = cpu_seconds() - cpu_began;
  run.statistics.seconds_network = tree.stats().seconds;
  run.statistics.peak_memory_bytes = peak_memory();
  return run;
}

}  // namespace

Run run_extraction(const Network& network, const ExtractionSettings& settings,
                   const std::vector<Word>& samples, const std::optional<Dfa>& target,
                   const Budget& budget, Progress* progress, RStatePlot* plot) {
  if (settings.method.method != Method::AbstractionRefinement) {
    return run_baseline_method(network, settings, samples, target, budget);
  }
  TeacherOptions teaching;
  teaching.states = tree_options(network, settings);
  teaching.oracles = settings.oracles;
  teaching.mode = settings.mode;
  teaching.seed = settings.seed;
  teaching.samples = samples;
  Teacher teacher(*network.acceptor, network.spec.alphabet, teaching);

  ExtractionOptions options;
  options.learner = settings.learner;
  options.max_states = settings.max_states;
  options.max_queries = settings.max_queries;
  options.max_rounds = settings.max_rounds;
  options.use_known_answers = !settings.paper;
  options.shorten_counterexamples = !settings.paper;
  Run run = extract(teacher, options, budget, progress);

  describe(run, network, settings, samples, target, teacher.oracles());
  if (target) {
    for (CounterexampleRecord& counterexample : run.counterexamples) {
      counterexample.target = target->accepts(counterexample.word);
    }
  }
  if (!settings.exact) recommend_one(run, settings, teacher.tree(), budget);
  run.statistics.peak_memory_bytes = peak_memory();
  if (plot != nullptr) {
    const Budget a_moment(std::chrono::duration<double>(2));
    *plot = r_state_plot(teacher, run.dfa(), a_moment);
  }
  return run;
}

}  // namespace rnnalf::cli
