#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/sdf_round_trip.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

// ground -- a -- b -- ground, one joint of each type between a and b, drawn anyhow.
TEST(SdfJointWriter, EveryJointTypeKeepsItsFramesAndNumbers) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    for (const bool to_ground : {false, true}) {
      for (const bool loaded : {false, true}) {
        ModelSpec spec;
        spec.name = "two";
        spec.bodies = {brick("a", kSomewhere), brick("b", kElsewhere)};
        spec.joints = {joint("base", JointType::kSpherical, "ground", "a"),
                       joint("j", kind.type, to_ground ? "b" : "a", to_ground ? "ground" : "b"),
                       joint("hold", JointType::kFree, "b", "a")};
        JointSpec& j = spec.joints[1];
        // In F and M at will: open as drawn, and no position zero.
        j.in_a = kElsewhere;
        j.in_b = kSomewhere;
        const auto n = to_index(kind.freedom);
        for (std::size_t k = 0; loaded && k < n; ++k) {
          const double x = static_cast<double>(k + 1);
          j.velocity.push_back(x), j.stiffness.push_back(2 * x), j.damping.push_back(3 * x), j.rest.push_back(-x);
          j.friction.push_back(0.1 * x), j.armature.push_back(0.2 * x);
          if (kind.position_size == kind.freedom) j.limits.push_back({-x, 2 * x});
        }
        if (loaded && n > 0) j.effort_limit = 3, j.velocity_limit = 4, j.actuated = true, j.reaction_wanted = true;
        EXPECT_EQ(losses(spec), "") << kind.name << " to ground " << to_ground << " loaded " << loaded << "\n"
                                    << text_of(spec);
      }
    }
  }
}

TEST(SdfJointWriter, LimitsAndSpringCountFromTheDrawnPose) {
  ModelSpec spec = drawn_at(JointType::kRevolute, {0.5});
  spec.joints[0].limits = {{0.2, 1.0}};
  spec.joints[0].stiffness = {7};
  const JointSpec seen = as_others_read(text_of(spec)).joints[0];
  ASSERT_EQ(seen.limits.size(), 1u);
  EXPECT_NEAR(seen.limits[0][0], -0.3, 1e-14);
  EXPECT_NEAR(seen.limits[0][1], 0.5, 1e-14);
  ASSERT_EQ(seen.rest.size(), 1u);  // ours pulls to zero, which they see at -0.5
  EXPECT_NEAR(seen.rest[0], -0.5, 1e-14);
  const JointSpec back = read_back(spec).joints[0];
  ASSERT_EQ(back.limits.size(), 1u);
  EXPECT_NEAR(back.limits[0][0], 0.2, 1e-14);
  EXPECT_NEAR(back.limits[0][1], 1.0, 1e-14);
  EXPECT_EQ(losses(spec), "");
}

TEST(SdfJointWriter, RestAtTheDrawnPoseComesBackWithAndWithoutASpring) {
  ModelSpec spec = drawn_at(JointType::kPrismatic, {0.5});
  spec.joints[0].rest = {0};
  EXPECT_EQ(losses(spec), "");
  spec.joints[0].rest = {0.5};
  EXPECT_EQ(losses(spec), "");
  spec.joints[0].stiffness = {7};
  EXPECT_EQ(losses(spec), "");
  EXPECT_TRUE(as_others_read(text_of(spec)).joints[0].rest.empty());
}

// Half a turn is as near to one side as to the other; limits must not jump by a whole turn.
TEST(SdfJointWriter, LimitsOfAJointDrawnAtHalfATurnComeBack) {
  for (const double position : {M_PI, -M_PI, M_PI - 1e-15, -M_PI + 1e-15}) {
    for (const double tilt : {0.0, 0.1, 0.7, 2.0}) {
      ModelSpec spec = drawn_at(JointType::kRevolute, {position});
      spec.joints[0].in_b.rotation = math::rotation_from_rpy({tilt, 0.3 * tilt, -tilt});
      spec.bodies[0].pose = spec.bodies[0].pose * spec.joints[0].in_b.inverse();
      spec.joints[0].limits = {{3.0, 3.3}};
      EXPECT_EQ(losses(spec), "") << position << " " << tilt;
    }
  }
}

