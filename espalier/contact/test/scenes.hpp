#pragma once

// Small scenes for tests.

#include <string>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/contact/detail/advance.hpp"
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

// A joint with both frames at one pose of the drawing. Its axis is z of that pose.
inline model::JointSpec& add_joint(model::ModelSpec& spec, model::JointType type, const std::string& a,
                                   const std::string& b, const math::Pose& at = {}) {
  model::JointSpec joint;
  joint.name = "joint" + std::to_string(spec.joints.size());
  joint.type = type;
  joint.a = a;
  joint.b = b;
  joint.at = at;
  spec.joints.push_back(joint);
  return spec.joints.back();
}

inline math::Pose at_point(const Eigen::Vector3d& position) { return {position, Eigen::Quaterniond::Identity()}; }

// Boxes and balls in layers over the ground that fall on each other; two of them hang together by a ball joint.
inline model::ModelSpec pile(int bodies) {
  model::ModelSpec spec = ground_spec(0.4, 0.1);
  spec.contact->margin = 1e-3;
  Random random(7);
  for (int k = 0; k < bodies; ++k) {
    const Eigen::Vector3d place(0.6 * (k % 4) + 0.05 * random.uniform(), 0.6 * (k / 4 % 3) + 0.05 * random.uniform(),
                                0.3 + 0.45 * (k / 12) + 0.05 * random.uniform());
    const model::ShapeSpec shape = k % 3 == 0 ? sphere_shape(0.22) : box_shape({0.5, 0.4, 0.3});
    add_body(spec, "body" + std::to_string(k), shape, place);
  }
  add_joint(spec, model::JointType::kSpherical, "body4", "body5",
            at_point((spec.bodies[5].pose.position + spec.bodies[6].pose.position) / 2));
  return spec;
}

inline model::Expression formula(const std::string& text) {
  const Result<model::Expression> parsed = model::parse_expression(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : model::Expression{};
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
