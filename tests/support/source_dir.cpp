#include "tests/support/source_dir.hpp"

namespace espalier {

std::string source_dir() { return ESPALIER_SOURCE_DIR; }

}  // namespace espalier
