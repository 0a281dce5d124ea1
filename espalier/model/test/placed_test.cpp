#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/model/test/chain.hpp"

namespace espalier::model {
namespace {

using Eigen::Vector3d;

// Where the bodies of chain() go: none of it is a symmetry of the drawing.
const std::vector<math::Pose> kNew = {
    {}, {{1, 2, 3}, math::rotation_exp({0.1, -0.7, 0.2})}, {{-2, 0.5, 1}, math::rotation_exp({0.9, 0.3, -0.4})}};

void expect_same(const math::Pose& a, const math::Pose& b) {
  EXPECT_LT(math::gap_between(a, b).distance, 1e-14);
  EXPECT_LT(math::gap_between(a, b).angle, 1e-7);
}

TEST(PlacedModel, HingesTurnWithTheirBodies) {
  ModelSpec spec = chain();
  const Model model = compiled(spec);
  std::vector<math::Pose> poses = {{}, kPoseA, kPoseB};
  // B turns by 0.6 about the axis of J1, which is z of kPlace.
  const math::Pose turn = kPlace * math::Pose{Vector3d::Zero(), math::rotation_exp({0, 0, 0.6})} * kPlace.inverse();
  poses[2] = turn * kPoseB;
  const Model other = placed(model, poses);
  EXPECT_NEAR(other.joints[1].position[0], 0.6, 1e-14);
  EXPECT_NEAR(other.joints[0].position[0], 0, 1e-14);
  EXPECT_LT(drawn_gap(other, other.joints[1]).distance, 1e-14);
}

TEST(PlacedModel, LeavesTheGroundWhereItIs) {
  std::vector<math::Pose> poses = kNew;
  poses[0] = kPlace;
  expect_same(placed(compiled(chain()), poses).bodies[0].X_WB, {});
}

// The spec that was placed compiles to the model that was placed.
TEST(PlacedSpec, CompilesToThePlacedModel) {
  const ModelSpec spec = chain();
  const Model model = compiled(spec);
  std::vector<std::string> notes;
  const Model of_spec = compiled(placed(spec, model, kNew, notes)), of_model = placed(model, kNew);
  for (std::size_t j = 0; j < 2; ++j) {
    expect_same(of_spec.joints[j].X_AF, of_model.joints[j].X_AF);
    expect_same(of_spec.joints[j].X_BM, of_model.joints[j].X_BM);
    EXPECT_NEAR(of_spec.joints[j].position[0], of_model.joints[j].position[0], 1e-14);
  }
  for (std::size_t b = 1; b < 3; ++b) expect_same(of_spec.bodies[b].X_WB, kNew[b]);
  EXPECT_TRUE(notes.empty());
}

TEST(PlacedSpec, SpringsKeepTheLengthTheyWereDrawnWith) {
  ModelSpec spec = chain();
  SpringSpec spring;
  spring.a = "A";
  spring.b = "B";
  spring.in_world = true;
  spring.point_a = {1, 0, 0};
  spring.point_b = {1, 3, 4};
  spring.stiffness = 1;
  spec.forces = {{"s", spring, {}}};
  std::vector<std::string> notes;
  const SpringSpec moved = std::get<SpringSpec>(placed(spec, compiled(spec), kNew, notes).forces[0].law);
  EXPECT_FALSE(moved.in_world);
  EXPECT_NEAR(*moved.length, 5, 1e-14);
  EXPECT_LT((kPoseA * moved.point_a - Vector3d(1, 0, 0)).norm(), 1e-14);
  EXPECT_LT((kPoseB * moved.point_b - Vector3d(1, 3, 4)).norm(), 1e-14);
}

TEST(PlacedSpec, BushingsGoWithTheirFirstBodyAndAreNoted) {
  ModelSpec spec = chain();
  BushingSpec bushing;
  bushing.a = "A";
  bushing.b = "B";
  bushing.in_world = true;
  bushing.frame = kPlace;
  bushing.stiffness.fill(1);
  spec.forces = {{"b", bushing, {}}};
  std::vector<std::string> notes;
  const BushingSpec moved = std::get<BushingSpec>(placed(spec, compiled(spec), kNew, notes).forces[0].law);
  EXPECT_FALSE(moved.in_world);
  expect_same(kPoseA * moved.frame, kPlace);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("the bushing between 'A' and 'B' rests in the assembled pose"), std::string::npos);
}

}  // namespace
}  // namespace espalier::model
