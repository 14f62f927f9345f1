#include "rnnalf/oracle/abstraction_oracle.hpp"

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLongestSample = 40;

}  // namespace

void validate(const AbstractionOptions& options) {
  validate(options.refine);
  if (options.depth_limit > 20) {
    throw OptionError("depth-limit: expected 0 to 20, found " +
                      std::to_string(options.depth_limit));
  }
}

AbstractionOracle::AbstractionOracle(StateTree& tree, const AbstractionOptions& options,
                                     Exploration* exploration)
    : tree_(tree),
      own_(exploration == nullptr ? std::make_unique<Exploration>(tree, RefineOptions{}) : nullptr),
      exploration_(exploration == nullptr ? *own_ : *exploration),
      options_(options) {
  validate(options);
  exploration_.reset(options.refine);
}

EquivalenceAnswer AbstractionOracle::find(const Dfa& hypothesis, const Budget& budget) {
  ++queries_;
  std::uint64_t tested = 0;
  std::string raised;
  const auto answer = [&](Verdict verdict, std::string claim) {
    EquivalenceAnswer result;
    result.verdict = verdict;
    result.evidence.push_back({std::string(name()), tested, std::move(claim)});
    return result;
  };
  const auto refuted = [&](Word word, bool accepted, std::string how) {
    EquivalenceAnswer result = answer(Verdict::Counterexample, "refuted");
    result.counterexample = checked_counterexample(tree_, hypothesis, std::move(word), accepted,
                                                   name(), std::move(how));
    return result;
  };

  while (true) {
    const Exploration::Result walk = exploration_.search(hypothesis, budget);
    tested += walk.r_states_met;
    if (walk.end == Exploration::End::Counterexample) {
      return refuted(tree_.word(*walk.counterexample), tree_.accepted(*walk.counterexample), {});
    }
    if (walk.end == Exploration::End::BudgetSpent)
      return answer(Verdict::BudgetSpent, "stopped by a limit");

    // The walk has ended. Does a cheap sample agree?
    WordTester tester(tree_, hypothesis, budget);
    Random random(options_.seed + queries_);
    for (std::size_t i = 0; i < options_.samples; ++i) {
      Word word(random.below(kLongestSample + 1));
      for (Symbol& symbol : word) symbol = static_cast<Symbol>(random.below(tree_.symbol_count()));
      if (!tester.test(std::move(word))) break;
    }
    if (!tester.flush() && tester.spent())
      return answer(Verdict::BudgetSpent, "stopped by a limit");
    tested += tester.words_tested();
    const std::size_t depth = options_.refine.initial_split_depth;
    if (!tester.difference()) {
      return answer(Verdict::NoneFound,
                    "the walk of hypothesis and abstraction ended without conflict: " +
                        std::to_string(walk.a_states_reached) + " A-states, " +
                        std::to_string(walk.r_states_met) + " R-states, depth " +
                        std::to_string(depth) + raised);
    }
    if (depth + 2 > options_.depth_limit) {
      return refuted(tester.difference()->word, tester.difference()->accepted,
                     "sampled after the walk ended");
    }
    options_.refine.initial_split_depth = depth + 2;
    exploration_.reset(options_.refine);
    raised = ", raised because sampled words disagreed";
  }
}

}  // namespace rnnalf
