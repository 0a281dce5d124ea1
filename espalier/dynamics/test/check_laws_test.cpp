#include "espalier/dynamics/system.hpp"

#include <gtest/gtest.h>

#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;

// Two hinges side by side between the same two bodies: a loop, of which `cut` is the edge that is cut.
model::ModelSpec make_loop() {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("arm", 1, {0.5, 0, 0}, {1, 1, 1}));
  spec.joints.push_back(make_joint("left", JointType::kRevolute, "ground", "arm"));
  spec.joints.push_back(make_joint("right", JointType::kRevolute, "ground", "arm"));
  return spec;
}

System cut_system(const model::ModelSpec& spec, int cut) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << model.error().message;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  plan::PlanOptions options;
  options.cut = {cut};
  return make_system(*model, mechanism,
                     *plan::make_plan(plan::make_network(*model, mechanism, plan::Weights::kLiu), options));
}

std::string error_of(const System& system) {
  const Result<std::vector<model::Note>> checked = check_laws(system);
  return checked ? "no error" : checked.error().message;
}

std::string notes_of(const System& system) {
  const Result<std::vector<model::Note>> checked = check_laws(system);
  if (!checked) return checked.error().message;
  std::string all;
  for (const model::Note& note : *checked) all += note.message;
  return all;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CheckLaws, PlainMechanismsPassInSilence) {
  for (const ReferenceModel& reference : reference_models()) {
    SCOPED_TRACE(reference.name);
    EXPECT_EQ(notes_of(planned_system(reference.spec)), "");
  }
}

TEST(CheckLaws, LawsOfCutJointsPassWhereABodyCanBeCut) {
  for (const int cut : {0, 1}) {
    model::ModelSpec spec = make_loop();
    spec.joints[1].armature = {0.1};
    EXPECT_EQ(error_of(cut_system(spec, cut)), "no error");
    spec = make_loop();
    spec.joints[1].limits = {{-4, 4}};
    spec.joints[1].stiffness = {5};
    spec.joints[1].rest = {10};
    EXPECT_EQ(notes_of(cut_system(spec, cut)), "");
    spec = make_loop();
    spec.couplings.push_back({"", {"left", "right"}, {}, 0, {0, 1}, {}});
    EXPECT_EQ(notes_of(cut_system(spec, cut)), "");
  }
}

TEST(CheckLaws, ArmatureOfABallIsTheSameAboutAllAxes) {
  model::ModelSpec spec = make_loop();
  spec.joints.resize(1);
  spec.joints[0].type = JointType::kSpherical;
  spec.joints[0].armature = {1, 1, 2};
  EXPECT_TRUE(says(error_of(planned_system(spec)), "differs about its three axes"));
  spec.joints[0].armature = {2, 2, 2};
  EXPECT_EQ(error_of(planned_system(spec)), "no error");
}

TEST(CheckLaws, BlockedJointsCannotBeDriven) {
  model::ModelSpec spec = make_loop();
  spec.joints[0].type = JointType::kFixed;
  spec.bodies.push_back(make_body("leg", 1, {0.5, 0, 0}, {1, 1, 1}));
  spec.joints.push_back(make_joint("knee", JointType::kRevolute, "arm", "leg"));
  spec.forces.push_back({"", model::MotionSpec{"right", false, model::constant_expression(1)}, {}});
  EXPECT_TRUE(says(error_of(planned_system(spec)), "joint 'right' is driven but cannot move"));
}

