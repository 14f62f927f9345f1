#include "rnnalf/certify/search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace rnnalf::certify {
namespace {

constexpr std::size_t kNone = BaseAutomaton::kNone;
/// An image must lie this far inside of a set: more than the checkers round outward.
constexpr double kInside = 1e-9;
constexpr std::size_t kBatch = 32;     ///< sets worked on together, whatever the number of threads
constexpr std::size_t kJoins = 24;     ///< times a set may grow
constexpr std::size_t kAllowance = 4;  ///< letters in which images may widen in any way
constexpr std::size_t kPatience = 24;  ///< letters after which images have to shrink

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

/// What is known of the end of a word: the states it passed, and the letters, kNone where any that
/// leads from one state to the next will do. Its set is for the R-states of all such words.
///
/// A context is refined by what one letter of it is, or by the state before all of it; `children`
/// has what may be found there, and the contexts that know it. A leaf has none.
struct Context {
  Path path;
  std::size_t asks = 0;  ///< for which letter, counted from the end; for the state: letters.size()
  std::vector<std::pair<std::size_t, std::size_t>> children;
  std::size_t set = kNone;
};

struct Set {
  Box box;
  Box first;             ///< before it grew
  std::size_t base = 0;  ///< state of the base automaton
  std::size_t context = 0;
  bool alive = true, done = false, queued = false;
  std::size_t joins = 0;
  /// What follows the box as it is; empty when nothing is known. Where a leaf is no longer alive,
  /// the rest of the tree still holds.
  Tree tree;
};

/// The sum of a box's widths.
double extent(const Box& box) {
  double sum = 0;
  for (std::size_t i = 0; i < box.low.size(); ++i) sum += box.high[i] - box.low[i];
  return sum;
}

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
  std::size_t joins = 0;          ///< of the set, when it was begun
  std::vector<std::size_t> word;  ///< Side: the letters from the set to the image
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
      contexts_.push_back({{{q}, {}}, 0, {}, kNone});
      settle(roots_.back(), hull(samples_.states[q]));
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

  [[nodiscard]] std::vector<std::size_t> letters_between(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> letters;
    for (const BaseAutomaton::Edge& edge : base_.into(to)) {
      if (edge.from == from) letters.push_back(edge.letter);
    }
    return letters;
  }

