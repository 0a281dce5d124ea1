# The rules of the house, as tests.

# Who may include whom; file lengths; source keys (tools/check_layers.py), and that the check can fail.
add_test(NAME layers COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_layers.py)
add_test(NAME layers_check_can_fail COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/test_check_layers.py)
# What tools/measure.py says of a tree that can be counted by hand.
add_test(NAME measure COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/test_measure.py)

# Words of docs/glossary.md, length of lines, links of documents (tools/check_words.py), and that the check can fail.
add_test(NAME words COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_words.py)
add_test(NAME words_check_can_fail COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/test_check_words.py)

# What `make docs` hands to Doxygen.
add_test(NAME doxygen_filter COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/test_doxygen_filter.py)

# No object of the library calls a function of libm that has variants (tools/check_libm.py).
get_property(rooms GLOBAL PROPERTY ESPALIER_ROOMS)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>")
add_test(NAME libm COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_libm.py --nm ${CMAKE_NM} ${rooms})

# Every public header compiles alone. This builds in the build folder, so no other test may do so at the same time.
add_test(NAME headers_compile_alone
         COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target all_verify_interface_header_sets)
set_tests_properties(headers_compile_alone PROPERTIES RUN_SERIAL ON TIMEOUT 900)

# Simbody's headers bear no C++20: what is included beside them must not need it.
add_test(NAME peers_stay_cxx17
         COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -fsyntax-only -I${PROJECT_SOURCE_DIR}
                 -isystem $<JOIN:$<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>,:>
                 -include bench/peers/program.hpp -include bench/timing.hpp -x c++ /dev/null)

# A project of somebody else finds the installed library, and what is installed can be taken away.
add_test(NAME install_and_find_package
         COMMAND ${CMAKE_COMMAND} -D BUILD=${CMAKE_BINARY_DIR} -D ROOT=${PROJECT_SOURCE_DIR}
                 -D GENERATOR=${CMAKE_GENERATOR} -D COMPILER=${CMAKE_CXX_COMPILER} -D SANITIZE=${ESPALIER_SANITIZE}
                 -D CONFIG=${CMAKE_BUILD_TYPE} -P ${CMAKE_CURRENT_SOURCE_DIR}/install/run.cmake)
set_tests_properties(install_and_find_package PROPERTIES TIMEOUT 600 RESOURCE_LOCK installation
                     ENVIRONMENT "${ESPALIER_TEST_ENVIRONMENT}")

# A rank that fails a check, throws, exits or is killed ends all ranks.
add_executable(stop_program ${PROJECT_SOURCE_DIR}/espalier/comm/test/stop_program.cpp)
target_link_libraries(stop_program PRIVATE espalier::comm)
if(ESPALIER_MPI)
  foreach(way check throw exit kill)
    set(sentence_check "fails a check on purpose")
    set(sentence_throw "leaves by an exception")
    set(sentence_exit "exit")
    set(sentence_kill "rank 2 of 3 is gone (killed, out of memory?), and the others cannot continue without it")
    add_test(NAME stop_${way}_np3
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/expect_stop.py 60 ${sentence_${way}}
                     ${MPIEXEC_EXECUTABLE} --oversubscribe -n 3 $<TARGET_FILE:stop_program> ${way})
    set_tests_properties(stop_${way}_np3 PROPERTIES TIMEOUT 90 PROCESSORS 2 ENVIRONMENT "${ESPALIER_MPI_TEST_ENVIRONMENT}")
  endforeach()
endif()

# The JSON Schema for editors: it takes every shipped model and refuses what the reader refuses.
add_test(NAME schema COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_schema.py)
