#include "rnnalf/evaluate/evaluate_table.hpp"

namespace rnnalf {

const std::vector<OptionField<EvaluateOptions>>& evaluate_table() {
  using Options = EvaluateOptions;
  constexpr std::uint64_t most_words = 100'000'000;
  constexpr std::uint64_t longest = 100'000;
  static const std::vector<OptionField<Options>> fields = {
      option("lengths", "N,N...", Counts{{.most = longest}}, &Options::lengths,
             "lengths of uniform words"),
      option("per-length", "N", Count{.most = most_words}, &Options::per_length,
             "uniform words of each length"),
      option("pumped", "N", Count{.most = most_words}, &Options::pumped, "pumped words"),
      option("pumped-length", "N", Count{.most = longest}, &Options::pumped_length,
             "most symbols of a pumped word"),
      option("exhaustive", "N", Count{.most = longest}, &Options::exhaustive,
             "all words of up to N symbols; 0: none"),
      option("seed", "N", Count{}, &Options::seed, "the same seed gives the same words"),
      option("threads", "N", Count{.most = 1024}, &Options::threads,
             "threads of inference; 0: one per core"),
      option("time-limit", "D", Seconds{}, &Options::time_limit, "wall time, such as 30s or 5m")};
  return fields;
}

}  // namespace rnnalf
