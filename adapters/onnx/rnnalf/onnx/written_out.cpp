// An exporter that traces a loop writes it out: a copy of the step for each symbol of the example
// word. Folding finds the step again. Each link belongs to the copy of the last symbol it depends
// on; what a copy reads of the one before are the states. Starting from the states of the last two
// copies, links are matched backwards through all copies but the first, which exporters simplify
// because its state is constant. The last copy becomes the step. The first is compared by value:
// both are run for every symbol and must give the same states.

#include "rnnalf/onnx/written_out.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "rnnalf/acceptor/step_acceptor.hpp"
#include "rnnalf/onnx/assembly.hpp"
#include "rnnalf/onnx/same_part.hpp"

namespace rnnalf::onnx_impl {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Fewer copies do not show what repeats: the first is not like the others.
constexpr std::size_t kFewestCopies = 3;

/// Exporters compute constants in float; a state that differs is off by far more.
bool is_close(double a, double b) {
  return std::abs(a - b) <= 1e-5 * (1 + std::abs(b));
}

bool all_are(const std::vector<double>& values, double number) {
  return std::all_of(values.begin(), values.end(), [=](double x) { return x == number; });
}

// ---- folding

class Folding {
 public:
  Folding(std::size_t root, Context& context)
      : context_(context),
        root_(root),
        count_(context.links.size()),
        copy_(count_, kNone),
        size_(count_, 0),
        next_(count_, kNone),
        before_(count_, kNone) {}

  std::size_t fold() {
    find_copies();
    move_to_next_copy();
    find_states();
    match_states();
    match_collected();
    find_initial_states();
    rewrite();
    compare_first_step();
    context_.assumed.push_back(fmt::format(
        "the step that the file repeats for {} symbols is repeated for words of every length",
        copies_));
    return root_;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    context_.refuse("a loop that is written out step by step: " + message);
  }

  void spend(std::size_t work) const {
    if (!context_.meter.spend(work)) {
      refuse("expected steps in proportion to the file, found more to compare");
    }
  }

  [[nodiscard]] const Link& link(std::size_t at) const { return context_.links[at]; }

  [[nodiscard]] static std::string at_name(const Link& a, const Link& b) {
    const std::string& name = a.name.empty() ? b.name : a.name;
    return name.empty() ? std::string() : " at " + quoted(name);
  }

  [[noreturn]] void refuse_difference(std::size_t copy, const Link& a, const Link& b) const {
    refuse(
        fmt::format("expected every step to do the same with its symbol and the state that the "
                    "step before left, found step {} to differ{}",
                    copy + 1, at_name(a, b)));
  }

  /// Marks what the root depends on, and for each link the last symbol it depends on: its copy.
  void find_copies() {
    live_.assign(count_, false);
    live_[root_] = true;
    for (std::size_t at = root_ + 1; at-- > 0;) {
      if (!live_[at]) continue;
      for (const std::size_t input : link(at).inputs) live_[input] = true;
      // The other state of an LSTM, which recurrent() puts behind: the last step computes it, too.
      const bool pair = at < root_ && std::holds_alternative<CellPart>(link(at).part) &&
                        std::holds_alternative<CellStatePart>(link(at + 1).part);
      if (pair) live_[at + 1] = true;
    }
    std::vector<bool> every_step(count_, false);  // computed at all steps, and not yet picked from
    std::set<std::size_t> positions;
    for (std::size_t at = 0; at <= root_; ++at) {
      if (!live_[at]) continue;
      const Link& found = link(at);
      const bool symbol = std::holds_alternative<EmbeddingPart>(found.part) ||
                          std::holds_alternative<OneHotPart>(found.part);
      const bool pick = std::holds_alternative<PickPart>(found.part);
      every_step[at] = symbol && !found.position;
      bool mixed = std::holds_alternative<RecurrentPart>(found.part) ||
                   (pick && copy_[found.inputs.front()] != kNone);
      if (const auto* state = std::get_if<StatePart>(&found.part)) {
        mixed = !context_.states[state->number].is_input;
      }
      if (found.position) {
        copy_[at] = *found.position;
        positions.insert(*found.position);
      }
      for (const std::size_t input : found.inputs) {
        if (!pick) every_step[at] = every_step[at] || every_step[input];
        if (copy_[input] != kNone && (copy_[at] == kNone || copy_[at] < copy_[input])) {
          copy_[at] = copy_[input];
        }
      }
      if (mixed || (every_step[at] && (copy_[at] != kNone || at == root_))) {
        refuse(
            "expected nothing else that runs over the word, found another recurrent part or a "
            "vector for every symbol beside it" +
            at_name(found, found));
      }
      size_[at] = size_of(found);
    }
    copies_ = positions.size();
    const auto& length = context_.written_out.length.value;
    const std::size_t expected = length              ? static_cast<std::size_t>(*length)
                                 : positions.empty() ? 0
                                                     : *positions.rbegin() + 1;
    if (copies_ != expected) {
      refuse(fmt::format("expected every symbol of the word to be read, found {} of {}", copies_,
                         expected));
    }
    if (copies_ < kFewestCopies) {
      refuse(
          fmt::format("expected {} symbols or more, as the first step is not like the others, "
                      "found {}; export it with a longer word",
                      kFewestCopies, copies_));
    }
  }

