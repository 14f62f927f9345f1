// The tree keeps the R-state after every prefix that was asked for, within a budget of bytes.
// Queries come in batches: what is missing is computed length by length, each length as one batch
// that is spread over threads. When memory runs out, R-states are evicted and computed again from
// the nearest prefix that still has one; answers stay.

#include "rnnalf/states/state_tree.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/states/prefix_batch.hpp"
#include "rnnalf/states/scratchpad.hpp"
#include "rnnalf/states/state_pool.hpp"
#include "rnnalf/states/workers.hpp"

namespace rnnalf {
namespace {

/// Nodes or words worked on between two looks at the budget and two rounds of eviction. Few enough
/// for their R-states to stay in the second-level cache from one symbol to the next.
constexpr std::size_t kChunk = 1024;

/// Marks columns of R-states that were stored before the call.
constexpr std::uint32_t kStored = 0x80000000U;

}  // namespace

void validate(const StateTreeOptions& options) {
  if (options.batch == 0) throw OptionError("batch: expected a number above 0, found 0");
  if (options.threads == 0) throw OptionError("threads: expected a number above 0, found 0");
}

struct StateTree::Scratch {
  Scratchpad<std::byte> next, previous, origins;  // R-states as the acceptor keeps them
  Scratchpad<Judgement> judged;
  // Of each column of a level: where it starts and what it reads.
  std::vector<const std::byte*> from;
  std::vector<Symbol> symbols;
  // Nodes that wait for their answers, and their R-states.
  std::vector<Node> waiting;
  std::vector<double> waiting_states;
};

StateTree::StateTree(const RnnAcceptor& acceptor, const StateTreeOptions& options)
    : acceptor_(acceptor),
      options_(options),
      symbols_(acceptor.symbol_count()),
      state_size_(acceptor.state_size()),
      state_bytes_(acceptor.kept_bytes()) {
  validate(options);
  pool_ = std::make_unique<StatePool>(state_bytes_, options.memory);
  workers_ = std::make_unique<Workers>(options.threads);
  scratch_ = std::make_unique<Scratch>();
  grow();
  const std::vector<double> start = acceptor.initial_state();
  RNNALF_CHECK(start.size() == state_size_,
               fmt::format("initial R-state has {} numbers", start.size()));
  std::vector<std::byte> kept(state_bytes_);
  acceptor.keep(start.data(), kept.data());
  pool_->store(root(), kept.data());
  if (options.empty_word) {
    set_answer(root(), *options.empty_word);
    return;
  }
  Judgement judged;
  acceptor.judge({start.data(), state_size_, 1}, {&judged, 1});
  count_steps(acceptor.steps_per_answer(0), 0);
  set_answer(root(), is_unsure(judged) ? Answer::None : answer_in(start, judged));
}

StateTree::~StateTree() = default;

Node StateTree::add(Node from, WordView suffix) {
  const Node node = words_.add(from, suffix);
  grow();
  return node;
}

void StateTree::grow() {
  answer_.resize(size(), kUnknown);
  pool_->grow_to(size());
}

void StateTree::set_answer(Node node, Answer answer) {
  answer_[index(node)] = answer;
  if (answer == Answer::None) note_unanswered(word(node));
}

void StateTree::note_unanswered(WordView word) {
  if (unanswered_ && !shortlex_less(word, *unanswered_)) return;
  unanswered_ = Word(word.begin(), word.end());
}

std::optional<Word> StateTree::unanswered() const {
  if (!unanswered_) return std::nullopt;
  std::vector<Word> prefixes;
  for (std::size_t length = 0; length <= unanswered_->size(); ++length) {
    prefixes.emplace_back(unanswered_->begin(),
                          unanswered_->begin() + static_cast<std::ptrdiff_t>(length));
  }
  const auto answers = classify(acceptor_, prefixes, options_.empty_word);
  for (std::size_t length = 0; length < prefixes.size(); ++length) {
    if (answers[length].answer == Answer::None) return prefixes[length];
  }
  return options_.unsure > 0 ? std::nullopt : unanswered_;
}

// ---------------------------------------------------------------- computing

void StateTree::count_steps(std::size_t fresh, std::size_t again) {
  stats_.steps += fresh;
  stats_.recomputed += again;
  if (charged_ != nullptr) charged_->add_steps(fresh);
  if (progress_ != nullptr) progress_->steps.fetch_add(fresh + again, std::memory_order_relaxed);
}

void StateTree::follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
                       std::byte* next, Judgement* judged) {
  const auto start = std::chrono::steady_clock::now();
  workers_->split(origins.size(), options_.batch, [&](std::size_t first, std::size_t count) {
    acceptor_.follow(origins.subspan(first, count), symbols.subspan(first, count),
                     next + first * state_bytes_,
                     judged == nullptr ? std::span<Judgement>() : std::span(judged + first, count));
    for (std::size_t i = first; judged != nullptr && i < first + count; ++i) {
      const bool is_number =
          !std::isnan(judged[i].margin) && acceptor_.is_finite(next + i * state_bytes_);
      if (!is_number) judged[i].margin = std::nan("");
      if (!is_number || is_unsure(judged[i])) judged[i].answer = Answer::None;
    }
  });
  stats_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void StateTree::judge(ConstRStates states, std::span<Judgement> judged) {
  const auto start = std::chrono::steady_clock::now();
  workers_->split(states.count, options_.batch, [&](std::size_t first, std::size_t count) {
    acceptor_.judge({states.data + first * states.size, states.size, count},
                    judged.subspan(first, count));
    for (std::size_t i = first; i < first + count; ++i) {
      judged[i].answer = answer_in(states.col(i), judged[i]);
      if (judged[i].answer == Answer::None) judged[i].margin = std::nan("");
      if (is_unsure(judged[i])) judged[i].answer = Answer::None;
    }
  });
  stats_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<Node> StateTree::missing_states(std::span<const Node> wanted) {
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
  words_.sort_by_length(missing);
  return missing;
}

void StateTree::load_origins(std::span<const Node> missing) {
  std::vector<Node> origins;  // parents with a stored R-state
  for (const Node node : missing) {
    const Node up = parent(node);
    if (call_[index(up)] == calls_) continue;
    call_[index(up)] = calls_;
    column_[index(up)] = kStored | static_cast<std::uint32_t>(origins.size());
    origins.push_back(up);
  }
  std::byte* const states = scratch_->origins.at_least(origins.size() * state_bytes_);
  for (std::size_t i = 0; i < origins.size(); ++i)
    std::memcpy(states + i * state_bytes_, pool_->at(origins[i]), state_bytes_);
}

void StateTree::make_level(std::span<const Node> level, const Made& made) {
  Scratch& s = *scratch_;
  s.from.clear();
  s.symbols.clear();
  for (const Node node : level) {
    const std::uint32_t column = column_[index(parent(node))];
    const std::byte* const states = (column & kStored) != 0 ? s.origins.data() : s.previous.data();
    s.from.push_back(states + (column & ~kStored) * state_bytes_);
    s.symbols.push_back(label(node));
  }
  std::byte* const next = s.next.at_least(level.size() * state_bytes_);
  // What is computed again needs no second answer.
  const bool all_again =
      std::all_of(level.begin(), level.end(), [this](Node node) { return known(node); });
  const bool later = level.size() < acceptor_.columns_worth_a_call();
  Judgement* const judged = all_again || later ? nullptr : s.judged.at_least(level.size());
  follow(s.from, s.symbols, next, judged);
  std::size_t fresh = 0;
  for (std::size_t i = 0; i < level.size(); ++i) {
    const Node node = level[i];
    const bool again = known(node);
    column_[index(node)] = static_cast<std::uint32_t>(i);
    pool_->store(node, next + i * state_bytes_);
    if (made) made(node, next + i * state_bytes_);
    if (again) continue;
    ++fresh;
    if (later) {
      s.waiting.push_back(node);
      s.waiting_states.resize(s.waiting.size() * state_size_);
      acceptor_.restore(next + i * state_bytes_,
                        &s.waiting_states[(s.waiting.size() - 1) * state_size_]);
    } else {
      set_answer(node, judged[i].answer);
    }
  }
  const std::size_t steps = all_again ? 1 : steps_with_answer(length(level.front()));
  count_steps(fresh * steps, (level.size() - fresh) * steps);
  std::swap(s.previous, s.next);
}

bool StateTree::make_states(std::span<const Node> wanted, const Budget& budget, const Made& made) {
  // Each length is one batch. Levels hand their R-states on in local arrays, so that eviction in
  // between cannot take a parent away.
  const std::vector<Node> missing = missing_states(wanted);
  load_origins(missing);
  Scratch& s = *scratch_;
  s.waiting.clear();
  s.waiting_states.clear();
  const auto judge_waiting = [&] {
    if (s.waiting.empty()) return;
    Judgement* const judged = s.judged.at_least(s.waiting.size());
    judge({s.waiting_states.data(), state_size_, s.waiting.size()}, {judged, s.waiting.size()});
    for (std::size_t i = 0; i < s.waiting.size(); ++i) set_answer(s.waiting[i], judged[i].answer);
    s.waiting.clear();
    s.waiting_states.clear();
  };
  bool in_time = true;
  for (std::size_t first = 0; first < missing.size();) {
    in_time = !budget.spent();
    if (!in_time) break;
    std::size_t last = first;
    while (last < missing.size() && length(missing[last]) == length(missing[first])) ++last;
    make_level(std::span(missing).subspan(first, last - first), made);
    if (s.waiting.size() >= options_.batch) judge_waiting();
    first = last;
  }
  judge_waiting();
  return in_time;
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
  std::vector<std::pair<Node, std::size_t>> absent;  // with its position in `nodes`
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
    for (const auto& [node, position] : absent) wanted.push_back(node);
    const auto take = [&](Node node, const std::byte* state) {
      auto at = std::lower_bound(absent.begin(), absent.end(), std::pair(node, std::size_t{0}));
      for (; at != absent.end() && at->first == node; ++at) fetched(at->second, state);
    };
    if (!make_states(wanted, budget, take)) return false;
  }
  return true;
}

bool StateTree::load(std::span<const Node> nodes, std::byte* states, const Budget& budget) {
  return fetch(nodes, budget, [&](std::size_t i, const std::byte* kept) {
    std::memcpy(states + i * state_bytes_, kept, state_bytes_);
  });
}

bool StateTree::copy_states(std::span<const Node> nodes, RStates states, const Budget& budget) {
  return fetch(nodes, budget, [&](std::size_t i, const std::byte* kept) {
    acceptor_.restore(kept, states.data + i * state_size_);
  });
}

bool StateTree::expand(std::span<const Node> nodes, const Budget& budget) {
  std::vector<Node> leaves, rest;
  const std::size_t at_once = std::max<std::size_t>(1, kChunk / symbols_);
  for (std::size_t first = 0; first < nodes.size(); first += at_once) {
    if (budget.spent()) return false;
    leaves.clear();
    rest.clear();
    for (const Node node : nodes.subspan(first, std::min(at_once, nodes.size() - first))) {
      switch (words_.children(node)) {
        case WordTree::Children::All:  // expanded before: their answers are known
          break;
        case WordTree::Children::None:
          leaves.push_back(node);
          break;
        case WordTree::Children::Some:
          for (std::size_t a = 0; a < symbols_; ++a) {
            const auto symbol = static_cast<Symbol>(a);
            rest.push_back(add(node, {&symbol, 1}));
          }
          break;
      }
    }
    if (!rest.empty() && !compute(rest, budget)) return false;
    std::sort(leaves.begin(), leaves.end());
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    if (!leaves.empty() && !expand_leaves(leaves, budget)) return false;
  }
  return true;
}

bool StateTree::expand_leaves(std::span<const Node> leaves, const Budget& budget) {
  Scratchpad<std::byte> origins;
  std::byte* const states = origins.at_least(leaves.size() * state_bytes_);
  if (!load(leaves, states, budget)) return false;
  Scratch& s = *scratch_;
  s.from.clear();
  s.symbols.clear();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    for (std::size_t a = 0; a < symbols_; ++a) {
      s.from.push_back(states + i * state_bytes_);
      s.symbols.push_back(static_cast<Symbol>(a));
    }
  }
  const std::size_t columns = s.from.size();
  std::byte* const next = s.next.at_least(columns * state_bytes_);
  Judgement* const judged = s.judged.at_least(columns);
  follow(s.from, s.symbols, next, judged);

  const std::size_t first = size();
  for (const Node node : leaves) words_.add_all(node, symbols_);
  grow();
  for (const Node leaf : leaves) count_steps(symbols_ * steps_with_answer(length(leaf) + 1), 0);
  for (std::size_t i = 0; i < columns; ++i) {
    const auto child = static_cast<Node>(first + i);
    set_answer(child, judged[i].answer);
    pool_->store(child, next + i * state_bytes_);
  }
  return true;
}

