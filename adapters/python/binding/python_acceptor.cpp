#include "python_acceptor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::python {
namespace {

/// The functions, let go with the interpreter lock whoever does it last.
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

/// Real: float or double, in which states are kept and handed over.
template <class Real>
class PythonAcceptor final : public RnnAcceptor {
 public:
  using Rows = py::array_t<Real, py::array::c_style | py::array::forcecast>;

  PythonAcceptor(std::vector<double> initial, Functions functions, std::size_t symbols)
      : initial_(std::move(initial)),
        functions_(new Functions(std::move(functions))),
        symbols_(symbols) {}

  [[nodiscard]] std::size_t state_size() const override { return initial_.size(); }
  [[nodiscard]] std::size_t symbol_count() const override { return symbols_; }
  [[nodiscard]] Precision precision() const override {
    return std::is_same_v<Real, float> ? Precision::Float : Precision::Double;
  }
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
    std::vector<double> margins(judged.size());
    measure(reached, margins);
    for (std::size_t i = 0; i < judged.size(); ++i) {
      judged[i] = {.answer = accept_if(margins[i] > 0), .margin = margins[i]};
    }
  }

  void margins(ConstRStates states, std::span<double> margins) const override {
    const py::gil_scoped_acquire acquire;
    measure(rows(states), margins);
  }

  void probabilities(ConstRStates states, std::span<double> probabilities) const override {
    const py::gil_scoped_acquire acquire;
    const bool yes_or_no = measure(rows(states), probabilities);
    for (double& value : probabilities) {
      value = yes_or_no ? (value > 0 ? 1 : 0) : 1 / (1 + std::exp(-value));
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

  /// True when the answers were booleans.
  bool measure(const Rows& states, std::span<double> margins) const {
    const py::object answer = functions_->accepts(states);
    const py::array found = py::array::ensure(answer);
    if (!found) PyErr_Clear();
    const bool yes_or_no = found && found.dtype().kind() == 'b';
    const auto numbers = found ? py::array_t<double, py::array::forcecast>::ensure(found)
                               : py::array_t<double, py::array::forcecast>();
    if (!found || !numbers || numbers.ndim() != 1 || numbers.shape(0) != states.shape(0)) {
      PyErr_Clear();
      throw OptionError("accepts: expected " + std::to_string(states.shape(0)) +
                        " booleans or numbers, found " +
                        (found ? "shape " + shape_text(found)
                               : py::repr(py::type::of(answer)).template cast<std::string>()));
    }
    for (std::size_t i = 0; i < margins.size(); ++i) {
      const double value = numbers.at(static_cast<py::ssize_t>(i));
      if (!std::isfinite(value))
        throw OptionError("accepts: expected finite numbers, found others");
      margins[i] = yes_or_no ? (value != 0 ? 1 : -1) : value;
    }
    return yes_or_no;
  }

  std::vector<double> initial_;
  std::unique_ptr<Functions, FreeFunctions> functions_;
  std::size_t symbols_;
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
