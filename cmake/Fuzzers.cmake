# Everything is built with coverage feedback for libFuzzer and with sanitizers that stop at the
# first finding; the targets themselves are in tests/fuzz.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "RNNALF_BUILD_FUZZERS: expected clang, found ${CMAKE_CXX_COMPILER_ID}")
endif()
add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
  -fno-omit-frame-pointer)
add_link_options(-fsanitize=address,undefined)