// ---------------------------------------------------------------- words tried once

/// Some words in lexicographic order, read in lockstep. A prefix that the tree knows is a node, any
/// other is a column computed for its length.
class StateTree::WordsTriedOnce {
 public:
  /// `told` may be empty.
  WordsTriedOnce(StateTree& tree, std::span<const Word* const> words, const Budget& budget,
                 const PrefixAnswered& told)
      : tree_(tree), budget_(budget), told_(told), batch_(words) {}

  /// `margins` may be null. False when the budget ended first.
  bool answer(std::span<Answer> answers, double* margins) {
    while (true) {
      if (budget_.spent() || !add_ended(answers, margins)) return false;
      const auto extensions = batch_.advance();
      if (extensions.empty()) break;
      if (!extend(extensions)) return false;
      if (open_.size() >= tree_.options_.batch) judge_open(answers, margins);
    }
    judge_open(answers, margins);
    return true;
  }

 private:
  /// Where the R-state of a prefix is: in the tree, or in a column of its own.
  struct PrefixState {
    std::optional<Node> node;
    std::size_t column = 0;  // in states_, if there is no node
  };

  /// A word whose answer or margin, or a prefix of it whose answer is to be told. These wait for
  /// each other, since a network that is called from outside wants few calls.
  struct Open {
    std::uint32_t word;
    std::size_t told_length = 0;  // 0: the word itself
    bool answered = false;        // the margin alone is missing
  };

