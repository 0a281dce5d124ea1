#pragma once

// Small scenes for tests.

#include <string>

#include <gtest/gtest.h>

#include "espalier/contact/domain.hpp"
#include "espalier/model/model.hpp"

namespace espalier::contact {

inline model::ShapeSpec sphere_shape(double radius) {
  model::ShapeSpec shape;
  shape.kind = model::ShapeKind::kSphere;
  shape.size = {radius, 0, 0};
  return shape;
}

inline model::ShapeSpec box_shape(const Eigen::Vector3d& lengths) {
  model::ShapeSpec shape;
  shape.kind = model::ShapeKind::kBox;
  shape.size = lengths;
  return shape;
}

// Ground with the half space z <= 0 turned by `slope` about y: downhill is +x.
inline model::ModelSpec ground_spec(double friction, double restitution, double slope = 0) {
  model::ModelSpec spec;
  spec.name = "test";
  spec.gravity = {0, 0, -10};
  spec.contact = model::ContactSpec{};
  spec.contact->friction = friction;
  spec.contact->restitution = restitution;
  spec.materials.push_back({"stone", 1000.0, 1e7, 4e6, {}, {}, {}});
  model::BodySpec ground;
  ground.name = model::kGround;
  model::ShapeSpec plane;
  plane.kind = model::ShapeKind::kPlane;
  plane.pose.rotation = Eigen::AngleAxisd(slope, Eigen::Vector3d::UnitY());
  ground.shapes.push_back(plane);
  spec.bodies.push_back(ground);
  return spec;
}

inline model::BodySpec& add_body(model::ModelSpec& spec, const std::string& name, const model::ShapeSpec& shape,
                                 const Eigen::Vector3d& position) {
  model::BodySpec body;
  body.name = name;
  body.shapes.push_back(shape);
  body.material = "stone";
  body.pose.position = position;
  spec.bodies.push_back(body);
  return spec.bodies.back();
}

inline Scene compile_scene(const model::ModelSpec& spec) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  if (!model) return {};
  Result<Scene> scene = make_scene(*model);
  EXPECT_TRUE(scene) << (scene ? "" : to_string(scene.error()));
  return scene ? *std::move(scene) : Scene{};
}

}  // namespace espalier::contact
