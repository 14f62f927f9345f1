#include "rnnalf/states/state_tree.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <tuple>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/states/workers.hpp"

namespace rnnalf {
namespace {

/// Nodes or words worked on between two looks at the budget and two rounds of eviction. Few enough
/// for their R-states to stay in the second-level cache from one letter to the next.
constexpr std::size_t kChunk = 1024;

/// Marks columns of R-states that were stored before the call.
constexpr std::uint32_t kStored = 0x80000000U;

Node node_at(std::size_t number) {
  return static_cast<Node>(number);
}

std::uint64_t child_hash(Node parent, Symbol symbol) {
  std::uint64_t key = (static_cast<std::uint64_t>(index(parent)) << 32U) | index(symbol);
  key *= 0x9e3779b97f4a7c15U;
  key ^= key >> 29U;
  key *= 0xbf58476d1ce4e5b9U;
  return key ^ (key >> 32U);
}

}  // namespace

void validate(const StateTreeOptions& options) {
  if (options.batch == 0) throw OptionError("batch: expected a number above 0, found 0");
  if (options.threads == 0) throw OptionError("threads: expected a number above 0, found 0");
}

/// Stored R-states. When the budget is full, the R-state that was not used for longest (one round
/// of a clock) makes room.
class StateTree::Pool {
 public:
  Pool(std::size_t state_bytes, std::size_t bytes)
      : state_bytes_(state_bytes),
        // A hundredth of the budget, between 64 kB and 4 MB.
        per_chunk_(std::max<std::size_t>(
            1, std::clamp<std::size_t>(bytes / 100, std::size_t{1} << 16U, std::size_t{4} << 20U) /
                   state_bytes_)),
        capacity_(std::max<std::size_t>(2, bytes / (state_bytes_ + sizeof(Slot)))) {}

  void grow_to(std::size_t nodes) { slot_of_.resize(nodes, kNone); }
  [[nodiscard]] bool has(Node node) const { return slot_of_[index(node)] != kNone; }

  /// Valid until the next store.
  const std::byte* at(Node node) {
    const std::uint32_t slot = slot_of_[index(node)];
    slots_[slot].used = true;
    return place(slot);
  }

  void store(Node node, const std::byte* state) {
    std::uint32_t& slot = slot_of_[index(node)];
    if (slot == kNone) slot = free_slot();
    slots_[slot] = {node, true};
    std::memcpy(place(slot), state, state_bytes_);
  }

  [[nodiscard]] std::size_t bytes() const {
    return chunks_.size() * per_chunk_ * state_bytes_ + slots_.capacity() * sizeof(Slot) +
           slot_of_.capacity() * sizeof(std::uint32_t);
  }

 private:
  struct Slot {
    Node owner;
    bool used;
  };

  std::byte* place(std::size_t slot) {
    return chunks_[slot / per_chunk_].get() + slot % per_chunk_ * state_bytes_;
  }

  std::uint32_t free_slot() {
    if (slots_.size() < capacity_) {
      if (slots_.size() == chunks_.size() * per_chunk_) {
        chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(per_chunk_ * state_bytes_));
      }
      slots_.push_back({});
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    while (true) {
      hand_ = hand_ + 1 < slots_.size() ? hand_ + 1 : 1;  // slot 0 is the empty word's and stays
      if (!std::exchange(slots_[hand_].used, false)) break;
    }
    slot_of_[index(slots_[hand_].owner)] = kNone;
    return static_cast<std::uint32_t>(hand_);
  }

