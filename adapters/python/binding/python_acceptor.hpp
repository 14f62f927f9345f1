#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>

#include "rnnalf/acceptor/rnn_acceptor.hpp"

namespace rnnalf::python {

namespace py = pybind11;

/// The acceptor of functions on numpy arrays, a row for each R-state:
///   initial            d numbers; where they are float32, all states are
///   step(states, symbols) -> states    shapes (n, d), (n,) of int64, (n, d)
///   accepts(states) -> (n,)            booleans, or numbers that accept when greater than 0
///                   -> (n, k)          a score for each of k answers: the highest is given
///
/// How many answers there are is asked once, about the initial state. The functions are
/// called with the interpreter lock, one at a time. That a row of a result is a function of that
/// row of the arguments alone is up to them. Throws py::error_already_set for what they raise, and
/// OptionError for arrays of another shape or with numbers that are not finite.
[[nodiscard]] std::shared_ptr<const RnnAcceptor> make_python_acceptor(const py::object& initial,
                                                                      py::function step,
                                                                      py::function accepts,
                                                                      std::size_t symbols);

}  // namespace rnnalf::python
