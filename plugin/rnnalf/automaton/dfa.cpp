// Everything here is a breadth-first search or a refinement. Canonical numbering is the breadth-
// first order. Minimising is Hopcroft's algorithm on the reachable states, O(k n log n). A shortest
// word on which two automata differ is found by a search over pairs of states. Suffixes that tell
// states apart come from Moore's refinement, whose rounds are remembered: the round that separates
// two states gives the length of their shortest suffix.

#include "rnnalf/automaton/dfa.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>

namespace rnnalf {
namespace {

constexpr LState kNone{0xffffffffU};

LState state(std::size_t number) {
  return static_cast<LState>(number);
}
Symbol symbol(std::size_t number) {
  return static_cast<Symbol>(number);
}

/// Breadth-first order of the reachable states, with the transition each was first reached by.
struct Reached {
  std::vector<LState> order;
  std::vector<LState> parent;  // by state; kNone for the initial one and for unreachable ones
  std::vector<Symbol> label;
  std::vector<LState> number;  // position in order; kNone for unreachable ones
};

Reached breadth_first(const Dfa& dfa) {
  Reached reached;
  reached.parent.assign(dfa.size(), kNone);
  reached.label.assign(dfa.size(), symbol(0));
  reached.number.assign(dfa.size(), kNone);
  reached.order.push_back(dfa.initial());
  reached.number[index(dfa.initial())] = state(0);
  for (std::size_t head = 0; head < reached.order.size(); ++head) {
    const LState from = reached.order[head];
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const LState to = dfa.next(from, symbol(a));
      if (reached.number[index(to)] != kNone) continue;
      reached.number[index(to)] = state(reached.order.size());
      reached.parent[index(to)] = from;
      reached.label[index(to)] = symbol(a);
      reached.order.push_back(to);
    }
  }
  return reached;
}

/// Hopcroft's partition refinement on a trim automaton; returns the block of every state.
std::vector<std::uint32_t> coarsest_congruence(const Dfa& dfa) {
  const std::size_t n = dfa.size();
  const std::size_t k = dfa.symbol_count();

  // Predecessors by (symbol, target), as one array with offsets.
  std::vector<std::uint32_t> offset(n * k + 1, 0);
  for (std::size_t q = 0; q < n; ++q) {
    for (std::size_t a = 0; a < k; ++a) ++offset[a * n + index(dfa.next(state(q), symbol(a))) + 1];
  }
  for (std::size_t i = 0; i < n * k; ++i) offset[i + 1] += offset[i];
  std::vector<std::uint32_t> predecessor(n * k);
  std::vector<std::uint32_t> fill(offset.begin(), offset.end() - 1);
  for (std::size_t q = 0; q < n; ++q) {
    for (std::size_t a = 0; a < k; ++a) {
      predecessor[fill[a * n + index(dfa.next(state(q), symbol(a)))]++] =
          static_cast<std::uint32_t>(q);
    }
  }

  // Blocks are ranges of `member`; splitting moves marked members to the front of their range.
  struct Block {
    std::uint32_t begin, end, marked;
  };
  std::vector<std::uint32_t> member(n), where(n), block_of(n);
  std::vector<Block> blocks;
  std::uint32_t filled = 0;
  for (std::size_t answer = 0; answer < dfa.answer_count() && filled < n; ++answer) {
    const std::uint32_t begin = filled;
    for (std::size_t q = 0; q < n; ++q) {
      if (index(dfa.answer(state(q))) != answer) continue;
      member[filled] = static_cast<std::uint32_t>(q);
      where[q] = filled++;
      block_of[q] = static_cast<std::uint32_t>(blocks.size());
    }
    if (filled > begin) blocks.push_back({begin, filled, 0});
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> work;  // (block, symbol)
  std::vector<std::uint8_t> waiting(n * k, 0);
  const auto push = [&](std::uint32_t block, std::size_t a) {
    std::uint8_t& is_waiting = waiting[block * k + a];
    if (is_waiting != 0) return;
    is_waiting = 1;
    work.emplace_back(block, static_cast<std::uint32_t>(a));
  };
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t a = 0; a < k; ++a) push(b, a);
  }

