# rnnalf_unity(): with RNNALF_UNITY, the sources of each module are compiled together, at most twelve at a time. Headers are then
# read once per dozen sources, which halves the time of a full build; a change recompiles its dozen. All targets below the current
# folder take part, so that a new source needs nothing but its line in target_sources.
#
# Names in unnamed namespaces must therefore differ within a module. A missing #include goes unnoticed here: the preset dev and
# `.ci/run includes` compile every source on its own.
# Only the kernels and the proof search run faster for -O3, and they ask for it; the rest compiles a sixth faster without.
if(RNNALF_UNITY AND CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()
# Large units fill GCC's heap: a fifth of the time went into collecting garbage of at most a gigabyte.
if(RNNALF_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-heapsize=1000000")
endif()

function(rnnalf_unity)
  if(NOT RNNALF_UNITY)
    return()
  endif()
  set(directories ${CMAKE_CURRENT_SOURCE_DIR})
  while(directories)
    list(POP_FRONT directories directory)
    get_property(below DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
    list(APPEND directories ${below})
    get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type MATCHES "LIBRARY|EXECUTABLE" AND NOT type STREQUAL "INTERFACE_LIBRARY")
        rnnalf_unity_target(${target} ${directory})
      endif()
    endforeach()
  endwhile()
endfunction()

function(rnnalf_unity_target target directory)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^[^/$].*\\.cpp$")  # generated sources, with absolute names, stay alone
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH module)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${directory})
    string(MAKE_C_IDENTIFIER "${module}" module)
    if(NOT DEFINED count_${module})
      set(count_${module} 0)
    endif()
    math(EXPR dozen "${count_${module}} / 12")
    math(EXPR count_${module} "${count_${module}} + 1")
    set_property(SOURCE ${source} DIRECTORY ${directory} PROPERTY UNITY_GROUP ${module}_${dozen})
  endforeach()
endfunction()
