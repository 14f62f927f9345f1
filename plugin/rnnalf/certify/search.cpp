#include "rnnalf/certify/search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

namespace rnnalf::certify {
namespace {

constexpr std::size_t kNone = BaseAutomaton::kNone;
/// An image must lie this far inside of a set: more than the checkers round outward.
constexpr double kInside = 1e-9;
constexpr std::size_t kBatch = 32;  ///< sets worked on together, whatever the number of threads
constexpr std::size_t kJoins = 24;  ///< times a set may grow

bool inside(const Box& image, const Box& set) {
  for (std::size_t i = 0; i < image.low.size(); ++i) {
    if (!(image.low[i] >= set.low[i] + kInside && image.high[i] <= set.high[i] - kInside)) {
      return false;
    }
  }
  return true;
}

/// Where a word leads: base states and letters, from a first state on.
struct Path {
  std::vector<std::size_t> states;  ///< one more than letters
  std::vector<std::size_t> letters;

  void push(std::size_t letter, std::size_t state) {
    letters.push_back(letter);
    states.push_back(state);
  }
  void pop() {
    letters.pop_back();
    states.pop_back();
  }
};

/// The R-states of all words that end with a path. A context is refined by one more letter in front
/// of it; then `children` has one for every edge into its first state.
struct Context {
  Path path;
  std::vector<std::size_t> children;  ///< of contexts, in the order of base.into(); empty: a leaf
  std::size_t set = kNone;
};

struct Set {
  Box box;
  std::size_t base = 0;  ///< state of the base automaton
  std::size_t context = 0;
  bool alive = true, done = false, queued = false;
  std::size_t joins = 0;
  Tree tree;
};

enum class Failure : std::uint8_t { None, Side, Limit, Interrupted };

struct Growth {
  std::size_t set;
  Box image;
};

/// What working on one set gave. Computed from sets that do not change meanwhile.
struct Attempt {
  Failure failure = Failure::None;
  Tree tree;
  std::vector<Growth> growths;
  std::uint64_t images = 0;
  std::vector<std::size_t> word;  ///< Side: the letters from the set to the image
};

class Search {
 public:
  Search(const RnnAcceptor& acceptor, const Imager& imager, const BaseAutomaton& base,
         const Samples& samples, const SearchOptions& options, Workers& workers,
         const Budget& budget)
      : acceptor_(acceptor),
        imager_(imager),
        base_(base),
        samples_(samples),
        options_(options),
        workers_(workers),
        budget_(budget),
        of_base_(base.size()) {
    // From here on the start's own images are put into the sets of other words: there are about
    // 500 words before that.
    for (double words = 500; words > 1; words /= static_cast<double>(base.letters()))
      ++start_depth_;
  }

  SearchResult run() {
    for (std::size_t q = 0; q < base_.size(); ++q) {
      roots_.push_back(contexts_.size());
      contexts_.push_back({{{q}, {}}, {}, kNone});
      const std::size_t root = roots_.back();
      settle(root);
    }
    Set start;
    const std::vector<double> initial = acceptor_.initial_state();
    start.box = {initial, initial};
    start.base = BaseAutomaton::initial();
    start.context = kNone;
    sets_.insert(sets_.begin(), start);  // set 0
    // Contexts were given numbers before the start was put in front.
    for (Context& context : contexts_) {
      if (context.set != kNone) ++context.set;
    }
    for (auto& list : of_base_) {
      for (std::size_t& set : list) ++set;
    }
    enqueue(0);
    while (!queue_.empty() && !failed_) {
      if (budget_.spent() || (options_.steps > 0 && result_.images > options_.steps)) {
        failed_ = true;
        break;
      }
      round();
    }
    if (failed_) {
      for (const std::size_t set : queue_) {
        if (sets_[set].alive) result_.open.push_back({sets_[set].base});
      }
      std::sort(result_.open.begin(), result_.open.end());
      result_.open.erase(std::unique(result_.open.begin(), result_.open.end()), result_.open.end());
      return std::move(result_);
    }
    collect();
    return std::move(result_);
  }

