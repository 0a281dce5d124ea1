# Headers that most files read are compiled once: Eigen, fmt and the containers for the library, GoogleTest besides for
# tests. Without them (-DESPALIER_PCH=OFF) a file is seen to include all it needs; the preset `plain` builds so.
option(ESPALIER_PCH "Compile the headers that most files read only once" ON)

# How much a room is optimised follows from where a program spends its time.
#   fast   Eigen's small matrices take many times as long without any optimisation, and tests run whole scenes and
#          spectra: -O1 in debug builds, -O3 in release builds
#   plain  nothing in debug builds, -O3 in release builds
#   cold   waits for files, ranks or people: nothing in debug builds, -O1 in release builds
set(ESPALIER_FAST_ROOMS geometry contact dynamics modes)
set(ESPALIER_COLD_ROOMS comm manual files formats draw record study apps)
set(ESPALIER_FAST_TESTS geometry contact)
set(ESPALIER_FAST_OPTIONS $<$<CONFIG:Debug>:-O1>)
set(ESPALIER_COLD_OPTIONS $<$<CONFIG:Release>:-O1>)
set(ESPALIER_PCH_LIBRARY <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numbers>
    <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h> <tl/expected.hpp> <Eigen/Core>
    <Eigen/Geometry>)

# espalier_precompiled(<target> library|test|program <room>): how it is optimised, and the precompiled headers made with
# the same flags, as the compiler asks for.
function(espalier_precompiled target kind room)
  set(temper plain)
  if(kind STREQUAL "test")
    if(room IN_LIST ESPALIER_FAST_TESTS)
      set(temper fast)
    endif()
  elseif(room IN_LIST ESPALIER_FAST_ROOMS)
    set(temper fast)
  elseif(room IN_LIST ESPALIER_COLD_ROOMS)
    set(temper cold)
  endif()
  string(TOUPPER ESPALIER_${temper}_OPTIONS options)
  target_compile_options(${target} PRIVATE ${${options}})
  if(NOT ESPALIER_PCH)
    return()
  endif()
  set(owner espalier_pch_${kind}_${temper})
  if(NOT TARGET ${owner})
    espalier_precompiled_owner(${owner} ${kind} "${${options}}")
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

function(espalier_precompiled_owner owner kind options)
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
  target_compile_options(${owner} PRIVATE ${options})
endfunction()
