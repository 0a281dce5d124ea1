#pragma once

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/dynamics/system.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::dynamics {

inline constexpr model::JointId kA{0}, kB{1}, kC{2}, kD{3};

// A four-bar in the x-y plane, links along x of their own frames, drawn at the angles given (to the x axis): nothing
// says that they meet.
//
//        B------C
//       /        \      A at the origin, D at (ground, 0)
//      A          D
struct FourBar {
  double crank = 1, coupler = 2, rocker = 1.8, ground = 2.5;  // [m]
  double at_crank = 1.2, at_coupler = 0.3, at_rocker = 1.7;   // [rad]

  model::ModelSpec spec() const {
    const math::Pose bent_crank = turned({0, 0, 0}, at_crank);
    const math::Pose bent_coupler = turned(bent_crank * Eigen::Vector3d(crank, 0, 0), at_coupler);
    model::ModelSpec spec;
    spec.bodies = {bar("crank", crank, bent_crank), bar("coupler", coupler, bent_coupler),
                   bar("rocker", rocker, turned({ground, 0, 0}, at_rocker))};
    spec.joints = {pin("A", "ground", "crank", 0), pin("B", "crank", "coupler", crank),
                   pin("C", "coupler", "rocker", coupler), pin("D", "ground", "rocker", ground)};
    spec.joints[2].in_b.position.x() = rocker;
    return spec;
  }

  // The point C of the closed four-bar at this angle of the crank, on the side of the line from D to B that
  // `elbow` says: 1 left, -1 right.
  Eigen::Vector2d closed_c(double elbow) const {
    const Eigen::Vector2d b(crank * std::cos(at_crank), crank * std::sin(at_crank));
    const Eigen::Vector2d d(ground, 0);
    const Eigen::Vector2d along = b - d;
    const double length = along.norm();
    const double foot = (rocker * rocker - coupler * coupler + length * length) / (2 * length);
    const Eigen::Vector2d across(-along.y() / length, along.x() / length);
    return d + foot / length * along + elbow * std::sqrt(rocker * rocker - foot * foot) * across;
  }

  static math::Pose turned(const Eigen::Vector3d& position, double angle) {
    return {position, Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()))};
  }
  static model::BodySpec bar(const char* name, double length, const math::Pose& pose) {
    model::BodySpec body;
    body.name = name;
    body.mass = length;
    body.com = Eigen::Vector3d(length / 2, 0, 0);
    body.inertia = Eigen::Vector3d(0.01, length, length).asDiagonal();
    body.pose = pose;
    return body;
  }
  static model::JointSpec pin(const char* name, const char* a, const char* b, double along_a) {
    model::JointSpec joint;
    joint.name = name;
    joint.a = a;
    joint.b = b;
    joint.in_a.position.x() = along_a;
    return joint;
  }
};

// With these joints cut, or on the tree of the planner.
inline System system_of(const model::ModelSpec& spec, const std::vector<int>& cut = {}) {
  plan::PlanOptions options;
  options.cut = cut;
  const Result<model::Model> model = model::compile(spec);
  if (!model) ADD_FAILURE() << model.error().message;
  return make_system(*model, plan::make_mechanism(*model), *plan::make_plan(*model, options));
}

}  // namespace espalier::dynamics
