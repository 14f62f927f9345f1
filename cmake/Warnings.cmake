# rnnalf_warnings: the compiler flags every target of this project is built with.
add_library(rnnalf_warnings INTERFACE)
target_compile_options(rnnalf_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor
  $<$<BOOL:${RNNALF_WERROR}>:-Werror>)
