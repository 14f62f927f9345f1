#include "rnnalf/certify/search.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

#include "rnnalf/certify/contexts.hpp"
#include "rnnalf/certify/ellipsoid.hpp"

namespace rnnalf::certify {
namespace {

constexpr std::size_t kNone = BaseAutomaton::kNone;
constexpr double kClear = 1e-9;        ///< margins have to be as far from 0: checkers round outward
constexpr std::size_t kBatch = 32;     ///< sets worked on together, whatever the number of threads
constexpr std::size_t kJoins = 24;     ///< times a set may grow
constexpr std::size_t kAllowance = 4;  ///< symbols in which images may widen in any way
constexpr std::size_t kPatience = 24;  ///< symbols after which images have to shrink

struct Set {
  std::optional<Ellipsoid> round;  ///< the set, unless it is the box
  Box box;                         ///< or the bounds of the ellipsoid
  Box first;                       ///< before it grew
  std::size_t base = 0;            ///< state of the base automaton
  std::size_t context = 0;
  bool alive = true, done = false, queued = false;
  std::size_t joins = 0;
  /// What follows the box as it is; empty when nothing is known. Where a leaf is no longer alive,
  /// the rest of the tree still holds.
  Tree tree;
};

enum class Failure : std::uint8_t { None, Side, Limit, Interrupted };

struct Growth {
  std::size_t set;
  Image image;
};

/// What working on one set gave. Computed from sets that do not change meanwhile.
struct Attempt {
  Failure failure = Failure::None;
  Tree tree;
  std::vector<Growth> growths;
  std::uint64_t images = 0;
  std::size_t joins = 0;          ///< of the set, when it was begun
  std::vector<std::size_t> word;  ///< Side: the symbols from the set to the image
  std::vector<double> extents;    ///< of the set and of the images from there
};

/// A tree of which some leaves are no longer alive: for every entry, where what belongs to it ends,
/// and whether all of that holds.
struct Remains {
  const Tree& tree;
  std::vector<std::size_t> end;
  std::vector<bool> intact;
};
constexpr std::size_t kNew = static_cast<std::size_t>(-1);  ///< an entry that was not there before

class Search {
 public:
  Search(const RnnAcceptor& acceptor, const Imager& imager, const BaseAutomaton& base,
         const Samples& samples, const std::vector<std::vector<double>>& felt,
         const SearchOptions& options, Workers& workers, const Budget& budget)
      : acceptor_(acceptor),
        imager_(imager),
        base_(base),
        felt_(felt),
        options_(options),
        workers_(workers),
        budget_(budget),
        contexts_(acceptor, base, samples, budget),
        of_base_(base.size()) {
    // From here on the start's own images are put into the sets of other words: there are about
    // 500 words before that.
    for (double words = 500; words > 1; words /= static_cast<double>(base.symbols()))
      ++start_depth_;
  }

