#pragma once

#include <vector>

#include "espalier/dynamics/detail/welds.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace espalier::dynamics::detail {

// What a Reactions holds.
struct ReactionData {
  explicit ReactionData(const System& system);

  std::vector<SpatialVector> on_b;     // by joint of the model
  std::vector<SpatialVector> on_link;  // by link
  Welds welds;
};

}  // namespace espalier::dynamics::detail