  std::size_t state_bytes_;
  std::size_t per_chunk_;
  std::size_t capacity_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> slot_of_;  // by node
  std::size_t hand_ = 0;
};

namespace {

/// Memory that is written before it is read; growing does not fill it.
template <class T>
class Scratchpad {
 public:
  T* at_least(std::size_t size) {
    if (size > size_) {
      data_ = std::make_unique_for_overwrite<T[]>(size);
      size_ = size;
    }
    return data_.get();
  }
  [[nodiscard]] T* data() { return data_.get(); }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
};

}  // namespace

struct StateTree::Scratch {
  Scratchpad<std::byte> next, previous, origins;  // R-states as the acceptor keeps them
  Scratchpad<double> margins;
};

StateTree::StateTree(const RnnAcceptor& acceptor, const StateTreeOptions& options)
    : acceptor_(acceptor),
      options_(options),
      symbols_(acceptor.symbol_count()),
      state_size_(acceptor.state_size()),
      state_bytes_(acceptor.kept_bytes()) {
  validate(options);
  pool_ = std::make_unique<Pool>(state_bytes_, options.memory);
  workers_ = std::make_unique<Workers>(options.threads);
  scratch_ = std::make_unique<Scratch>();
  table_.assign(1024, kNone);
  edge_.push_back({root(), Symbol{0}});
  length_.push_back(0);
  child_.push_back(kNone);
  children_.push_back(Children::None);
  answer_.push_back(kUnknown);
  pool_->grow_to(1);
  const std::vector<double> start = acceptor.initial_state();
  RNNALF_CHECK(start.size() == state_size_,
               "initial R-state has " + std::to_string(start.size()) + " numbers");
  std::vector<std::byte> kept(state_bytes_);
  acceptor.keep(start.data(), kept.data());
  pool_->store(root(), kept.data());
  double margin = 0;
  acceptor.margins({start.data(), state_size_, 1}, {&margin, 1});
  answer_[0] = options.empty_word.value_or(margin > 0) ? kAccepted : 0;
}

StateTree::~StateTree() = default;

Word StateTree::word(Node node) const {
  Word word(length(node));
  for (std::size_t i = word.size(); i-- > 0; node = parent(node)) word[i] = label(node);
  return word;
}

// ---------------------------------------------------------------- nodes

std::uint32_t StateTree::hashed_child(Node parent, Symbol symbol) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = child_hash(parent, symbol) & mask;; at = (at + 1) & mask) {
    const std::uint32_t child = table_[at];
    if (child == kNone) return kNone;
    if (edge_[child].parent == parent && edge_[child].label == symbol) return child;
  }
}

void StateTree::hash_child(Node child) {
  const auto insert = [&](std::uint32_t number) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = child_hash(edge_[number].parent, edge_[number].label) & mask;
    while (table_[at] != kNone) at = (at + 1) & mask;
    table_[at] = number;
  };
  if (2 * (hashed_ + 1) > table_.size()) {
    const std::vector<std::uint32_t> old =
        std::exchange(table_, std::vector<std::uint32_t>(2 * table_.size(), kNone));
    for (const std::uint32_t number : old) {
      if (number != kNone) insert(number);
    }
  }
  insert(static_cast<std::uint32_t>(index(child)));
  ++hashed_;
}

std::optional<Node> StateTree::find(Node from, Symbol symbol) const {
  const std::uint32_t child = child_[index(from)];
  switch (children_[index(from)]) {
    case Children::None:
      return std::nullopt;
    case Children::One:
      if (edge_[child].label == symbol) return node_at(child);
      return std::nullopt;
    case Children::Hashed: {
      const std::uint32_t found = hashed_child(from, symbol);
      if (found == kNone) return std::nullopt;
      return node_at(found);
    }
    case Children::All:
      return node_at(child + index(symbol));
  }
  return std::nullopt;
}

Node StateTree::add_node(Node parent, Symbol symbol) {
  RNNALF_CHECK(size() < kNone - 1, "too many words for one tree");
  const Node node = node_at(size());
  edge_.push_back({parent, symbol});
  length_.push_back(length_[index(parent)] + 1);
  child_.push_back(kNone);
  children_.push_back(Children::None);
  answer_.push_back(kUnknown);
  return node;
}

