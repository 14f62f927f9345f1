#pragma once

#include <pybind11/pybind11.h>

// The module rnnalf._core: what the Python files of the package call. Not for users; every function
// takes what those files have made of the user's arguments.
namespace rnnalf::python {

void bind_dfa(pybind11::module_& core);
void bind_network(pybind11::module_& core);
void bind_extraction(pybind11::module_& core);
void bind_language_model(pybind11::module_& core);
void bind_judgement(pybind11::module_& core);
void bind_comparison(pybind11::module_& core);
void bind_teacher(pybind11::module_& core);

}  // namespace rnnalf::python
