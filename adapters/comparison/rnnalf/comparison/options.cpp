#include "rnnalf/comparison/options.hpp"

#include <algorithm>
#include <utility>

#include "rnnalf/libalf/learners.hpp"

namespace rnnalf {
namespace {

/// A baseline has no learner and asks no oracle: options about these get their defaults.
ExtractionOptions baseline(ExtractionOptions options, const MethodSpec& method) {
  const ExtractionOptions unset;
  options.method = method;
  options.preset = unset.preset;
  options.learner = unset.learner;
  options.oracles = unset.oracles;
  options.oracle_mode = unset.oracle_mode;
  options.max_queries = unset.max_queries;
  options.max_rounds = unset.max_rounds;
  options.given.clear();
  return options;
}

template <class Value>
std::vector<Value> or_default(const std::vector<Value>& given, const Value& otherwise) {
  return given.empty() ? std::vector<Value>{otherwise} : given;
}

}  // namespace

const std::vector<OptionField<ComparisonOptions>>& ComparisonOptions::table() {
  using Options = ComparisonOptions;
  static const std::vector<OptionField<Options>> fields = {
      option("lengths", "N,N...", Counts{{.most = 100'000}}, &Options::lengths,
             "lengths of the uniform words"),
      option("per-length", "N", Count{.least = 1, .most = 1'000'000}, &Options::per_length,
             "uniform words of each length"),
      option("repeat", "N", Count{.least = 1, .most = 100'000}, &Options::repeat,
             "repetitions with seeds S, S+1, ...")};
  return fields;
}

void validate(const ComparisonOptions& options) {
  check_all(ComparisonOptions::table(), options);
  ExtractionOptions learning = options.extraction;
  learning.method = {};  // baselines ignore what is about learners and oracles
  validate(learning);
  const auto methods = or_default(options.methods, options.extraction.method);
  const bool learns = std::any_of(methods.begin(), methods.end(), [](const MethodSpec& method) {
    return method.method == Method::AbstractionRefinement;
  });
  if (!learns) return;
  for (const std::string& learner : or_default(options.learners, options.extraction.learner)) {
    require_learner(learner);
  }
}

std::vector<ExtractionOptions> ways_to_extract(const ComparisonOptions& options) {
  ExtractionOptions learning = options.extraction;
  learning.method = {};
  learning = completed(std::move(learning));
  std::vector<ExtractionOptions> ways;
  for (const MethodSpec& method : or_default(options.methods, options.extraction.method)) {
    if (method.method != Method::AbstractionRefinement) {
      ways.push_back(baseline(options.extraction, method));
      continue;
    }
    for (const std::string& learner : or_default(options.learners, learning.learner)) {
      for (const OracleChain& oracles : or_default(options.oracles, learning.oracles)) {
        ways.push_back(learning);
        ways.back().method = method;
        ways.back().learner = learner;
        ways.back().oracles = oracles;
      }
    }
  }
  return ways;
}

}  // namespace rnnalf
