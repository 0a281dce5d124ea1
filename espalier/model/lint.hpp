#pragma once

#include <string>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier::model {

// Physics that compiles but is probably not what its author meant. `kind` is one word for programs: open-loop,
// mass-outlier, massless-leaf, near-zero-inertia, ...
struct Finding {
  std::string kind;
  std::string message;
  Where where;
};

// In the order of the model. O(bodies + joints).
std::vector<Finding> lint(const Model& model);

}  // namespace espalier::model
