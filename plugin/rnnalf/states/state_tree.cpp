#include "rnnalf/states/state_tree.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "rnnalf/acceptor/kernels.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/states/workers.hpp"

namespace rnnalf {
namespace {

/// Nodes or words worked on between two looks at the budget and two rounds of eviction.
constexpr std::size_t kChunk = 4096;

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

/// Stored R-states, as floats where that loses nothing. When the budget is full, the R-state that
/// was not used for longest (one round of a clock) makes room.
class StateTree::Pool {
 public:
  Pool(std::size_t state_size, Precision precision, std::size_t bytes)
      : state_size_(state_size),
        slot_bytes_(state_size * (precision == Precision::Float ? sizeof(float) : sizeof(double))),
        as_float_(precision == Precision::Float),
        // A hundredth of the budget, between 64 kB and 4 MB.
        per_chunk_(std::max<std::size_t>(
            1, std::clamp<std::size_t>(bytes / 100, std::size_t{1} << 16U, std::size_t{4} << 20U) /
                   slot_bytes_)),
        capacity_(std::max<std::size_t>(2, bytes / (slot_bytes_ + sizeof(Slot)))) {}

  void grow_to(std::size_t nodes) { slot_of_.resize(nodes, kNone); }
  [[nodiscard]] bool has(Node node) const { return slot_of_[index(node)] != kNone; }

  void load(Node node, double* to) {
    Slot& slot = slots_[slot_of_[index(node)]];
    slot.used = true;
    const std::byte* const from = place(slot_of_[index(node)]);
    if (!as_float_) {
      std::memcpy(to, from, slot_bytes_);
      return;
    }
    const auto* const values = reinterpret_cast<const float*>(from);
    kernels::best<float>().to_double(values, state_size_, to);
  }

  void store(Node node, const double* from) {
    std::uint32_t& at = slot_of_[index(node)];
    if (at == kNone) at = free_slot();
    slots_[at] = {node, true};
    std::byte* const to = place(at);
    if (!as_float_) {
      std::memcpy(to, from, slot_bytes_);
      return;
    }
    auto* const values = reinterpret_cast<float*>(to);
    kernels::best<float>().from_double(from, state_size_, values);
  }

  [[nodiscard]] std::size_t bytes() const {
    return chunks_.size() * per_chunk_ * slot_bytes_ + slots_.capacity() * sizeof(Slot) +
           slot_of_.capacity() * sizeof(std::uint32_t);
  }

 private:
  struct Slot {
    Node owner;
    bool used;
  };

  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  using Chunk = std::unique_ptr<std::byte[], Free>;

  /// Large chunks are asked for as large pages: touching small ones one by one costs as much as
  /// storing into them.
  [[nodiscard]] Chunk new_chunk() const {
    constexpr std::size_t large_page = std::size_t{2} << 20U;
    const std::size_t bytes = per_chunk_ * slot_bytes_;
    if (bytes < large_page) {
      Chunk chunk(static_cast<std::byte*>(std::malloc(bytes)));
      if (!chunk) throw std::bad_alloc();
      return chunk;
    }
    const std::size_t rounded = (bytes + large_page - 1) / large_page * large_page;
    Chunk chunk(static_cast<std::byte*>(std::aligned_alloc(large_page, rounded)));
    if (!chunk) throw std::bad_alloc();
    static_cast<void>(::madvise(chunk.get(), rounded, MADV_HUGEPAGE));  // a wish; no is fine
    return chunk;
  }

  std::byte* place(std::size_t slot) {
    return chunks_[slot / per_chunk_].get() + slot % per_chunk_ * slot_bytes_;
  }

