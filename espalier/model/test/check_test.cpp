#include "espalier/model/detail/check.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "espalier/model/test/support.hpp"

namespace espalier::model::detail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string error_of(const Result<void>& checked) { return checked ? "sound" : checked.error().message; }

TEST(Names, AreFoundByTheirNumberAndTakenOnce) {
  Names names("body");
  EXPECT_TRUE(names.add("a", {"f", 3, 0}));
  EXPECT_TRUE(names.add("b", {"f", 5, 0}));
  EXPECT_EQ(names.find("b"), 1);
  EXPECT_EQ(names.find("c"), std::nullopt);
  EXPECT_EQ(error_of(names.add("a", {"f", 9, 0})), "two bodies are named 'a' (first in line 3); rename one");
  EXPECT_MENTIONS(error_of(names.add("", {})), "a body without a name");
  EXPECT_MENTIONS(error_of(names.add("two\nlines", {})), "control characters");
  EXPECT_TRUE(names.add(std::string(500, 'x'), {}));
  EXPECT_MENTIONS(error_of(names.add(std::string(501, 'x'), {})), "longer than 500 bytes");
  EXPECT_EQ(names.all().size(), 3u);
}

TEST(CheckMaterial, TakesNoNegativeNumberAndNoRestitutionAboveOne) {
  MaterialSpec steel;
  steel.name = "steel";
  steel.density = 0;
  steel.restitution = 1;
  EXPECT_EQ(error_of(check_material(steel)), "sound");
  steel.restitution = 1.01;
  EXPECT_EQ(error_of(check_material(steel)), "material 'steel': restitution = 1.01 must lie between 0 and 1");
  steel.restitution.reset();
  steel.young = kNan;
  EXPECT_MENTIONS(error_of(check_material(steel)), "E = nan must be a finite number, 0 or more");
}

TEST(CheckShape, WantsTheMeasuresThatItsKindHas) {
  ShapeSpec shape;
  const auto error = [&](ShapeKind kind, const Eigen::Vector3d& size) {
    shape.kind = kind;
    shape.size = size;
    return error_of(check_shape(shape, "b"));
  };
  EXPECT_EQ(error(ShapeKind::kSphere, {1, 0, 0}), "sound");
  EXPECT_EQ(error(ShapeKind::kCylinder, {1, 1, 0}), "sound");
  EXPECT_MENTIONS(error(ShapeKind::kCylinder, {1, 0, 0}), "radius and length must be positive, they are 1, 0");
  EXPECT_MENTIONS(error(ShapeKind::kBox, {1, 1, 0}), "all three measures must be positive");
  EXPECT_EQ(error(ShapeKind::kPlane, {0, 0, 0}), "sound");
  EXPECT_MENTIONS(error(ShapeKind::kMesh, {0, 0, 0}), "needs a `file`");
  shape.points.assign(3, {0, 0, 0});
  EXPECT_MENTIONS(error(ShapeKind::kHull, {0, 0, 0}), "at least four points, it has 3");
}

// Wherever in the list it stands: the largest of some numbers may pass over one that is none.
TEST(CheckShapeAndBody, RefuseWhatIsNoNumberInEveryPlace) {
  for (int k = 0; k < 3; ++k) {
    ShapeSpec box;
    box.kind = ShapeKind::kBox;
    box.size = {1, 1, 1};
    box.size[k] = kNan;
    EXPECT_MENTIONS(error_of(check_shape(box, "b")), "measures must be finite");
    BodySpec heavy = body("b");
    (*heavy.com)[k] = kNan;
    EXPECT_MENTIONS(error_of(check_body(heavy)), "`com` must be finite");
    heavy = body("b");
    (*heavy.inertia)(k, 2 - k) = kNan;
    EXPECT_MENTIONS(error_of(check_body(heavy)), "`inertia` must be finite");
    heavy = body("b");
    heavy.pose.position[k] = kNan;
    EXPECT_MENTIONS(error_of(check_body(heavy)), "`pose` must hold finite numbers");
  }
}

TEST(CheckJoint, KnowsHowManyNumbersItsTypeTakes) {
  JointSpec hinge = joint("j", "a", "b");
  hinge.stiffness = {1};
  hinge.limits = {{-1, 1}};
  EXPECT_EQ(error_of(check_joint(hinge)), "sound");
  hinge.limits = {{1, -1}};
  EXPECT_MENTIONS(error_of(check_joint(hinge)), "limits [1, -1] must be finite, the lower one first");
  hinge.limits.clear();
  hinge.stiffness = {1, 2};
  EXPECT_MENTIONS(error_of(check_joint(hinge)), "is revolute and takes 1 number for `stiffness`, not 2");
  hinge.stiffness = {-1};
  EXPECT_MENTIONS(error_of(check_joint(hinge)), "must be zero or more");
  hinge.stiffness.clear();
  hinge.rest = {-1};
  EXPECT_EQ(error_of(check_joint(hinge)), "sound") << "a rest may be negative";
  hinge.pitch = 0.1;
  EXPECT_MENTIONS(error_of(check_joint(hinge)), "`pitch` belongs to `type: screw` alone");
  JointSpec ball = joint("j", "a", "b", JointType::kSpherical);
  ball.limits = {{-1, 1}};
  EXPECT_MENTIONS(error_of(check_joint(ball)), "takes no `limits`");
}