Node StateTree::add(Node from, WordView suffix) {
  for (const Symbol symbol : suffix) {
    if (const auto child = find(from, symbol)) {
      from = *child;
      continue;
    }
    const Node child = add_node(from, symbol);
    if (children_[index(from)] == Children::None) {
      children_[index(from)] = Children::One;
      child_[index(from)] = static_cast<std::uint32_t>(index(child));
    } else {
      if (children_[index(from)] == Children::One) hash_child(node_at(child_[index(from)]));
      children_[index(from)] = Children::Hashed;
      hash_child(child);
    }
    from = child;
  }
  pool_->grow_to(size());
  return from;
}

// ---------------------------------------------------------------- computing

void StateTree::count_steps(std::size_t fresh, std::size_t again) {
  stats_.steps += fresh;
  stats_.recomputed += again;
  if (progress_ != nullptr) progress_->steps.fetch_add(fresh + again, std::memory_order_relaxed);
}

void StateTree::follow(std::size_t columns, const Transition& transition, std::byte* next,
                       double* margins) {
  const auto start = std::chrono::steady_clock::now();
  workers_->split(columns, options_.batch, [&](std::size_t first, std::size_t count) {
    thread_local std::vector<const std::byte*> origins;
    thread_local std::vector<Symbol> symbols;
    origins.resize(count);
    symbols.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      std::tie(origins[i], symbols[i]) = transition(first + i);
    const std::span<double> judged =
        margins == nullptr ? std::span<double>() : std::span(margins + first, count);
    acceptor_.follow(origins, symbols, next + first * state_bytes_, judged);
  });
  stats_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Stable, in time linear in nodes and lengths.
void StateTree::sort_by_length(std::vector<Node>& nodes) const {
  if (nodes.empty()) return;
  const auto [least, most] = std::minmax_element(
      nodes.begin(), nodes.end(), [&](Node a, Node b) { return length(a) < length(b); });
  const std::size_t base = length(*least);
  std::vector<std::size_t> start(length(*most) - base + 2, 0);
  for (const Node node : nodes) ++start[length(node) - base + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<Node> sorted(nodes.size());
  for (const Node node : nodes) sorted[start[length(node) - base]++] = node;
  nodes.swap(sorted);
}

bool StateTree::make_states(std::span<const Node> wanted, const Budget& budget, const Made& made) {
  // All ancestors without an R-state, by length: each level is one batch. Levels hand their
  // R-states on in local arrays, so that eviction in between cannot take a parent away; R-states
  // that the levels start from are fetched up front for the same reason.
  call_.resize(size(), 0);
  column_.resize(size());
  ++calls_;
  std::vector<Node> missing;
  for (Node node : wanted) {
    while (!pool_->has(node) && call_[index(node)] != calls_) {
      call_[index(node)] = calls_;
      missing.push_back(node);
      node = parent(node);
    }
  }
  sort_by_length(missing);

  std::vector<Node> origins;  // parents with a stored R-state
  for (const Node node : missing) {
    const Node up = parent(node);
    if (call_[index(up)] == calls_) continue;
    call_[index(up)] = calls_;
    column_[index(up)] = kStored | static_cast<std::uint32_t>(origins.size());
    origins.push_back(up);
  }
  std::byte* const origin_states = scratch_->origins.at_least(origins.size() * state_bytes_);
  for (std::size_t i = 0; i < origins.size(); ++i)
    std::memcpy(origin_states + i * state_bytes_, pool_->at(origins[i]), state_bytes_);

  for (std::size_t first = 0; first < missing.size();) {
    if (budget.spent()) return false;
    std::size_t last = first;
    while (last < missing.size() && length(missing[last]) == length(missing[first])) ++last;
    const std::span<const Node> level(missing.data() + first, last - first);
    std::byte* const next = scratch_->next.at_least(level.size() * state_bytes_);
    double* const margins = scratch_->margins.at_least(level.size());
    const std::byte* const previous = scratch_->previous.data();
    const auto transition = [&](std::size_t i) {
      const std::uint32_t column = column_[index(parent(level[i]))];
      // A parent that is not stored was computed in the level before.
      const std::byte* const states = (column & kStored) != 0 ? origin_states : previous;
      return std::pair(states + (column & ~kStored) * state_bytes_, label(level[i]));
    };
    follow(level.size(), transition, next, margins);
    std::size_t fresh = 0;
    for (std::size_t i = 0; i < level.size(); ++i) {
      const Node node = level[i];
      const bool again = known(node);
      column_[index(node)] = static_cast<std::uint32_t>(i);
      pool_->store(node, next + i * state_bytes_);
      if (made) made(node, next + i * state_bytes_);
      if (again) continue;
      ++fresh;
      answer_[index(node)] = margins[i] > 0 ? kAccepted : 0;
    }
    count_steps(fresh, level.size() - fresh);
    std::swap(scratch_->previous, scratch_->next);
    first = last;
  }
  return true;
}

bool StateTree::compute(std::span<const Node> nodes, const Budget& budget) {
  std::vector<Node> unknown;
  for (std::size_t at = 0; at < nodes.size();) {
    unknown.clear();
    for (; at < nodes.size() && unknown.size() < kChunk; ++at) {
      if (!known(nodes[at])) unknown.push_back(nodes[at]);
    }
    if (!unknown.empty() && !make_states(unknown, budget)) return false;
  }
  return true;
}

bool StateTree::fetch(std::span<const Node> nodes, const Budget& budget, const Fetched& fetched) {
  std::vector<std::pair<Node, std::size_t>> absent;  // with its place in `nodes`
  for (std::size_t first = 0; first < nodes.size(); first += kChunk) {
    absent.clear();
    for (std::size_t i = first; i < std::min(nodes.size(), first + kChunk); ++i) {
      if (pool_->has(nodes[i])) {
        fetched(i, pool_->at(nodes[i]));
      } else {
        absent.emplace_back(nodes[i], i);
      }
    }
    if (absent.empty()) continue;
    // Taken as they are made: the last of them may push the first out of the pool again.
    std::sort(absent.begin(), absent.end());
    std::vector<Node> wanted;
    for (const auto& [node, place] : absent) wanted.push_back(node);
    const auto take = [&](Node node, const std::byte* state) {
      auto at = std::lower_bound(absent.begin(), absent.end(), std::pair(node, std::size_t{0}));
      for (; at != absent.end() && at->first == node; ++at) fetched(at->second, state);
    };
    if (!make_states(wanted, budget, take)) return false;
  }
  return true;
}

bool StateTree::copy_states(std::span<const Node> nodes, RStates states, const Budget& budget) {
  return fetch(nodes, budget, [&](std::size_t i, const std::byte* kept) {
    acceptor_.restore(kept, states.data + i * state_size_);
  });
}

bool StateTree::expand(std::span<const Node> nodes, const Budget& budget) {
  std::vector<Node> whole, rest;
  const std::size_t at_once = std::max<std::size_t>(1, kChunk / symbols_);
  for (std::size_t first = 0; first < nodes.size(); first += at_once) {
    if (budget.spent()) return false;
    whole.clear();
    rest.clear();
    for (const Node node : nodes.subspan(first, std::min(at_once, nodes.size() - first))) {
      if (children_[index(node)] == Children::All) continue;  // expanded before: children are known
      if (children_[index(node)] == Children::None) {
        whole.push_back(node);
        continue;
      }
      for (std::size_t a = 0; a < symbols_; ++a) {
        const auto symbol = static_cast<Symbol>(a);
        rest.push_back(add(node, {&symbol, 1}));
      }
    }
    if (!rest.empty() && !compute(rest, budget)) return false;
    if (whole.empty()) continue;
    std::sort(whole.begin(), whole.end());
    whole.erase(std::unique(whole.begin(), whole.end()), whole.end());

    Scratchpad<std::byte> origins;
    std::byte* const states = origins.at_least(whole.size() * state_bytes_);
    if (!fetch(whole, budget, [&](std::size_t i, const std::byte* kept) {
          std::memcpy(states + i * state_bytes_, kept, state_bytes_);
        })) {
      return false;
    }
    const std::size_t columns = whole.size() * symbols_;
    std::byte* const next = scratch_->next.at_least(columns * state_bytes_);
    double* const margins = scratch_->margins.at_least(columns);
    const auto transition = [&](std::size_t j) {
      return std::pair<const std::byte*, Symbol>(states + j / symbols_ * state_bytes_,
                                                 static_cast<Symbol>(j % symbols_));
    };
    follow(columns, transition, next, margins);

    std::vector<Node> children;
    children.reserve(columns);
    for (const Node node : whole) {
      children_[index(node)] = Children::All;
      child_[index(node)] = static_cast<std::uint32_t>(size());
      for (std::size_t a = 0; a < symbols_; ++a)
        children.push_back(add_node(node, static_cast<Symbol>(a)));
    }
    pool_->grow_to(size());
    count_steps(children.size(), 0);
    for (std::size_t i = 0; i < children.size(); ++i) {
      answer_[index(children[i])] = margins[i] > 0 ? kAccepted : 0;
      pool_->store(children[i], next + i * state_bytes_);
    }
  }
  return true;
}

// ---------------------------------------------------------------- words tried once

std::optional<std::vector<std::uint8_t>> StateTree::answers(std::span<const Word> words,
                                                            const Budget& budget,
                                                            std::vector<double>* margins) {
  std::vector<std::uint8_t> result(words.size());
  if (margins != nullptr) margins->assign(words.size(), 0);
  // Sorted, words with a common prefix stand together.
  std::vector<std::uint32_t> order(words.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(words[a].begin(), words[a].end(), words[b].begin(),
                                        words[b].end());
  });
  std::vector<const Word*> sorted;
  std::vector<std::uint8_t> found;
  std::vector<double> clear;
  for (std::size_t first = 0; first < order.size(); first += kChunk) {
    const std::size_t count = std::min(kChunk, order.size() - first);
    sorted.resize(count);
    found.resize(count);
    clear.resize(margins != nullptr ? count : 0);
    for (std::size_t i = 0; i < count; ++i) sorted[i] = &words[order[first + i]];
    if (!answer_sorted(sorted, budget, found, margins != nullptr ? clear.data() : nullptr))
      return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      result[order[first + i]] = found[i];
      if (margins != nullptr) (*margins)[order[first + i]] = clear[i];
    }
  }
  return result;
}

