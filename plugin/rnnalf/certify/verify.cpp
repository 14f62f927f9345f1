#include "rnnalf/certify/verify.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <utility>

#include "rnnalf/certify/ellipsoid.hpp"

namespace rnnalf::certify {
namespace {

/// One tree of a finished proof, computed again.
class Verifier {
 public:
  Verifier(const Imager& imager, const BaseAutomaton& base, const SearchResult& proof,
           const std::vector<std::size_t>& base_of,
           const std::vector<std::optional<Ellipsoid>>& round, const Budget& budget)
      : imager_(imager),
        base_(base),
        proof_(proof),
        base_of_(base_of),
        round_(round),
        budget_(budget) {}

  /// The smallest margin, or a number that is not above 0.
  double tree(const Image& from, std::size_t state, const Tree& tree) {
    tree_ = &tree;
    at_ = 0;
    margin_ = HUGE_VAL;
    descend(from, state);
    return margin_;
  }

 private:
  void descend(const Image& from, std::size_t state) {
    Successors successors(imager_, from);
    Image image;
    for (std::size_t a = 0; a < base_.symbols() && margin_ > 0; ++a) {
      const std::size_t next = base_.next(state, a);
      if (next == BaseAutomaton::kNone) continue;
      if (budget_.spent() || !successors.step(a, image)) {
        margin_ = 0;
        return;
      }
      if (const std::optional<bool> accept = base_.demand(next)) {
        const MarginRange margin = imager_.margin(image);
        margin_ = std::min(margin_, *accept ? margin.low : -margin.high);
      }
      const std::int64_t entry = (*tree_)[at_++];
      if (entry == kDescend) {
        descend(image, next);
        continue;
      }
      const auto leaf = static_cast<std::size_t>(entry);
      const bool holds =
          round_[leaf] ? round_[leaf]->holds(image) : inside(image.box, proof_.sets[leaf].box);
      if (base_of_[leaf] != next || !holds) margin_ = 0;
    }
  }

  const Imager& imager_;
  const BaseAutomaton& base_;
  const SearchResult& proof_;
  const std::vector<std::size_t>& base_of_;
  const std::vector<std::optional<Ellipsoid>>& round_;
  const Budget& budget_;
  const Tree* tree_ = nullptr;
  std::size_t at_ = 0;
  double margin_ = 0;
};

}  // namespace

std::optional<double> verify(const RnnAcceptor& acceptor, const Imager& imager,
                             const BaseAutomaton& base, const SearchResult& proof, Workers& workers,
                             const Budget& budget) {
  std::map<std::pair<LState, std::size_t>, std::size_t> numbers;
  for (std::size_t q = 0; q < base.size(); ++q) numbers[{base.dfa_state(q), base.monitor(q)}] = q;
  std::vector<std::size_t> base_of;
  std::vector<std::optional<Ellipsoid>> round;
  for (const Certificate::Set& set : proof.sets) {
    base_of.push_back(numbers.at({set.state, set.monitor}));
    round.emplace_back();
    if (!set.shape.empty()) round.back().emplace(set.middle, set.shape);
  }
  std::vector<double> margins(proof.sets.size() + 1);
  std::atomic<bool> failed = false;  // one tree suffices
  constexpr std::size_t weight = 64;
  workers.split(margins.size() * weight, weight, [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
      if (i % weight != 0 || failed) continue;
      const std::size_t s = i / weight;
      Verifier verifier(imager, base, proof, base_of, round, budget);
      if (s == proof.sets.size()) {
        const std::vector<double> initial = acceptor.initial_state();
        margins[s] =
            verifier.tree(imager.of({initial, initial}), BaseAutomaton::initial(), proof.start);
      } else {
        margins[s] = verifier.tree(round[s] ? round[s]->image() : imager.of(proof.sets[s].box),
                                   base_of[s], proof.sets[s].tree);
      }
      if (!(margins[s] > 0)) failed = true;
    }
  });
  const double smallest = *std::min_element(margins.begin(), margins.end());
  if (!(smallest > 0)) return std::nullopt;
  return smallest;
}

}  // namespace rnnalf::certify
