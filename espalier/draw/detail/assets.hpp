#pragma once

#include <string_view>

namespace espalier::draw::detail {

// What cmake/viewer.cmake has put into the program: "page" and "style" as text, "three", "orbit", "dygraphs" and
// "viewer" deflated and in base64, "licences" as text. Empty for another name.
std::string_view asset(std::string_view name);

}  // namespace espalier::draw::detail
