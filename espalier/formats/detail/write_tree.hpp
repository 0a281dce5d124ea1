#pragma once

#include <functional>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier::formats::detail {

// A rooted tree over the bodies, for formats that are trees with loop closures on top (URDF, MJCF).
struct WriteTree {
  struct Node {
    model::BodyId body;
    model::BodyId parent;   // invalid for ground and for the root of a piece that floats
    model::JointId joint;   // to the parent
    bool reversed = false;  // the parent is the joint's b
  };
  std::vector<Node> nodes;               // parents before children; the ground first
  std::vector<model::JointId> closures;  // the joints not in the tree, in file order
};

// Joints with a larger `keep` are rather kept in the tree; among equals, those not marked as closures, then file order.
// A piece that does not touch ground is rooted where the fewest joints stand reversed, then at the lowest body.
WriteTree make_write_tree(const model::Model& model, const std::function<int(const model::Joint&)>& keep);

}  // namespace espalier::formats::detail
