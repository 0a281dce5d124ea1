#pragma once

#include "espalier/formats/detail/native_fields.hpp"
#include "espalier/formats/tuning.hpp"

namespace espalier::formats::detail {

// The map of a section `tune`. Whether its paths are there is not asked.
Tuning read_tuning_section(NativeContext& context, const YamlNode& node);

}  // namespace espalier::formats::detail
