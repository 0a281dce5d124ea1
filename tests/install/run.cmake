# cmake -D BUILD=... -D ROOT=... -D GENERATOR=... -D COMPILER=... -D CONFIG=... [-D SANITIZE=...] -P run.cmake
# Installs the build below a fresh folder with `make install`, then configures, builds and runs main.cpp beside this file
# against it, with the project that docs/CMakeLists.example.txt offers to copy. `make uninstall` then leaves what was
# there before, and nothing else.
set(work ${BUILD}/install_test)
file(REMOVE_RECURSE ${work})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")  # the installed static libraries ask for its runtime
endif()
set(prefix ${work}/root/opt/espalier)
find_program(make NAMES make gmake REQUIRED)

# list_below(<variable> <folder>): its files and folders.
function(list_below variable folder)
  file(GLOB_RECURSE found LIST_DIRECTORIES true RELATIVE ${folder} ${folder}/*)
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# Somebody else's file, and a folder that was empty before.
file(WRITE ${prefix}/bin/other "")
file(MAKE_DIRECTORY ${prefix}/share/man)
list_below(before ${work}/root)

set(install ${make} -C ${ROOT} -o build install RELEASE=${BUILD} DESTDIR=${work}/root PREFIX=/opt/espalier)
foreach(time once again)
  execute_process(COMMAND ${install} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endforeach()
file(STRINGS ${BUILD}/install_manifest.txt listed)
list(TRANSFORM listed PREPEND ${work}/root)
file(GLOB_RECURSE installed ${work}/root/*)
list(REMOVE_ITEM installed ${prefix}/bin/other)
list(SORT listed)
list(SORT installed)
if(NOT listed STREQUAL installed)
  message(FATAL_ERROR "the manifest is not what was installed:\n${listed}\n${installed}")
endif()
foreach(name bin/espalier share/man/man1/espalier-plan.1 share/bash-completion/completions/espalier
             share/espalier/models/four_bar.yaml share/doc/espalier/docs/tour.md)
  if(NOT EXISTS ${prefix}/${name})
    message(FATAL_ERROR "${name} is not installed")
  endif()
endforeach()

file(COPY ${CMAKE_CURRENT_LIST_DIR}/main.cpp DESTINATION ${work}/source)
configure_file(${prefix}/share/doc/espalier/docs/CMakeLists.example.txt ${work}/source/CMakeLists.txt COPYONLY)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${work}/source -B ${work}/build -G ${GENERATOR}
                        -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_BUILD_TYPE=${CONFIG}
                        -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/build/my_mechanism COMMAND_ERROR_IS_FATAL ANY)

set(uninstall ${make} -C ${ROOT} uninstall RELEASE=${BUILD})
execute_process(COMMAND ${uninstall} COMMAND_ERROR_IS_FATAL ANY)
list_below(after ${work}/root)
if(NOT after STREQUAL before)
  message(FATAL_ERROR "this was there before:\n${before}\nand this is there now:\n${after}")
endif()
execute_process(COMMAND ${uninstall} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_QUIET)
if(code EQUAL 0 OR NOT said MATCHES "nothing was installed from")
  message(FATAL_ERROR "what is gone was taken away again: ${said}")
endif()
