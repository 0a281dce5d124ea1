# Where ccache is installed and no launcher was asked for, it compiles: a second clone or a switched branch then builds in
# seconds. Paths below the source are taken relative to it, so that clones share what they compiled.
option(ESPALIER_CCACHE "Compile through ccache where it is installed" ON)
find_program(ESPALIER_CCACHE_PROGRAM ccache)
mark_as_advanced(ESPALIER_CCACHE_PROGRAM)
if(ESPALIER_CCACHE AND ESPALIER_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_ctime,include_file_mtime ${ESPALIER_CCACHE_PROGRAM})
  # ccache's manual asks for this of g++, or it cannot see what a precompiled header holds.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
else()
  # Without it, paths are whole: what failed checks print, and what is packed, names files from the source on.
  add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()