TEST(SdfJointWriter, EachAxisCountsFromItsOwnDrawnAngle) {
  ModelSpec spec = drawn_at(JointType::kUniversal, {0.5, -0.25});
  spec.joints[0].limits = {{0.2, 1.0}, {-1, 1}};
  spec.joints[0].rest = {0.1, 0.2};
  EXPECT_EQ(losses(spec), "");
  const JointSpec seen = as_others_read(text_of(spec)).joints[0];
  ASSERT_EQ(seen.limits.size(), 2u);
  EXPECT_NEAR(seen.limits[0][0], -0.3, 1e-14);
  EXPECT_NEAR(seen.limits[1][0], -0.75, 1e-14);
  EXPECT_NEAR(seen.rest[0], -0.4, 1e-14);
  EXPECT_NEAR(seen.rest[1], 0.45, 1e-14);
}

TEST(SdfJointWriter, ScrewDrawnTurnsAwayCountsFromThere) {
  ModelSpec spec = drawn_at(JointType::kScrew, {20});
  spec.joints[0].limits = {{19, 22}};
  EXPECT_EQ(losses(spec), "");
  const JointSpec seen = as_others_read(text_of(spec)).joints[0];
  ASSERT_EQ(seen.limits.size(), 1u);
  EXPECT_NEAR(seen.limits[0][0], -1, 1e-9);
  EXPECT_NEAR(seen.limits[0][1], 2, 1e-9);
}

// k = 2 j + offset, an offset that holds as drawn: others, to whom both joints read zero there, must see none.
TEST(SdfJointWriter, MimicCountsFromTheDrawnPose) {
  ModelSpec spec = drawn_at(JointType::kRevolute, {0.3});
  spec.bodies.push_back(brick("b", model::joint_pose(JointType::kRevolute, 0, std::vector{0.4})));
  spec.joints.push_back(joint("k", JointType::kRevolute, "ground", "b"));
  spec.couplings.push_back({"", {"k", "j"}, {1, -2}, 0.4 - 2 * 0.3, {}, {}});
  EXPECT_EQ(losses(spec), "");
  const ModelSpec seen = as_others_read(text_of(spec));
  ASSERT_EQ(seen.couplings.size(), 1u);
  EXPECT_EQ(seen.couplings[0].ratio, (std::vector<double>{1, -2}));
  EXPECT_NEAR(seen.couplings[0].offset, 0, 1e-14);
}

TEST(SdfJointWriter, FreeSideOfALimitIsNotWritten) {
  ModelSpec spec = drawn_at(JointType::kUniversal, {0.5, 0});
  spec.joints[0].limits = {{-1, 1e16}, {-1e16, 1e16}};
  EXPECT_EQ(losses(spec), "");
  EXPECT_NE(text_of(spec).find("<lower>"), std::string::npos);
  EXPECT_EQ(text_of(spec).find("<upper>"), std::string::npos) << text_of(spec);
  EXPECT_EQ(text_of(spec).find("e+16"), std::string::npos) << text_of(spec);
  EXPECT_EQ(text_of(spec).find("1e16"), std::string::npos) << text_of(spec);
}

