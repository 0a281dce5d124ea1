#pragma once

#include "espalier/io/detail/native_fields.hpp"
#include "espalier/io/tuning.hpp"

namespace espalier::io::detail {

// The map of a section `tune`. Whether its paths are there is not asked.
Tuning read_tuning_section(NativeContext& context, const YamlNode& node);

}  // namespace espalier::io::detail
