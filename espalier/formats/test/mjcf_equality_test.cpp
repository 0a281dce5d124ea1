#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::Model;
using model::ModelSpec;

TEST(MjcfEquality, ConnectIsABallWhereTheAnchorIsAsDrawn) {
  const ModelSpec spec =
      read(in_world(kTwo, "<equality><connect name='c' body1='a' body2='b' anchor='0.25 0 0'/></equality>"));
  const JointSpec& joint = spec.joints[2];
  EXPECT_EQ(joint.type, JointType::kSpherical);
  EXPECT_TRUE(joint.closure);
  EXPECT_TRUE(joint.in_a.position.isApprox(Vector3d(0.25, 0, 0)));
  EXPECT_TRUE(joint.in_b.position.isApprox(Vector3d(-0.75, 0, 0)));
}

TEST(MjcfEquality, ConnectBySitesMayBeOpen) {
  const std::string bodies = body("a", "<joint name='i'/><site name='s' pos='0 1 0'/>") +
                             body("b", "<joint name='k'/><site name='t' pos='0 0 0'/>", "pos='1 0 0'");
  const Model model = compiled(read(in_world(bodies, "<equality><connect site1='s' site2='t'/></equality>")));
  EXPECT_NEAR(model::drawn_gap(model, model.joints[2]).distance, std::sqrt(2), 1e-12);
}

TEST(MjcfEquality, TwoConnectsOfOnePairAreOneHinge) {
  const ModelSpec spec = read(in_world(kTwo,
                                       "<equality><connect body1='a' body2='b' anchor='0 1 0'/>"
                                       "<connect body1='b' body2='a' anchor='-1 1 2'/></equality>"));
  ASSERT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(spec.joints[2].type, JointType::kRevolute);
  EXPECT_TRUE((spec.joints[2].in_a.rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitZ()));
  EXPECT_TRUE(has_note(spec, "read as one revolute joint"));
}

TEST(MjcfEquality, WeldKeepsItsRelativePose) {
  const Model model = compiled(read(
      in_world(kTwo, "<equality><weld body1='a' body2='b' relpose='1 0 0.5 1 0 0 0'/><weld body1='a'/></equality>")));
  EXPECT_EQ(model.joints[2].type, JointType::kFixed);
  EXPECT_NEAR(model::drawn_gap(model, model.joints[2]).distance, 0.5, 1e-12);
  EXPECT_EQ(model.body(model.joints[3].b).name, "ground");
  EXPECT_NEAR(model::drawn_gap(model, model.joints[3]).distance, 0, 1e-12);
}

// MuJoCo's polynomial counts from the drawn pose: y - y0 = 1 + 2 (x - x0) + 3 (x - x0)^2.
TEST(MjcfEquality, CouplingsCountFromZeroHere) {
  const std::string bodies = body("a", "<joint name='y' type='slide' ref='0.5'/>") +
                             body("b", "<joint name='x' type='slide' ref='0.25'/>", "pos='1 0 0'");
  const ModelSpec spec = read(in_world(bodies,
                                       "<equality><joint joint1='y' joint2='x' polycoef='1 2 3 0 0'/>"
                                       "<joint joint1='y' joint2='x' polycoef='1 2'/>"
                                       "<joint joint1='y' polycoef='1'/></equality>"));
  ASSERT_EQ(spec.couplings.size(), 3u);
  const std::vector<double>& p = spec.couplings[0].polynomial;
  ASSERT_EQ(p.size(), 3u);
  const double x = 0.7;
  EXPECT_NEAR(p[0] + p[1] * x + p[2] * x * x, 0.5 + 1 + 2 * (x - 0.25) + 3 * (x - 0.25) * (x - 0.25), 1e-12);
  EXPECT_EQ(spec.couplings[1].ratio, (std::vector<double>{1, -2}));
  EXPECT_NEAR(spec.couplings[1].offset, 0.5 + 1 - 2 * 0.25, 1e-12);
  EXPECT_EQ(spec.couplings[2].joints, std::vector<std::string>{"y"});
  EXPECT_NEAR(spec.couplings[2].offset, 1.5, 1e-12);
}

}  // namespace
}  // namespace espalier::formats