  std::uint32_t free_slot() {
    if (slots_.size() < capacity_) {
      if (slots_.size() == chunks_.size() * per_chunk_) {
        chunks_.push_back(new_chunk());
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

  std::size_t state_size_;
  std::size_t slot_bytes_;
  bool as_float_;
  std::size_t per_chunk_;
  std::size_t capacity_;
  std::vector<Chunk> chunks_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> slot_of_;  // by node
  std::size_t hand_ = 0;
};

namespace {

/// Numbers that are written before they are read; growing does not fill them.
class Numbers {
 public:
  double* at_least(std::size_t size) {
    if (size > size_) {
      data_ = std::make_unique_for_overwrite<double[]>(size);
      size_ = size;
    }
    return data_.get();
  }
  [[nodiscard]] double* data() { return data_.get(); }

 private:
  std::unique_ptr<double[]> data_;
  std::size_t size_ = 0;
};

}  // namespace

struct StateTree::Scratch {
  Numbers from, next, previous, origins, margins;
};

StateTree::StateTree(const RnnAcceptor& acceptor, const StateTreeOptions& options)
    : acceptor_(acceptor),
      options_(options),
      symbols_(acceptor.symbol_count()),
      state_size_(acceptor.state_size()) {
  validate(options);
  pool_ = std::make_unique<Pool>(state_size_, acceptor.precision(), options.memory);
  workers_ = std::make_unique<Workers>(options.threads);
  scratch_ = std::make_unique<Scratch>();
  table_.assign(1024, kNone);
  parent_.push_back(root());
  label_.push_back(Symbol{0});
  length_.push_back(0);
  child_.push_back(kNone);
  children_.push_back(Children::None);
  answer_.push_back(kUnknown);
  pool_->grow_to(1);
  const std::vector<double> start = acceptor.initial_state();
  RNNALF_CHECK(start.size() == state_size_,
               "initial R-state has " + std::to_string(start.size()) + " numbers");
  pool_->store(root(), start.data());
  const Node first = root();
  learn_answers({&first, 1}, {start.data(), state_size_, 1});
  if (options.empty_word) answer_[0] = *options.empty_word ? kAccepted : 0;
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
    if (parent_[child] == parent && label_[child] == symbol) return child;
  }
}

void StateTree::hash_child(Node child) {
  const auto insert = [&](std::uint32_t number) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = child_hash(parent_[number], label_[number]) & mask;
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
      if (label_[child] == symbol) return node_at(child);
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
  RNNALF_CHECK(parent_.size() < kNone - 1, "too many words for one tree");
  const Node node = node_at(parent_.size());
  parent_.push_back(parent);
  label_.push_back(symbol);
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
  pool_->grow_to(parent_.size());
  return from;
}

// ---------------------------------------------------------------- computing

void StateTree::count_steps(std::size_t fresh, std::size_t again) {
  stats_.steps += fresh;
  stats_.recomputed += again;
  if (progress_ != nullptr) progress_->steps.fetch_add(fresh + again, std::memory_order_relaxed);
}

void StateTree::step(ConstRStates origins, std::span<const Symbol> symbols, RStates next) {
  const auto start = std::chrono::steady_clock::now();
  workers_->split(origins.count, options_.batch, [&](std::size_t first, std::size_t count) {
    acceptor_.step({origins.data + first * origins.size, origins.size, count},
                   symbols.subspan(first, count),
                   {next.data + first * next.size, next.size, count});
  });
  stats_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void StateTree::learn_answers(std::span<const Node> nodes, ConstRStates states) {
  const auto start = std::chrono::steady_clock::now();
  const std::span<double> margins(scratch_->margins.at_least(nodes.size()), nodes.size());
  workers_->split(nodes.size(), options_.batch, [&](std::size_t first, std::size_t count) {
    acceptor_.margins({states.data + first * states.size, states.size, count},
                      margins.subspan(first, count));
  });
  stats_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::uint8_t& answer = answer_[index(nodes[i])];
    if (answer == kUnknown) answer = margins[i] > 0 ? kAccepted : 0;
  }
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
  call_.resize(parent_.size(), 0);
  column_.resize(parent_.size());
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
  double* const origin_states = scratch_->origins.at_least(origins.size() * state_size_);
  for (std::size_t i = 0; i < origins.size(); ++i)
    pool_->load(origins[i], origin_states + i * state_size_);

  std::vector<Symbol> symbols;
  for (std::size_t first = 0; first < missing.size();) {
    if (budget.spent()) return false;
    std::size_t last = first;
    while (last < missing.size() && length(missing[last]) == length(missing[first])) ++last;
    const std::span<const Node> level(missing.data() + first, last - first);
    double* const from = scratch_->from.at_least(level.size() * state_size_);
    double* const next = scratch_->next.at_least(level.size() * state_size_);
    symbols.resize(level.size());
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::uint32_t column = column_[index(parent(level[i]))];
      // A parent that is not stored was computed in the level before.
      const double* const states =
          (column & kStored) != 0 ? origin_states : scratch_->previous.data();
      std::copy_n(states + (column & ~kStored) * state_size_, state_size_, from + i * state_size_);
      symbols[i] = label(level[i]);
    }
    step({from, state_size_, level.size()}, symbols, {next, state_size_, level.size()});
    std::size_t fresh = 0;
    for (const Node node : level) fresh += known(node) ? 0 : 1;
    count_steps(fresh, level.size() - fresh);
    if (fresh > 0) learn_answers(level, {next, state_size_, level.size()});
    for (std::size_t i = 0; i < level.size(); ++i) {
      column_[index(level[i])] = static_cast<std::uint32_t>(i);
      pool_->store(level[i], next + i * state_size_);
      if (made) made(level[i], next + i * state_size_);
    }
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

bool StateTree::copy_states(std::span<const Node> nodes, RStates states, const Budget& budget) {
  std::vector<std::pair<Node, std::size_t>> evicted;  // with the column it belongs in
  for (std::size_t first = 0; first < nodes.size(); first += kChunk) {
    evicted.clear();
    for (std::size_t i = first; i < std::min(nodes.size(), first + kChunk); ++i) {
      if (pool_->has(nodes[i])) {
        pool_->load(nodes[i], states.data + i * state_size_);
      } else {
        evicted.emplace_back(nodes[i], i);
      }
    }
    if (evicted.empty()) continue;
    // Taken as they are made: the last of them may push the first out of the pool again.
    std::sort(evicted.begin(), evicted.end());
    std::vector<Node> wanted;
    for (const auto& [node, column] : evicted) wanted.push_back(node);
    const auto take = [&](Node node, const double* state) {
      auto at = std::lower_bound(evicted.begin(), evicted.end(), std::pair(node, std::size_t{0}));
      for (; at != evicted.end() && at->first == node; ++at) {
        std::copy_n(state, state_size_, states.data + at->second * state_size_);
      }
    };
    if (!make_states(wanted, budget, take)) return false;
  }
  return true;
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

    std::vector<double> states(whole.size() * state_size_);
    if (!copy_states(whole, {states.data(), state_size_, whole.size()}, budget)) return false;
    double* const next = scratch_->next.at_least(whole.size() * symbols_ * state_size_);
    const auto start = std::chrono::steady_clock::now();
    const std::size_t per_call = std::max<std::size_t>(1, options_.batch / symbols_);
    workers_->split(whole.size(), per_call, [&](std::size_t at, std::size_t count) {
      acceptor_.expand({states.data() + at * state_size_, state_size_, count},
                       {next + at * symbols_ * state_size_, state_size_, count * symbols_});
    });
    stats_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    std::vector<Node> children;
    children.reserve(whole.size() * symbols_);
    for (const Node node : whole) {
      children_[index(node)] = Children::All;
      child_[index(node)] = static_cast<std::uint32_t>(parent_.size());
      for (std::size_t a = 0; a < symbols_; ++a)
        children.push_back(add_node(node, static_cast<Symbol>(a)));
    }
    pool_->grow_to(parent_.size());
    count_steps(children.size(), 0);
    learn_answers(children, {next, state_size_, children.size()});
    for (std::size_t i = 0; i < children.size(); ++i) {
      pool_->store(children[i], next + i * state_size_);
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
  std::vector<double> states, next, from;
  std::vector<Symbol> symbols;
  std::vector<Node> tree_origins;
  std::vector<std::uint32_t> tree_columns;

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
        std::copy_n(states.data() + group[open[j]].column * state_size_, state_size_, to);
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
    tree_columns.clear();
    std::vector<std::uint32_t> origin_column;  // kNone: a tree node
    std::uint32_t before = kNone;              // the word before in `going`
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
        tree_origins.push_back(node_at(origin.node));
        tree_columns.push_back(static_cast<std::uint32_t>(symbols.size()));
      }
      fresh[g] = {kNone, static_cast<std::uint32_t>(symbols.size())};
      origin_column.push_back(origin.node != kNone ? kNone : origin.column);
      symbols.push_back(symbol);
    }
    const std::size_t columns = symbols.size();
    if (columns > 0) {
      from.resize(columns * state_size_);
      next.resize(columns * state_size_);
      for (std::size_t c = 0; c < columns; ++c) {
        if (origin_column[c] == kNone) continue;
        std::copy_n(states.data() + origin_column[c] * state_size_, state_size_,
                    from.data() + c * state_size_);
      }
      if (!tree_origins.empty()) {
        std::vector<double> loaded(tree_origins.size() * state_size_);
        if (!copy_states(tree_origins, {loaded.data(), state_size_, tree_origins.size()}, budget))
          return false;
        for (std::size_t t = 0; t < tree_origins.size(); ++t) {
          std::copy_n(loaded.data() + t * state_size_, state_size_,
                      from.data() + tree_columns[t] * state_size_);
        }
      }
      step({from.data(), state_size_, columns}, symbols, {next.data(), state_size_, columns});
      count_steps(columns, 0);
      states.swap(next);
    }
    for (std::size_t g = 0; g < going.size(); ++g) group[going[g]] = fresh[g];
    active.swap(going);
  }
}

StateTreeStats StateTree::stats() const {
  StateTreeStats stats = stats_;
  stats.bytes =
      pool_->bytes() + table_.capacity() * sizeof(std::uint32_t) +
      parent_.capacity() * (sizeof(Node) + sizeof(Symbol) + 2 * sizeof(std::uint32_t) + 2);
  return stats;
}

}  // namespace rnnalf
