#pragma once

#include <span>

#include "espalier/formats/detail/usd_shape.hpp"

namespace espalier::formats::detail {

// The body that stands at this node, with the shapes that move with it. Its mass is as the file says, or follows from
// shapes and densities by the rules of UsdPhysics.
model::BodySpec read_usd_body(UsdStage& stage, int node, std::span<const UsdShape> shapes);

}  // namespace espalier::formats::detail