TEST(CheckLaws, MassResistsEveryMotion) {
  model::ModelSpec spec = make_loop();
  spec.joints.resize(1);
  spec.bodies.push_back(make_body("pointer", 0, {0, 0, 0}, {0, 0, 0}));
  spec.joints.push_back(make_joint("tip", JointType::kRevolute, "arm", "pointer"));
  EXPECT_TRUE(says(error_of(planned_system(spec)), "body 'pointer' that hangs by joint 'tip'"));
  spec.joints[1].armature = {0.1};
  EXPECT_EQ(error_of(planned_system(spec)), "no error");
  // Massless in between, with a hinge across to carry on: the usual way to write a universal joint.
  spec.joints[1].armature.clear();
  spec.bodies.push_back(make_body("tool", 1, {0.1, 0.1, 0.1}, {1, 1, 1}));
  const math::Pose about_x{Eigen::Vector3d::Zero(), Eigen::Quaterniond(std::sqrt(0.5), 0, std::sqrt(0.5), 0)};
  spec.joints.push_back(make_joint("across", JointType::kRevolute, "pointer", "tool", about_x));
  EXPECT_EQ(error_of(planned_system(spec)), "no error");
  // Two hinges about one axis: what is between them may turn as it likes.
  spec.joints[2].at = math::Pose{};
  EXPECT_TRUE(says(error_of(planned_system(spec)), "body 'pointer' that hangs by joint 'tip'"));
}

TEST(CheckLaws, WhatIsNotComputedIsRefusedOrNoted) {
  model::ModelSpec spec = make_loop();
  spec.joints.resize(1);
  System system = planned_system(spec);
  system->model.contact = model::Contact{};
  EXPECT_TRUE(says(notes_of(system), "bodies move through each other"));
  system->model.bodies[1].kind = model::BodyKind::kBeam;
  EXPECT_TRUE(says(error_of(system), "body 'arm' is of kind beam"));
}

TEST(CheckLaws, LimitsOfDrivesAreNotedWhereSomethingDrives) {
  model::ModelSpec spec = make_loop();
  spec.joints.resize(1);
  spec.joints[0].effort_limit = 3;
  spec.joints[0].velocity_limit = 4;
  EXPECT_EQ(notes_of(planned_system(spec)), "");
  model::LoadSpec load;
  load.joint = "left";
  load.torque = true;
  load.value = {model::constant_expression(100)};
  spec.forces.push_back({"", load, {}});
  EXPECT_TRUE(says(notes_of(planned_system(spec)), "held to their effort_limit: 'left'"));
  EXPECT_TRUE(says(notes_of(planned_system(spec)), "velocity_limit is carried along, nothing holds it: 'left'"));
  spec.forces = {{"", model::MotionSpec{"left", false, model::constant_expression(0)}, {}}};
  EXPECT_TRUE(says(notes_of(planned_system(spec)), "takes the effort it needs, whatever effort_limit says: 'left'"));
}

// `active` in world directions x y z rx ry rz; the arm turns about z.
TEST(CheckLaws, ActiveHoldsWhereJointsLeaveNothingElse) {
  model::ModelSpec spec = make_loop();
  spec.joints.resize(1);
  const auto error = [&](const model::ActiveDirections& active) {
    spec.bodies[0].active = active;
    return error_of(planned_system(spec));
  };
  EXPECT_EQ(error({true, true, false, false, false, true}), "no error");
  EXPECT_TRUE(says(error({true, true, false, false, false, false}), "keeps body 'arm' from moving along rz"));
  EXPECT_TRUE(says(error({true, false, false, false, false, true}), "keeps body 'arm' from moving along y"));
  spec.joints[0].type = JointType::kPrismatic;
  EXPECT_EQ(error({false, false, true, false, false, false}), "no error");
  EXPECT_TRUE(says(error({true, true, false, false, false, true}), "from moving along z"));
  spec.joints[0].type = JointType::kScrew;
  spec.joints[0].pitch = 0.1;
  EXPECT_TRUE(says(error({true, true, false, false, false, true}), "from moving along z"));
  spec.joints[0].pitch = 0;
  spec.joints[0].type = JointType::kSpherical;
  EXPECT_TRUE(says(error({true, true, false, true, true, true}), "from moving along z"));
  // A body that floats may go anywhere.
  spec.joints.clear();
  EXPECT_TRUE(says(error({true, true, false, true, true, true}), "from moving along z"));
}

}  // namespace
}  // namespace espalier::dynamics
