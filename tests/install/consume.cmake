# Builds the programs of README.md as a user would and runs them. KIND is find_package or add_subdirectory.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# write_program(FILE HEADING): the first program below that heading of README.md.
file(READ ${SOURCE}/README.md readme)
function(write_program file heading)
  string(FIND "${readme}" "\n## ${heading}\n" place)
  string(SUBSTRING "${readme}" ${place} -1 section)
  if(place EQUAL -1 OR NOT section MATCHES "^\n## [^\n]*\n[^#]*```cpp\n([^`]*)```")
    message(FATAL_ERROR "README.md: expected a program in C++ below '${heading}', found none")
  endif()
  file(WRITE ${WORK}/${file} "${CMAKE_MATCH_1}")
endfunction()
write_program(program.cpp "The library")
write_program(libalf_program.cpp "In a libalf program of your own")
configure_file(${CMAKE_CURRENT_LIST_DIR}/consumer/CMakeLists.txt ${WORK}/CMakeLists.txt COPYONLY)

set(arguments -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  -D LIBALF_ROOT=${LIBALF_ROOT} -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG= -D KIND=${KIND})  # the build is tested, not its speed
if(KIND STREQUAL "find_package")
  # Installed in one place and moved to another: nothing in the package may know where it was made.
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/prefix)
  list(APPEND arguments -D CMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${WORK}/prefix/bin/rnnalf --version)
else()
  list(APPEND arguments -D RNNALF_SOURCE=${SOURCE})
endif()
run(${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/build -G Ninja ${arguments})
run(${CMAKE_COMMAND} --build ${WORK}/build)

# Tomita 1 is 1*.
run(${WORK}/build/program ${SOURCE}/examples/networks/tomita1_gru100.onnx 111)
if(NOT output MATCHES "^accept 0\\.9")
  message(FATAL_ERROR "111: expected accept, found ${output}")
endif()
run(${WORK}/build/program ${SOURCE}/examples/networks/tomita1_gru100.onnx 101)
if(NOT output MATCHES "^reject ")
  message(FATAL_ERROR "101: expected reject, found ${output}")
endif()

# Tomita 1 has two states.
if(KIND STREQUAL "find_package")
  run(${WORK}/build/libalf_program ${SOURCE}/examples/networks/tomita1_gru100.onnx)
  if(NOT output MATCHES "number of states = 2;")
    message(FATAL_ERROR "libalf_program: expected two states, found ${output}")
  endif()
endif()
