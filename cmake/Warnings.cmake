# rnnalf_warnings: the compiler flags every target of this project is built with.
add_library(rnnalf_warnings INTERFACE)
target_compile_options(rnnalf_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor
  # GCC 12 sees overlaps in std::string's operator+ that are none (its bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${RNNALF_WERROR}>:-Werror>)

# What reads files and arguments and writes results down takes no time that anybody sees, but its templates (JSON, arguments,
# bindings) take a compiler long to optimise.
set(rnnalf_light_optimisation $<$<CONFIG:Release>:-O1>)
