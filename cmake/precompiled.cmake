# Headers that most files read are compiled once: Eigen, fmt and the containers for the library, GoogleTest besides for
# tests. Without them (-DESPALIER_PCH=OFF) a file is seen to include all it needs; the preset `sanitize` builds so.
option(ESPALIER_PCH "Compile the headers that most files read only once" ON)

# Eigen's small matrices take many times as long without any optimisation: debug builds of these rooms, which run whole
# scenes and spectra in their tests, have -O1. Release builds have -O3 where a run spends its time and -O2 elsewhere.
set(ESPALIER_ROOMS_DEBUGGED_WITH_O1 geometry contact dynamics modes)
set(ESPALIER_TESTS_DEBUGGED_WITH_O1 geometry contact)
set(ESPALIER_PCH_LIBRARY <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numbers>
    <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h> <tl/expected.hpp> <Eigen/Core>
    <Eigen/Geometry>)

# espalier_precompiled(<target> library|test|program ROOM <name>): its optimisation in debug builds, and the precompiled
# headers made with the same flags, as the compiler asks for.
function(espalier_precompiled target kind)
  cmake_parse_arguments(PARSE_ARGV 2 PCH "" "ROOM" "")
  set(optimised OFF)
  if((kind STREQUAL "library" AND PCH_ROOM IN_LIST ESPALIER_ROOMS_DEBUGGED_WITH_O1)
     OR (kind STREQUAL "test" AND PCH_ROOM IN_LIST ESPALIER_TESTS_DEBUGGED_WITH_O1))
    set(optimised ON)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O1>)
  endif()
  if(NOT ESPALIER_PCH)
    return()
  endif()
  set(owner espalier_pch_${kind})
  if(optimised)
    string(APPEND owner _o1)
  endif()
  if(NOT TARGET ${owner})
    espalier_precompiled_owner(${owner} ${kind} ${optimised})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

function(espalier_precompiled_owner owner kind optimised)
  set(source ${CMAKE_BINARY_DIR}/precompiled.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
  if(kind STREQUAL "library")
    add_library(${owner} OBJECT ${source})
  else()
    add_executable(${owner} ${source})
  endif()
  target_compile_features(${owner} PUBLIC cxx_std_20)
  target_compile_options(${owner} PRIVATE ${ESPALIER_WARNINGS})  # -Wpedantic alone decides which macros there are
  target_link_libraries(${owner} PRIVATE tl::expected fmt::fmt Eigen3::Eigen)
  target_precompile_headers(${owner} PRIVATE ${ESPALIER_PCH_LIBRARY})
  if(kind STREQUAL "test")
    target_link_libraries(${owner} PRIVATE GTest::gtest)
    target_precompile_headers(${owner} PRIVATE <gtest/gtest.h>)
  endif()
  if(optimised)
    target_compile_options(${owner} PRIVATE $<$<CONFIG:Debug>:-O1>)
  endif()
endfunction()
