#pragma once

// A model drawn in another pose.

#include <span>
#include <string>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier::model {

// The model with its bodies drawn at these poses X_WB, one a body; the positions of joints follow.
Model placed(Model model, std::span<const math::Pose> body);

// The same for a spec: bodies, and joints with the frames that `model`, compiled from it, has in its bodies now. What
// the spec gives in the world stays where it was in its bodies; springs without a length keep the one they were drawn
// with. `notes` gets a sentence for what cannot stay as it was.
ModelSpec placed(ModelSpec spec, const Model& model, std::span<const math::Pose> body, std::vector<std::string>& notes);

}  // namespace espalier::model
