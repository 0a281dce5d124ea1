#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/urdf_round_trip.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using model::JointType;
using model::ModelSpec;

// ground - one - two with every joint type, drawn away from zero, along the tree and against it.
TEST(UrdfWriteJoints, KeepsAllNineJointsInBothDirections) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    for (const bool reversed : {false, true}) {
      ModelSpec spec;
      spec.name = "nine";
      spec.bodies = {brick("one", pose({1, 2, 3}, {0.1, 0.2, 0.3})), brick("two", pose({-1, 0, 2}, {0.5, -1, 0.7}))};
      const model::BodySpec& a = spec.bodies[reversed ? 1 : 0];
      const model::BodySpec& b = spec.bodies[reversed ? 0 : 1];
      const double pitch = kind.type == JointType::kScrew ? 0.05 : 0;
      spec.joints = {
          joint_at("base", JointType::kRevolute, ground(), spec.bodies[0], pose({0, 1, 0}, {1, 0, 0}), {0.3}),
          joint_at("j", kind.type, a, b, pose({0, 1, 1}, {-0.4, 0.8, 1.5}), some_position(kind.type), pitch)};
      if (kind.position_size == kind.freedom) {
        for (int k = 0; k < kind.freedom; ++k) spec.joints[1].limits.push_back({-1.0 - k, 2.0 + k});
      }
      for (int k = 0; k < kind.freedom; ++k) spec.joints[1].damping.push_back(k + 1);
      SCOPED_TRACE(fmt::format("{} {}", kind.name, reversed ? "reversed" : "forward"));
      expect_kept(spec);
    }
  }
}

// A ring of three bodies on the ground, closed by every joint type.
TEST(UrdfWriteJoints, KeepsAllNineJointsAsLoops) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    ModelSpec spec;
    spec.name = "ring";
    spec.bodies = {brick("one", pose({1, 2, 3}, {0.1, 0.2, 0.3})), brick("two", pose({-1, 0, 2}, {0.5, -1, 0.7}))};
    const double pitch = kind.type == JointType::kScrew ? 0.05 : 0;
    spec.joints = {
        joint_at("j1", JointType::kRevolute, ground(), spec.bodies[0], pose({0, 1, 0}, {1, 0, 0}), {0.3}),
        joint_at("j2", JointType::kRevolute, spec.bodies[0], spec.bodies[1], pose({0, 0, 1}, {0, 1, 0}), {0}),
        joint_at("loop", kind.type, spec.bodies[1], ground(), pose({0, 1, 1}, {-0.4, 0.8, 1.5}),
                 some_position(kind.type), pitch)};
    spec.joints[2].closure = true;
    SCOPED_TRACE(kind.name);
    const RoundTrip trip = round_trip(spec);
    EXPECT_EQ(trip.differences, "") << trip.text;
    EXPECT_NE(trip.text.find("<loop name=\"loop\""), std::string::npos);
    EXPECT_TRUE(has_note(trip, "<loop> closes loops"));
  }
}

TEST(UrdfWriteJoints, KeepsDrivesSpringsAndFriction) {
  ModelSpec spec;
  spec.name = "dressed";
  spec.bodies = {brick("one", {}), brick("two", pose({1, 0, 0}, {0, 0, 0}))};
  spec.joints = {joint_at("j1", JointType::kPrismatic, ground(), spec.bodies[0], {}, {0.1}),
                 joint_at("j2", JointType::kRevolute, spec.bodies[0], spec.bodies[1], pose({1, 0, 0}, {0, 0, 0}), {0})};
  model::JointSpec& j = spec.joints[0];
  j.stiffness = {100};
  j.rest = {0.05};
  j.damping = {3};
  j.friction = {4};
  j.armature = {5};
  j.velocity = {6};
  j.effort_limit = 7;
  j.velocity_limit = 8;
  j.actuated = j.reaction_wanted = true;
  expect_kept(spec);
}

// urdfdom refuses a prismatic joint without <limit>, and a <limit> without effort and velocity.
TEST(UrdfWriteJoints, WritesWholeLimitsAndReadsBackNone) {
  const RoundTrip trip = round_trip(slider());
  EXPECT_EQ(trip.differences, "") << trip.text;
  const char* limit = R"(<limit lower="-1000000000" upper="1000000000" effort="1000000000" velocity="1000000000"/>)";
  EXPECT_NE(trip.text.find(limit), std::string::npos) << trip.text;
  EXPECT_NE(trip.text.find(R"(not_given="lower upper effort velocity"/>)"), std::string::npos) << trip.text;
  EXPECT_TRUE(has_note(trip, "limits that are not given are written as 1000000000"));
}

TEST(UrdfWriteJoints, CompletesLimitsThatAreGivenInPart) {
  ModelSpec spec = slider();
  spec.joints[0].limits = {{0, 2}};
  spec.joints[0].velocity_limit = 3;
  const RoundTrip slides = round_trip(spec);
  EXPECT_EQ(slides.differences, "") << slides.text;
  EXPECT_NE(slides.text.find(R"(<limit lower="-0.5" upper="1.5" velocity="3" effort="1000000000"/>)"),
            std::string::npos)
      << slides.text;
  EXPECT_NE(slides.text.find(R"(not_given="effort"/>)"), std::string::npos) << slides.text;
  spec.joints = {joint_at("j", JointType::kRevolute, ground(), spec.bodies[0], {}, {0.5})};
  spec.joints[0].velocity_limit = 3;
  const RoundTrip turns = round_trip(spec);
  EXPECT_EQ(turns.differences, "") << turns.text;
  EXPECT_NE(turns.text.find(R"(type="continuous")"), std::string::npos) << turns.text;
  EXPECT_NE(turns.text.find(R"(<limit velocity="3" effort="1000000000"/>)"), std::string::npos) << turns.text;
}

TEST(UrdfWriteJoints, LeavesAnUnlimitedHingeWithoutLimit) {
  ModelSpec spec = slider();
  spec.joints = {joint_at("j", JointType::kRevolute, ground(), spec.bodies[0], {}, {0.5})};
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  EXPECT_EQ(trip.text.find("<limit"), std::string::npos);
}

TEST(UrdfWriteJoints, AStandInThatWasChangedByHandCounts) {
  std::string text = round_trip(slider()).text;
  const std::string effort = "effort=\"1000000000\"";
  text.replace(text.find(effort), effort.size(), "effort=\"12\"");
  const Result<ModelSpec> read = read_model_text(text, "edited.urdf");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->joints[0].effort_limit, 12);
  EXPECT_FALSE(read->joints[0].velocity_limit);
  EXPECT_TRUE(read->joints[0].limits.empty());
}

TEST(UrdfWriteJoints, NotesWhatOtherReadersRefuse) {
  ModelSpec spec;
  spec.name = "strange";
  spec.bodies = {brick("one", {})};
  spec.joints = {joint_at("j", JointType::kSpherical, ground(), spec.bodies[0], {}, {1, 0, 0, 0})};
  EXPECT_TRUE(has_note(round_trip(spec), "other readers of URDF refuse the joint type spherical (joint 'j')"));
}

}  // namespace
}  // namespace espalier::formats
