#pragma once

#include <string>

namespace espalier {

// The folder of this project, for the data of tests.
std::string source_dir();

}  // namespace espalier
