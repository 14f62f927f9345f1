#pragma once

// How Kearns and Vazirani's learner uses a counterexample, finds contradictions of its own, and is
// read from serialised data; included by algorithm_kearns_vazirani.h.
//
// Counterexamples: a word that leads from a state to the wrong output. Let q_i be the state of
// the conjecture after the first i letters, p_i the state that the start's access word and those
// letters sift to. p_0 = q_0, and p_n != q_n because the outputs differ. Where p_i-1 = q_i-1 but
// p_i != q_i, the state q_i-1 has to be split: letter i followed by the suffix that tells p_i
// from q_i tells its access word from the first i-1 letters.
namespace libalf {

template <class answer>
bool kearns_vazirani<answer>::find_contradiction() {
  if (own_uses_left_ == 0) return false;
  if (reliances_.size() > 4 * reliances_in_use_ + 1024) check_all();
  const auto first = unchecked_.begin();
  const auto start = first + (looked_at_ + 1 < states_.size() ? looked_at_ + 1 : 0);
  for (auto [from, to] : {std::pair(start, unchecked_.end()), std::pair(first, start)}) {
    while ((from = std::find(from, to, true)) != to) {
      const id s = static_cast<id>(from - first);
      if (contradicts(s)) {
        looked_at_ = s;
        return true;
      }
      *from++ = false;
    }
  }
  return false;
}

template <class answer>
bool kearns_vazirani<answer>::contradicts(id s) {
  reliances_in_use_ -= states_[s].reliances;
  states_[s].reliances = 0;
  if (run_for(s, states_[s].access, 0) != s) {
    use_own(0, states_[s].access);
    belongs_to_ = s;
    return true;
  }
  for (id below = states_[s].leaf; below != 0; below = tree_[below].parent) {
    const tree_node& inner = tree_[tree_[below].parent];
    if (states_[run_for(s, inner.suffix, s)].output == tree_[below].on) continue;
    use_own(s, inner.suffix);
    return true;
  }
  return false;
}

template <class answer>
typename kearns_vazirani<answer>::id kearns_vazirani<answer>::run_for(id who,
                                                                      const std::vector<int>& word,
                                                                      id s) {
  for (int letter : word) {
    const std::size_t t = s * letter_count() + static_cast<std::size_t>(letter);
    id& list = relied_on_[t];
    if (list == none || reliances_[list].who != who) {
      reliances_.push_back({who, list});
      list = static_cast<id>(reliances_.size() - 1);
      ++states_[who].reliances;
      ++reliances_in_use_;
    }
    s = targets_[t];
  }
  return s;
}

template <class answer>
bool kearns_vazirani<answer>::use_counterexample() {
  if (!probing_ && !start_probing()) return false;
  while (uses_left_ > 0 && choose_probe()) {
    answer missing{};
    const sifted result = sift(probe_at_, position_, missing);
    if (result == sifted::query_pending) return false;
    if (result == sifted::missing_child) {  // the prefix itself is a new state
      add_state(prefix(probe_), probe_at_, position_, missing);
      finish_round();
      return true;
    }
    if (tree_[position_].state == path_[probe_]) {
      low_ = probe_;
      low_at_ = probe_at_;
    } else {
      high_ = probe_;
      high_known_ = true;
      sifted_high_ = tree_[position_].state;
    }
    probe_ = none;
  }
  if (uses_left_ > 0) split_at_high();
  return true;
}

template <class answer>
bool kearns_vazirani<answer>::choose_probe() {
  if (probe_ != none) return true;
  if (high_ - low_ > 1) {
    probe_ = static_cast<id>(binary_ ? low_ + (high_ - low_) / 2 : low_ + 1);
  } else if (!high_known_ && high_ > low_) {
    probe_ = static_cast<id>(high_);
  } else {
    return false;
  }
  probe_at_ = prefix_node(probe_);
  position_ = 0;
  return true;
}

template <class answer>
bool kearns_vazirani<answer>::start_probing() {
  path_.assign(1, start_);
  for (int letter : counterexample_) path_.push_back(target(path_.back(), letter));
  low_ = 0;
  low_at_ = states_[start_].at;
  high_ = counterexample_.size();
  high_known_ = belongs_to_ != none;  // if not: p_n is not q_n, whatever it is
  sifted_high_ = belongs_to_;
  probe_ = none;
  if (!high_known_) {
    answer truth{};
    if (!base_->resolve_or_mark(prefix_node(high_), truth)) return false;
    if (truth == states_[path_.back()].output) uses_left_ = 0;
  }
  probing_ = uses_left_ > 0;
  return true;
}

template <class answer>
void kearns_vazirani<answer>::split_at_high() {
  if (low_ == high_) return give_up();
  const id s = path_[low_];
  const int letter = counterexample_[low_];
  const id distinct =
      lowest_common_ancestor(states_[path_[high_]].leaf, states_[sifted_high_].leaf);
  std::vector<int> suffix = tree_[distinct].suffix;
  suffix.insert(suffix.begin(), letter);
  node* at = low_at_;
  // Both words have been sifted past `distinct`, so both answers are known.
  const answer on_old = known_answer(states_[s].at, suffix);
  const answer on_new = known_answer(at, suffix);
  if (on_old == on_new) return give_up();
  split(s, std::move(suffix), on_old, prefix(low_), at, on_new);
  finish_round();
}

template <class answer>
bool kearns_vazirani<answer>::deserialize_content(serial_stretch& serial) {
  int type = 0;
  int nodes = 0;
  if (!detail::deserialize_value(type, serial) || type != detail::learner_tag(get_type()) ||
      !detail::deserialize_value(this->alphabet_size, serial) ||
      !detail::is_alphabet_size(this->alphabet_size) ||
      !detail::deserialize_value(binary_, serial) || !detail::deserialize_value(nodes, serial)) {
    return false;
  }
  for (; nodes > 0; --nodes) {
    tree_node t;
    if (!detail::deserialize_value(t.parent, serial) ||
        !detail::deserialize_value(t.suffix, serial) || !detail::deserialize_value(t.on, serial) ||
        !detail::deserialize_value(t.state, serial)) {
      return false;
    }
    tree_.push_back(std::move(t));
  }
  std::vector<std::vector<int>> accesses;
  if (!detail::deserialize_value(accesses, serial) || !detail::deserialize_value(start_, serial) ||
      !detail::deserialize_value(counterexample_, serial) ||
      !detail::deserialize_value(uses_left_, serial)) {
    return false;
  }
  states_.resize(accesses.size());
  for (std::size_t s = 0; s < accesses.size(); ++s) states_[s].access = std::move(accesses[s]);
  return is_sound();
}

template <class answer>
bool kearns_vazirani<answer>::is_sound() {
  const auto is_word = [&](const std::vector<int>& word) {
    return std::all_of(word.begin(), word.end(),
                       [&](int l) { return 0 <= l && l < this->alphabet_size; });
  };
  if (uses_left_ > 0 && start_ >= states_.size()) return false;
  if (!is_word(counterexample_) || (!tree_.empty() && !tree_[0].suffix.empty())) return false;
  for (id n = 0; n < tree_.size(); ++n) {
    tree_node& t = tree_[n];
    if (!is_word(t.suffix) || (t.parent == none) != (n == 0)) return false;
    if (n > 0) {
      if (t.parent >= n || tree_[t.parent].state != none || child(t.parent, t.on) != none)
        return false;
      tree_[t.parent].children.emplace_back(t.on, n);
    }
    if (t.state != none) {
      if (t.state >= states_.size() || states_[t.state].leaf != none || n == 0) return false;
      states_[t.state].leaf = n;
      states_[t.state].output = output_at(n);
    }
  }
  return std::all_of(states_.begin(), states_.end(),
                     [&](const state& s) { return s.leaf != none && is_word(s.access); }) &&
         (states_.empty() || states_[0].access.empty());
}

}  // namespace libalf
