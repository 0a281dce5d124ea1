#pragma once

#include <string>

#include "espalier/io/convert.hpp"

namespace espalier::app {

// What became of a model that was written in a format: the changes as a table, then the writer's notes. `file` may be
// empty.
std::string conversion_text(const std::string& file, io::Format format, const io::Conversion& conversion);

}  // namespace espalier::app
