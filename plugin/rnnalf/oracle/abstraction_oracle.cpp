#include "rnnalf/oracle/abstraction_oracle.hpp"

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLongestSample = 40;

}  // namespace

const std::vector<OptionField<AbstractionOptions>>& AbstractionOptions::table() {
  const auto refine = [](std::string_view name) {
    return option_of_part<AbstractionOptions>(
        field_of(RefineOptions::table(), name),
        [](auto& options) -> auto& { return options.refine; });
  };
  static const std::vector<OptionField<AbstractionOptions>> fields = {
      refine("depth"),
      option("depth-limit", "", Count{.most = kMostSplitDepth}, &AbstractionOptions::depth_limit,
             "up to which the depth is raised when the walk ended too early; depth or less: never"),
      option("samples", "", Count{}, &AbstractionOptions::samples,
             "random words that tell whether it did"),
      refine("svm-cost"), refine("svm-gamma")};
  return fields;
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
  Evidence evidence{.oracle = std::string(name()), .looked_at = LockstepWalk{}};
  LockstepWalk& looked_at = std::get<LockstepWalk>(evidence.looked_at);
  const auto refuted_by = [&](Word word) {
    return refuted(checked_counterexample(tree_, hypothesis, std::move(word), name()), evidence);
  };

  while (true) {
    const Exploration::Result walk = exploration_.search(hypothesis, budget);
    evidence.words_tested += walk.r_states_met;
    looked_at.a_states = walk.a_states_reached;
    looked_at.r_states = walk.r_states_met;
    looked_at.depth = options_.refine.initial_split_depth;
    if (walk.end == Exploration::End::Counterexample) {
      return refuted_by(tree_.word(*walk.counterexample));
    }
    if (walk.end == Exploration::End::BudgetSpent) return stopped(evidence);

    // The walk has ended. Does a cheap sample agree?
    WordTester tester(tree_, hypothesis, budget);
    Random random(options_.seed + queries_);
    for (std::size_t i = 0; i < options_.samples; ++i) {
      Word word(random.below(kLongestSample + 1));
      for (Symbol& symbol : word) symbol = static_cast<Symbol>(random.below(tree_.symbol_count()));
      if (!tester.test(std::move(word))) break;
    }
    if (!tester.flush() && tester.spent()) return stopped(evidence);
    evidence.words_tested += tester.words_tested();
    const std::size_t depth = options_.refine.initial_split_depth;
    if (!tester.difference()) return none_found(evidence);
    if (depth + 2 > options_.depth_limit) return refuted_by(*tester.difference());
    options_.refine.initial_split_depth = depth + 2;
    exploration_.reset(options_.refine);
    looked_at.raised = true;
  }
}

OraclePtr make_oracle(const AbstractionOptions& options, const OracleContext& context) {
  AbstractionOptions own = options;
  own.seed = context.seed_of(AbstractionOptions::kName);
  Exploration* exploration = nullptr;
  if (context.explorations != nullptr) {
    context.explorations->push_back(std::make_unique<Exploration>(context.tree, own.refine));
    exploration = context.explorations->back().get();
  }
  return std::make_unique<AbstractionOracle>(context.tree, own, exploration);
}

}  // namespace rnnalf
