# Upstream libalf (https://github.com/libalf/libalf), installed by its own Makefile. Hint: LIBALF_ROOT.
#
# Result: Libalf_FOUND and the target Libalf::Libalf. Its headers are SYSTEM ones: they would warn a lot.
# Libalf_FOUND is false when the headers are there but this compiler rejects them (clang does); the
# message then says so.
find_path(Libalf_INCLUDE_DIR libalf/alf.h
  HINTS ${LIBALF_ROOT} $ENV{LIBALF_ROOT} PATH_SUFFIXES include)
find_library(Libalf_LIBRARY NAMES alf
  HINTS ${LIBALF_ROOT} $ENV{LIBALF_ROOT} PATH_SUFFIXES lib)
mark_as_advanced(Libalf_INCLUDE_DIR Libalf_LIBRARY)

set(Libalf_reason "set LIBALF_ROOT to the prefix where upstream libalf is installed")
if(Libalf_INCLUDE_DIR AND Libalf_LIBRARY)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-w -isystem ${Libalf_INCLUDE_DIR}")
  set(CMAKE_REQUIRED_LIBRARIES ${Libalf_LIBRARY})
  check_cxx_source_compiles("
    #include <libalf/alf.h>
    #include <libalf/algorithm_angluin.h>
    int main() { libalf::knowledgebase<bool> base; libalf::angluin_simple_table<bool> learner(&base, 0, 2); }
    " Libalf_WORKS_WITH_${CMAKE_CXX_COMPILER_ID})
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(Libalf_reason "")
  if(NOT Libalf_WORKS_WITH_${CMAKE_CXX_COMPILER_ID})
    set(Libalf_reason "${Libalf_INCLUDE_DIR}/libalf does not compile with ${CMAKE_CXX_COMPILER_ID} (g++ works)")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libalf
  REQUIRED_VARS Libalf_LIBRARY Libalf_INCLUDE_DIR Libalf_WORKS_WITH_${CMAKE_CXX_COMPILER_ID}
  REASON_FAILURE_MESSAGE "${Libalf_reason}")

if(Libalf_FOUND AND NOT TARGET Libalf::Libalf)
  add_library(Libalf::Libalf UNKNOWN IMPORTED GLOBAL)
  set_target_properties(Libalf::Libalf PROPERTIES
    IMPORTED_LOCATION ${Libalf_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Libalf_INCLUDE_DIR}
    # The iterators of its knowledgebase have a member without a value; seen once they are inlined.
    INTERFACE_COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
