#pragma once

#include <string>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::study::detail {

// A model that is one of many with other numbers, ready to run on the plan that all of them share, so that they have
// the same coordinates. `keyframe`: the pose to start from; empty: as drawn. Errors: no such keyframe, loops that do
// not close, laws that the engine cannot compute.
Result<dynamics::Prepared> prepare_variant(const model::Model& model, const plan::Plan& plan,
                                           const std::string& keyframe);

}  // namespace espalier::study::detail