  [[nodiscard]] std::size_t size_of(const Link& found) const {
    const auto input = [&](std::size_t i) { return size_[found.inputs[i]]; };
    if (const auto* p = std::get_if<EmbeddingPart>(&found.part)) {
      return static_cast<std::size_t>(p->table.dims[1].value.value_or(0));
    }
    if (const auto* p = std::get_if<CellPart>(&found.part)) return p->weights.hidden;
    if (const auto* p = std::get_if<DensePart>(&found.part); p != nullptr && p->weights) {
      return p->outputs;
    }
    if (const auto* p = std::get_if<RescalePart>(&found.part)) {
      return std::max({p->scale.size(), p->shift.size(), input(0)});
    }
    if (std::holds_alternative<CombinePart>(found.part)) return std::max(input(0), input(1));
    if (std::holds_alternative<JoinPart>(found.part)) {
      std::size_t sum = 0;
      for (const std::size_t part : found.inputs) sum += size_[part];
      return sum;
    }
    if (const auto* p = std::get_if<SlicePart>(&found.part)) return p->size;
    if (const auto* p = std::get_if<ConstantPart>(&found.part)) return p->values.size();
    if (const auto* p = std::get_if<OneHotPart>(&found.part)) return p->symbols;
    if (const auto* p = std::get_if<StatePart>(&found.part)) return context_.states[p->number].size;
    return found.inputs.empty() ? 0 : size_[found.inputs.back()];
  }

  [[nodiscard]] bool is_collected(std::size_t at) const {
    return std::holds_alternative<CollectPart>(link(at).part);
  }

  /// A number that corresponding links of two copies share, and few others.
  [[nodiscard]] std::vector<std::size_t> shapes() const {
    std::vector<std::size_t> shape(count_, 0);
    for (std::size_t at = 0; at <= root_; ++at) {
      if (!live_[at] || copy_[at] == kNone) continue;
      shape[at] = mixed(shape_of(link(at).part), size_[at]);
      for (const std::size_t input : link(at).inputs) {
        const bool own = copy_[input] == copy_[at];
        shape[at] = mixed(shape[at], own ? shape[input] : copy_[input] == kNone ? 1 : 2);
      }
    }
    return shape;
  }

  /// What a step computes of the state alone, before it reads its symbol, seems to belong to the
  /// copy before. It is missing in the last copy, behind which no step follows: that tells it.
  void move_to_next_copy() {
    shape_ = shapes();
    std::set<std::size_t> in_last;
    std::vector<std::size_t> first_user(count_, kNone);
    for (std::size_t at = 0; at <= root_; ++at) {
      if (live_[at] && copy_[at] == copies_ - 1) in_last.insert(shape_[at]);
    }
    for (std::size_t at = root_ + 1; at-- > 0;) {
      if (!live_[at] || copy_[at] == kNone) continue;
      const bool used_later = first_user[at] != kNone && first_user[at] > copy_[at];
      // The first copy is not like the others: match() does it there.
      const bool bound = std::holds_alternative<CellStatePart>(link(at).part);  // to its cell
      if (copy_[at] > 0 && used_later && !bound && !in_last.contains(shape_[at])) ++copy_[at];
      if (is_collected(at)) continue;
      for (const std::size_t input : link(at).inputs) {
        first_user[input] = std::min(first_user[input], copy_[at]);
      }
    }
  }

