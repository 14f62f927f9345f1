#include "rnnalf/run/options.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "rnnalf/evaluate/ladder.hpp"

namespace rnnalf {
namespace {

using Field = OptionField<ExtractionOptions>;

/// An option with texts of its own kind: written by `text`, read by `parse`.
template <class Value, class Parse, class Print>
Field written_as(std::string name, std::string value, Value ExtractionOptions::*member, Parse parse,
                 Print print, std::string help) {
  return {std::move(name),
          std::move(value),
          std::move(help),
          [=](ExtractionOptions& options, std::string_view text) { options.*member = parse(text); },
          [=](const ExtractionOptions& options) { return print(options.*member); },
          [=](const ExtractionOptions& options) { return OptionValue(print(options.*member)); },
          [](const ExtractionOptions&) {}};
}

std::string chain_text(const OracleChain& chain) {
  return oracles_text(chain);
}

std::string method_text(const MethodSpec& method) {
  return method.text();
}

/// Who reads an option has been given it.
std::vector<Field> noting_what_is_given(std::vector<Field> fields) {
  for (Field& field : fields) {
    field.read = [name = field.name, read = std::move(field.read)](ExtractionOptions& options,
                                                                   std::string_view text) {
      read(options, text);
      options.given.insert(name);
    };
  }
  return fields;
}

const Field& field(std::string_view name) {
  return field_of(ExtractionOptions::table(), name);
}

/// What the preset decides.
constexpr std::array kOfPreset = {"learner", "oracle", "oracle-mode",
                                  "exact",   "until",  "alike-symbols"};
/// What is about learners and oracles alone.
constexpr std::array kForLearners = {"preset",      "learner",     "oracle",
                                     "oracle-mode", "max-queries", "max-rounds"};

void use_paper_preset(ExtractionOptions& options) {
  options.preset = Preset::Paper;
  options.learner = "lstar";
  options.oracles = {{SamplesOptions{}, {}},
                     {AbstractionOptions{.refine = {.initial_split_depth = 10},
                                         .depth_limit = 10,  // never raised
                                         .samples = 0},
                      {}}};
  options.oracle_mode = OracleMode::First;
  options.exact = true;
  options.until = Until::Exact;
  options.use_known_answers = false;
  options.shorten_counterexamples = false;
  options.alike_symbols = 0;
}

/// As people write it: of a chain of oracles the parameters that are not the default.
std::string short_text(const Field& field, const ExtractionOptions& options) {
  return field.name == "oracle" ? oracles_text(options.oracles, Parameters::GivenAlone)
                                : field.text(options);
}

[[noreturn]] void refuse(const Field& field, const ExtractionOptions& options,
                         const std::string& expected) {
  throw OptionError(field.name + ": expected " + expected + ", found '" +
                    short_text(field, options) + "'");
}

/// Whether the option says anything: it was given, or it is not the default.
bool is_set(const Field& field, const ExtractionOptions& options) {
  static const ExtractionOptions defaults;
  return options.given.count(field.name) > 0 || field.text(options) != field.text(defaults);
}

void check_beside_preset(const ExtractionOptions& options) {
  ExtractionOptions preset = options;
  use_paper_preset(preset);
  for (const char* const name : kOfPreset) {
    const Field& one = field(name);
    if (one.text(options) != one.text(preset) && is_set(one, options)) {
      refuse(one, options, short_text(one, preset) + " with preset paper");
    }
  }
}

void check_beside_baseline(const ExtractionOptions& options) {
  for (const char* const name : kForLearners) {
    const Field& one = field(name);
    if (one.text(options) != "none" && is_set(one, options)) {
      refuse(one, options,
             "none with method " + options.method.text() + ", which has no learner and no oracles");
    }
  }
}

}  // namespace

const std::vector<Field>& ExtractionOptions::table() {
  using Options = ExtractionOptions;
  static const std::vector<Field> fields = noting_what_is_given(
      {option("learner", "NAME", Text{}, &Options::learner,
              "the learning algorithm; rnnalf list learners"),
       written_as("oracle", "SPEC", &Options::oracles, parse_oracles, chain_text,
                  "a comma-separated chain with parameters after colons, such as "
                  "samples,abstraction:depth=10,pumping; rnnalf list oracles"),
       option(
           "oracle-mode", "M",
           Choice<OracleMode>{{{"first", OracleMode::First}, {"shortest", OracleMode::Shortest}}},
           &Options::oracle_mode, "first: the first counterexample wins; shortest: all are asked"),
       option("preset", "paper", Choice<Preset>{{{"paper", Preset::Paper}, {"none", Preset::None}}},
              &Options::preset,
              "exactly the published method: lstar, samples and abstraction of depth 10"),
       written_as("method", "M", &Options::method, parse_method, method_text,
                  "abstraction-refinement, or a baseline: quantization:q=2, kmeans:k=10, kmeans "
                  "(several k; of the R-states of the given samples, else of random words), "
                  "rpni:words=1000, biermann:words=100 (a smallest DFA), both from the network's "
                  "answers for the given samples, else for random words; for language models "
                  "ngram:n=2, kmeans:k=10 and quant:q=10 (a learner of classes of distributions)"),
       option("time-limit", "D", Seconds{}, &Options::time_limit,
              "wall time, such as 500ms, 30s, 5m"),
       option("max-states", "N", Count{.least = 1}, &Options::max_states,
              "stop before a hypothesis with more states"),
       option("max-queries", "N", Count{}, &Options::max_queries,
              "stop before more membership queries"),
       option("max-rounds", "N", Count{.least = 1}, &Options::max_rounds,
              "stop before more equivalence queries"),
       option("max-steps", "N", Count{.least = 1}, &Options::max_steps,
              "stop when learning has taken this many steps of the network, to the end of a batch; "
              "rpni and biermann learn from what the words took until then"),
       option("memory-limit", "B", Bytes{}, &Options::memory_limit,
              "memory beyond what the program has at start, such as 500MB"),
       option("seed", "N", Count{}, &Options::seed, "of everything that is drawn at random"),
       option("threads", "N", Count{.most = 1024}, &Options::threads,
              "results do not depend on it; 0: one per core"),
       option(
           "tolerance", "T", kShares, &Options::tolerance,
           "the share of the words of a length on which an automaton may be wrong and still agree "
           "with the network there"),
       option("price", "P", kPrices, &Options::price,
              "per cent of the words, of the answer that it knows worst, on which an automaton of "
              "twice the states must be right in addition; 0: any gain is enough"),
       option("unsure", "M", Number{.least = 0}, &Options::unsure,
              "learn nothing from words on which the network's score is closer than M to the "
              "threshold; where the result is wrong on them, they are still listed"),
       option("until", "U", Choice<Until>{{{"settled", Until::Settled}, {"exact", Until::Exact}}},
              &Options::until,
              "settled: stop when larger automata do not agree better; exact: only when no oracle "
              "finds a "
              "counterexample, or at a limit"),
       option("alike-symbols", "N", Count{}, &Options::alike_symbols,
              "an alphabet of more than N symbols is learned over some of them, each for all that "
              "behave like it, and the others are compared with these; 0: never"),
       option("exact", "", Flag{}, &Options::exact,
              "the result is the last hypothesis; implies `until=exact`"),
       option(
           "certify", "", Flag{}, &Options::certify,
           "look for a proof that network and DFA agree on all words, in what is left of the time "
           "limit"),
       option("plotted-r-states", "N", Count{}, &Options::plotted_r_states,
              "project N R-states of the network to the plane, for the page; 0: none")});
  return fields;
}

void validate(const ExtractionOptions& options) {
  check_all(ExtractionOptions::table(), options);
  if (options.method.is_baseline()) {
    check_beside_baseline(options);
  } else if (options.preset == Preset::Paper) {
    check_beside_preset(options);
  }
  if (options.exact && options.until == Until::Settled && options.given.count("until") > 0) {
    refuse(field("until"), options, "exact with exact");
  }
}

ExtractionOptions completed(ExtractionOptions options) {
  validate(options);
  if (options.preset == Preset::Paper) use_paper_preset(options);
  if (options.exact) options.until = Until::Exact;
  return options;
}

std::vector<UsedOption> used_options(const ExtractionOptions& options, const Alphabet& alphabet) {
  std::vector<UsedOption> used;
  for (const Field& field : ExtractionOptions::table()) {
    const bool asks_oracles = options.method.method == Method::AbstractionRefinement;
    used.emplace_back(field.name, field.name == "oracle" && !asks_oracles ? OptionValue("none")
                                                                          : field.json(options));
  }
  std::string words;
  for (const Word& word : options.samples) {
    words += (words.empty() ? "" : " | ") + alphabet.format(word);
  }
  used.emplace_back("sample", options.samples.empty() ? "searched" : words);
  return used;
}

ExtractionOptions paper_options() {
  ExtractionOptions options;
  options.preset = Preset::Paper;
  return completed(std::move(options));
}

}  // namespace rnnalf
