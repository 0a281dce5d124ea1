#include <gtest/gtest.h>

#include <numbers>

#include <fmt/format.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/formats/test/usd_text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::formats {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180;

TEST(UsdJoint, FramesOfAScaledBodyAreScaled) {
  const ModelSpec spec = read(file(
      rigid("a",
            "float3 xformOp:scale = (2, 3, 4)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n"
            "point3f physics:centerOfMass = (1, 1, 1)\ndef Xform \"hook\" {\n"
            "double3 xformOp:translate = (0, 1, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"] }") +
      "def PhysicsSphericalJoint \"p\" { rel physics:body1 = </a>\npoint3f physics:localPos1 = (1, 1, 1) }\n"
      "def PhysicsSphericalJoint \"q\" { rel physics:body0 = </a/hook>\npoint3f physics:localPos0 = (1, 0, 0) }\n"));
  expect_near(*body(spec, "a").com, {2, 3, 4});
  expect_near(joint(spec, "p").in_b.position, {2, 3, 4});
  EXPECT_EQ(joint(spec, "q").a, "a");
  expect_near(joint(spec, "q").in_a.position, {2, 3, 0});
}

// The overview of UsdPhysics: an end that is not defined is attached to the static world frame.
TEST(UsdJoint, AnEndThatNamesNothingIsTheWorld) {
  const std::string place = R"(point3f physics:localPos{0} = (100, 200, 0)
    quatf physics:localRot{0} = (0.70710678, 0, 0, 0.70710678)
    point3f physics:localPos{1} = (0, 0, 50)
)";
  for (const int world : {0, 1}) {
    for (const std::string rel : {"", "rel physics:body{}", "rel physics:body{} = []", "rel physics:body{} = None"}) {
      const std::string text = fmt::format(
          "#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = \"Z\"\n)\n{}{}"
          "def PhysicsRevoluteJoint \"pin\" {{\n{}\nrel physics:body{} = </arm>\n{}}}\n",
          kScene, rigid("arm"), fmt::format(fmt::runtime(rel), world), 1 - world,
          fmt::format(fmt::runtime(place), world, 1 - world));
      const JointSpec pin = joint(read(text), "pin");
      EXPECT_EQ(world == 0 ? pin.a : pin.b, "ground");
      EXPECT_EQ(world == 0 ? pin.b : pin.a, "arm");
      // Centimetres from the origin of the stage, and in the body.
      expect_near((world == 0 ? pin.in_a : pin.in_b).position, {1, 2, 0});
      expect_near((world == 0 ? pin.in_b : pin.in_a).position, {0, 0, 0.5});
      expect_near((world == 0 ? pin.in_a : pin.in_b).rotation * Vector3d::UnitZ(), Vector3d::UnitY(), 1e-7);
    }
  }
}

// A prim that nothing moves stands in the world too, and its place counts.
TEST(UsdJoint, AnEndAtAPrimThatStandsIsThere) {
  const std::string wall =
      "def Xform \"wall\" {\ndouble3 xformOp:translate = (0, 3, 0)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}\ndef Xform \"floor\" {}\n";
  const std::string pin =
      "def PhysicsFixedJoint \"pin\" {{\nrel physics:body0 = </{}>\nrel physics:body1 = </{}>\n"
      "point3f physics:localPos0 = (1, 0, 0)\n}}\n";
  const ModelSpec spec = read(file(rigid("arm") + wall + fmt::format(fmt::runtime(pin), "wall", "arm")));
  EXPECT_EQ(joint(spec, "pin").a, "ground");
  expect_near(joint(spec, "pin").in_a.position, {1, 3, 0});
  const ModelSpec still = read(file(rigid("arm") + wall + fmt::format(fmt::runtime(pin), "wall", "floor")));
  EXPECT_TRUE(still.joints.empty());
  EXPECT_TRUE(has_note(still, "joints between two things that stand still: not read"));
}