  /// What a copy reads of the one before it: the states.
  void find_states() {
    states_.resize(copies_);
    std::vector<bool> is_state(count_, false);
    for (std::size_t at = 0; at <= root_; ++at) {
      if (!live_[at] || copy_[at] == kNone || is_collected(at)) continue;
      for (const std::size_t input : link(at).inputs) {
        if (copy_[input] == kNone || copy_[input] == copy_[at]) continue;
        if (copy_[input] + 1 != copy_[at]) {
          refuse_difference(copy_[at], link(at), link(input));
        }
        if (!is_state[input]) states_[copy_[input]].push_back(input);
        is_state[input] = true;
      }
    }
    if (states_[copies_ - 2].empty()) {
      refuse("expected a state that goes from step to step, found none");
    }
  }

  // Two links of neighbouring copies correspond when they compute the same of corresponding ones.

  /// Tries to make `a` correspond to `b`, of the next copy. A failure changes nothing.
  bool match(std::size_t a, std::size_t b) {
    std::vector<std::pair<std::size_t, std::size_t>> open = {{a, b}};
    std::vector<std::size_t> made;
    std::vector<std::size_t> moved;
    const auto fail = [&](std::size_t x, std::size_t y) {
      for (const std::size_t at : moved) copy_[at] = 0;
      for (const std::size_t at : made) {
        before_[next_[at]] = kNone;
        next_[at] = kNone;
      }
      differ_ = {x, y};
      return false;
    };
    while (!open.empty()) {
      const auto [x, y] = open.back();
      open.pop_back();
      spend(1);
      if (copy_[x] == kNone && copy_[y] == kNone) {
        if (!same_constant(x, y)) return fail(x, y);
        continue;
      }
      if (copy_[x] == 0 && copy_[y] == 2) {
        copy_[x] = 1;
        moved.push_back(x);
      }
      if (copy_[x] == kNone || copy_[y] == kNone || copy_[x] + 1 != copy_[y]) return fail(x, y);
      if (next_[x] == y) continue;
      if (next_[x] != kNone || before_[y] != kNone) return fail(x, y);
      next_[x] = y;
      before_[y] = x;
      made.push_back(x);
      if (copy_[x] == 0) continue;  // compared by what it gives: compare_first_step
      const bool alike = link(x).inputs.size() == link(y).inputs.size() &&
                         link(x).position.has_value() == link(y).position.has_value() &&
                         same_part(link(x).part, link(y).part, context_.meter);
      if (!alike) return fail(x, y);
      for (std::size_t i = 0; i < link(x).inputs.size(); ++i) {
        open.emplace_back(link(x).inputs[i], link(y).inputs[i]);
      }
    }
    return true;
  }

  /// Whether two links that depend on no symbol, or on every one, compute the same.
  bool same_constant(std::size_t a, std::size_t b) {
    std::vector<std::pair<std::size_t, std::size_t>> open = {{a, b}};
    while (!open.empty()) {
      const auto [x, y] = open.back();
      open.pop_back();
      if (x == y || !same_.emplace(x, y).second) continue;
      spend(1);
      if (link(x).inputs.size() != link(y).inputs.size() ||
          !same_part(link(x).part, link(y).part, context_.meter)) {
        same_.clear();  // some of these were not compared to the end
        return false;
      }
      for (std::size_t i = 0; i < link(x).inputs.size(); ++i) {
        open.emplace_back(link(x).inputs[i], link(y).inputs[i]);
      }
    }
    return true;
  }

  /// Finds for each state of the last copy but one what it is in the last copy; what the copies
  /// below compute follows.
  void match_states() {
    std::multimap<std::size_t, std::size_t> last;  // links of the last copy by shape
    for (std::size_t at = 0; at <= root_; ++at) {
      if (live_[at] && copy_[at] == copies_ - 1) last.emplace(shape_[at], at);
    }
    for (const std::size_t state : states_[copies_ - 2]) {
      if (next_[state] != kNone) continue;
      const auto [begin, end] = last.equal_range(shape_[state]);
      differ_ = {state, state};
      const bool found =
          std::any_of(begin, end, [&](const auto& entry) { return match(state, entry.second); });
      if (!found) {
        const std::size_t copy = copy_[differ_.first] == kNone ? copies_ - 2 : copy_[differ_.first];
        refuse_difference(copy + 1, link(differ_.second), link(differ_.first));
      }
    }
    for (const std::size_t state : states_[copies_ - 2]) {
      if (first_of(state) == kNone) {
        refuse("expected a state that every step reads, found one that the last step alone does" +
               at_name(link(state), link(state)));
      }
    }
  }

  /// What corresponds to a link in the first copy.
  [[nodiscard]] std::size_t first_of(std::size_t at) const {
    while (at != kNone && copy_[at] != 0) at = before_[at];
    return at;
  }

