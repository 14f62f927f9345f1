# Writes what the program is to OUTPUT, a C++ source file, if that changed:
# - the commit it was built from, for people;
# - its bits: a hash of every source file that results depend on, of the compiler and of its flags, for
#   the stores of results. A comment in such a file changes it too: better to compute twice than to mix.
# cmake -DSOURCE=... -DVERSION=... -DBUILT_WITH=... -DOUTPUT=... -P ProgramIdentity.cmake

# Everything between a network file and a measured result. Not here: how results are written down
# (report), proofs (certify, check), the command line.
set(modules plugin/rnnalf/base plugin/rnnalf/automaton plugin/rnnalf/network plugin/rnnalf/acceptor
  plugin/rnnalf/states plugin/rnnalf/partition plugin/rnnalf/exploration plugin/rnnalf/oracle
  plugin/rnnalf/evaluate plugin/rnnalf/baseline plugin/rnnalf/teacher plugin/rnnalf/run toolkit
  adapters/tensors adapters/onnx adapters/pytorch adapters/safetensors adapters/keras adapters/networks
  adapters/libalf adapters/comparison)
set(hashes "${BUILT_WITH}\n")
foreach(module IN LISTS modules)
  file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/${module}/*.hpp ${SOURCE}/${module}/*.cpp
    ${SOURCE}/${module}/*.h ${SOURCE}/${module}/*.inl)
  list(SORT files)
  if(NOT files)
    message(FATAL_ERROR "${module}: expected source files, found none; correct cmake/ProgramIdentity.cmake")
  endif()
  foreach(file IN LISTS files)
    file(SHA256 ${SOURCE}/${file} hash)
    string(APPEND hashes "${file} ${hash}\n")
  endforeach()
endforeach()
string(SHA256 bits "${hashes}")
string(SUBSTRING ${bits} 0 16 bits)

# Only when this is the root of a repository: a copy inside of another one has that one's commits.
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

set(text "// Written by cmake/ProgramIdentity.cmake.
#include \"rnnalf/comparison/program.hpp\"

namespace rnnalf {

const ProgramIdentity& program_identity() {
  static const ProgramIdentity identity{\"${VERSION}\", \"${commit}\", \"${bits}\"};
  return identity;
}

}  // namespace rnnalf
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
