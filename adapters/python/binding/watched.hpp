#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <functional>
#include <optional>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"

namespace rnnalf::python {

namespace py = pybind11;

/// Does `work` on a thread of its own, without the interpreter lock, while the calling thread looks
/// for signals and tells `on_progress` (a function of a dictionary, or None) how far the work is,
/// ten times a second.
///
/// Ctrl-C interrupts the budget, and what the work returns then is returned as usual; a second one,
/// another signal handler that raises, or an exception of `on_progress` is raised when the work has
/// ended. Called with the lock held. An exception of the work is thrown here.
void watched(const std::function<void()>& work, Budget& budget, const Progress& progress,
             const py::object& on_progress);

/// The same for work that returns a value.
template <class Work>
[[nodiscard]] auto watched_value(const Work& work, Budget& budget, const Progress& progress,
                                 const py::object& on_progress) {
  std::optional<decltype(work())> value;
  watched([&] { value.emplace(work()); }, budget, progress, on_progress);
  return std::move(*value);
}

}  // namespace rnnalf::python