  /// A mean, sum or maximum over the steps: of corresponding vectors, one for every step.
  void match_collected() {
    for (std::size_t at = 0; at <= root_; ++at) {
      if (!live_[at] || !is_collected(at)) continue;
      const std::vector<std::size_t>& inputs = link(at).inputs;
      bool all = inputs.size() == copies_;
      for (std::size_t i = 0; all && i < copies_; ++i) all = copy_[inputs[i]] == i;
      for (std::size_t i = copies_ - 1; all && i-- > 0;) all = match(inputs[i], inputs[i + 1]);
      if (!all) {
        refuse("expected a mean, sum or maximum of the same vector of every step, found others" +
               at_name(link(at), link(at)));
      }
      collected_.push_back(at);
    }
  }

  /// The constants that the first copy has where the second one reads the first; zero where it does
  /// not show them. Whether they are the right ones, compare_first_step tells.
  void find_initial_states() {
    std::vector<std::pair<std::size_t, std::size_t>> open;
    std::set<std::pair<std::size_t, std::size_t>> seen;
    for (const std::size_t state : states_[copies_ - 2]) {
      const std::size_t first = first_of(state);
      open.emplace_back(first, next_[first]);
    }
    while (!open.empty()) {
      const auto [x, y] = open.back();
      open.pop_back();
      if (!seen.emplace(x, y).second) continue;
      spend(1);
      if (copy_[y] == 0) {
        if (const auto* constant = std::get_if<ConstantPart>(&link(x).part)) {
          initial_.emplace(y, constant->values);
        }
        continue;
      }
      const std::vector<std::size_t>& below = link(x).inputs;
      const std::vector<std::size_t>& above = link(y).inputs;
      if (link(x).part.index() == link(y).part.index() && below.size() == above.size()) {
        for (std::size_t i = 0; i < below.size(); ++i) open.emplace_back(below[i], above[i]);
        continue;
      }
      // A state that is combined entry by entry; of a constant one, a scale or a shift is left.
      const auto* rescale = std::get_if<RescalePart>(&link(x).part);
      const auto* combine = std::get_if<CombinePart>(&link(y).part);
      if (rescale == nullptr || combine == nullptr) continue;
      const std::size_t side = copy_[above[0]] == 0 ? 0 : 1;
      const bool scaled =
          combine->operation == StepOperation::Multiply && all_are(rescale->shift, 0);
      const bool shifted = combine->operation == StepOperation::Add && all_are(rescale->scale, 1);
      if (copy_[above[side]] == 0 && (scaled || shifted)) {
        initial_.emplace(above[side], scaled ? rescale->scale : rescale->shift);
      }
      open.emplace_back(below[0], above[1 - side]);
    }
  }

  [[nodiscard]] std::vector<double> initial_of(std::size_t first) {
    const auto found = initial_.find(first);
    if (found == initial_.end() || all_are(found->second, 0)) return {};
    std::vector<double> values = found->second;
    if (values.size() == 1) values.resize(size_[first], values.front());
    if (values.size() != size_[first]) return {};
    return values;
  }

  /// The last copy becomes the step: what it reads of the copy before are states, and the symbol it
  /// reads is the current one.
  void rewrite() {
    for (const std::size_t at : collected_) {
      std::vector<std::size_t>& inputs = context_.links[at].inputs;
      compared_.emplace_back(inputs.front(), inputs.back());
      inputs = {inputs.back()};
    }
    for (const std::size_t state : states_[copies_ - 2]) {
      const std::size_t first = first_of(state);
      compared_.emplace_back(first, next_[state]);
      spend(size_[state]);
      context_.states.push_back({.name = link(state).name,
                                 .size = size_[state],
                                 .initial = initial_of(first),
                                 .next = next_[state]});
    }
    std::size_t number = context_.states.size() - states_[copies_ - 2].size();
    for (const std::size_t state : states_[copies_ - 2]) {
      context_.links[state] = {StatePart{number++}, {}, {}, link(state).name};
    }
    // Without positions, a pick is what it picks from.
    std::vector<std::size_t> meant(count_);
    for (std::size_t at = 0; at < count_; ++at) {
      Link& found = context_.links[at];
      found.position.reset();
      for (std::size_t& input : found.inputs) input = meant[input];
      meant[at] = std::holds_alternative<PickPart>(found.part) ? found.inputs.front() : at;
    }
    for (CarriedState& state : context_.states) {
      if (state.next) state.next = meant[*state.next];
    }
    for (auto& [first, last] : compared_) {
      first = meant[first];
      last = meant[last];
    }
    root_ = meant[root_];
  }

