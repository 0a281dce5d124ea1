#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "espalier/formats/detail/usd_stage.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

// A shape of a body or of the ground, and what its prim says of its mass.
struct UsdShape {
  model::ShapeSpec shape;
  int node = -1;
  bool collides = false;    // else it is only seen
  double mass = 0;          // as its PhysicsMassAPI says; 0: not said [kg]
  double density = 0;       // the nearest one said; 0: none [kg/m^3]
  bool has_volume = false;  // else nobody knows what it weighs: a mesh
};

// The materials with a PhysicsMaterialAPI, by the node they stand at.
using UsdMaterials = std::unordered_map<int, model::MaterialSpec>;
UsdMaterials read_usd_materials(UsdStage& stage);

// The prim as a shape; nothing where it is none, or (with a note) where we have none such.
std::optional<UsdShape> read_usd_shape(UsdStage& stage, int node, const UsdMaterials& materials);

}  // namespace espalier::formats::detail