 private:
  // ---------------------------------------------------------------- contexts

  /// Samples of the context: R-states of its first state, stepped along its letters.
  [[nodiscard]] std::vector<double> images_of(const Path& path) const {
    std::vector<double> states = samples_.states[path.states.front()], next(states.size());
    const std::size_t size = samples_.size, count = states.size() / size;
    for (const std::size_t letter : path.letters) {
      const std::vector<Symbol> symbols(count, Symbol(letter));
      acceptor_.step({states.data(), size, count}, symbols, {next.data(), size, count});
      states.swap(next);
    }
    return states;
  }

  [[nodiscard]] Box hull(const std::vector<double>& states) const {
    const std::size_t size = samples_.size;
    Box box{std::vector<double>(size, HUGE_VAL), std::vector<double>(size, -HUGE_VAL)};
    for (std::size_t at = 0; at < states.size(); at += size) {
      for (std::size_t i = 0; i < size; ++i) {
        box.low[i] = std::min(box.low[i], states[at + i]);
        box.high[i] = std::max(box.high[i], states[at + i]);
      }
    }
    return box;
  }

  [[nodiscard]] static double width(const Box& box) {
    double widest = 0;
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      const double scale = std::max({1.0, std::abs(box.low[i]), std::abs(box.high[i])});
      widest = std::max(widest, (box.high[i] - box.low[i]) / scale);
    }
    return widest;
  }

  /// Makes the context a set if its samples are close together, else refines it.
  void settle(std::size_t context) {
    if (failed_ || (contexts_.size() % 64 == 0 && budget_.spent())) {
      failed_ = true;
      return;
    }
    const Box box = hull(images_of(contexts_[context].path));
    if (width(box) > options_.size && contexts_[context].path.letters.size() < options_.context) {
      refine(context);
      return;
    }
    Set set;
    set.box = box;
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      const double room = std::max(options_.room * (box.high[i] - box.low[i]), options_.least_room);
      set.box.low[i] -= room;
      set.box.high[i] += room;
    }
    set.base = contexts_[context].path.states.back();
    set.context = context;
    contexts_[context].set = sets_.size();
    of_base_[set.base].push_back(sets_.size());
    sets_.push_back(std::move(set));
  }

  void refine(std::size_t context) {
    if (contexts_.size() > 3 * options_.sets) failed_ = true;
    if (failed_) return;
    const Path path = contexts_[context].path;
    for (const BaseAutomaton::Edge& edge : base_.into(path.states.front())) {
      Path longer;
      longer.states.push_back(edge.from);
      longer.push(edge.letter, path.states.front());
      for (std::size_t i = 0; i < path.letters.size(); ++i) {
        longer.push(path.letters[i], path.states[i + 1]);
      }
      const std::size_t child = contexts_.size();
      contexts_[context].children.push_back(child);
      contexts_.push_back({std::move(longer), {}, kNone});
      settle(child);
    }
  }

  /// The set of a word that ends with this path; none when more of the word must be known.
  [[nodiscard]] std::size_t set_of(const Path& path) const {
    std::size_t context = roots_[path.states.back()];
    for (std::size_t i = path.letters.size(); contexts_[context].set == kNone; --i) {
      const Context& at = contexts_[context];
      if (i == 0 || at.children.empty()) return kNone;
      const auto& edges = base_.into(path.states[i]);
      std::size_t edge = 0;
      while (edges[edge].from != path.states[i - 1] || edges[edge].letter != path.letters[i - 1]) {
        ++edge;
      }
      context = at.children[edge];
    }
    return contexts_[context].set;
  }

  // ---------------------------------------------------------------- trees