  SearchResult run() {
    Set& start = sets_.emplace_back();  // set 0
    const std::vector<double> initial = acceptor_.initial_state();
    start.box = {initial, initial};
    start.base = BaseAutomaton::initial();
    start.context = kNone;
    for (std::size_t q = 0; q < base_.size(); ++q) settle(contexts_.root(q));
    enqueue(0);
    while (!(queue_.empty() && grown_.empty()) && !failed_) {
      if (budget_.spent() || (options_.steps > 0 && result_.images > options_.steps)) {
        failed_ = true;
        break;
      }
      round();
    }
    if (failed_) {
      queue_.insert(queue_.end(), grown_.begin(), grown_.end());
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

  [[nodiscard]] static double width(const Box& box) {
    double widest = 0;
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      const double scale = std::max({1.0, std::abs(box.low[i]), std::abs(box.high[i])});
      widest = std::max(widest, (box.high[i] - box.low[i]) / scale);
    }
    return widest;
  }

  /// Makes the context a set if its samples are close together, else refines it.
  void settle(const Contexts::Sampled& sampled) {
    const auto& [context, box] = sampled;
    if (failed_ || budget_.spent()) {
      failed_ = true;
      return;
    }
    if (width(box) > options_.size && contexts_.path(context).symbols.size() < options_.context) {
      refine(context);
      return;
    }
    Set set;
    set.base = contexts_.path(context).states.back();
    set.box = box;
    if (options_.round) {
      set.round = Ellipsoid::around(contexts_.samples(context), felt_[set.base]);
      set.box = set.round->bounds();
    }
    for (std::size_t i = 0; i < box.low.size() && !options_.round; ++i) {
      const double room = std::max(options_.room * (box.high[i] - box.low[i]), options_.least_room);
      set.box.low[i] -= room;
      set.box.high[i] += room;
    }
    set.first = set.box;
    set.context = context;
    contexts_.set(context) = sets_.size();
    of_base_[set.base].push_back(sets_.size());
    sets_.push_back(std::move(set));
  }

  void refine(std::size_t context) {
    if (contexts_.size() > 3 * options_.sets) failed_ = true;
    if (failed_) return;
    for (const Contexts::Sampled& child : contexts_.refine(context)) settle(child);
  }

  // ---------------------------------------------------------------- trees

  void work(std::size_t set, Attempt& attempt) const {
    Path path;
    if (sets_[set].context == kNone) {
      path.states.push_back(BaseAutomaton::initial());
    } else {
      path = contexts_.path(sets_[set].context);
    }
    const Tree& before = sets_[set].tree;
    Remains remains{before, std::vector<std::size_t>(before.size()),
                    std::vector<bool>(before.size())};
    if (!before.empty()) look_over(remains, 0, sets_[set].base);
    attempt.joins = sets_[set].joins;
    attempt.extents.push_back(extent(sets_[set].box));
    attempt.tree =
        descend(set, sets_[set].round ? sets_[set].round->image() : imager_.of(sets_[set].box),
                path, 0, remains, before.empty() ? kNew : 0, attempt);
  }

  /// Fills in what follows an image in that state, from entry `at` on; returns where it ends.
  std::size_t look_over(Remains& remains, std::size_t at, std::size_t state) const {
    for (std::size_t a = 0; a < base_.symbols(); ++a) {
      const std::size_t next = base_.next(state, a);
      if (next == kNone) continue;
      const std::int64_t leaf = remains.tree[at];
      std::size_t end = at + 1;
      bool intact = true;
      if (leaf == kDescend) {
        end = look_over(remains, at + 1, next);
        for (std::size_t i = at + 1; i < end; ++i) intact = intact && remains.intact[i];
      } else {
        intact = sets_[static_cast<std::size_t>(leaf)].alive;
      }
      remains.end[at] = end;
      remains.intact[at] = intact;
      at = end;
    }
    return at;
  }

  [[nodiscard]] static bool holds(const Set& set, const Image& image) {
    return set.round ? set.round->holds(image) : inside(image.box, set.box);
  }

  [[nodiscard]] std::size_t container(const Image& image, const Path& path) const {
    const std::size_t first = contexts_.set_of(path);
    if (first != kNone && holds(sets_[first], image)) return first;
    for (const std::size_t other : of_base_[path.states.back()]) {
      if (other != first && sets_[other].alive && holds(sets_[other], image)) return other;
    }
    return kNone;
  }

  /// Whether growing the set by the image is worth trying: the image is small beside the set, or it
  /// has shrunk and sticks out only a little; and the set stays near its first size, because a set
  /// that grows further only makes its own images wider.
  [[nodiscard]] bool may_grow(const Set& set, const Image& from) const {
    if (set.joins >= kJoins) return false;
    const Box& image = from.box;
    if (set.round) {
      return extent(image) < options_.shrunk * extent(set.box) &&
             extent(set.box) < 2 * extent(set.first) &&
             set.round->reach(from, options_.near) < options_.near;
    }
    double widest = 0;
    for (std::size_t i = 0; i < image.low.size(); ++i) {
      widest = std::max(widest, set.first.high[i] - set.first.low[i]);
    }
    const double share = 0.05 * widest;  // sets are narrow in some directions by chance
    bool small = true, shrunk = extent(image) < options_.shrunk * extent(set.box);
    for (std::size_t i = 0; i < image.low.size(); ++i) {
      const double has = set.box.high[i] - set.box.low[i];
      const double had = set.first.high[i] - set.first.low[i];
      const double out = std::max(set.box.low[i] - image.low[i], image.high[i] - set.box.high[i]);
      const double from_first =
          std::max(set.first.low[i] - image.low[i], image.high[i] - set.first.high[i]);
      const double most = 0.2 * has + share + 1e-4;
      small = small && image.high[i] - image.low[i] < most && out < most;
      shrunk = shrunk && out < 0.1 * has + share + 1e-4;
      if (from_first > had + share || !(small || shrunk)) return false;
    }
    return true;
  }

  /// Whether images grow so much, or shrink so slowly, that the tree is given up. One symbol may
  /// well widen an image, a few may, too.
  [[nodiscard]] static bool diverges(const std::vector<double>& before, double extent) {
    if (before.size() <= kAllowance) return false;
    if (extent > 10 * before.front()) return true;
    return before.size() >= kPatience && extent > 0.9 * before[before.size() / 2];
  }

  /// The tree of an image. `at` is where the tree of before has it, which holds in part.
  Tree descend(std::size_t set, const Image& from, Path& path, std::size_t depth,
               const Remains& remains, std::size_t at, Attempt& attempt) const {
    Successors successors(imager_, from);
    const bool is_start = sets_[set].context == kNone;
    const std::uint64_t most = is_start ? 20 * options_.images : options_.images;

    struct Child {
      std::size_t symbol, next, before;
      Tree tree;
      Image image;
      double extent = 0;
      bool open = false;
    };
    std::vector<Child> children;
    for (std::size_t a = 0; a < base_.symbols(); ++a) {
      const std::size_t next = base_.next(path.states.back(), a);
      if (next == kNone) continue;
      Child& child = children.emplace_back(Child{a, next, at, {}, {}, 0, false});
      if (at != kNew) {
        const std::size_t end = remains.end[at];
        const auto begin = remains.tree.begin();
        if (remains.intact[at]) {
          child.tree.assign(begin + static_cast<std::ptrdiff_t>(at),
                            begin + static_cast<std::ptrdiff_t>(end));
        }
        child.before = remains.tree[at] == kDescend ? at + 1 : kNew;
        at = end;
        if (!child.tree.empty()) continue;
      }
      if (budget_.spent()) {
        attempt.failure = Failure::Interrupted;
        return {};
      }
      ++attempt.images;
      path.push(a, next);
      attempt.word.push_back(a);
      const bool bounded = successors.step(a, child.image);
      if (!bounded || !right_side(child.image, next)) {
        attempt.failure = bounded ? Failure::Side : Failure::Limit;
        return {};
      }
      std::size_t leaf = container(child.image, path);
      if (leaf == kNone) {
        const std::size_t target = contexts_.set_of(path);
        if (target != kNone &&
            (may_grow(sets_[target], child.image) ||
             (is_start && depth + 1 >= start_depth_ && sets_[target].joins < 4 * kJoins))) {
          attempt.growths.push_back({target, child.image});
          leaf = target;
        }
      }
      child.extent = extent(child.image.box);
      if (leaf != kNone) {
        child.tree = {static_cast<std::int64_t>(leaf)};
      } else if (depth + 1 >= options_.depth || attempt.images >= most ||
                 (!is_start && diverges(attempt.extents, child.extent))) {
        attempt.failure = Failure::Limit;
        return {};
      } else {
        child.open = true;
      }
      path.pop();
      attempt.word.pop_back();
    }

    // The widest first, so that a tree that must be given up is given up soon.
    attempt.extents.push_back(0);
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return children[a].extent > children[b].extent;
    });
    for (const std::size_t i : order) {
      Child& child = children[i];
      if (!child.open) continue;
      path.push(child.symbol, child.next);
      attempt.word.push_back(child.symbol);
      child.tree = {kDescend};
      attempt.extents.back() = child.extent;
      const Tree below = descend(set, child.image, path, depth + 1, remains, child.before, attempt);
      if (attempt.failure != Failure::None) return {};
      child.tree.insert(child.tree.end(), below.begin(), below.end());
      child.image = {};
      path.pop();
      attempt.word.pop_back();
    }
    attempt.extents.pop_back();
    Tree tree;
    for (const Child& child : children) {
      tree.insert(tree.end(), child.tree.begin(), child.tree.end());
    }
    return tree;
  }

