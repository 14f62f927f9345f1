#include "rnnalf/libalf/libalf_learners.hpp"

#include <libalf/algorithm_RPNI.h>
#include <libalf/algorithm_biermann_minisat.h>

#include <list>
#include <string>

#include "rnnalf/libalf/glue.hpp"
#include "rnnalf/libalf/learners.hpp"

namespace rnnalf {
namespace {

/// A learner of libalf with its knowledge.
template <class answer>
class LibalfLearner final : public Learner {
 public:
  using Make = std::unique_ptr<libalf::learning_algorithm<answer>> (*)(
      std::string_view, libalf::knowledgebase<answer>*, int);

  LibalfLearner(Make make, std::string_view name, std::size_t symbols, std::size_t answers)
      : answers_(answers), learner_(make(name, &knowledge_, static_cast<int>(symbols))) {}

  std::optional<Dfa> advance(const Budget& budget) override {
    const std::unique_ptr<libalf::conjecture> conjecture(learner_->advance());
    if (!conjecture) return std::nullopt;
    return to_dfa(*conjecture, answers_, budget);
  }
  std::uint64_t pending() override {
    return knowledge_.is_answered() ? 0 : static_cast<std::uint64_t>(knowledge_.count_queries());
  }
  bool answer_pending(Teacher& teacher, const Budget& budget) override {
    return rnnalf::answer_pending(teacher, knowledge_, budget).has_value();
  }
  bool add_counterexample(const Word& word) override {
    return learner_->add_counterexample(to_libalf(word));
  }

 private:
  std::size_t answers_;
  libalf::knowledgebase<answer> knowledge_;
  std::unique_ptr<libalf::learning_algorithm<answer>> learner_;
};

/// The conjecture of a learner that asks nothing; none when it was stopped.
template <class Algorithm>
std::optional<Dfa> consistent(const AnsweredWords& words, std::size_t symbols,
                              const Budget& budget) {
  libalf::knowledgebase<bool> knowledge;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i % 1024 == 0 && budget.spent()) return std::nullopt;
    if (words.answers[i] == Answer::None) continue;
    std::list<int> word = to_libalf(words.words[i]);  // upstream wants a name
    knowledge.add_knowledge(word, words.answers[i] == Answer::Accept);
  }
  Algorithm learner(&knowledge, nullptr, static_cast<int>(symbols));
  if constexpr (requires { learner.stop_when([] { return true; }); }) {
    learner.stop_when([&budget] { return budget.spent(); });
  }
  const std::unique_ptr<libalf::conjecture> found(learner.advance());
  if (!found) return std::nullopt;
  return to_dfa(*found);
}

class LibalfLearners final : public Learners {
 public:
  std::unique_ptr<Learner> make(std::string_view name, std::size_t symbols,
                                std::size_t answers) const override {
    require_learner(name, answers);
    if (answers == 2) {
      return std::make_unique<LibalfLearner<bool>>(make_learner, name, symbols, answers);
    }
    return std::make_unique<LibalfLearner<int>>(make_moore_learner, name, symbols, answers);
  }
  std::optional<Dfa> merged(const AnsweredWords& words, std::size_t symbols,
                            const Budget& budget) const override {
    return consistent<libalf::RPNI<bool>>(words, symbols, budget);
  }
  std::optional<Dfa> smallest(const AnsweredWords& words, std::size_t symbols,
                              const Budget& budget) const override {
    return consistent<libalf::MiniSat_biermann<bool>>(words, symbols, budget);
  }
};

}  // namespace

const Learners& libalf_learners() {
  static const LibalfLearners all;
  return all;
}

}  // namespace rnnalf