bool StateTree::answer_sorted(std::span<const Word* const> words, const Budget& budget,
                              std::span<std::uint8_t> answers, double* margins) {
  // Level by level; at length d every distinct prefix is one group, held either by a node of the
  // tree or by a column of `states`.
  struct Group {
    std::uint32_t node;    // kNone: a column
    std::uint32_t column;  // in `states` of this level
  };
  std::size_t longest = 0;
  for (const Word* const word : words) longest = std::max(longest, word->size());
  // Length of the prefix shared with the word before.
  std::vector<std::size_t> shared(words.size(), 0);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const Word& a = *words[i - 1];
    const Word& b = *words[i];
    const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    shared[i] = static_cast<std::size_t>(ends.first - a.begin());
  }

  std::vector<Group> group(words.size(), {0, kNone});  // of each word's prefix of length d
  std::vector<std::uint32_t> active(words.size());
  for (std::size_t i = 0; i < active.size(); ++i) active[i] = static_cast<std::uint32_t>(i);
  Scratchpad<std::byte> states, next, loaded;
  std::vector<Symbol> symbols;
  std::vector<Node> tree_origins;

  const auto finish = [&](std::span<const std::uint32_t> ended) {
    // Words that end here: known nodes answer at once (a margin needs the R-state), columns in one
    // batch.
    std::vector<std::uint32_t> open;
    for (const std::uint32_t i : ended) {
      if (group[i].node != kNone) {
        const Node node = node_at(group[i].node);
        answers[i] = accepted(node) ? 1 : 0;
        if (margins == nullptr) continue;
      }
      open.push_back(i);
    }
    if (open.empty()) return true;
    std::vector<double> last(open.size() * state_size_), clear(open.size());
    for (std::size_t j = 0; j < open.size(); ++j) {
      double* const to = last.data() + j * state_size_;
      if (group[open[j]].node != kNone) {
        const Node node = node_at(group[open[j]].node);
        if (!copy_states({&node, 1}, {to, state_size_, 1}, budget)) return false;
      } else {
        acceptor_.restore(states.data() + group[open[j]].column * state_bytes_, to);
      }
    }
    const auto start = std::chrono::steady_clock::now();
    workers_->split(open.size(), options_.batch, [&](std::size_t first, std::size_t count) {
      acceptor_.margins({last.data() + first * state_size_, state_size_, count},
                        std::span(clear).subspan(first, count));
    });
    stats_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (std::size_t j = 0; j < open.size(); ++j) {
      const std::uint32_t i = open[j];
      if (group[i].node == kNone) answers[i] = clear[j] > 0 ? 1 : 0;
      if (margins != nullptr) margins[i] = clear[j];
    }
    return true;
  };

  std::vector<std::uint32_t> ended, going;
  for (std::size_t length = 0;; ++length) {
    if (budget.spent()) return false;
    ended.clear();
    going.clear();
    for (const std::uint32_t i : active) (words[i]->size() == length ? ended : going).push_back(i);
    if (!ended.empty() && !finish(ended)) return false;
    if (going.empty()) return true;

    // The groups of length + 1.
    symbols.clear();
    tree_origins.clear();
    // Of each column: where it starts, in `states` or, with kStored, in `loaded`.
    std::vector<std::uint32_t> origin_column;
    std::uint32_t before = kNone;  // the word before in `going`
    std::vector<Group> fresh(going.size());
    for (std::size_t g = 0; g < going.size(); ++g) {
      const std::uint32_t i = going[g];
      // Words between the two ended earlier; the shared prefix is the least over the gap.
      bool together = before != kNone;
      for (std::uint32_t j = before + 1; together && j <= i; ++j) together = shared[j] > length;
      if (together) {
        fresh[g] = fresh[g - 1];
        before = i;
        continue;
      }
      before = i;
      const Symbol symbol = (*words[i])[length];
      const Group& origin = group[i];
      if (origin.node != kNone) {
        const auto child = find(node_at(origin.node), symbol);
        if (child && known(*child)) {
          fresh[g] = {static_cast<std::uint32_t>(index(*child)), kNone};
          continue;
        }
        const Node from = node_at(origin.node);
        if (tree_origins.empty() || tree_origins.back() != from) tree_origins.push_back(from);
        origin_column.push_back(kStored | static_cast<std::uint32_t>(tree_origins.size() - 1));
      } else {
        origin_column.push_back(origin.column);
      }
      fresh[g] = {kNone, static_cast<std::uint32_t>(symbols.size())};
      symbols.push_back(symbol);
    }
    const std::size_t columns = symbols.size();
    if (columns > 0) {
      std::byte* const from_tree = loaded.at_least(tree_origins.size() * state_bytes_);
      if (!fetch(tree_origins, budget, [&](std::size_t t, const std::byte* kept) {
            std::memcpy(from_tree + t * state_bytes_, kept, state_bytes_);
          })) {
        return false;
      }
      const std::byte* const from_column = states.data();
      const auto transition = [&](std::size_t c) {
        const std::uint32_t origin = origin_column[c];
        const std::byte* const from = (origin & kStored) != 0 ? from_tree : from_column;
        return std::pair(from + (origin & ~kStored) * state_bytes_, symbols[c]);
      };
      follow(columns, transition, next.at_least(columns * state_bytes_), nullptr);
      count_steps(columns, 0);
      std::swap(states, next);
    }
    for (std::size_t g = 0; g < going.size(); ++g) group[going[g]] = fresh[g];
    active.swap(going);
  }
}

StateTreeStats StateTree::stats() const {
  StateTreeStats stats = stats_;
  stats.bytes = pool_->bytes() + table_.capacity() * sizeof(std::uint32_t) +
                edge_.capacity() * (sizeof(Edge) + 2 * sizeof(std::uint32_t) + 2);
  return stats;
}

}  // namespace rnnalf
