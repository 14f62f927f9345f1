#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/oracle/oracle.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

/// Compares network and hypothesis on words, many at a time: what every testing oracle does with
/// the words it makes up.
///
/// Words are run in batches whose sizes are fixed here (small ones first, so that an easy
/// counterexample is cheap), never by the user's batch option. The shortlex-first difference of the
/// first batch that has one is the result. Lives for one equivalence query.
class WordTester {
 public:
  /// All three outlive the tester.
  WordTester(StateTree& tree, const Dfa& hypothesis, const Budget& budget)
      : tree_(tree), hypothesis_(hypothesis), budget_(budget) {}

  /// Queues a word. False: stop making up words, a difference was found or the budget ended.
  /// The tag is the caller's and comes back with the difference.
  [[nodiscard]] bool test(Word word, std::uint64_t tag = 0);
  /// Queues every prefix of the word from length `shortest` on; they cost one step each.
  [[nodiscard]] bool test_prefixes(const Word& word, std::size_t shortest, std::uint64_t tag = 0);
  /// Runs what is queued.
  [[nodiscard]] bool flush();

  struct Difference {
    Word word;
    bool accepted = false;  ///< the network's answer
    std::uint64_t tag = 0;
  };
  [[nodiscard]] const std::optional<Difference>& difference() const { return difference_; }
  /// Whether the budget ended before all queued words were compared.
  [[nodiscard]] bool spent() const { return spent_; }
  [[nodiscard]] std::uint64_t words_tested() const { return words_tested_; }

  /// The answer of an oracle that tested these words: flushes, then a counterexample if there is
  /// one. `claim` is what may be claimed when there is none and the budget lasted.
  [[nodiscard]] EquivalenceAnswer answer(std::string_view oracle, std::string claim,
                                         std::string how = {});

 private:
  StateTree& tree_;
  const Dfa& hypothesis_;
  const Budget& budget_;
  std::vector<Word> words_;
  std::vector<std::uint64_t> tags_;
  std::size_t batch_ = 128;
  std::optional<Difference> difference_;
  bool spent_ = false;
  std::uint64_t words_tested_ = 0;
};

/// A counterexample that was run on network and hypothesis once more, one word on its own; the last
/// step of every oracle. The word stays in the tree, since the learner will ask about it.
[[nodiscard]] Counterexample checked_counterexample(StateTree& tree, const Dfa& hypothesis,
                                                    Word word, bool accepted,
                                                    std::string_view oracle, std::string how = {});

/// "no counterexample among 12 words": the least that every testing oracle may claim.
[[nodiscard]] std::string none_among(std::uint64_t words, std::string_view kind);

}  // namespace rnnalf
