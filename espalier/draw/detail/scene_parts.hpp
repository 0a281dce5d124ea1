#pragma once

// What make_scene() draws beside the shapes of a model: bodies without shape, joints, springs.

#include <optional>

#include "espalier/draw/scene.hpp"
#include "espalier/geometry/geometry.hpp"

namespace espalier::draw::detail {

struct Sizes {
  double extent = 1;    // of all that is drawn [m]
  double bar = 0.02;    // radius of what stands for a body [m]
  double joint = 0.02;  // radius of the symbol of a joint [m]
};
Sizes measure(const model::Model& model, const Scene& scene);

// Bars and plates between the joints of bodies without a shape; a box of their inertia where they have no joint.
void add_bars(const model::Model& model, const Sizes& sizes, Scene& scene);
void add_joints(const model::Model& model, const Sizes& sizes, Scene& scene);
// Springs, ropes and rods.
void add_lines(const model::Model& model, Scene& scene);

// The uniform box with the mass and the moments of inertia of a body.
Piece inertia_box(int index, const model::Body& body);

SceneMesh triangles_of(const geometry::Geometry& geometry);

// Towards the eye, where all hinges share one axis and nothing else moves out of its plane.
std::optional<Eigen::Vector3d> flat_view(const model::Model& model);

}  // namespace espalier::draw::detail
