#include "rnnalf/oracle/pumping_race.hpp"

#include <algorithm>

namespace rnnalf {
namespace {

/// How often loops are walked in the stages of a race.
constexpr std::size_t kStages[][2] = {{2, 4},   {6, 8},    {12, 16},  {24, 32},
                                      {48, 64}, {96, 128}, {192, 256}};

}  // namespace

void PumpingRace::run(std::vector<Contender> contenders) {
  for (const auto& stage : kStages) {
    std::vector<PumpedWord> words;
    std::vector<std::size_t> owner;
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      const Contender& contender = contenders[c];
      for (const std::size_t times : stage) {
        PumpedWord word{contender.loop.prefix, contender.loop.loop, times, contender.suffix};
        if (word.length() > max_length_) continue;
        words.push_back(std::move(word));
        owner.push_back(c);
      }
    }
    if (words.empty() || tester_.words_left() == 0) return;
    const std::vector<double> distances = tester_.test(words);
    if (!tester_.going()) return;
    remember_near(words, distances);
    for (Contender& contender : contenders) contender.distance = HUGE_VAL;
    for (std::size_t i = 0; i < distances.size(); ++i) {
      double& distance = contenders[owner[i]].distance;
      distance = std::min(distance, distances[i]);
    }
    std::stable_sort(
        contenders.begin(), contenders.end(),
        [](const Contender& a, const Contender& b) { return a.distance < b.distance; });
    contenders.resize((contenders.size() + 1) / 2);
  }
}

void PumpingRace::remember_near(std::span<const PumpedWord> words,
                                std::span<const double> distances) {
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].length() > max_length_ / 2) continue;  // no room to go on from there
    if (near_.size() == most && distances[i] >= near_.back().first) continue;
    near_.emplace_back(distances[i], words[i].word());
    std::sort(near_.begin(), near_.end());
    near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
    if (near_.size() > most) near_.pop_back();
  }
}

}  // namespace rnnalf