  std::vector<std::uint32_t> splitter, touched;
  while (!work.empty()) {
    const auto [block, a] = work.back();
    work.pop_back();
    waiting[block * k + a] = 0;
    splitter.assign(member.begin() + blocks[block].begin, member.begin() + blocks[block].end);
    touched.clear();
    for (const std::uint32_t target : splitter) {
      for (std::uint32_t i = offset[a * n + target]; i < offset[a * n + target + 1]; ++i) {
        const std::uint32_t q = predecessor[i];
        Block& home = blocks[block_of[q]];
        const std::uint32_t front = home.begin + home.marked;
        if (where[q] < front) continue;  // marked already
        if (home.marked++ == 0) touched.push_back(block_of[q]);
        const std::uint32_t other = member[front];
        std::swap(member[front], member[where[q]]);
        std::swap(where[q], where[other]);
      }
    }
    for (const std::uint32_t b : touched) {
      const std::uint32_t marked = std::exchange(blocks[b].marked, 0);
      if (marked == blocks[b].end - blocks[b].begin) continue;
      const auto fresh = static_cast<std::uint32_t>(blocks.size());
      blocks.push_back({blocks[b].begin, blocks[b].begin + marked, 0});
      blocks[b].begin += marked;
      for (std::uint32_t i = blocks[fresh].begin; i < blocks[fresh].end; ++i)
        block_of[member[i]] = fresh;
      const std::uint32_t fresh_size = marked;
      const std::uint32_t rest_size = blocks[b].end - blocks[b].begin;
      for (std::size_t c = 0; c < k; ++c) {
        // If (b, c) waits, both halves must; otherwise the smaller one is enough.
        push(waiting[b * k + c] != 0 || fresh_size <= rest_size ? fresh : b, c);
      }
    }
  }
  return block_of;
}

}  // namespace

Dfa::Dfa(std::size_t symbol_count, std::size_t state_count, std::size_t answer_count)
    : symbol_count_(symbol_count),
      answer_count_(answer_count),
      answers_(state_count, Answer::Reject),
      transitions_(state_count * symbol_count) {
  if (state_count == 0) throw std::invalid_argument("Dfa: expected at least one state");
  if (answer_count < 2) throw std::invalid_argument("Dfa: expected at least two answers");
  for (std::size_t q = 0; q < state_count; ++q) {
    std::fill_n(transitions_.begin() + static_cast<std::ptrdiff_t>(q * symbol_count), symbol_count,
                state(q));
  }
}

void Dfa::set_initial(LState q) {
  if (index(q) >= size()) throw std::invalid_argument("Dfa::set_initial: no such state");
  initial_ = q;
}

void Dfa::set_answer(LState q, Answer answer) {
  if (index(answer) >= answer_count_) throw std::invalid_argument("Dfa: no such answer");
  answers_.at(index(q)) = answer;
}

void Dfa::set_next(LState from, Symbol a, LState to) {
  if (index(from) >= size() || index(to) >= size() || index(a) >= symbol_count_) {
    throw std::invalid_argument("Dfa::set_next: no such state or symbol");
  }
  transitions_[index(from) * symbol_count_ + index(a)] = to;
}

LState Dfa::add_state(Answer answer) {
  const LState added = state(size());
  answers_.push_back(Answer::Reject);
  set_answer(added, answer);
  transitions_.insert(transitions_.end(), symbol_count_, added);
  return added;
}

LState Dfa::run(LState from, WordView word) const {
  for (const Symbol a : word) from = next(from, a);
  return from;
}

Dfa canonical(const Dfa& dfa) {
  const Reached reached = breadth_first(dfa);
  Dfa result(dfa.symbol_count(), reached.order.size(), dfa.answer_count());
  for (std::size_t q = 0; q < reached.order.size(); ++q) {
    const LState old = reached.order[q];
    result.set_answer(state(q), dfa.answer(old));
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      result.set_next(state(q), symbol(a), reached.number[index(dfa.next(old, symbol(a)))]);
    }
  }
  return result;
}

Dfa with_answers(const Dfa& dfa, std::size_t answer_count) {
  Dfa result(dfa.symbol_count(), dfa.size(), answer_count);
  result.set_initial(dfa.initial());
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    result.set_answer(state(q), dfa.answer(state(q)));
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      result.set_next(state(q), symbol(a), dfa.next(state(q), symbol(a)));
    }
  }
  return result;
}

Dfa minimise(const Dfa& dfa) {
  const Dfa trim = canonical(dfa);
  const std::vector<std::uint32_t> block_of = coarsest_congruence(trim);
  const std::size_t count = *std::max_element(block_of.begin(), block_of.end()) + std::size_t{1};
  Dfa quotient(dfa.symbol_count(), count, dfa.answer_count());
  quotient.set_initial(state(block_of[0]));
  for (std::size_t q = 0; q < trim.size(); ++q) {
    quotient.set_answer(state(block_of[q]), trim.answer(state(q)));
    for (std::size_t a = 0; a < trim.symbol_count(); ++a) {
      quotient.set_next(state(block_of[q]), symbol(a),
                        state(block_of[index(trim.next(state(q), symbol(a)))]));
    }
  }
  return canonical(quotient);
}

