#pragma once

// A URDF joint has its child link in the drawn place at zero and always runs from parent to child. Joints of a model
// may stand elsewhere than at zero in the drawn pose and may run the other way. Writer and reader share the two
// changes of frame that map one onto the other; <espalier zero="..." reversed="true"/> in a <joint> records them.

#include <span>
#include <vector>

#include "espalier/math/pose.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::formats::detail {

// With F' = F in_a and M' = M in_b the joint's coordinates become q' = q - zero. Identities for the joints whose
// position is a quaternion.
struct ZeroShift {
  math::Pose in_a;
  math::Pose in_b;
};
ZeroShift zero_shift(model::JointType type, double pitch, std::span<const double> zero);

// With F' = M C and M' = F C the joint runs from b to a; the coordinates of joints with one axis stay what they are.
math::Pose reversal(model::JointType type);

// What urdfdom asks for in a <limit> and the model does not give is written as this; <espalier not_given="..."/> lists
// which, of lower, upper, effort and velocity.
constexpr double kUrdfStandIn = 1e9;

// The coefficients of P(x + by).
std::vector<double> shifted_polynomial(std::vector<double> polynomial, double by);

}  // namespace espalier::formats::detail
