#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/model/model.hpp"
#include "espalier/model/test/chain.hpp"

namespace espalier::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

void expect_same(const math::Pose& a, const math::Pose& b) {
  EXPECT_LT(math::gap_between(a, b).distance, 1e-14);
  EXPECT_LT(math::gap_between(a, b).angle, 1e-7);
}

TEST(CompileJoint, PlacedInTheWorldOrInItsBodiesIsTheSame) {
  const Model at = compiled(chain());
  ModelSpec spec = chain();
  spec.joints[1].at.reset();
  spec.joints[1].in_a = kPoseA.inverse() * kPlace;
  spec.joints[1].in_b = kPoseB.inverse() * kPlace;
  const Model in = compiled(spec);
  expect_same(at.joints[1].X_AF, in.joints[1].X_AF);
  expect_same(at.joints[1].X_BM, in.joints[1].X_BM);
  expect_same(drawn_frame_a(at, at.joints[1]), kPlace);
  expect_same(drawn_frame_b(at, at.joints[1]), kPlace);
  EXPECT_EQ(at.joints[1].a, BodyId(1));
  EXPECT_EQ(at.joints[1].b, BodyId(2));
}

TEST(CompileJoint, TakesItsPositionFromTheDrawnPose) {
  ModelSpec spec = chain();
  spec.joints[1].at.reset();
  spec.joints[1].type = JointType::kCylindrical;
  spec.joints[1].in_a = kPoseA.inverse() * kPlace;
  const std::vector<double> q = {0.25, -1.2};
  spec.joints[1].in_b = kPoseB.inverse() * (kPlace * joint_pose(JointType::kCylindrical, 0, q));
  const Model model = compiled(spec);
  ASSERT_EQ(model.joints[1].position.size(), 2u);
  EXPECT_NEAR(model.joints[1].position[0], 0.25, 1e-14);
  EXPECT_NEAR(model.joints[1].position[1], -1.2, 1e-14);
  EXPECT_LT(drawn_gap(model, model.joints[1]).distance, 1e-14);
}

TEST(CompileJoint, NamesWhatItCannotFind) {
  ModelSpec spec = chain();
  spec.joints[1].b = "BB";
  EXPECT_MENTIONS(error_of(spec), "joint 'J1' names an unknown body 'BB'");
  spec.joints[1].b = "A";
  EXPECT_MENTIONS(error_of(spec), "joins 'A' to itself");
}

TEST(CompileBeam, IsHeldOnItsAxisOnly) {
  ModelSpec spec;
  spec.materials = {{"steel", 7850.0, 2.1e11, 8e10, {}, {}, {}}};
  BodySpec rod = body("rod");
  rod.mass.reset();
  rod.com.reset();
  rod.inertia.reset();
  rod.kind = BodyKind::kRod;
  rod.material = "steel";
  rod.beam = BeamSpec();
  rod.beam->to = {1, 0, 0};
  rod.beam->section.b = rod.beam->section.h = {0.1, 0.1};
  spec.bodies = {rod};
  spec.joints = {joint("pin", kGround, "rod")};
  spec.joints[0].at = math::Pose{{1, 0, 0}, Eigen::Quaterniond::Identity()};
  EXPECT_EQ(error_of(spec), "compiled");
  spec.joints[0].at->position = {0.5, 0, 0};
  EXPECT_EQ(error_of(spec), "compiled");
  spec.joints[0].at->position = {0.5, 0.25, 0};
  EXPECT_MENTIONS(error_of(spec), "joint 'pin' holds rod 'rod' 0.25 m away from its axis");
  spec.joints[0].at->position = {0, 0, 0};
  spec.materials[0].young.reset();
  EXPECT_MENTIONS(error_of(spec), "a material with `E`");
}

TEST(CompileBeam, RefusesSectionsThatCannotBe) {
  ModelSpec spec;
  spec.materials = {{"steel", 7850.0, 2.1e11, 8e10, {}, {}, {}}};
  BodySpec beam;
  beam.name = "beam";
  beam.kind = BodyKind::kShaft;
  beam.material = "steel";
  beam.beam = BeamSpec();
  beam.beam->to = {1, 0, 0};
  SectionSpec& section = beam.beam->section;
  section.kind = SectionKind::kGeneral;
  section.area = section.J = {1, 1};
  section.polar = SectionSpec::Ends{1, 1};
  const auto error = [&] {
    spec.bodies = {beam};
    return error_of(spec);
  };
  EXPECT_EQ(error(), "compiled");
  section.polar = SectionSpec::Ends{1, -1};
  EXPECT_MENTIONS(error(), "section polar = -1");
  section.polar.reset();
  section.Iy = {0, -2};
  EXPECT_MENTIONS(error(), "section Iy = -2");
  section.Iy = {1, 1};
  section.shear_factors = SectionSpec::Ends{0.8, 0};
  EXPECT_MENTIONS(error(), "section shear_factors = 0");
}

