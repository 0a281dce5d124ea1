#pragma once

#include <span>
#include <string_view>

namespace espalier::formats {

// A mechanism that comes with the program: the text of models/<name>.yaml.
struct ShippedModel {
  std::string_view name;
  std::string_view text;
};

// By name, ascending.
std::span<const ShippedModel> shipped_models();

}  // namespace espalier::formats
