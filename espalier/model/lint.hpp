#pragma once

#include <string>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier::model {

// Physics that compiles but is probably not what its author meant. `kind` is one word for programs: inertia,
// mass, massless, blocked, open, limits, degrees, coupling.
struct Finding {
  std::string kind;
  std::string message;
  Where where;
};

// Kind by kind, each in the order of the model. O(bodies + joints).
std::vector<Finding> lint(const Model& model);

}  // namespace espalier::model