  void work(std::size_t set, Attempt& attempt) const {
    Path path;
    if (sets_[set].context == kNone) {
      path.states.push_back(BaseAutomaton::initial());
    } else {
      path = contexts_[sets_[set].context].path;
    }
    descend(set, imager_.of(sets_[set].box), path, 0, attempt);
  }

  [[nodiscard]] std::size_t container(const Box& image, const Path& path) const {
    const std::size_t first = set_of(path);
    if (first != kNone && inside(image, sets_[first].box)) return first;
    for (const std::size_t other : of_base_[path.states.back()]) {
      if (other != first && sets_[other].alive && inside(image, sets_[other].box)) return other;
    }
    return kNone;
  }

  /// Whether growing the set by the image is worth trying: the image is small beside it.
  [[nodiscard]] bool may_grow(const Set& set, const Box& image) const {
    if (set.joins >= kJoins) return false;
    double widest = 0;
    for (std::size_t i = 0; i < image.low.size(); ++i) {
      widest = std::max(widest, set.box.high[i] - set.box.low[i]);
    }
    for (std::size_t i = 0; i < image.low.size(); ++i) {
      const double has = set.box.high[i] - set.box.low[i];
      const double most = 0.5 * has + 0.1 * widest + 1e-4;
      if (image.high[i] - image.low[i] > most) return false;
      if (set.box.low[i] - image.low[i] > most || image.high[i] - set.box.high[i] > most) {
        return false;
      }
    }
    return true;
  }

  void descend(std::size_t set, const Image& from, Path& path, std::size_t depth,
               Attempt& attempt) const {
    Successors successors(imager_, from);
    Image image;
    const bool is_start = sets_[set].context == kNone;
    const std::size_t deepest = is_start ? 40 : options_.depth;
    const std::uint64_t most = is_start ? 20 * options_.images : options_.images;
    for (std::size_t a = 0; a < base_.letters(); ++a) {
      const std::size_t next = base_.next(path.states.back(), a);
      if (next == kNone) continue;
      ++attempt.images;
      path.push(a, next);
      attempt.word.push_back(a);
      const bool bounded = successors.step(a, image);
      if (!bounded || !right_side(image, next)) {
        attempt.failure = bounded ? Failure::Side : Failure::Limit;
        return;
      }
      std::size_t leaf = container(image.box, path);
      if (leaf == kNone) {
        const std::size_t target = set_of(path);
        if (target != kNone &&
            (may_grow(sets_[target], image.box) ||
             (is_start && depth + 1 >= start_depth_ && sets_[target].joins < 4 * kJoins))) {
          attempt.growths.push_back({target, image.box});
          leaf = target;
        }
      }
      if (leaf != kNone) {
        attempt.tree.push_back(static_cast<std::int64_t>(leaf));
      } else if (depth + 1 >= deepest || attempt.images >= most) {
        attempt.failure = Failure::Limit;
        return;
      } else {
        if (attempt.images % 16 == 0 && budget_.spent()) {
          attempt.failure = Failure::Interrupted;
          return;
        }
        attempt.tree.push_back(kDescend);
        descend(set, image, path, depth + 1, attempt);
        if (attempt.failure != Failure::None) return;
      }
      path.pop();
      attempt.word.pop_back();
    }
  }

  [[nodiscard]] bool right_side(const Image& image, std::size_t base) const {
    const MarginRange margin = imager_.margin(image);
    return base_.accepts(base) ? margin.low > kInside : margin.high < -kInside;
  }

  // ---------------------------------------------------------------- the loop

  void enqueue(std::size_t set) {
    if (sets_[set].queued) return;
    sets_[set].queued = true;
    sets_[set].done = false;
    queue_.push_back(set);
  }