// The frames come back as they were, not only as equivalent ones.
TEST(SdfJointWriter, FramesInBothBodiesComeBack) {
  ModelSpec spec;
  spec.name = "two";
  spec.bodies = {brick("a", kSomewhere), brick("b", kElsewhere)};
  for (const model::JointKind& kind : model::joint_kinds()) {
    spec.joints.push_back(joint(fmt::format("{}_ab", kind.name), kind.type, "a", "b"));
    spec.joints.push_back(joint(fmt::format("{}_bg", kind.name), kind.type, "b", "ground"));
  }
  for (JointSpec& j : spec.joints) j.in_a = kElsewhere, j.in_b = kSomewhere;
  const Result<ModelSpec> back = read_model_text(text_of(spec), "back.sdf");
  ASSERT_TRUE(back.has_value()) << to_string(back.error());
  ASSERT_EQ(back->joints.size(), spec.joints.size());
  for (const JointSpec& j : back->joints) {
    const math::PoseGap gap_a = math::gap_between(j.in_a, kElsewhere);
    const math::PoseGap gap_b = math::gap_between(j.in_b, kSomewhere);
    EXPECT_LE(gap_a.distance + gap_b.distance, 1e-13) << j.name;
    EXPECT_LE(gap_a.angle + gap_b.angle, 1e-13) << j.name;
  }
}

TEST(SdfJointWriter, EvenDampingOfABallIsSaidInSdf) {
  ModelSpec spec;
  spec.name = "ball";
  spec.bodies = {brick("a", kSomewhere)};
  spec.joints = {joint("j", JointType::kSpherical, "ground", "a")};
  spec.joints[0].damping = {0.5, 0.5, 0.5};
  EXPECT_EQ(losses(spec), "");
  EXPECT_EQ(text_of(spec).find("espalier:damping"), std::string::npos);
}

TEST(SdfJointWriter, ClosedJointsNeedNoWordOfOurs) {
  const Result<ModelSpec> ladder = model::generate_ladder(3, model::LadderKind::kSpatial);
  ASSERT_TRUE(ladder.has_value());
  EXPECT_EQ(losses(*ladder), "");
  EXPECT_EQ(text_of(*ladder).find("espalier:parent_pose"), std::string::npos) << text_of(*ladder);
}

TEST(SdfJointWriter, FreeJointOfNothingIsLeftToFlyForOthers) {
  ModelSpec spec;
  spec.name = "one";
  spec.bodies = {brick("a", kSomewhere)};
  spec.joints = {joint("fly", JointType::kFree, "ground", "a")};
  EXPECT_EQ(losses(spec), "");
  EXPECT_NE(text_of(spec).find("<espalier:joint name=\"fly\" type=\"free\">"), std::string::npos);
  spec.joints[0].stiffness = {1, 1, 1, 1, 1, 1};
  EXPECT_EQ(losses(spec), "");
  EXPECT_NE(text_of(spec).find("<joint name=\"fly\" type=\"free\">"), std::string::npos);
  EXPECT_TRUE(noted(spec, "joints of type free: SDF has none"));
}

TEST(SdfJointWriter, CouplingsComeBackInTheirOrder) {
  ModelSpec spec;
  spec.name = "gears";
  for (int k = 0; k < 4; ++k) {
    spec.bodies.push_back(brick(fmt::format("b{}", k), kSomewhere));
    spec.joints.push_back(joint(fmt::format("j{}", k), JointType::kRevolute, "ground", fmt::format("b{}", k)));
    spec.joints.back().in_a = kSomewhere;
  }
  const auto coupling = [&](std::vector<std::string> joints, std::vector<double> ratio, double offset,
                            std::vector<double> polynomial) {
    spec.couplings.push_back({"", std::move(joints), std::move(ratio), offset, std::move(polynomial), {}});
  };
  coupling({"j3", "j0"}, {2, -1}, 0.5, {});
  coupling({"j0", "j1", "j2"}, {1, 1, -2}, 0.25, {});
  coupling({"j1", "j0"}, {1, 3}, 0, {});
  coupling({"j1", "j2"}, {}, 0, {1, 2, 3});
  coupling({"j2", "j3"}, {}, 0, {1, 2});
  coupling({"j1", "j3"}, {1, 1}, 0, {});
  EXPECT_EQ(losses(spec), "");
  EXPECT_TRUE(noted(spec, "couplings that <mimic> cannot say"));
}

}  // namespace
}  // namespace espalier::formats
