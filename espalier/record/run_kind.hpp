#pragma once

#include "espalier/base/words.hpp"

namespace espalier::record {

// What a folder holds the run of. The word stands in its checkpoint.
enum class RunKind {
  kMechanism,  // on its tree (dynamics)
  kScene,      // with contact (contact)
  kTune,       // a design search (study)
};
constexpr Words<RunKind, 3> words(RunKind) {
  return {{{"mechanism", RunKind::kMechanism}, {"scene", RunKind::kScene}, {"tune", RunKind::kTune}}};
}

}  // namespace espalier::record
