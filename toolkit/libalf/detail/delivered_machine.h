#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <libalf/conjecture.h>

/// The deterministic conjectures that learners deliver.
///
/// Their form is a map of maps of sets, and learners with a tree deliver one per state of the
/// target: most of their time would go into making and deleting nodes of those maps, nearly all of
/// which are the same in the next conjecture. So a conjecture that is deleted leaves its maps to
/// the next one of its learner. The public data types know nothing of it.
namespace libalf::detail {

template <class answer>
struct machine_maps {
  std::map<int, answer> outputs;
  std::map<int, std::map<int, std::set<int>>> transitions;
};

/// Room for the maps of one conjecture. Any thread may put and take.
template <class answer>
class spare_maps {
 public:
  using maps = std::unique_ptr<machine_maps<answer>>;

  spare_maps() = default;
  spare_maps(const spare_maps&) = delete;
  spare_maps& operator=(const spare_maps&) = delete;
  ~spare_maps() { take(); }

  void put(maps given) { maps(kept_.exchange(given.release())); }
  /// NULL if there are none.
  maps take() { return maps(kept_.exchange(nullptr)); }

 private:
  std::atomic<machine_maps<answer>*> kept_{nullptr};
};

/// An automaton to fill in: finite_automaton for bool answers, moore_machine for all others.
template <class answer>
struct machine_for {
  using type = moore_machine<answer>;
};
template <>
struct machine_for<bool> {
  using type = finite_automaton;
};

template <class answer>
class delivered_machine final : public machine_for<answer>::type {
 public:
  /// Begins with whatever is in the spare maps. Learner and conjectures own them together: either
  /// may be deleted first.
  explicit delivered_machine(std::shared_ptr<spare_maps<answer>> spare)
      : spare_(std::move(spare)), maps_(spare_->take()) {
    if (!maps_) maps_ = std::make_unique<machine_maps<answer>>();
    exchange();
  }
  delivered_machine(const delivered_machine&) = delete;
  delivered_machine& operator=(const delivered_machine&) = delete;
  ~delivered_machine() override {
    exchange();
    spare_->put(std::move(maps_));
  }

 private:
  void exchange() {
    this->output_mapping.swap(maps_->outputs);
    this->transitions.swap(maps_->transitions);
  }

  std::shared_ptr<spare_maps<answer>> spare_;
  typename spare_maps<answer>::maps maps_;  // empty in between
};

/// The keys become 0 ... count-1; fill(key, value) gets the value that is there, or a new one.
template <class Value, class Fill>
void overwrite(std::map<int, Value>& map, int count, Fill fill) {
  auto at = map.begin();
  for (int key = 0; key < count; ++key, ++at) {
    if (at == map.end() || at->first != key) {
      while (at != map.end() && at->first < key) at = map.erase(at);
      if (at == map.end() || at->first != key) at = map.emplace_hint(at, key, Value());
    }
    fill(key, at->second);
  }
  map.erase(at, map.end());
}

inline void overwrite(std::set<int>& set, int only) {
  if (set.size() != 1) {
    set = {only};
  } else if (*set.begin() != only) {
    auto node = set.extract(set.begin());
    node.value() = only;
    set.insert(std::move(node));
  }
}

/// Whether nothing has to be overwritten, as for most states of most conjectures: the one loop that
/// goes over all of a conjecture. (Its owner may have changed anything, so it has to be looked at.)
template <class Target>
bool leads_to(const std::map<int, std::set<int>>& by_letter, int letters, Target target) {
  if (by_letter.size() != static_cast<std::size_t>(letters)) return false;
  int letter = 0;
  for (const auto& [key, targets] : by_letter) {
    if (key != letter || targets.size() != 1 || *targets.begin() != target(letter)) return false;
    ++letter;
  }
  return true;
}

/// A deterministic complete conjecture. output(state) and target(state, letter) describe it; state
/// 0 is initial.
template <class answer, class Output, class Target>
moore_machine<answer>* make_machine(const std::shared_ptr<spare_maps<answer>>& spare,
                                    int state_count, int alphabet_size, Output output,
                                    Target target) {
  auto machine = std::make_unique<delivered_machine<answer>>(spare);
  machine->is_deterministic = true;
  machine->input_alphabet_size = alphabet_size;
  machine->state_count = state_count;
  machine->initial_states.insert(0);
  overwrite(machine->output_mapping, state_count,
            [&](int state, answer& value) { value = output(state); });
  overwrite(machine->transitions, state_count,
            [&](int state, std::map<int, std::set<int>>& by_letter) {
              if (leads_to(by_letter, alphabet_size, [&](int l) { return target(state, l); }))
                return;
              overwrite(by_letter, alphabet_size, [&](int letter, std::set<int>& targets) {
                overwrite(targets, target(state, letter));
              });
            });
  machine->valid = true;
  return machine.release();
}

}  // namespace libalf::detail