  /// Known nodes answer at once; a margin needs the R-state.
  bool add_ended(std::span<Answer> answers, const double* margins) {
    for (const std::uint32_t word : batch_.ended()) {
      const PrefixState& state = prefixes_[batch_.prefix(word)];
      if (state.node) {
        answers[word] = tree_.answer(*state.node);
        if (margins == nullptr) continue;
        double* const to = add_open({word, 0, true});
        if (!tree_.copy_states({&*state.node, 1}, {to, tree_.state_size_, 1}, budget_)) {
          return false;
        }
      } else {
        restore(state.column, add_open({word}));
      }
      tree_.count_steps(tree_.acceptor_.steps_per_answer(batch_.word(word).size()), 0);
    }
    return true;
  }

  /// Room for the R-state of one more.
  double* add_open(Open open) {
    open_.push_back(open);
    open_states_.resize(open_.size() * tree_.state_size_);
    return &open_states_[(open_.size() - 1) * tree_.state_size_];
  }

  void restore(std::size_t column, double* to) {
    tree_.acceptor_.restore(states_.data() + column * tree_.state_bytes_, to);
  }

  void judge_open(std::span<Answer> answers, double* margins) {
    if (open_.empty()) return;
    Judgement* const judged = judged_.at_least(open_.size());
    tree_.judge({open_states_.data(), tree_.state_size_, open_.size()}, {judged, open_.size()});
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Open& open = open_[i];
      if (open.told_length > 0) {
        tell(open.word, open.told_length, judged[i].answer);
        continue;
      }
      if (judged[i].answer == Answer::None) tree_.note_unanswered(batch_.word(open.word));
      if (!open.answered) answers[open.word] = judged[i].answer;
      if (margins != nullptr) margins[open.word] = judged[i].margin;
    }
    open_.clear();
    open_states_.clear();
  }

  void tell(std::uint32_t word, std::size_t length, Answer answer) {
    if (answer == Answer::None) tree_.note_unanswered(batch_.word(word).first(length));
    told_(word, length, answer);
  }

  /// Computes the prefixes of the next length that the tree does not know.
  bool extend(std::span<const PrefixBatch::Extension> extensions) {
    const std::size_t bytes = tree_.state_bytes_;
    std::byte* const loaded = loaded_.at_least(extensions.size() * bytes);
    next_prefixes_.clear();
    from_.clear();
    symbols_.clear();
    origins_.clear();
    for (const auto& [prefix, symbol, word] : extensions) {
      const PrefixState& state = prefixes_[prefix];
      if (state.node) {
        const auto child = tree_.find(*state.node, symbol);
        if (child && tree_.known(*child)) {
          next_prefixes_.push_back({child});
          continue;
        }
        if (origins_.empty() || origins_.back() != *state.node) origins_.push_back(*state.node);
      }
      next_prefixes_.push_back({std::nullopt, from_.size()});
      from_.push_back(state.node ? loaded + (origins_.size() - 1) * bytes
                                 : states_.data() + state.column * bytes);
      symbols_.push_back(symbol);
    }
    prefixes_.swap(next_prefixes_);
    const bool now = told_ && from_.size() >= tree_.acceptor_.columns_worth_a_call();
    Judgement* const judged = now ? judged_.at_least(from_.size()) : nullptr;
    if (!from_.empty()) {
      if (!tree_.load(origins_, loaded, budget_)) return false;
      tree_.follow(from_, symbols_, next_.at_least(from_.size() * bytes), judged);
      tree_.count_steps(from_.size() * (told_ ? tree_.steps_with_answer(batch_.length()) : 1), 0);
      std::swap(states_, next_);
    }
    if (told_) tell(extensions, judged);
    return true;
  }

  /// `judged` may be null: columns are then told later.
  void tell(std::span<const PrefixBatch::Extension> extensions, const Judgement* judged) {
    for (std::size_t i = 0; i < extensions.size(); ++i) {
      const PrefixState& state = prefixes_[i];
      if (state.node) {
        tell(extensions[i].word, batch_.length(), tree_.answer(*state.node));
      } else if (judged != nullptr) {
        tell(extensions[i].word, batch_.length(), judged[state.column].answer);
      } else {
        restore(state.column, add_open({extensions[i].word, batch_.length()}));
      }
    }
  }

  StateTree& tree_;
  const Budget& budget_;
  const PrefixAnswered& told_;
  PrefixBatch batch_;
  std::vector<PrefixState> prefixes_ = {{root()}}, next_prefixes_;  // by prefix
  Scratchpad<std::byte> states_, next_, loaded_;
  Scratchpad<Judgement> judged_;
  std::vector<Open> open_;
  std::vector<double> open_states_;
  std::vector<Node> origins_;           // nodes from which a column is computed
  std::vector<const std::byte*> from_;  // by column
  std::vector<Symbol> symbols_;         // by column
};

