#include "espalier/contact/detail/check_laws.hpp"

#include <gtest/gtest.h>

#include "espalier/contact/test/refusal.hpp"
#include "tests/support/expect.hpp"

namespace espalier::contact::detail {
namespace {

using model::JointType;

// A wheel on a hinge.
model::ModelSpec wheel() {
  model::ModelSpec spec = ground_spec(0.5, 0);
  model::BodySpec& body = add_body(spec, "wheel", sphere_shape(0.1), {0, 0, 1});
  body.mass = 2;
  body.inertia = Eigen::Vector3d(1, 1, 0.5).asDiagonal();
  add_joint(spec, JointType::kRevolute, model::kGround, "wheel");
  return spec;
}

TEST(CheckLaws, RefusesWhatItWouldDoOtherwise) {
  EXPECT_EQ(refusal(wheel()), "");
  const std::vector<std::pair<const char*, void (*)(model::ModelSpec&)>> cases = {
      {"less than a turn apart", [](model::ModelSpec& s) { s.joints[0].limits = {{-4, 4}}; }},
      {"give the bodies their `velocity`", [](model::ModelSpec& s) { s.joints[0].velocity = {1}; }},
      {"use spherical joints", [](model::ModelSpec& s) { s.bodies[1].kind = model::BodyKind::kPseudoRigid; }},
      {"give a nearer `rest`",
       [](model::ModelSpec& s) { s.joints[0].stiffness = {1}, s.joints[0].rest = {3.5}; }},
      {"held to some directions by `active`",
       [](model::ModelSpec& s) { s.bodies[1].active = model::ActiveDirections{true, true, true, false, true, true}; }},
      {"has no inertia about some axis",
       [](model::ModelSpec& s) { s.bodies[1].inertia = Eigen::Vector3d(1, 1, 0).asDiagonal(); }},
  };
  for (const auto& [words, change] : cases) {
    model::ModelSpec spec = wheel();
    change(spec);
    EXPECT_MENTIONS(refusal(spec), words);
  }
}

// What stands between two things that stand may have any spring, but not be told to move.
TEST(CheckLaws, AMotionBetweenWhatStandsIsRefused) {
  model::ModelSpec spec = wheel();
  spec.bodies[1].kind = model::BodyKind::kObstacle;
  spec.joints[0].stiffness = {1};
  EXPECT_EQ(refusal(spec), "");
  model::ForceSpec force;
  force.law = model::MotionSpec{"joint0", false, formula("t")};
  spec.forces.push_back(force);
  EXPECT_MENTIONS(refusal(spec), "is driven but cannot move");
}

TEST(CheckLaws, NotesSayWithinWhichLimitsTheAnswerIsRight) {
  model::ModelSpec spec = wheel();
  EXPECT_TRUE(compile_scene(spec).notes.empty());
  spec.joints[0].stiffness = {2};
  spec.joints[0].velocity_limit = 3;
  model::ForceSpec force;
  model::LoadSpec load;
  load.torque = true;
  load.joint = "joint0";
  load.value = {formula("1")};
  force.law = load;
  spec.forces.push_back(force);
  const std::vector<std::string> notes = compile_scene(spec).notes;
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0], "Springs of these joints are right within half a turn of their rest position: 'joint0'.");
  EXPECT_EQ(notes[1], "A velocity_limit is carried along, nothing holds it: 'joint0'.");
}

}  // namespace
}  // namespace espalier::contact::detail
