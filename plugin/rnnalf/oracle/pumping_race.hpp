#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/pumping_tester.hpp"

// Used by the pumping oracle only; not installed.
namespace rnnalf {

/// Races of loops with suffixes, by how near their words come to the network's threshold.
///
/// Each stage tests words of larger k than the one before, and the half of the loops that came
/// nearest continues: a loop that will lose the network tends to show it early.
class PumpingRace {
 public:
  struct Contender {
    PumpedLoop loop;
    Word suffix;
    double distance = HUGE_VAL;  ///< of its words of the last stage from the threshold
  };
  /// Words that a contender costs in the mean: two per stage, half of the loops in each next one.
  static constexpr std::size_t kWordsPerLoop = 4;

  /// The tester outlives the race.
  PumpingRace(PumpingTester& tester, std::size_t max_length)
      : tester_(tester), max_length_(max_length) {}

  void run(std::vector<Contender> contenders);

  /// A word of these races that came near the threshold; none before the first.
  [[nodiscard]] const Word* near_word(Random& random) const {
    return near_.empty() ? nullptr : &near_[random.below(near_.size())].second;
  }

 private:
  void remember_near(std::span<const PumpedWord> words, std::span<const double> distances);

  PumpingTester& tester_;
  std::size_t max_length_;
  std::vector<std::pair<double, Word>> near_;  // few, nearest first
};

}  // namespace rnnalf
