#include "python_acceptor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf::python {
namespace {

/// The functions. The last owner releases them, with the interpreter lock held.
struct Functions {
  py::function step;
  py::function accepts;
};
struct FreeFunctions {
  void operator()(Functions* functions) const {
    const py::gil_scoped_acquire acquire;
    delete functions;
  }
};

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape")).cast<std::string>();
}

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// What `accepts` said of some states.
struct Scores {
  std::vector<double> values;  // `columns` for each state
  std::size_t columns = 1;     // 1: above 0 accepts; else one for each answer
  bool yes_or_no = false;      // they were booleans

  [[nodiscard]] Judgement judgement(std::size_t state) const {
    const double* const of = values.data() + state * columns;
    if (columns == 1) {
      const double margin = yes_or_no ? (of[0] != 0 ? 1 : -1) : of[0];
      return {accept_if(margin > 0), margin};
    }
    if (columns == 2) return {accept_if(of[1] > of[0]), of[1] - of[0]};
    const auto best = static_cast<std::size_t>(std::max_element(of, of + columns) - of);
    double rival = -HUGE_VAL;
    for (std::size_t i = 0; i < columns; ++i) {
      if (i != best) rival = std::max(rival, of[i]);
    }
    return {static_cast<Answer>(best), of[best] - rival};
  }

  /// Of an answer: booleans are certain, numbers log odds, several the logarithms of odds.
  [[nodiscard]] double probability(std::size_t state, std::size_t answer) const {
    const double* const of = values.data() + state * columns;
    if (columns == 1) {
      const double accept = yes_or_no ? (of[0] != 0 ? 1 : 0) : 1 / (1 + std::exp(-of[0]));
      return answer == 1 ? accept : 1 - accept;
    }
    double sum = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += std::exp(of[i] - of[answer]);
    return 1 / sum;
  }
};

/// Real: float or double, in which states are kept and handed over.
template <class Real>
class PythonAcceptor final : public RnnAcceptor {
 public:
  using Rows = py::array_t<Real, py::array::c_style | py::array::forcecast>;

  PythonAcceptor(std::vector<double> initial, Functions functions, std::size_t symbols)
      : initial_(std::move(initial)),
        functions_(new Functions(std::move(functions))),
        symbols_(symbols) {
    const py::gil_scoped_acquire acquire;
    columns_ = ask(rows({initial_.data(), initial_.size(), 1})).columns;
  }

