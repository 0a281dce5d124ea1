# What a page needs, as strings in the program: our own scripts and style, and, deflated, the two libraries that Debian
# brings. Nothing of them is in the repository.
find_file(THREE_JS three.min.js PATHS /usr/share/javascript/three REQUIRED)
find_file(ORBIT_JS OrbitControls.js PATHS /usr/share/javascript/three/examples/js/controls REQUIRED)
find_file(DYGRAPHS_JS dygraph.min.js PATHS /usr/share/javascript/dygraphs REQUIRED)
find_file(DYGRAPHS_CSS dygraph.min.css PATHS /usr/share/javascript/dygraphs REQUIRED)
set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(scripts "")
# The order in which they run.
foreach(name decode shaders batch floor scene tree plots panels modes main)
  list(APPEND scripts ${viewer}/${name}.js)
endforeach()
list(JOIN scripts "+" joined)
add_executable(espalier_pack ${viewer}/pack.cpp ${PROJECT_SOURCE_DIR}/espalier/draw/detail/pack.cpp)
target_include_directories(espalier_pack PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(espalier_pack PRIVATE ZLIB::ZLIB)
set_target_properties(espalier_pack PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tools)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/viewer_assets.cpp
  COMMAND espalier_pack ${CMAKE_CURRENT_BINARY_DIR}/viewer_assets.cpp packed:three=${THREE_JS} packed:orbit=${ORBIT_JS}
          packed:dygraphs=${DYGRAPHS_JS} packed:viewer=${joined} text:page=${viewer}/page.html
          text:style=${viewer}/style.css+${DYGRAPHS_CSS} text:licences=${viewer}/LICENCES
  DEPENDS espalier_pack ${scripts} ${viewer}/page.html ${viewer}/style.css ${viewer}/LICENCES ${THREE_JS} ${ORBIT_JS}
          ${DYGRAPHS_JS} ${DYGRAPHS_CSS}
  VERBATIM)
target_sources(espalier_draw PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/viewer_assets.cpp)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/viewer_assets.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