TEST(CompileForce, SpringTakesItsLengthFromTheDrawing) {
  ModelSpec spec = chain();
  SpringSpec spring;
  spring.a = "A";
  spring.b = "B";
  spring.in_world = true;
  spring.point_a = {1, 0, 0};
  spring.point_b = {1, 3, 4};
  spring.stiffness = 7;
  spec.forces = {{"s", spring, {}}};
  const Model model = compiled(spec);
  const Spring& law = std::get<Spring>(model.forces[0].law);
  EXPECT_NEAR(law.length, 5, 1e-14);
  EXPECT_LT((kPoseA * law.point_a - Vector3d(1, 0, 0)).norm(), 1e-14);
  EXPECT_LT((kPoseB * law.point_b - Vector3d(1, 3, 4)).norm(), 1e-14);
  // The same points in their bodies, and a length of its own.
  SpringSpec inside = spring;
  inside.in_world = false;
  inside.point_a = law.point_a;
  inside.point_b = law.point_b;
  spec.forces = {{"s", inside, {}}};
  const Model in_bodies = compiled(spec);
  EXPECT_NEAR(std::get<Spring>(in_bodies.forces[0].law).length, 5, 1e-14);
  std::get<SpringSpec>(spec.forces[0].law).length = 2;
  EXPECT_EQ(std::get<Spring>(compiled(spec).forces[0].law).length, 2);
}

TEST(CompileForce, BushingFramesCoincideAsDrawn) {
  ModelSpec spec = chain();
  BushingSpec bushing;
  bushing.a = "A";
  bushing.b = "B";
  bushing.frame = kPlace;
  for (const bool in_world : {true, false}) {
    bushing.in_world = in_world;
    spec.forces = {{"", bushing, {}}};
    const Model model = compiled(spec);
    const Bushing& law = std::get<Bushing>(model.forces[0].law);
    const math::Pose expected = in_world ? kPlace : kPoseA * kPlace;
    expect_same(kPoseA * law.X_AF, expected);
    expect_same(kPoseB * law.X_BM, expected);
  }
}