  void round() {
    std::vector<std::size_t> batch;
    while (!queue_.empty() && batch.size() < kBatch) {
      const std::size_t set = queue_.front();
      queue_.pop_front();
      sets_[set].queued = false;
      if (sets_[set].alive) batch.push_back(set);
    }
    std::vector<Attempt> attempts(batch.size());
    // Workers share out columns by the dozen; an attempt is worth more than that.
    constexpr std::size_t weight = 64;
    workers_.split(batch.size() * weight, weight, [&](std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; ++i) {
        if (i % weight == 0) work(batch[i / weight], attempts[i / weight]);
      }
    });
    for (std::size_t i = 0; i < batch.size() && !failed_; ++i) apply(batch[i], attempts[i]);
  }

  void apply(std::size_t set, Attempt& attempt) {
    result_.images += attempt.images;
    if (!sets_[set].alive) return;
    if (attempt.failure == Failure::Interrupted) {
      failed_ = true;
      queue_.push_front(set);
      return;
    }
    if (attempt.failure != Failure::None) {
      if (sets_[set].context == kNone) {  // the start itself
        if (attempt.failure == Failure::Side) {
          Word word;
          for (const std::size_t letter : attempt.word) word.push_back(Symbol(letter));
          result_.suspect = word;
        }
        failed_ = true;
        note_open(set, attempt);
        return;
      }
      split(set, attempt);
      return;
    }
    // A leaf may have been split since.
    for (const std::int64_t leaf : attempt.tree) {
      if (leaf != kDescend && !sets_[static_cast<std::size_t>(leaf)].alive) {
        enqueue(set);
        return;
      }
    }
    for (const Growth& growth : attempt.growths) grow(growth);
    sets_[set].tree = std::move(attempt.tree);
    // It may itself have grown by another attempt of this round; then it is in the queue again.
    if (!sets_[set].queued) sets_[set].done = true;
    for (const std::int64_t leaf : sets_[set].tree) {
      if (leaf == kDescend) continue;
      const auto target = static_cast<std::size_t>(leaf);
      users_[target].push_back(set);
      if (!sets_[target].done) enqueue(target);
    }
  }

  void grow(const Growth& growth) {
    Set& set = sets_[growth.set];
    if (inside(growth.image, set.box)) return;
    for (std::size_t i = 0; i < set.box.low.size(); ++i) {
      const double room = 0.2 * (growth.image.high[i] - growth.image.low[i]) + 1e-6;
      const double below = set.box.low[i] - growth.image.low[i];
      const double above = growth.image.high[i] - set.box.high[i];
      if (below > -kInside) set.box.low[i] -= below + room;
      if (above > -kInside) set.box.high[i] += above + room;
    }
    ++set.joins;
    set.done = false;
    enqueue(growth.set);
  }

  void note_open(std::size_t set, const Attempt& attempt) {
    result_.open.push_back({sets_[set].base, attempt.word.empty()
                                                 ? std::nullopt
                                                 : std::optional(Symbol(attempt.word.front()))});
  }

  void split(std::size_t set, const Attempt& attempt) {
    sets_[set].alive = false;
    const std::size_t context = sets_[set].context;
    auto& list = of_base_[sets_[set].base];
    list.erase(std::find(list.begin(), list.end(), set));
    contexts_[context].set = kNone;
    if (contexts_[context].path.letters.size() >= options_.context) {
      failed_ = true;
      note_open(set, attempt);
      return;
    }
    refine(context);
    const std::vector<std::size_t> users = std::move(users_[set]);
    for (const std::size_t user : users) {
      if (sets_[user].alive) enqueue(user);
    }
  }

  void collect() {
    std::map<std::size_t, std::size_t> numbers;
    std::vector<std::size_t> order;
    const auto renumbered = [&](const Tree& tree) {
      Tree result;
      for (const std::int64_t leaf : tree) {
        if (leaf == kDescend) {
          result.push_back(kDescend);
          continue;
        }
        const auto [found, fresh] =
            numbers.try_emplace(static_cast<std::size_t>(leaf), order.size());
        if (fresh) order.push_back(found->first);
        result.push_back(static_cast<std::int64_t>(found->second));
      }
      return result;
    };
    result_.start = renumbered(sets_[0].tree);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Set& set = sets_[order[i]];
      Tree tree = renumbered(set.tree);
      result_.sets.push_back(
          {base_.dfa_state(set.base), base_.monitor(set.base), set.box, std::move(tree)});
    }
    result_.closed = true;
  }

  const RnnAcceptor& acceptor_;
  const Imager& imager_;
  const BaseAutomaton& base_;
  const Samples& samples_;
  const SearchOptions& options_;
  Workers& workers_;
  const Budget& budget_;

  std::size_t start_depth_ = 0;
  std::vector<std::size_t> roots_;  ///< by base state: the context of the empty path
  std::vector<Context> contexts_;
  std::vector<Set> sets_;  ///< 0 is the start: the R-state of the empty word
  std::vector<std::vector<std::size_t>> of_base_;
  std::map<std::size_t, std::vector<std::size_t>> users_;  ///< sets with a leaf to this one
  std::deque<std::size_t> queue_;
  bool failed_ = false;
  SearchResult result_;
};

}  // namespace

