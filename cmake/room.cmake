include(${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake)

# add_room(<name> [USES <room>...])
#
# One folder espalier/<name> becomes one static library espalier::<name>. USES is the link list and, at the same time,
# what tools/check_layers.py lets the room include. Headers directly in the room are public; detail/ is the room's own, and so is
# baseline/, what the literature does and is compared with.
# Unit tests are test/*_test.cpp (one program a room); test/*_mpi_test.cpp run with 1, 2, 3 and 4 ranks.
function(add_room name)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "USES")
  set(dir ${PROJECT_SOURCE_DIR}/espalier/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp ${dir}/detail/*.cpp ${dir}/baseline/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${dir}/*.hpp)

  set(target espalier_${name})
  add_library(${target} STATIC ${sources})
  add_library(espalier::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${ESPALIER_WARNINGS})
  espalier_precompiled(${target} library ${name})
  foreach(used IN LISTS ROOM_USES)
    target_link_libraries(${target} PUBLIC espalier_${used})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY ESPALIER_ROOMS ${target})

  if(ESPALIER_TESTS)
    file(GLOB tests CONFIGURE_DEPENDS ${dir}/test/*_test.cpp)
    set(mpi_tests ${tests})
    list(FILTER mpi_tests INCLUDE REGEX "_mpi_test\\.cpp$")
    list(FILTER tests EXCLUDE REGEX "_mpi_test\\.cpp$")
    if(tests)
      add_espalier_test(${name}_test SOURCES ${tests} USES ${name})
    endif()
    if(mpi_tests)
      add_espalier_mpi_test(${name}_mpi_test SOURCES ${mpi_tests} USES ${name})
    endif()
  endif()
endfunction()

set(ESPALIER_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wunused -Woverloaded-virtual)
# Optimising, g++ 12 takes the joining of std::strings for a copy onto itself, inside its own headers; 13 does not.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND ESPALIER_WARNINGS $<$<CONFIG:Release>:-Wno-restrict>)
endif()

# A GoogleTest + RapidCheck program, registered with ctest under its own name.
function(add_espalier_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "" "SOURCES;USES")
  espalier_test_program(${name})
  target_link_libraries(${name} PRIVATE GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${ESPALIER_TEST_ENVIRONMENT}")
endfunction()

# A rank that hangs ends the test; under sanitizers all ranks are some ten times as slow.
set(ESPALIER_MPI_TEST_SECONDS 120)
if(ESPALIER_SANITIZE)
  set(ESPALIER_MPI_TEST_SECONDS 900)
endif()

# The same under mpiexec with 1, 2, 3 and 4 ranks; main() is that of comm. Without MPI it runs once, serially.
function(add_espalier_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "" "SOURCES;USES")
  list(APPEND TEST_SOURCES ${PROJECT_SOURCE_DIR}/espalier/comm/test/mpi_main.cpp)
  espalier_test_program(${name})
  target_link_libraries(${name} PRIVATE GTest::gtest)
  if(NOT ESPALIER_MPI)
    add_test(NAME ${name} COMMAND ${name})
    return()
  endif()
  foreach(ranks 1 2 3 4)
    add_test(NAME ${name}_np${ranks} COMMAND ${MPIEXEC_EXECUTABLE} --oversubscribe -n ${ranks} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}_np${ranks} PROPERTIES TIMEOUT ${ESPALIER_MPI_TEST_SECONDS} PROCESSORS 2
                         ENVIRONMENT "${ESPALIER_MPI_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

# Where the data of tests and benches is; one file alone depends on the folder of the project.
add_library(espalier_test_support STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/source_dir.cpp)
target_include_directories(espalier_test_support PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_features(espalier_test_support PUBLIC cxx_std_20)
target_compile_definitions(espalier_test_support PRIVATE ESPALIER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

macro(espalier_test_program name)
  add_executable(${name} ${TEST_SOURCES})
  target_compile_options(${name} PRIVATE ${ESPALIER_WARNINGS})
  string(REGEX REPLACE "_(mpi_)?test$" "" room ${name})
  espalier_precompiled(${name} test ${room})
  target_link_libraries(${name} PRIVATE rapidcheck)
  foreach(used IN LISTS TEST_USES)
    target_link_libraries(${name} PRIVATE espalier_${used})
  endforeach()
  target_link_libraries(${name} PRIVATE espalier_test_support)
endmacro()

# Open MPI refuses root and more ranks than cores unless told; its runtime leaks by design, which ASan would report.
set(ESPALIER_TEST_ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0")
if(ESPALIER_SANITIZE)
  string(APPEND ESPALIER_TEST_ENVIRONMENT ";ESPALIER_SANITIZED=1")
endif()
# Open MPI unloads its plugins before the leaks are reported: only a whole stack still names a library to suppress.
set(ESPALIER_MPI_TEST_ENVIRONMENT "${ESPALIER_TEST_ENVIRONMENT};ASAN_OPTIONS=fast_unwind_on_malloc=0")
