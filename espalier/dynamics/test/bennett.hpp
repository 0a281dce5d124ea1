#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "espalier/model/spec.hpp"

namespace espalier::dynamics {

// Bennett's loop of four hinges, no two of them parallel: opposite links have equal lengths and twists, and
// sin(twist) / length is the same for all. One degree of freedom, where counting gives -2.
//
//      3 ---b--- 4
//     /           \      tan(t1 / 2) tan(t2 / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2)
//    a             a     t3 = -t1, t4 = -t2: angles of the hinges, from one link's normal to the next
//   /               \    the link from 4 to 1 is the ground
//  2 ---b--- 1 (ground)
struct Bennett {
  double a = 0.3, alpha = 0.5, beta = 1.1;  // [m], [rad]
  double at = 0.8;                          // angle of the first hinge as drawn [rad]

  model::ModelSpec spec() const {
    const double b = a * std::sin(beta) / std::sin(alpha);
    const double second =
        2 * std::atan(std::sin((beta + alpha) / 2) / (std::sin((beta - alpha) / 2) * std::tan(at / 2)));
    const std::array<double, 4> angle = {at, second, -at, -second};
    const std::array<double, 4> length = {a, b, a, b};
    const std::array<double, 4> twist = {alpha, beta, alpha, beta};
    const std::array<const char*, 4> body = {"first", "second", "third", "ground"};
    model::ModelSpec spec;
    math::Pose at_hinge;
    for (std::size_t k = 0; k < 4; ++k) {
      model::JointSpec hinge;
      hinge.name = std::string(1, static_cast<char>('A' + static_cast<char>(k)));
      hinge.a = body[(k + 3) % 4];
      hinge.b = body[k];
      hinge.at = at_hinge;
      spec.joints.push_back(hinge);
      const math::Pose turned = at_hinge * about(angle[k], Eigen::Vector3d::UnitZ());
      if (k < 3) spec.bodies.push_back(bar(body[k], length[k], turned));
      at_hinge = turned * math::Pose{{length[k], 0, 0}, about(twist[k], Eigen::Vector3d::UnitX()).rotation};
    }
    return spec;
  }

  static math::Pose about(double angle, const Eigen::Vector3d& axis) {
    return {Eigen::Vector3d::Zero(), Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis))};
  }
  static model::BodySpec bar(const char* name, double length, const math::Pose& pose) {
    model::BodySpec body;
    body.name = name;
    body.mass = length;
    body.com = Eigen::Vector3d(length / 2, 0.02, -0.03);
    body.inertia = Eigen::Vector3d(length * length / 12, length * length / 10, length * length / 11).asDiagonal();
    body.pose = pose;
    return body;
  }
};

}  // namespace espalier::dynamics
