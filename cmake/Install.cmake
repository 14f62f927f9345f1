# cmake --install, and the package that find_package(rnnalf) finds: one component per library, so that
# who wants rnnalf::core needs no ONNX.
include(CMakePackageConfigHelpers)

set(rnnalf_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rnnalf)

# rnnalf_install(COMPONENT INCLUDE_FOLDER TARGET...)
function(rnnalf_install component include_folder)
  install(TARGETS ${ARGN} EXPORT rnnalf-${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${include_folder})
  install(EXPORT rnnalf-${component} NAMESPACE rnnalf:: DESTINATION ${rnnalf_package_dir})
endfunction()

foreach(component core certify extraction report)
  rnnalf_install(${component} ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_${component})
endforeach()
rnnalf_install(tensors ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_tensors)
rnnalf_install(pytorch ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_pytorch)
rnnalf_install(safetensors ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_safetensors)
rnnalf_install(keras ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_keras)
rnnalf_install(onnx ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_onnx)
rnnalf_install(networks ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_networks)
rnnalf_install(libalf ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_libalf rnnalf_libalf_provider)
rnnalf_install(comparison ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_comparison)
rnnalf_install(study ${CMAKE_INSTALL_INCLUDEDIR} rnnalf_study)
if(RNNALF_LIBALF STREQUAL "embedded")
  # In a folder of its own: upstream's headers have the same names and may be installed beside ours.
  rnnalf_install(toolkit ${CMAKE_INSTALL_INCLUDEDIR}/rnnalf-toolkit rnnalf_toolkit)
endif()
install(TARGETS rnnalf rnnalf-check RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Completions and pages of the manual: the program writes them from its own tables of options.
set(rnnalf_shell_files ${CMAKE_CURRENT_BINARY_DIR}/shell)
add_custom_command(OUTPUT ${rnnalf_shell_files}/rnnalf.bash
  COMMAND rnnalf shell-files ${rnnalf_shell_files} DEPENDS rnnalf COMMENT "Writing completions and man pages")
add_custom_target(rnnalf_shell_files ALL DEPENDS ${rnnalf_shell_files}/rnnalf.bash)
install(FILES ${rnnalf_shell_files}/rnnalf.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rnnalf)
install(FILES ${rnnalf_shell_files}/_rnnalf DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(DIRECTORY ${rnnalf_shell_files}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})

configure_package_config_file(cmake/rnnalfConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/rnnalfConfig.cmake
  INSTALL_DESTINATION ${rnnalf_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/rnnalfConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/rnnalfConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/rnnalfConfigVersion.cmake
  cmake/FindLibalf.cmake
  cmake/FindCadical.cmake
  cmake/FindLibSVM.cmake
  cmake/FindUtf8proc.cmake
  DESTINATION ${rnnalf_package_dir})

# cmake --build BUILD --target package: rnnalf_VERSION_ARCHITECTURE.deb, and the wheel where the Python module is built.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rnnalf)
set(CPACK_PACKAGE_VENDOR rnnalf)
set(CPACK_PACKAGE_CONTACT "The rnnalf authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Automata from recurrent networks")
set(CPACK_PACKAGE_DESCRIPTION "rnnalf learns a small automaton with a trained recurrent network as the teacher:
 the program, the checker of its proofs, and the libraries with their headers.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "graphviz, gnuplot-nox")
# What a program needs that links the static libraries.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libarchive-dev, libcadical-dev, libfmt-dev, libonnx-dev, libprotobuf-dev, libssl-dev, libsvm-dev, libutf8proc-dev, zlib1g-dev")
if(RNNALF_BUILD_PYTHON)
  configure_file(cmake/wheel.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/wheel.cmake @ONLY)
  set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_BINARY_DIR}/wheel.cmake)
endif()
include(CPack)