  [[nodiscard]] std::size_t state_size() const override { return initial_.size(); }
  [[nodiscard]] std::size_t symbol_count() const override { return symbols_; }
  [[nodiscard]] std::size_t answer_count() const override {
    return std::max<std::size_t>(2, columns_);
  }
  [[nodiscard]] Precision precision() const override {
    return std::is_same_v<Real, float> ? Precision::Float : Precision::Double;
  }
  /// A call from C++ costs as much as some rows of a small network.
  [[nodiscard]] std::size_t columns_worth_a_call() const override { return 16; }
  [[nodiscard]] std::vector<double> initial_state() const override { return initial_; }

  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    const py::gil_scoped_acquire acquire;
    const Rows reached = stepped(rows(states), symbols);
    std::copy_n(reached.data(), states.count * states.size, next.data);
  }

  void follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
              std::byte* next, std::span<Judgement> judged) const override {
    const py::gil_scoped_acquire acquire;
    Rows from = make_rows(origins.size());
    const std::size_t bytes = kept_bytes();
    auto* const to = reinterpret_cast<std::byte*>(from.mutable_data());
    for (std::size_t i = 0; i < origins.size(); ++i) {
      std::memcpy(to + i * bytes, origins[i], bytes);
    }
    const Rows reached = stepped(from, symbols);
    std::memcpy(next, reached.data(), origins.size() * bytes);
    if (judged.empty()) return;
    const Scores scores = measured(reached);
    for (std::size_t i = 0; i < judged.size(); ++i) judged[i] = scores.judgement(i);
  }

  void margins(ConstRStates states, std::span<double> margins) const override {
    const py::gil_scoped_acquire acquire;
    const Scores scores = measured(rows(states));
    for (std::size_t i = 0; i < margins.size(); ++i) margins[i] = scores.judgement(i).margin;
  }

  void judge(ConstRStates states, std::span<Judgement> judged) const override {
    const py::gil_scoped_acquire acquire;
    const Scores scores = measured(rows(states));
    for (std::size_t i = 0; i < judged.size(); ++i) judged[i] = scores.judgement(i);
  }

  void probabilities(ConstRStates states, std::span<double> probabilities) const override {
    const py::gil_scoped_acquire acquire;
    const Scores scores = measured(rows(states));
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      const Answer given = scores.columns > 2 ? scores.judgement(i).answer : Answer::Accept;
      probabilities[i] = scores.probability(i, index(given));
    }
  }

  void all_probabilities(ConstRStates states, std::span<double> probabilities) const override {
    const py::gil_scoped_acquire acquire;
    const Scores scores = measured(rows(states));
    const std::size_t answers = answer_count();
    for (std::size_t i = 0; i < states.count; ++i) {
      for (std::size_t a = 0; a < answers; ++a) {
        probabilities[i * answers + a] = scores.probability(i, a);
      }
    }
  }

 private:
  [[nodiscard]] Rows make_rows(std::size_t count) const {
    return Rows({static_cast<py::ssize_t>(count), static_cast<py::ssize_t>(state_size())});
  }

  [[nodiscard]] Rows rows(ConstRStates states) const {
    Rows array = make_rows(states.count);
    std::transform(states.data, states.data + states.count * states.size, array.mutable_data(),
                   [](double value) { return static_cast<Real>(value); });
    return array;
  }

  [[nodiscard]] Rows stepped(const Rows& from, std::span<const Symbol> symbols) const {
    py::array_t<std::int64_t> numbers(static_cast<py::ssize_t>(symbols.size()));
    std::transform(symbols.begin(), symbols.end(), numbers.mutable_data(),
                   [](Symbol symbol) { return static_cast<std::int64_t>(index(symbol)); });
    const py::object answer = functions_->step(from, numbers);
    Rows reached = Rows::ensure(answer);
    if (!reached) PyErr_Clear();
    if (!reached || reached.ndim() != 2 || reached.shape(0) != from.shape(0) ||
        reached.shape(1) != from.shape(1)) {
      throw OptionError("step: expected an array of shape " + shape_text(from) + ", found " +
                        (reached ? "shape " + shape_text(reached)
                                 : py::repr(py::type::of(answer)).template cast<std::string>()));
    }
    const Real* const all = reached.data();
    const auto size = static_cast<std::size_t>(reached.size());
    if (!std::all_of(all, all + size, [](Real value) { return std::isfinite(value); })) {
      throw OptionError("step: expected finite numbers, found others");
    }
    return reached;
  }

  /// As many for each row as for the first that was asked about.
  [[nodiscard]] Scores measured(const Rows& states) const {
    Scores scores = ask(states);
    if (scores.columns != columns_) {
      throw OptionError(fmt::format(
          "accepts: expected {} numbers for each state, as for the initial one, found {}", columns_,
          scores.columns));
    }
    return scores;
  }

  [[nodiscard]] Scores ask(const Rows& states) const {
    const py::object answer = functions_->accepts(states);
    const py::array found = py::array::ensure(answer);
    if (!found) PyErr_Clear();
    const auto numbers = found ? Doubles::ensure(found) : Doubles();
    const bool one_each = numbers && numbers.ndim() == 1;
    const bool several_each = numbers && numbers.ndim() == 2 && numbers.shape(1) >= 2 &&
                              static_cast<std::size_t>(numbers.shape(1)) <= kMostAnswers;
    if ((!one_each && !several_each) || numbers.shape(0) != states.shape(0)) {
      PyErr_Clear();
      throw OptionError(fmt::format(
          "accepts: expected {} booleans or numbers, or as many rows of scores, found {}",
          states.shape(0),
          (found ? "shape " + shape_text(found)
                 : py::repr(py::type::of(answer)).template cast<std::string>())));
    }
    const double* const all = numbers.data();
    const auto size = static_cast<std::size_t>(numbers.size());
    if (!std::all_of(all, all + size, [](double value) { return std::isfinite(value); })) {
      throw OptionError("accepts: expected finite numbers, found others");
    }
    return {{all, all + size},
            one_each ? 1 : static_cast<std::size_t>(numbers.shape(1)),
            one_each && found.dtype().kind() == 'b'};
  }

  std::vector<double> initial_;
  std::unique_ptr<Functions, FreeFunctions> functions_;
  std::size_t symbols_;
  std::size_t columns_ = 1;
};

}  // namespace

std::shared_ptr<const RnnAcceptor> make_python_acceptor(const py::object& initial,
                                                        py::function step, py::function accepts,
                                                        std::size_t symbols) {
  const py::array given = py::array::ensure(initial);
  const auto numbers = given ? py::array_t<double, py::array::forcecast>::ensure(given)
                             : py::array_t<double, py::array::forcecast>();
  PyErr_Clear();
  if (!given || !numbers || numbers.ndim() != 1 || numbers.size() == 0) {
    throw OptionError("initial: expected an array of shape (d,), found " +
                      (given ? "shape " + shape_text(given)
                             : py::repr(py::type::of(initial)).cast<std::string>()));
  }
  std::vector<double> start;
  for (py::ssize_t i = 0; i < numbers.size(); ++i) {
    start.push_back(numbers.at(i));
    if (!std::isfinite(start.back())) {
      throw OptionError("initial: expected finite numbers, found others");
    }
  }
  Functions functions{std::move(step), std::move(accepts)};
  if (given.dtype().kind() == 'f' && given.dtype().itemsize() == sizeof(float)) {
    return std::make_shared<PythonAcceptor<float>>(std::move(start), std::move(functions), symbols);
  }
  return std::make_shared<PythonAcceptor<double>>(std::move(start), std::move(functions), symbols);
}

}  // namespace rnnalf::python
