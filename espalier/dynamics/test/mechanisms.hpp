#pragma once

// Small mechanisms for tests, and what is compared between trees.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"

namespace espalier::dynamics {

inline model::BodySpec make_body(const std::string& name, double mass, const Eigen::Vector3d& com,
                                 const Eigen::Vector3d& moments) {
  model::BodySpec body;
  body.name = name;
  body.mass = mass;
  body.com = com;
  body.inertia = moments.asDiagonal();
  return body;
}

// Frames of both bodies at the same place of the drawn world; z is the axis.
inline model::JointSpec make_joint(const std::string& name, model::JointType type, const std::string& a,
                                   const std::string& b, const math::Pose& at = {}) {
  model::JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.a = a;
  joint.b = b;
  joint.at = at;
  return joint;
}

// The system on the plan's own choice of tree.
inline System planned_system(const model::ModelSpec& spec) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << model.error().message;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  return make_system(*model, mechanism, *plan::make_plan(*model));
}

// Accelerations of all bodies, one below the other: what no tree may change.
inline Eigen::VectorXd body_accelerations(const System& system, const LinkArrays& links) {
  Eigen::VectorXd all(6 * static_cast<Eigen::Index>(system.seats.size()));
  for (std::size_t b = 0; b < system.seats.size(); ++b)
    all.segment<6>(6 * static_cast<Eigen::Index>(b)) =
        links.acceleration[static_cast<std::size_t>(system.seats[b].link)];
  return all;
}

}  // namespace espalier::dynamics
