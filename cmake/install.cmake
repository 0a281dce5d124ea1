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
# The documents with the folders that their links lead to.
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN Doxyfile EXCLUDE)
install(DIRECTORY bench DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.csv" PATTERN "*.txt"
        PATTERN "CMakeLists.txt" EXCLUDE)