TEST(UsdJoint, AxesOfRevoluteAndPrismaticJointsAreOurs) {
  for (const char axis : {'X', 'Y', 'Z'}) {
    const JointSpec pin =
        joint(one_joint("PhysicsRevoluteJoint", fmt::format("uniform token physics:axis = \"{}\"", axis)), "pin");
    EXPECT_EQ(pin.type, JointType::kRevolute);
    expect_near(pin.in_a.rotation * Vector3d::UnitZ(), Vector3d::Unit(axis - 'X'));
    expect_turn(pin.in_a.rotation, pin.in_b.rotation);
  }
  // Without a word the axis is x.
  const JointSpec slide = joint(one_joint("PhysicsPrismaticJoint", "float physics:upperLimit = 2"), "pin");
  EXPECT_EQ(slide.type, JointType::kPrismatic);
  expect_near(slide.in_b.rotation * Vector3d::UnitZ(), Vector3d::UnitX());
  ASSERT_EQ(slide.limits.size(), 1u);
  EXPECT_EQ(slide.limits[0][0], -1e16);
  EXPECT_EQ(slide.limits[0][1], 2);
}

TEST(UsdJoint, LimitsAndDrivesOfHingesCountInDegrees) {
  const ModelSpec spec = one_joint(
      "PhysicsRevoluteJoint",
      "float physics:lowerLimit = -90\nfloat physics:upperLimit = 45\nfloat drive:angular:physics:stiffness = 2\n"
      "float drive:angular:physics:damping = 0.5\nfloat drive:angular:physics:targetPosition = 30\n"
      "float drive:angular:physics:targetVelocity = 10\nfloat physxJoint:armature = 0.25",
      "\"PhysicsDriveAPI:angular\"");
  const JointSpec& pin = joint(spec, "pin");
  EXPECT_NEAR(pin.limits[0][0], -kPi / 2, 1e-15);
  EXPECT_NEAR(pin.limits[0][1], kPi / 4, 1e-15);
  EXPECT_NEAR(pin.stiffness[0], 2 / kDegree, 1e-12);
  EXPECT_NEAR(pin.damping[0], 0.5 / kDegree, 1e-12);
  EXPECT_NEAR(pin.rest[0], kPi / 6, 1e-15);
  EXPECT_EQ(pin.armature, std::vector<double>{0.25});
  EXPECT_TRUE(pin.actuated);
  // damping x target rate: 0.5 N m s/deg x 10 deg/s
  ASSERT_EQ(spec.forces.size(), 1u);
  const auto& load = std::get<model::LoadSpec>(spec.forces[0].law);
  EXPECT_TRUE(load.torque);
  EXPECT_NEAR(model::evaluate(load.value[0], 0), 5, 1e-12);
  EXPECT_TRUE(model::check_notes(spec.notes, model::Use::kMotion));
  EXPECT_TRUE(model::compile(spec));
}

TEST(UsdJoint, DrivesAreReadOnlyWhereTheirSchemaIsApplied) {
  const ModelSpec spec = one_joint("PhysicsPrismaticJoint", "float drive:linear:physics:stiffness = 2");
  EXPECT_TRUE(joint(spec, "pin").stiffness.empty());
  EXPECT_FALSE(joint(spec, "pin").actuated);
}

TEST(UsdJoint, AForceLimitBoundsNoSpring) {
  const ModelSpec motor =
      one_joint("PhysicsPrismaticJoint", "float drive:linear:physics:maxForce = 7", "\"PhysicsDriveAPI:linear\"");
  EXPECT_EQ(joint(motor, "pin").effort_limit, 7);
  EXPECT_TRUE(model::check_notes(motor.notes, model::Use::kMotion));
  const ModelSpec servo = one_joint("PhysicsPrismaticJoint",
                                    "float drive:linear:physics:maxForce = 7\nfloat drive:linear:physics:stiffness = 3",
                                    "\"PhysicsDriveAPI:linear\"");
  EXPECT_EQ(joint(servo, "pin").stiffness, std::vector<double>{3});
  EXPECT_FALSE(model::check_notes(servo.notes, model::Use::kMotion));
  EXPECT_TRUE(model::check_notes(servo.notes, model::Use::kMotion, std::vector<std::string>{"maxForce"}));
}

TEST(UsdJoint, LockedDirectionsMakeAGenericJointOneOfOurs) {
  const auto type_of = [](const std::vector<std::string>& locked) {
    const auto [apis, lines] = locks(locked);
    return joint(one_joint("PhysicsJoint", lines, apis), "pin").type;
  };
  EXPECT_EQ(type_of({"transX", "transY", "transZ", "rotX", "rotY", "rotZ"}), JointType::kFixed);
  EXPECT_EQ(type_of({"transX", "transY", "transZ", "rotX", "rotZ"}), JointType::kRevolute);
  EXPECT_EQ(type_of({"transX", "transZ", "rotX", "rotY", "rotZ"}), JointType::kPrismatic);
  EXPECT_EQ(type_of({"transX", "transY", "transZ", "rotY"}), JointType::kUniversal);
  EXPECT_EQ(type_of({"transX", "transY", "rotX", "rotY"}), JointType::kCylindrical);
  EXPECT_EQ(type_of({"transX", "transY", "transZ"}), JointType::kSpherical);
  EXPECT_EQ(type_of({"transX", "rotY", "rotZ"}), JointType::kPlanar);
  EXPECT_EQ(type_of({}), JointType::kFree);
}