Samples take_samples(const RnnAcceptor& acceptor, const BaseAutomaton& base, Random& random) {
  constexpr std::size_t short_words = 300, most = 96, walks = 12, length = 64, settled = 4;
  const std::size_t size = acceptor.state_size();
  Samples samples{size, std::vector<std::vector<double>>(base.size())};
  std::vector<std::uint64_t> seen(base.size());
  // A reservoir for each base state, so that no phase of the walks is favoured.
  const auto keep = [&](std::size_t state, const std::vector<double>& r) {
    std::vector<double>& kept = samples.states[state];
    if (++seen[state] <= most) {
      kept.insert(kept.end(), r.begin(), r.end());
      return;
    }
    const std::uint64_t at = random.below(seen[state]);
    if (at < most) {
      std::copy(r.begin(), r.end(), kept.begin() + static_cast<std::ptrdiff_t>(at * size));
    }
  };
  const auto step = [&](std::vector<double>& r, std::size_t letter) {
    std::vector<double> next(size);
    const auto symbol = static_cast<Symbol>(letter);
    acceptor.step({r.data(), size, 1}, {&symbol, 1}, {next.data(), size, 1});
    r.swap(next);
  };

  struct Reached {
    std::size_t state;
    std::vector<double> r;
  };
  std::vector<Reached> early;
  std::deque<Reached> open = {{BaseAutomaton::initial(), acceptor.initial_state()}};
  for (std::size_t words = 0; words < short_words && !open.empty(); ++words) {
    const Reached at = std::move(open.front());
    open.pop_front();
    early.push_back(at);
    for (std::size_t a = 0; a < base.letters(); ++a) {
      const std::size_t next = base.next(at.state, a);
      if (next == kNone) continue;
      Reached further{next, at.r};
      step(further.r, a);
      open.push_back(std::move(further));
    }
  }
  for (std::size_t q = 0; q < base.size(); ++q) {
    for (std::size_t walk = 0; walk < walks; ++walk) {
      std::vector<double> r = acceptor.initial_state();
      for (const Symbol symbol : base.access(q)) step(r, index(symbol));
      std::size_t state = q, last = kNone, turn = 0;
      std::vector<std::size_t> loop;
      if (walk % 3 == 2) {
        for (std::size_t i = random.below(4) + 1; i > 0; --i) {
          loop.push_back(random.below(base.letters()));
        }
      }
      for (std::size_t t = 0; t < length; ++t) {
        if (t >= settled) keep(state, r);
        const auto stays = [&](std::size_t letter) {
          const std::size_t next = base.next(state, letter);
          return next != kNone && base.component(next) == base.component(q);
        };
        std::size_t letter = random.below(base.letters());
        if (walk % 3 == 1 && last != kNone && random.below(10) < 7) letter = last;
        if (!loop.empty()) letter = loop[turn++ % loop.size()];
        for (std::size_t tries = 0; tries < 3 * base.letters() && !stays(letter); ++tries) {
          letter = random.below(base.letters());
        }
        if (!stays(letter)) break;
        step(r, letter);
        state = base.next(state, letter);
        last = letter;
      }
    }
  }
  std::vector<bool> none(base.size());
  for (std::size_t q = 0; q < base.size(); ++q) none[q] = samples.states[q].empty();
  for (const Reached& at : early) {
    if (none[at.state]) keep(at.state, at.r);
  }
  return samples;
}