  /// After every symbol, the first copy and the step must give the same.
  void compare_first_step() {
    // Both as states of one step graph; what is added for it is taken away again.
    const std::size_t links = context_.links.size();
    const std::size_t states = context_.states.size();
    Link join{JoinPart{}};
    for (const auto& [first, last] : compared_) {
      for (const std::size_t at : {first, last}) {
        join.inputs.push_back(at);
        context_.states.push_back({.size = 0, .next = at});
      }
    }
    for (std::size_t i = 0; i < join.inputs.size(); ++i) {
      context_.states[states + i].size = size_[join.inputs[i]];
      spend(size_[join.inputs[i]]);
    }
    context_.links.push_back(std::move(join));
    const StepGraph graph = step_graph(links, context_);
    context_.links.resize(links);
    context_.states.resize(states);

    std::size_t cost = 0;
    for (std::size_t i = 0; i < graph.step.size(); ++i) {
      const StepNode& node = graph.step[i];
      const bool one_hot =
          is_symbol_table(graph.step, i) && graph.step[node.inputs[0]].weights.values.empty();
      cost += node.size + (one_hot ? 0 : node.weights.values.size());
    }
    if (static_cast<double>(cost) * static_cast<double>(graph.symbols) >
        kMostWork + kMostWorkPerNumber * static_cast<double>(context_.meter.left())) {
      refuse(
          fmt::format("expected a first step that can be compared with the others for every "
                      "symbol, found {} symbols",
                      graph.symbols));
    }
    // Where in an R-state the states are that are compared, the first copy's and the step's.
    const std::vector<std::size_t>& joined = graph.readout.back().inputs;
    struct Place {
      std::ptrdiff_t begin, end;
    };
    const auto state_of = [&](std::size_t node) {
      const std::size_t number = graph.readout[node].from;
      std::size_t begin = 0;
      for (std::size_t i = 0; i < number; ++i) begin += graph.states[i].size;
      return Place{static_cast<std::ptrdiff_t>(begin),
                   static_cast<std::ptrdiff_t>(begin + graph.states[number].size)};
    };
    NetworkSpec spec;
    spec.step = graph;
    const auto acceptor = make_step_acceptor(spec, Precision::Double);
    const std::vector<double> start = acceptor->initial_state();
    std::vector<double> reached(start.size());
    for (std::size_t symbol = 0; symbol < graph.symbols; ++symbol) {
      const auto read = static_cast<Symbol>(symbol);
      acceptor->step({start.data(), start.size(), 1}, {&read, 1},
                     {reached.data(), reached.size(), 1});
      for (std::size_t i = 0; i < joined.size(); i += 2) {
        const auto first = state_of(joined[i]), last = state_of(joined[i + 1]);
        if (!std::equal(reached.begin() + first.begin, reached.begin() + first.end,
                        reached.begin() + last.begin, is_close)) {
          refuse(
              "expected a first step like the others, from a constant state, found one that "
              "computes something else");
        }
      }
    }
  }

  // Multiplications, of which a machine does a thousand million in a second or two.
  static constexpr double kMostWork = 5e7;
  static constexpr double kMostWorkPerNumber = 300;

  Context& context_;
  std::size_t root_;
  std::size_t count_;
  std::vector<bool> live_;
  std::vector<std::size_t> copy_;  // by link; none: depends on no symbol, or on every one
  std::vector<std::size_t> size_;  // of a link's vector
  std::vector<std::size_t> shape_;
  std::size_t copies_ = 0;
  std::vector<std::vector<std::size_t>> states_;  // links of each copy that the next one reads
  std::vector<std::size_t> next_;                 // what corresponds to a link in the next copy
  std::vector<std::size_t> before_;               // and in the one before
  std::set<std::pair<std::size_t, std::size_t>> same_;
  std::pair<std::size_t, std::size_t> differ_;  // where the last match failed
  std::vector<std::size_t> collected_;
  std::map<std::size_t, std::vector<double>> initial_;  // by the state's link in the first copy
  std::vector<std::pair<std::size_t, std::size_t>> compared_;
};

}  // namespace

std::size_t fold_written_out(std::size_t root, Context& context) {
  if (!context.written_out.axis) return root;
  return Folding(root, context).fold();
}

}  // namespace rnnalf::onnx_impl
