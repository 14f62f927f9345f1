#include "module.hpp"

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/option_names.hpp"
#include "rnnalf/base/terminal_text.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_core, core) {
  core.doc() = "The C++ side of rnnalf; use the package rnnalf.";
  core.attr("version") = RNNALF_VERSION;
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const rnnalf::Error& ours) {
      using rnnalf::with_option_names, rnnalf::Spelling;
      // Names of files and symbols are shown in a terminal, and may be no UTF-8.
      const std::string message = rnnalf::terminal_text(
          with_option_names(ours.what(), Spelling::Python), rnnalf::Colours::None);
      PyErr_SetString(PyExc_ValueError, message.c_str());
    }
  });
  rnnalf::python::bind_dfa(core);
  rnnalf::python::bind_network(core);
  rnnalf::python::bind_extraction(core);
  rnnalf::python::bind_language_model(core);
  rnnalf::python::bind_judgement(core);
  rnnalf::python::bind_comparison(core);
  rnnalf::python::bind_teacher(core);
}