std::optional<std::vector<Answer>> StateTree::answers(std::span<const Word> words,
                                                      const Budget& budget,
                                                      std::vector<double>* margins,
                                                      const PrefixAnswered& told) {
  std::vector<Answer> result(words.size());
  if (margins != nullptr) margins->assign(words.size(), 0);
  // Sorted, words with a common prefix stand together.
  const std::vector<std::uint32_t> order = lexicographic_order(words);
  std::vector<const Word*> sorted;
  std::vector<Answer> found;
  std::vector<double> clear;
  for (std::size_t first = 0; first < order.size(); first += kWordsAtOnce) {
    const std::size_t count = std::min(kWordsAtOnce, order.size() - first);
    sorted.resize(count);
    found.resize(count);
    clear.resize(margins != nullptr ? count : 0);
    for (std::size_t i = 0; i < count; ++i) sorted[i] = &words[order[first + i]];
    PrefixAnswered told_by_position;  // in `words`, not among the sorted ones
    if (told) {
      told_by_position = [&, first](std::size_t word, std::size_t length, Answer answer) {
        told(order[first + word], length, answer);
      };
    }
    WordsTriedOnce tried(*this, sorted, budget, told_by_position);
    if (!tried.answer(found, margins != nullptr ? clear.data() : nullptr)) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      result[order[first + i]] = found[i];
      if (margins != nullptr) (*margins)[order[first + i]] = clear[i];
    }
  }
  return result;
}

}  // namespace rnnalf
