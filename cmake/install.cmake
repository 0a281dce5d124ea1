# `find_package(espalier)` gives espalier::<room> for every room. What is installed is in three components, each a Debian
# package of its own (cmake/package.cmake): runtime, dev and doc.
install(CODE "set(record \"${CMAKE_BINARY_DIR}/installed_at.txt\")")
install(SCRIPT cmake/before_install.cmake)

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)
get_property(rooms GLOBAL PROPERTY ESPALIER_ROOMS)
install(TARGETS ${rooms} EXPORT espalier ARCHIVE COMPONENT dev FILE_SET HEADERS COMPONENT dev)
install(TARGETS espalier_io EXPORT espalier COMPONENT dev)
install(EXPORT espalier NAMESPACE espalier:: DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(cmake/espalierConfig.cmake.in ${CMAKE_BINARY_DIR}/espalierConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/espalierConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/espalierConfig.cmake ${CMAKE_BINARY_DIR}/espalierConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT dev)

install(TARGETS espalier RUNTIME COMPONENT runtime)
install(DIRECTORY models schema DESTINATION ${CMAKE_INSTALL_DATADIR}/espalier COMPONENT runtime)

# The documents with the folders that their links lead to.
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc PATTERN Doxyfile EXCLUDE)
install(DIRECTORY bench DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc FILES_MATCHING PATTERN "*.md" PATTERN "*.csv"
        PATTERN "*.txt" PATTERN "CMakeLists.txt" EXCLUDE PATTERN "peers" EXCLUDE PATTERN "__pycache__" EXCLUDE)