SearchResult search(const RnnAcceptor& acceptor, const Imager& imager, const BaseAutomaton& base,
                    const Samples& samples, const SearchOptions& options, Workers& workers,
                    const Budget& budget) {
  return Search(acceptor, imager, base, samples, options, workers, budget).run();
}

namespace {

/// One tree of a finished proof, computed again.
class Verifier {
 public:
  Verifier(const Imager& imager, const BaseAutomaton& base, const SearchResult& proof,
           const std::vector<std::size_t>& base_of)
      : imager_(imager), base_(base), proof_(proof), base_of_(base_of) {}

  /// The smallest margin, or a number that is not above 0.
  double tree(const Box& box, std::size_t state, const Tree& tree) {
    tree_ = &tree;
    at_ = 0;
    margin_ = HUGE_VAL;
    descend(imager_.of(box), state);
    return margin_;
  }

 private:
  void descend(const Image& from, std::size_t state) {
    Successors successors(imager_, from);
    Image image;
    for (std::size_t a = 0; a < base_.letters() && margin_ > 0; ++a) {
      const std::size_t next = base_.next(state, a);
      if (next == kNone) continue;
      if (!successors.step(a, image)) {
        margin_ = 0;
        return;
      }
      const MarginRange margin = imager_.margin(image);
      margin_ = std::min(margin_, base_.accepts(next) ? margin.low : -margin.high);
      const std::int64_t entry = (*tree_)[at_++];
      if (entry == kDescend) {
        descend(image, next);
        continue;
      }
      const auto leaf = static_cast<std::size_t>(entry);
      if (base_of_[leaf] != next || !inside(image.box, proof_.sets[leaf].box)) margin_ = 0;
    }
  }

  const Imager& imager_;
  const BaseAutomaton& base_;
  const SearchResult& proof_;
  const std::vector<std::size_t>& base_of_;
  const Tree* tree_ = nullptr;
  std::size_t at_ = 0;
  double margin_ = 0;
};

}  // namespace

std::optional<double> verify(const RnnAcceptor& acceptor, const Imager& imager,
                             const BaseAutomaton& base, const SearchResult& proof,
                             Workers& workers) {
  std::map<std::pair<LState, std::size_t>, std::size_t> numbers;
  for (std::size_t q = 0; q < base.size(); ++q) numbers[{base.dfa_state(q), base.monitor(q)}] = q;
  std::vector<std::size_t> base_of;
  for (const Certificate::Set& set : proof.sets) {
    base_of.push_back(numbers.at({set.state, set.monitor}));
  }
  std::vector<double> margins(proof.sets.size() + 1);
  constexpr std::size_t weight = 64;
  workers.split(margins.size() * weight, weight, [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
      if (i % weight != 0) continue;
      const std::size_t s = i / weight;
      Verifier verifier(imager, base, proof, base_of);
      if (s == proof.sets.size()) {
        const std::vector<double> initial = acceptor.initial_state();
        margins[s] = verifier.tree({initial, initial}, BaseAutomaton::initial(), proof.start);
      } else {
        margins[s] = verifier.tree(proof.sets[s].box, base_of[s], proof.sets[s].tree);
      }
    }
  });
  const double smallest = *std::min_element(margins.begin(), margins.end());
  if (!(smallest > 0)) return std::nullopt;
  return smallest;
}

}  // namespace rnnalf::certify