// The twist about x goes with body 1, the swing about y with body 0: R = Ry(a) Rx(b).
TEST(UsdJoint, AUniversalJointSwingsBeforeItTwists) {
  const auto [apis, lines] = locks({"transX", "transY", "transZ", "rotZ"});
  const JointSpec pin = joint(
      one_joint("PhysicsJoint", lines + "float limit:rotY:physics:low = -10\nfloat limit:rotY:physics:high = 20\n",
                apis + ", \"PhysicsLimitAPI:rotY\""),
      "pin");
  const double a = 0.3, b = -0.8;
  const std::vector<double> q = {a, b};
  const Quaterniond R_FM =
      pin.in_a.rotation * model::joint_pose(JointType::kUniversal, 0, q).rotation * pin.in_b.rotation.conjugate();
  expect_turn(R_FM, math::rotation_about(Vector3d::UnitY(), a) * math::rotation_about(Vector3d::UnitX(), b));
  EXPECT_NEAR(pin.limits[0][1], 20 * kDegree, 1e-15);
  EXPECT_EQ(pin.limits[1][1], 1e16);
}

// Normal x: our first slide is along y, the second along z.
TEST(UsdJoint, CoordinatesOfAPlanarJointFollowItsNormal) {
  const auto [apis, lines] = locks({"transX", "rotY", "rotZ"});
  const JointSpec pin =
      joint(one_joint("PhysicsJoint",
                      lines + "float drive:transZ:physics:stiffness = 4\nfloat drive:rotX:physics:damping = 1\n",
                      apis + ", \"PhysicsDriveAPI:transZ\", \"PhysicsDriveAPI:rotX\""),
            "pin");
  expect_near(pin.in_a.rotation * Vector3d::UnitX(), Vector3d::UnitY());
  expect_near(pin.in_a.rotation * Vector3d::UnitZ(), Vector3d::UnitX());
  EXPECT_EQ(pin.stiffness, (std::vector<double>{0, 4, 0}));
  EXPECT_NEAR(pin.damping[2], 180 / kPi, 1e-12);
}

TEST(UsdJoint, ADistanceJointIsARope) {
  const ModelSpec spec =
      read(file(rigid("a") + rigid("b") +
                "def PhysicsDistanceJoint \"rope\" { rel physics:body0 = </a>\nrel physics:body1 = </b>\n"
                "point3f physics:localPos0 = (1, 0, 0)\nfloat physics:maxDistance = 2 }\n"
                "def PhysicsFixedJoint \"off\" { bool physics:jointEnabled = false\nrel physics:body1 = </a> }\n"));
  ASSERT_EQ(spec.forces.size(), 1u);
  const auto& rope = std::get<model::SpringSpec>(spec.forces[0].law);
  expect_near(rope.point_a, {1, 0, 0});
  EXPECT_EQ((*rope.limits)[0], 0);
  EXPECT_EQ((*rope.limits)[1], 2);
  // The joint that is not enabled is not there.
  EXPECT_EQ(spec.joints.size(), 2u);
  EXPECT_EQ(spec.joints[0].type, JointType::kFree);
}

TEST(UsdJoint, NotesOfWhatChangesTheMechanismStopAPlan) {
  const ModelSpec spec = read(file(rigid("a") + "def PhysxPhysicsGearJoint \"gear\" {}\n"));
  EXPECT_FALSE(model::check_notes(spec.notes, model::Use::kPlan));
  const ModelSpec moving = read(
      file(rigid("a",
                 "double3 xformOp:translate = (0, 0, 0)\ndouble3 xformOp:translate.timeSamples = { 0: (0, 0, 0), }\n"
                 "uniform token[] xformOpOrder = [\"xformOp:translate\"]")));
  EXPECT_FALSE(model::check_notes(moving.notes, model::Use::kMotion));
  EXPECT_TRUE(model::check_notes(moving.notes, model::Use::kPlan));
}

}  // namespace
}  // namespace espalier::formats
