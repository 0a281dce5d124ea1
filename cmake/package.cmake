# Debian packages, for `make deb`: the program, the library to build with, and the documents.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME espalier)
set(CPACK_PACKAGE_CONTACT "The Espalier developers <maintainers@espalier.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev doc)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "planner and solver for multibody computations")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "planner and solver for multibody computations")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_finish.cmake)
set(what "A mechanism is a graph of bodies and joints whose closed loops must be
cut into a tree. Espalier finds the tree of least computing cost, moves the
mechanism on it, computes contact with friction over MPI ranks, and vibration
modes with a proof that none is missing.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME espalier)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${what}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "openmpi-bin")  # mpirun, for --ranks
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "espalier-doc")

# What espalierConfig.cmake looks for, by the names of packages.txt.
file(STRINGS packages.txt lines REGEX "^build .*-dev$")
list(TRANSFORM lines REPLACE "^build +" "" OUTPUT_VARIABLE libraries)
list(REMOVE_ITEM libraries libcli11-dev)
list(JOIN libraries ", " libraries)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libespalier-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEV_DESCRIPTION "${what}\n.\nThese are the headers and static libraries.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${libraries}")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "espalier-doc")

set(CPACK_DEBIAN_DOC_PACKAGE_NAME espalier-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DOC_DESCRIPTION "${what}\n.\nThese are tour, reference, theory and examples.")

# Each package says who may copy it and what changed.
find_program(ESPALIER_GZIP gzip REQUIRED)
mark_as_advanced(ESPALIER_GZIP)
configure_file(packaging/changelog.in ${CMAKE_BINARY_DIR}/packaging/changelog @ONLY)
execute_process(COMMAND ${ESPALIER_GZIP} -9nf ${CMAKE_BINARY_DIR}/packaging/changelog COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} key)
  install(FILES packaging/copyright ${CMAKE_BINARY_DIR}/packaging/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${key}_PACKAGE_NAME} COMPONENT ${component}
          EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