std::optional<Word> separating_word(const Dfa& a, const Dfa& b) {
  if (a.symbol_count() != b.symbol_count()) {
    throw std::invalid_argument(
        fmt::format("separating_word: {} and {} symbols", a.symbol_count(), b.symbol_count()));
  }
  struct Visit {
    LState p, q;
    std::size_t parent;
    Symbol label;
  };
  // Breadth first over the product; symbols in order, so the first hit is shortlex-first.
  std::vector<Visit> visits{{a.initial(), b.initial(), 0, symbol(0)}};
  std::unordered_set<std::uint64_t> seen;
  const auto key = [](LState p, LState q) {
    return (static_cast<std::uint64_t>(index(p)) << 32U) | index(q);
  };
  seen.insert(key(a.initial(), b.initial()));
  for (std::size_t head = 0; head < visits.size(); ++head) {
    const auto [p, q, parent, label] = visits[head];
    if (a.answer(p) != b.answer(q)) {
      Word word;
      for (std::size_t at = head; at != 0; at = visits[at].parent) word.push_back(visits[at].label);
      std::reverse(word.begin(), word.end());
      return word;
    }
    for (std::size_t c = 0; c < a.symbol_count(); ++c) {
      const LState p2 = a.next(p, symbol(c));
      const LState q2 = b.next(q, symbol(c));
      if (seen.insert(key(p2, q2)).second) visits.push_back({p2, q2, head, symbol(c)});
    }
  }
  return std::nullopt;
}

std::vector<std::optional<Word>> access_words(const Dfa& dfa) {
  const Reached reached = breadth_first(dfa);
  std::vector<std::optional<Word>> words(dfa.size());
  for (const LState q : reached.order) {
    const LState parent = reached.parent[index(q)];
    Word word;
    if (parent != kNone) {
      word = *words[index(parent)];
      word.push_back(reached.label[index(q)]);
    }
    words[index(q)] = std::move(word);
  }
  return words;
}

Distinguisher::Distinguisher(const Dfa& dfa) : dfa_(dfa) {
  std::vector<std::uint32_t> block(dfa.size());
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    block[q] = static_cast<std::uint32_t>(index(dfa.answer(state(q))));
  }
  std::size_t count = 0;
  while (true) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
    std::vector<std::uint32_t> finer(dfa.size());
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      std::vector<std::uint32_t> signature{block[q]};
      for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
        signature.push_back(block[index(dfa.next(state(q), symbol(a)))]);
      }
      finer[q] = numbers.emplace(std::move(signature), static_cast<std::uint32_t>(numbers.size()))
                     .first->second;
    }
    block_.push_back(std::move(block));
    if (numbers.size() == count) return;  // nothing new can be told apart by longer words
    count = numbers.size();
    block = std::move(finer);
  }
}

std::optional<Word> Distinguisher::suffix(LState p, LState q) const {
  std::size_t round = 0;
  while (round < block_.size() && block_[round][index(p)] == block_[round][index(q)]) ++round;
  if (round == block_.size()) return std::nullopt;
  Word word;
  for (; round > 0; --round) {
    // Some successor pair is apart one round earlier; the first such symbol is shortlex-first.
    for (std::size_t a = 0; a < dfa_.symbol_count(); ++a) {
      const LState p2 = dfa_.next(p, symbol(a));
      const LState q2 = dfa_.next(q, symbol(a));
      if (block_[round - 1][index(p2)] == block_[round - 1][index(q2)]) continue;
      word.push_back(symbol(a));
      p = p2;
      q = q2;
      break;
    }
  }
  return word;
}

std::vector<Word> Distinguisher::characterising_set() const {
  // Refine by one suffix at a time; two states still together need a suffix of their own. Each adds
  // at least one block, so there are fewer suffixes than states.
  std::vector<Word> suffixes;
  std::vector<std::uint32_t> block(dfa_.size(), 0);
  std::size_t count = 1;
  const auto refine = [&](const Word& word) {
    std::map<std::pair<std::uint32_t, Answer>, std::uint32_t> numbers;
    std::vector<std::uint32_t> finer(dfa_.size());
    for (std::size_t q = 0; q < dfa_.size(); ++q) {
      const Answer answer = dfa_.answer(dfa_.run(state(q), word));
      finer[q] =
          numbers.emplace(std::pair{block[q], answer}, static_cast<std::uint32_t>(numbers.size()))
              .first->second;
    }
    block = std::move(finer);
    count = numbers.size();
    suffixes.push_back(word);
  };
  // By rounds, so that short suffixes come first.
  for (std::size_t round = 0; round < block_.size(); ++round) {
    std::map<std::uint32_t, std::size_t> representative;
    for (std::size_t q = 0; q < dfa_.size(); ++q) {
      // refine() renumbers, so the representatives are looked up afresh after each suffix.
      while (true) {
        const auto [found, added] = representative.emplace(block[q], q);
        if (added || block_[round][found->second] == block_[round][q]) break;
        refine(*suffix(state(found->second), state(q)));
        representative.clear();
        for (std::size_t p = 0; p < q; ++p) representative.emplace(block[p], p);
      }
    }
  }
  std::stable_sort(suffixes.begin(), suffixes.end(), ShortlexLess{});
  return suffixes;
}

}  // namespace rnnalf
