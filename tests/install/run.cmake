# cmake -D BUILD=... -D SOURCE=... -D GENERATOR=... -D COMPILER=... -D CONFIG=... [-D SANITIZE=...] -P run.cmake
# Installs the build into a fresh prefix, then configures, builds and runs main.cpp beside this file against it, with the
# project that docs/CMakeLists.example.txt offers to copy.
set(work ${BUILD}/install_test)
file(REMOVE_RECURSE ${work})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")  # the installed static libraries ask for its runtime
endif()

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(COPY ${SOURCE}/main.cpp DESTINATION ${work}/source)
configure_file(${work}/prefix/share/doc/espalier/docs/CMakeLists.example.txt ${work}/source/CMakeLists.txt COPYONLY)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${work}/source -B ${work}/build -G ${GENERATOR}
                        -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_BUILD_TYPE=${CONFIG}
                        -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/build/my_mechanism COMMAND_ERROR_IS_FATAL ANY)
