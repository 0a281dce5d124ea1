#pragma once

#include <string>

#include "espalier/formats/convert.hpp"

namespace espalier::app {

// What became of a model that was written in a format: the changes as a table, then the writer's notes. `file` may be
// empty.
std::string conversion_text(const std::string& file, formats::Format format, const formats::Conversion& conversion);

}  // namespace espalier::app
