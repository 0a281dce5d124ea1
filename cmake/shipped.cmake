# Every models/*.yaml as a string in the program, so that `demo` and `generate` work wherever the program is copied.
file(GLOB shipped CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.yaml)
set(entries "")
foreach(file IN LISTS shipped)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"yaml(${text})yaml\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/shipped_models.cpp @ONLY CONTENT [=[
#include "espalier/formats/formats.hpp"

#include <array>

namespace espalier::formats {

std::span<const ShippedModel> shipped_models() {
  static constexpr auto kModels = std::to_array<ShippedModel>({
@entries@  });
  return kModels;
}

}  // namespace espalier::formats
]=])
target_sources(espalier_formats PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/shipped_models.cpp)
