#include "rnnalf/libalf/passive.hpp"

#include <libalf/algorithm_RPNI.h>
#include <libalf/algorithm_biermann_minisat.h>

#include <algorithm>
#include <list>
#include <memory>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/libalf/glue.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

/// The conjecture of a learner that asks nothing; none when it was stopped.
template <class Algorithm>
std::optional<Dfa> conjecture_of(Knowledge& sample, int symbols, const Budget& budget) {
  Algorithm learner(&sample, nullptr, symbols);
  if constexpr (requires { learner.stop_when([] { return true; }); }) {
    learner.stop_when([&budget] { return budget.spent(); });
  }
  const std::unique_ptr<libalf::conjecture> found(learner.advance());
  if (!found) return std::nullopt;
  return to_dfa(*found);
}

}  // namespace

BaselineResult learn_from_answers(StateTree& tree, const MethodSpec& method,
                                  const BaselineOptions& options, const Budget& budget) {
  RNNALF_CHECK(method.is_passive(), "not a passive method: " + method.text());
  std::vector<Word> words = words_for(method, options, tree.symbol_count());
  if (words.empty()) words.emplace_back();  // an alphabet without symbols
  const std::size_t count = words.size();
  const auto sample = answered(tree, std::move(words), budget);

  std::optional<Dfa> dfa;
  std::size_t accepted = 0;
  if (sample) {
    Knowledge knowledge;
    for (std::size_t i = 0; i < count; ++i) {
      std::list<int> word = to_libalf(sample->words[i]);  // upstream wants a name
      knowledge.add_knowledge(word, sample->answers[i] == Answer::Accept);
    }
    accepted = static_cast<std::size_t>(
        std::count(sample->answers.begin(), sample->answers.end(), Answer::Accept));
    const auto symbols = static_cast<int>(tree.symbol_count());
    dfa = method.method == Method::Rpni
              ? conjecture_of<libalf::RPNI<bool>>(knowledge, symbols, budget)
              : conjecture_of<libalf::MiniSat_biermann<bool>>(knowledge, symbols, budget);
  }
  BaselineResult result;
  result.complete = dfa.has_value() && dfa->size() <= options.max_states;
  result.automaton.dfa = result.complete ? *dfa : Dfa(tree.symbol_count(), 1);
  result.evidence.push_back(
      {.oracle = method.method == Method::Rpni ? "rpni" : "biermann",
       .words_tested = count,
       .end = result.complete ? Evidence::End::NoneFound : Evidence::End::Stopped,
       .looked_at = LabelledSample{.accepted = accepted}});
  return result;
}

}  // namespace rnnalf
