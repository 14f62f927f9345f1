#pragma once

#include <cstddef>
#include <optional>

#include "rnnalf/extraction/setting.hpp"
#include "rnnalf/extraction/stages.hpp"

namespace rnnalf {

/// The stage that measures. Learning shows it every hypothesis, because what was measured decides
/// whether larger ones are worth it; where the result is the last hypothesis in any case (`exact`),
/// that one alone is measured, afterwards.
class Measuring {
 public:
  explicit Measuring(Setting& setting) : setting_(setting) {}

  /// Measures a hypothesis. True: larger ones are not worth it.
  bool add(std::size_t number, const Dfa& dfa);
  /// A counterexample to it. True: what the learner would make of it is not worth it.
  bool refute(std::size_t number, const Counterexample& found);
  /// What it took until now.
  [[nodiscard]] double seconds() const { return seconds_; }

  /// What was measured when learning had ended.
  [[nodiscard]] Measured finish(const Learned& learned) &&;

 private:
  void measure(std::size_t number, const Dfa& dfa);
  void make_ladder();
  [[nodiscard]] bool may_settle() const;

  Setting& setting_;
  bool tried_ = false;  // to make the yardstick; without one the last hypothesis is the result
  Measured measured_;
  double seconds_ = 0;
  std::size_t drawn_along_ = 0;  // the last hypothesis that words were drawn along
};

}  // namespace rnnalf
