#pragma once

#include <string>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier::model {

// One thing that two models do not share. Frames are compared in the world, in the drawn pose, so two models that only
// choose other body frames or other, equivalent joint frames are equal.
struct Difference {
  std::string element;  // "body", "joint", "force", ...
  std::string name;     // of the element
  std::string field;    // "mass", "limits", ...; empty where the whole element is missing or new
  std::string before;   // values as text; empty where there is none
  std::string after;
};

// What becomes of `before` in `after`, in the order of `before`. Elements are matched by name (forces, which may have
// none, by order). Numbers are equal within `tolerance`, relative to 1 or to their size, whichever is larger.
std::vector<Difference> find_differences(const Model& before, const Model& after, double tolerance = 1e-9);

}  // namespace espalier::model
