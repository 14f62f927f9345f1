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
install(TARGETS rnnalf RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

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
