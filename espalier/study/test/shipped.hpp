#pragma once

#include <string>

#include "espalier/study/load.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::study {

// A model that comes with the program.
inline LoadedModel shipped(const std::string& name) { return load(source_dir() + "/models/" + name + ".yaml").value(); }

}  // namespace espalier::study