TEST(CheckCoupling, IsALineOrAPolynomialAndCouplesSomething) {
  CouplingSpec gear;
  gear.joints = {"j", "k"};
  gear.ratio = {1, -2};
  EXPECT_EQ(error_of(check_coupling(gear)), "sound");
  gear.polynomial = {0, 1};
  EXPECT_MENTIONS(error_of(check_coupling(gear)), "either `ratio` or `polynomial`");
  gear.polynomial.clear();
  gear.ratio = {0, 0};
  EXPECT_MENTIONS(error_of(check_coupling(gear)), "couples nothing");
  gear.ratio = {1};
  EXPECT_MENTIONS(error_of(check_coupling(gear)), "one number for each joint");
}

TEST(CheckForce, OfALoadActsOnOneThing) {
  LoadSpec load;
  load.joint = "j";
  load.value.resize(1);
  EXPECT_EQ(error_of(check_force({"f", load, {}})), "sound");
  load.body = "b";
  EXPECT_MENTIONS(error_of(check_force({"f", load, {}})), "either a `joint` or a `body`");
  load.joint.clear();
  EXPECT_MENTIONS(error_of(check_force({"f", load, {}})), "needs three components");
  SpringSpec rope;
  rope.limits = {{0, 2}};
  EXPECT_EQ(error_of(check_force({"f", rope, {}})), "sound");
  rope.limits = {{2, 1}};
  EXPECT_MENTIONS(error_of(check_force({"f", rope, {}})), "0 <= low <= high");
}

TEST(CheckPosition, AQuaternionHasLengthOne) {
  const KeyframeSpec pose{"up", {}, {}};
  const JointKind& ball = joint_kind(JointType::kSpherical);
  EXPECT_EQ(error_of(check_position(pose, "j", ball, {0.6, 0, 0.8, 0})), "sound");
  EXPECT_MENTIONS(error_of(check_position(pose, "j", ball, {0.6, 0, 0.9, 0})), "has length 1.082");
  EXPECT_EQ(error_of(check_position(pose, "j", joint_kind(JointType::kPlanar), {9, 9, 9})), "sound");
}

TEST(CheckContact, TakesNoNegativeMargin) {
  ContactSpec contact;
  EXPECT_EQ(error_of(check_contact(contact)), "sound");
  contact.margin = -1e-3;
  EXPECT_MENTIONS(error_of(check_contact(contact)), "margin = -0.001");
}

// A shaft twists and needs no E; Euler's beam bends and needs no G.
TEST(CheckBeamMaterial, AsksForTheModulusThatTheKindUses) {
  MaterialSpec soft;
  soft.young = 1;
  BodySpec beam = body("b");
  beam.beam = BeamSpec();
  const auto error = [&](BodyKind kind, BeamTheory theory) {
    beam.kind = kind;
    beam.beam->theory = theory;
    return error_of(check_beam_material(beam, &soft));
  };
  EXPECT_EQ(error(BodyKind::kBeam, BeamTheory::kEuler), "sound");
  EXPECT_MENTIONS(error(BodyKind::kBeam, BeamTheory::kTimoshenko), "a material with `G`");
  EXPECT_MENTIONS(error(BodyKind::kShaft, BeamTheory::kEuler), "a material with `G`");
  soft = {};
  soft.shear = 1;
  EXPECT_EQ(error(BodyKind::kShaft, BeamTheory::kEuler), "sound");
  EXPECT_MENTIONS(error(BodyKind::kRod, BeamTheory::kEuler), "a material with `E`");
  EXPECT_MENTIONS(error_of(check_beam_material(beam, nullptr)), "a `material`");
}

TEST(CheckBody, ATubeHasAWallThatFits) {
  BodySpec beam;
  beam.name = "b";
  beam.kind = BodyKind::kBeam;
  beam.beam = BeamSpec();
  beam.beam->to = {1, 0, 0};
  beam.beam->section.b = {0.1, 0.06};
  beam.beam->section.h = {0.2, 0.2};
  beam.beam->section.wall = {0.05, 0.03};
  EXPECT_EQ(error_of(check_body(beam)), "sound") << "solid, as a tube of the thickest wall is";
  beam.beam->section.wall = {0.05, 0.031};
  EXPECT_MENTIONS(error_of(check_body(beam)), "t = 0.031 must be at most 0.03");
  beam.beam->section.wall = {0.01, 0};
  EXPECT_MENTIONS(error_of(check_body(beam)), "t = 0 must be positive");
}

TEST(CheckOnBeam, HoldsABeamWithinAMillionthOfItsAxis) {
  Body beam;
  beam.name = "b";
  beam.kind = BodyKind::kBeam;
  beam.beam = BeamSpec();
  beam.beam->from = {1, 0, 0};
  beam.beam->to = {3, 0, 0};
  const JointSpec pin = joint("pin", "a", "b");
  EXPECT_EQ(error_of(check_on_beam(beam, {1, 0, 0}, pin)), "sound");
  EXPECT_EQ(error_of(check_on_beam(beam, {3 + 1e-6, 0, 0}, pin)), "sound");
  EXPECT_EQ(error_of(check_on_beam(beam, {2.5, 1e-6, 0}, pin)), "sound");
  EXPECT_MENTIONS(error_of(check_on_beam(beam, {2.5, 0.1, 0}, pin)), "0.1 m away from its axis");
  EXPECT_MENTIONS(error_of(check_on_beam(beam, {3.5, 0, 0}, pin)), "0.5 m away from its axis");
  beam.beam.reset();
  EXPECT_EQ(error_of(check_on_beam(beam, {2.5, 0.1, 0}, pin)), "sound");
}

}  // namespace
}  // namespace espalier::model::detail
