# Builds the programs of README.md as a user would and runs them. KIND is find_package or add_subdirectory; toolkit
# builds the program of toolkit/README.md with the installed toolkit alone.
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
if(KIND STREQUAL "toolkit")
  file(READ ${SOURCE}/toolkit/README.md readme)
else()
  file(READ ${SOURCE}/README.md readme)
endif()
function(write_program file heading)
  string(FIND "${readme}" "\n## ${heading}\n" place)
  string(SUBSTRING "${readme}" ${place} -1 section)
  if(place EQUAL -1 OR NOT section MATCHES "^\n## [^\n]*\n[^#]*```cpp\n([^`]*)```")
    message(FATAL_ERROR "README.md: expected a program in C++ below '${heading}', found none")
  endif()
  file(WRITE ${WORK}/${file} "${CMAKE_MATCH_1}")
endfunction()
if(KIND STREQUAL "toolkit")
  write_program(program.cpp "A program of your own")
else()
  write_program(program.cpp "The library")
  write_program(libalf_program.cpp "In a libalf program of your own")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/consumer/CMakeLists.txt ${WORK}/CMakeLists.txt COPYONLY)

set(arguments -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  -D LIBALF_ROOT=${LIBALF_ROOT} -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG= -D KIND=${KIND})  # the build is tested, not its speed
if(NOT KIND STREQUAL "add_subdirectory")
  # Installed in one place and moved to another: nothing in the package may know where it was made.
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/prefix)
  list(APPEND arguments -D CMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${WORK}/prefix/bin/rnnalf --version)
else()
  list(APPEND arguments -D RNNALF_SOURCE=${SOURCE})
endif()
if(KIND STREQUAL "toolkit")
  foreach(not_needed fmt LibSVM Utf8proc Threads ONNX Protobuf)
    list(APPEND arguments -D CMAKE_DISABLE_FIND_PACKAGE_${not_needed}=ON)
  endforeach()
endif()
run(${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/build -G Ninja ${arguments})
run(${CMAKE_COMMAND} --build ${WORK}/build)

if(KIND STREQUAL "toolkit")
  # Words with an even number of 1s.
  run(${WORK}/build/program)
  if(NOT output MATCHES "number of states = 2;")
    message(FATAL_ERROR "expected two states, found ${output}")
  endif()
  # The same by hand, as toolkit/README.md says.
  file(GLOB library ${WORK}/prefix/lib*/librnnalf_toolkit.a ${WORK}/prefix/lib*/*/librnnalf_toolkit.a)
  set(includes ${WORK}/prefix/include/rnnalf-toolkit)
  run(${COMPILER} -std=c++17 -I${includes} ${WORK}/program.cpp ${library} -lcadical -o ${WORK}/by_hand)
  run(${WORK}/by_hand)
  # An older standard is refused in one sentence.
  execute_process(COMMAND ${COMPILER} -std=c++14 -I${includes} -c ${WORK}/program.cpp -o ${WORK}/old.o
    RESULT_VARIABLE result ERROR_VARIABLE output)
  string(REGEX MATCHALL "error:" errors "${output}")
  list(LENGTH errors errors)
  if(result EQUAL 0 OR NOT output MATCHES "needs C\\+\\+17 or later" OR errors GREATER 2)
    message(FATAL_ERROR "C++14: expected one sentence, found ${output}")
  endif()
  return()
endif()

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
