#pragma once

#include <vector>

#include "espalier/formats/formats.hpp"
#include "espalier/model/difference.hpp"

namespace espalier::formats {

struct Conversion {
  WrittenModel written;
  std::vector<model::Difference> changes;  // what the written file says otherwise, or no longer
};

// Writes the model in another format and reads it back: `changes` is what really came out, not what a writer believes.
Result<Conversion> convert(const model::ModelSpec& spec, Format format);

}  // namespace espalier::formats
