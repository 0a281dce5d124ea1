# `find_package(espalier)` gives espalier::<room> for every room.
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY ESPALIER_ROOMS)
install(TARGETS ${rooms} EXPORT espalier FILE_SET HEADERS)
install(TARGETS espalier_io EXPORT espalier)
install(EXPORT espalier NAMESPACE espalier:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)
configure_package_config_file(cmake/espalierConfig.cmake.in ${CMAKE_BINARY_DIR}/espalierConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/espalierConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/espalierConfig.cmake ${CMAKE_BINARY_DIR}/espalierConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)
install(TARGETS espalier RUNTIME)
install(DIRECTORY models schema DESTINATION ${CMAKE_INSTALL_DATADIR}/espalier)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