  [[nodiscard]] bool right_side(const Image& image, std::size_t base) const {
    const std::optional<bool> accept = base_.demand(base);
    if (!accept) return true;
    const MarginRange margin = imager_.margin(image);
    return *accept ? margin.low > kClear : margin.high < -kClear;
  }

  // ---------------------------------------------------------------- the loop

  void enqueue(std::size_t set) {
    if (sets_[set].queued) return;
    sets_[set].queued = true;
    sets_[set].done = false;
    (sets_[set].joins == 0 || !sets_[set].tree.empty() ? queue_ : grown_).push_back(set);
  }

  void round() {
    std::vector<std::size_t> batch;
    // Sets that grew wait: they may grow again.
    std::deque<std::size_t>& queue = queue_.empty() ? grown_ : queue_;
    while (!queue.empty() && batch.size() < kBatch) {
      const std::size_t set = queue.front();
      queue.pop_front();
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
          for (const std::size_t symbol : attempt.word) word.push_back(Symbol(symbol));
          result_.suspect = word;
        }
        failed_ = true;
        note_open(set, attempt);
        return;
      }
      split(set, attempt);
      return;
    }
    if (attempt.joins != sets_[set].joins) return;  // it grew meanwhile, and is in the queue
    // A leaf may have been split since.
    const bool holds = std::all_of(attempt.tree.begin(), attempt.tree.end(), [&](auto leaf) {
      return leaf == kDescend || sets_[static_cast<std::size_t>(leaf)].alive;
    });
    sets_[set].tree = std::move(attempt.tree);
    if (holds) {
      sets_[set].done = true;
      for (const std::int64_t leaf : sets_[set].tree) {
        if (leaf == kDescend) continue;
        const auto target = static_cast<std::size_t>(leaf);
        users_[target].push_back(set);
        if (!sets_[target].done) enqueue(target);
      }
    } else {
      enqueue(set);
    }
    // Last: the set may be one of those that grow.
    for (const Growth& growth : attempt.growths) {
      if (sets_[growth.set].alive) grow(growth);
    }
  }

  void grow(const Growth& growth) {
    Set& set = sets_[growth.set];
    if (holds(set, growth.image)) return;
    const Box& image = growth.image.box;
    if (set.round) {
      set.round->widen(1.02 * std::max(1.0, set.round->reach(growth.image, HUGE_VAL)));
      set.box = set.round->bounds();
    }
    for (std::size_t i = 0; i < set.box.low.size() && !set.round; ++i) {
      const double room = 0.2 * (image.high[i] - image.low[i]) + 1e-6;
      const double below = set.box.low[i] - image.low[i];
      const double above = image.high[i] - set.box.high[i];
      if (below > -kClear) set.box.low[i] -= below + room;
      if (above > -kClear) set.box.high[i] += above + room;
    }
    ++set.joins;
    set.done = false;
    set.tree.clear();
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
    contexts_.set(context) = kNone;
    if (contexts_.path(context).symbols.size() >= options_.context) {
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
          {base_.dfa_state(set.base), base_.monitor(set.base), set.round ? Box{} : set.box,
           set.round ? set.round->middle() : std::vector<double>{},
           set.round ? set.round->shape() : std::vector<double>{}, std::move(tree)});
    }
    result_.closed = true;
  }

  const RnnAcceptor& acceptor_;
  const Imager& imager_;
  const BaseAutomaton& base_;
  const std::vector<std::vector<double>>& felt_;
  const SearchOptions& options_;
  Workers& workers_;
  const Budget& budget_;

  std::size_t start_depth_ = 0;
  Contexts contexts_;
  std::vector<Set> sets_;  ///< 0 is the start: the R-state of the empty word
  std::vector<std::vector<std::size_t>> of_base_;
  std::map<std::size_t, std::vector<std::size_t>> users_;  ///< sets with a leaf to this one
  std::deque<std::size_t> queue_, grown_;
  bool failed_ = false;
  SearchResult result_;
};

}  // namespace

SearchResult search(const RnnAcceptor& acceptor, const Imager& imager, const BaseAutomaton& base,
                    const Samples& samples, const std::vector<std::vector<double>>& felt,
                    const SearchOptions& options, Workers& workers, const Budget& budget) {
  return Search(acceptor, imager, base, samples, felt, options, workers, budget).run();
}

}  // namespace rnnalf::certify
