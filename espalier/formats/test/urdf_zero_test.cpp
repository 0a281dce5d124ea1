#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/detail/urdf_zero.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using detail::reversal;
using detail::shifted_polynomial;
using detail::zero_shift;

double gap(const math::Pose& a, const math::Pose& b) {
  const math::PoseGap between = math::gap_between(a, b);
  return between.distance + between.angle;
}

// in_a^-1 * joint(q) * in_b is the joint at q - zero: the law that the header states, for every joint with numbers.
TEST(UrdfZero, ShiftedFramesCountFromTheNewZero) {
  using enum model::JointType;
  for (const model::JointType type : {kRevolute, kPrismatic, kScrew, kUniversal, kCylindrical, kPlanar}) {
    const double pitch = type == kScrew ? 0.3 : 0;
    std::vector<double> zero, q, less;
    for (int k = 0; k < model::joint_kind(type).freedom; ++k) {
      zero.push_back(0.4 - 0.9 * k);
      q.push_back(1.1 + 0.3 * k);
      less.push_back(q.back() - zero.back());
    }
    const detail::ZeroShift shift = zero_shift(type, pitch, zero);
    const math::Pose shifted = shift.in_a.inverse() * model::joint_pose(type, pitch, q) * shift.in_b;
    EXPECT_LT(gap(shifted, model::joint_pose(type, pitch, less)), 1e-14) << model::joint_kind(type).name;
  }
}

// C^-1 * joint(q)^-1 * C is the joint at q again: its two sides have changed places.
TEST(UrdfZero, AReversedJointOfOneAxisKeepsItsCoordinates) {
  using enum model::JointType;
  for (const model::JointType type : {kRevolute, kPrismatic, kScrew, kCylindrical}) {
    const std::vector<double> q(static_cast<std::size_t>(model::joint_kind(type).freedom), 0.7);
    const math::Pose C = reversal(type);
    EXPECT_LT(gap(C.inverse() * model::joint_pose(type, 0.3, q).inverse() * C, model::joint_pose(type, 0.3, q)), 1e-14)
        << model::joint_kind(type).name;
  }
}

// (x + 2)^3 = 8 + 12 x + 6 x^2 + x^3.
TEST(UrdfZero, PolynomialsAreShiftedInTheirArgument) {
  EXPECT_EQ(shifted_polynomial({0, 0, 0, 1}, 2), (std::vector<double>{8, 12, 6, 1}));
  EXPECT_EQ(shifted_polynomial({5}, 2), std::vector<double>{5});
}

}  // namespace
}  // namespace espalier::formats
