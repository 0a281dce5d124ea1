#pragma once

// What the parts of the USD writer share.

#include <string>
#include <vector>

#include "espalier/formats/detail/usd_print.hpp"
#include "espalier/formats/detail/written.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::detail {

// The text so far, and where each body stands in it.
struct UsdDraft {
  const model::Model& model;
  UsdPrint print = {};
  Remarks remarks = {};
  std::vector<std::string> bodies = {};     // path by body; the ground's shapes at its own
  std::vector<std::string> materials = {};  // path by material
};

// Mass, velocity and shapes of a body, in an open prim.
void write_usd_mass(UsdDraft& draft, const model::Body& body);
void write_usd_shapes(UsdDraft& draft, const model::Body& body);

// Joints, and springs that only bound a length, in an open prim. `cut` marks the joints outside the tree, by joint.
void write_usd_joints(UsdDraft& draft, const std::vector<bool>& cut);

}  // namespace espalier::formats::detail