  /// Samples of the context: R-states of its first state, stepped along its letters. Where any
  /// letter will do, each is taken for some of them.
  [[nodiscard]] std::vector<double> images_of(const Path& path) const {
    std::vector<double> states = samples_.states[path.states.front()], next(states.size());
    const std::size_t size = samples_.size, count = states.size() / size;
    std::vector<Symbol> symbols(count);
    for (std::size_t t = 0; t < path.letters.size(); ++t) {
      const std::vector<std::size_t> letters =
          path.letters[t] != kNone ? std::vector{path.letters[t]}
                                   : letters_between(path.states[t], path.states[t + 1]);
      for (std::size_t i = 0; i < count; ++i) {
        symbols[i] = Symbol(letters[((i * 2654435761U) >> (t % 16 + 4)) % letters.size()]);
      }
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

  /// Makes the context a set if its samples, which lie in the box, are close together, else refines
  /// it.
  void settle(std::size_t context, const Box& box) {
    if (failed_ || (contexts_.size() % 64 == 0 && budget_.spent())) {
      failed_ = true;
      return;
    }
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
    set.first = set.box;
    set.base = contexts_[context].path.states.back();
    set.context = context;
    contexts_[context].set = sets_.size();
    of_base_[set.base].push_back(sets_.size());
    sets_.push_back(std::move(set));
  }

  /// A question by which a context may be refined, and what its samples say to it.
  struct Question {
    std::size_t asks = 0;
    std::vector<std::size_t> answers;
    std::vector<Path> paths;
    std::vector<Box> boxes;
    double largest = 0;  ///< of the boxes' extents
  };

  [[nodiscard]] Question which_state(const Path& path) const {
    Question question{path.letters.size(), {}, {}, {}, 0};
    for (const BaseAutomaton::Edge& edge : base_.into(path.states.front())) {
      auto& answers = question.answers;
      if (std::find(answers.begin(), answers.end(), edge.from) != answers.end()) continue;
      answers.push_back(edge.from);
      const auto letters = letters_between(edge.from, path.states.front());
      Path longer = path;
      longer.states.insert(longer.states.begin(), edge.from);
      longer.letters.insert(longer.letters.begin(), letters.size() == 1 ? letters[0] : kNone);
      question.paths.push_back(std::move(longer));
    }
    look(question);
    return question;
  }

  /// About the last letter that is not known yet; none when all are.
  [[nodiscard]] std::optional<Question> which_letter(const Path& path) const {
    const auto found = std::find(path.letters.rbegin(), path.letters.rend(), kNone);
    if (found == path.letters.rend()) return std::nullopt;
    const auto asks = static_cast<std::size_t>(found - path.letters.rbegin());
    const std::size_t at = path.letters.size() - 1 - asks;
    Question question{asks, letters_between(path.states[at], path.states[at + 1]), {}, {}, 0};
    for (const std::size_t letter : question.answers) {
      question.paths.push_back(path);
      question.paths.back().letters[at] = letter;
    }
    look(question);
    return question;
  }

  void look(Question& question) const {
    for (const Path& path : question.paths) {
      question.boxes.push_back(hull(images_of(path)));
      question.largest = std::max(question.largest, extent(question.boxes.back()));
    }
  }

  /// By the question whose answers tell more.
  void refine(std::size_t context) {
    if (contexts_.size() > 3 * options_.sets) failed_ = true;
    if (failed_) return;
    const Path path = contexts_[context].path;
    Question question = which_state(path);
    if (auto other = which_letter(path); other && other->largest < question.largest) {
      question = std::move(*other);
    }
    contexts_[context].asks = question.asks;
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
      const std::size_t child = contexts_.size();
      contexts_[context].children.emplace_back(question.answers[i], child);
      contexts_.push_back({std::move(question.paths[i]), 0, {}, kNone});
      settle(child, question.boxes[i]);
    }
  }

  /// The set of a word that ends with this path; none when more of the word must be known.
  [[nodiscard]] std::size_t set_of(const Path& path) const {
    const std::size_t letters = path.letters.size();
    std::size_t context = roots_[path.states.back()];
    while (contexts_[context].set == kNone) {
      const Context& at = contexts_[context];
      if (at.asks >= letters) return kNone;
      const std::size_t answer = at.asks == at.path.letters.size()
                                     ? path.states[letters - 1 - at.asks]
                                     : path.letters[letters - 1 - at.asks];
      const auto child = std::find_if(at.children.begin(), at.children.end(),
                                      [&](const auto& one) { return one.first == answer; });
      if (child == at.children.end()) return kNone;
      context = child->second;
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
    const Tree& before = sets_[set].tree;
    Remains remains{before, std::vector<std::size_t>(before.size()),
                    std::vector<bool>(before.size())};
    if (!before.empty()) look_over(remains, 0, sets_[set].base);
    attempt.joins = sets_[set].joins;
    attempt.extents.push_back(extent(sets_[set].box));
    attempt.tree = descend(set, imager_.of(sets_[set].box), path, 0, remains,
                           before.empty() ? kNew : 0, attempt);
  }

  /// Fills in what follows an image in that state, from entry `at` on; returns where it ends.
  std::size_t look_over(Remains& remains, std::size_t at, std::size_t state) const {
    for (std::size_t a = 0; a < base_.letters(); ++a) {
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

  [[nodiscard]] std::size_t container(const Box& image, const Path& path) const {
    const std::size_t first = set_of(path);
    if (first != kNone && inside(image, sets_[first].box)) return first;
    for (const std::size_t other : of_base_[path.states.back()]) {
      if (other != first && sets_[other].alive && inside(image, sets_[other].box)) return other;
    }
    return kNone;
  }

  /// Whether growing the set by the image is worth trying: the image is small beside the set, or it
  /// has shrunk and sticks out but a little; and the set remains near to what it was at first, for
  /// growing further only makes its own images wider.
  [[nodiscard]] bool may_grow(const Set& set, const Box& image) const {
    if (set.joins >= kJoins) return false;
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

  /// Whether images grow so much, or shrink so slowly, that the tree is given up. One letter may
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
      std::size_t letter, next, before;
      Tree tree;
      Image image;
      double extent = 0;
      bool open = false;
    };
    std::vector<Child> children;
    for (std::size_t a = 0; a < base_.letters(); ++a) {
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
      ++attempt.images;
      path.push(a, next);
      attempt.word.push_back(a);
      const bool bounded = successors.step(a, child.image);
      if (!bounded || !right_side(child.image, next)) {
        attempt.failure = bounded ? Failure::Side : Failure::Limit;
        return {};
      }
      std::size_t leaf = container(child.image.box, path);
      if (leaf == kNone) {
        const std::size_t target = set_of(path);
        if (target != kNone &&
            (may_grow(sets_[target], child.image.box) ||
             (is_start && depth + 1 >= start_depth_ && sets_[target].joins < 4 * kJoins))) {
          attempt.growths.push_back({target, child.image.box});
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

    // The widest first: if a tree has to be given up, then soon.
    attempt.extents.push_back(0);
    std::vector<std::size_t> order(children.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return children[a].extent > children[b].extent;
    });
    for (const std::size_t i : order) {
      Child& child = children[i];
      if (!child.open) continue;
      if (attempt.images % 16 == 0 && budget_.spent()) {
        attempt.failure = Failure::Interrupted;
        return {};
      }
      path.push(child.letter, child.next);
      attempt.word.push_back(child.letter);
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
    const MarginRange margin = imager_.margin(image);
    return base_.accepts(base) ? margin.low > kInside : margin.high < -kInside;
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
  std::deque<std::size_t> queue_, grown_;
  bool failed_ = false;
  SearchResult result_;
};

}  // namespace

Samples take_samples(const RnnAcceptor& acceptor, const BaseAutomaton& base, Random& random) {
  constexpr std::size_t short_words = 300, most = 96, walks = 12, length = 64, settled = 4,
                        entries = 12;
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
  // How components are entered: a letter after the R-states before them, and a few letters on.
  // Components are numbered such that those before have their samples.
  std::vector<std::size_t> order(base.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) {
    return base.component(p) < base.component(q);
  });
  for (const std::size_t q : order) {
    for (const BaseAutomaton::Edge& edge : base.into(q)) {
      if (base.component(edge.from) == base.component(q)) continue;
      const std::vector<double> before = samples.states[edge.from];
      const std::size_t count = before.size() / size;
      for (std::size_t i = 0; i < std::min(count, entries); ++i) {
        const std::size_t at = i * count / std::min(count, entries) * size;
        std::vector<double> r(before.begin() + static_cast<std::ptrdiff_t>(at),
                              before.begin() + static_cast<std::ptrdiff_t>(at + size));
        std::size_t state = edge.from, letter = edge.letter;
        for (std::size_t t = 0; t < settled; ++t) {
          step(r, letter);
          state = base.next(state, letter);
          samples.states[state].insert(samples.states[state].end(), r.begin(), r.end());
          letter = random.below(base.letters());
          const std::size_t next = base.next(state, letter);
          if (next == kNone || base.component(next) != base.component(q)) break;
        }
      }
    }
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