TEST(CompileForce, OnABodyActsAtItsCentreOfMassUnlessTold) {
  ModelSpec spec = chain();
  LoadSpec load;
  load.body = "B";
  load.value = {constant_expression(1), constant_expression(2), constant_expression(3)};
  spec.forces = {{"", load, {}}};
  EXPECT_EQ(std::get<Load>(compiled(spec).forces[0].law).point, Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(std::get<Load>(compiled(spec).forces[0].law).body, BodyId(2));
  std::get<LoadSpec>(spec.forces[0].law).at = Vector3d(7, 8, 9);
  EXPECT_EQ(std::get<Load>(compiled(spec).forces[0].law).point, Vector3d(7, 8, 9));
  std::get<LoadSpec>(spec.forces[0].law).body = kGround;
  EXPECT_MENTIONS(error_of(spec), "on the ground moves nothing");
}

TEST(CompileForce, OnAJointFitsItsCoordinate) {
  ModelSpec spec = chain();
  LoadSpec load;
  load.joint = "J1";
  load.value = {constant_expression(1)};
  spec.forces = {{"", load, {}}};
  EXPECT_MENTIONS(error_of(spec), "joint 'J1' turns; write `torque` instead of `force`");
  std::get<LoadSpec>(spec.forces[0].law).torque = true;
  EXPECT_EQ(std::get<Load>(compiled(spec).forces[0].law).joint, JointId(1));
  spec.joints[1].type = JointType::kPrismatic;
  EXPECT_MENTIONS(error_of(spec), "joint 'J1' slides; write `force` instead of `torque`");
  spec.joints[1].type = JointType::kUniversal;
  EXPECT_MENTIONS(error_of(spec), "needs a joint of one coordinate");
}

TEST(CompileForce, OneMotionAJoint) {
  ModelSpec spec = chain();
  spec.forces = {{"", MotionSpec{"J0", false, {}}, {}}, {"", MotionSpec{"J1", true, {}}, {}}};
  EXPECT_TRUE(std::get<Motion>(compiled(spec).forces[1].law).is_velocity);
  std::get<MotionSpec>(spec.forces[1].law).joint = "J0";
  EXPECT_MENTIONS(error_of(spec), "joint 'J0' is moved twice");
}

TEST(CompileBody, ActiveDirectionsOfModelAndBodyBothHold) {
  ModelSpec spec = chain();
  spec.active = ActiveDirections{true, true, false, false, false, true};
  spec.bodies[0].active = ActiveDirections{true, false, true, false, false, true};
  const Model model = compiled(spec);
  EXPECT_EQ(model.bodies[1].active, (ActiveDirections{true, false, false, false, false, true}));
  EXPECT_EQ(model.bodies[2].active, *spec.active);
}

TEST(CompileTopology, AWholeMechanismMayFloat) {
  ModelSpec spec = chain();
  spec.joints.erase(spec.joints.begin());
  EXPECT_EQ(error_of(spec), "compiled");
  spec.joints.clear();
  EXPECT_MENTIONS(error_of(spec), "in 2 pieces");
  spec.bodies.clear();
  EXPECT_MENTIONS(error_of(spec), "no body besides the ground");
}

//  ground ==J0== A      B        B is held by nothing, by contact, or stands as an obstacle
TEST(CompileTopology, ALoosePieceNeedsContactOrToBeAnObstacle) {
  ModelSpec spec = chain();
  spec.joints.pop_back();
  EXPECT_MENTIONS(error_of(spec), "topology: the mechanism is in 2 pieces: body 'B'");
  spec.contact = ContactSpec();
  EXPECT_EQ(error_of(spec), "compiled");
  spec.contact->on = false;
  EXPECT_MENTIONS(error_of(spec), "in 2 pieces");
  spec.contact.reset();
  spec.bodies[1].kind = BodyKind::kObstacle;
  EXPECT_EQ(error_of(spec), "compiled");
  EXPECT_EQ(compiled(spec).bodies[2].inertia.mass, 0);
}

TEST(CompileNames, AreShortPrintableAndUnique) {
  ModelSpec spec = chain();
  spec.bodies[1].name = std::string(501, 'b');
  spec.joints[1].b = spec.bodies[1].name;
  EXPECT_MENTIONS(error_of(spec), "is longer than 500 bytes");
  spec.bodies[1].name = spec.joints[1].b = std::string(500, 'b');
  EXPECT_EQ(error_of(spec), "compiled");
  for (const char* wrong : {"two\nlines", "tab\t", "\x7F"}) {
    spec.bodies[1].name = spec.joints[1].b = wrong;
    EXPECT_MENTIONS(error_of(spec), "holds control characters");
  }
  spec = chain();
  spec.joints[1].name = "J0";
  spec.joints[0].where.line = 12;
  EXPECT_MENTIONS(error_of(spec), "two joints are named 'J0' (first in line 12)");
  spec.joints[1].name = "";
  EXPECT_MENTIONS(error_of(spec), "a joint without a name");
}

TEST(CompileGround, HasShapesAndNothingElse) {
  ModelSpec spec = chain();
  BodySpec ground;
  ground.name = kGround;
  ground.shapes.resize(1);
  ground.shapes[0].kind = ShapeKind::kPlane;
  spec.bodies.push_back(ground);
  EXPECT_EQ(compiled(spec).bodies.size(), 3u);
  EXPECT_EQ(compiled(spec).bodies[0].shapes.size(), 1u);
  spec.bodies.push_back(ground);
  EXPECT_MENTIONS(error_of(spec), "'ground' is listed twice");
  spec.bodies.pop_back();
  spec.bodies[2].pose.position.x() = 1;
  EXPECT_MENTIONS(error_of(spec), "has no `pose`");
  spec.bodies[2].mass = 1;
  EXPECT_MENTIONS(error_of(spec), "weighs nothing");
}

TEST(CompileKeyframe, FitsItsJoints) {
  ModelSpec spec = chain();
  spec.keyframes = {{"home", {{"J1", {0.5}}}, {}}};
  EXPECT_EQ(compiled(spec).keyframes[0].positions[0].first, JointId(1));
  spec.keyframes[0].positions[0].second = {0.5, 1};
  EXPECT_MENTIONS(error_of(spec), "takes 1 number, not 2");
  spec.keyframes[0].positions[0] = {"J7", {0.5}};
  EXPECT_MENTIONS(error_of(spec), "unknown joint 'J7'");
  spec.keyframes[0].positions[0] = {"", {0.5}};
  EXPECT_MENTIONS(error_of(spec), "unknown joint ''");
}

TEST(CompileCoupling, FitsItsJoints) {
  ModelSpec spec = chain();
  spec.couplings = {{"", {"J1", "J0"}, {1, 2}, 0.5, {}, {}}};
  EXPECT_EQ(compiled(spec).couplings[0].joints, (std::vector{JointId(1), JointId(0)}));
  spec.couplings[0].joints[1] = "J1";
  EXPECT_MENTIONS(error_of(spec), "names joint 'J1' twice");
  spec.couplings[0].joints = {"J1"};
  EXPECT_MENTIONS(error_of(spec), "`ratio` needs one number for each joint");
  spec.couplings[0].ratio = {0};
  EXPECT_MENTIONS(error_of(spec), "all ratios are zero");
}

TEST(CompileContact, ExcludesKnownPairs) {
  ModelSpec spec = chain();
  spec.contact = ContactSpec();
  spec.contact->exclude = {{"B", kGround}};
  EXPECT_EQ(compiled(spec).contact->exclude[0], std::pair(BodyId(2), kGroundId));
  spec.contact->exclude = {{"B", "C"}};
  EXPECT_MENTIONS(error_of(spec), "unknown body 'C'");
}

}  // namespace
}  // namespace espalier::model
