#include <cmath>
#include <numbers>

#include "espalier/modes/test/held_block.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;
using model::JointType;
using Kind = Hinge::Kind;

const Hinge& hinge_of(const Structure& structure) { return std::get<Hinge>(structure.elements.front().law); }

TEST(Joints, ReleaseWhatTheirTypeLetsMove) {
  const auto released = [](JointType type) {
    const Structure structure = structure_of(held(type));
    std::string word;
    for (const Kind kind : hinge_of(structure).kind) word += kind == Kind::kReleased ? 'f' : '-';
    return word;
  };
  EXPECT_EQ(released(JointType::kRevolute), "-----f");
  EXPECT_EQ(released(JointType::kPrismatic), "--f---");
  EXPECT_EQ(released(JointType::kUniversal), "---ff-");
  EXPECT_EQ(released(JointType::kCylindrical), "--f--f");
  EXPECT_EQ(released(JointType::kSpherical), "---fff");
  EXPECT_EQ(released(JointType::kPlanar), "ff---f");
  EXPECT_TRUE(structure_of(held(JointType::kFree)).elements.empty());  // holds nothing
}

TEST(Joints, StiffnessGoesToItsCoordinate) {
  model::ModelSpec spec = held(JointType::kPlanar);
  spec.joints[0].stiffness = {3, 0, 5};
  spec.joints[0].damping = {0, 7, 0};
  const Structure structure = structure_of(spec);
  const Hinge& hinge = hinge_of(structure);
  EXPECT_EQ(hinge.stiffness, (std::array<double, 6>{3, 0, 0, 0, 0, 5}));
  EXPECT_EQ(hinge.damping, (std::array<double, 6>{0, 7, 0, 0, 0, 0}));
  EXPECT_EQ(hinge.kind,
            (std::array{Kind::kElastic, Kind::kElastic, Kind::kRigid, Kind::kRigid, Kind::kRigid, Kind::kElastic}));
  EXPECT_TRUE(is_damped(structure));
  EXPECT_EQ(hinge.joint, model::JointId(0));
}

// ground o-----(block): m 2 kg, Izz 0.25 kg m^2, 0.5 m off the pin with a torsion spring.
TEST(Joints, PinnedBlockSwingsOnItsSpring) {
  model::ModelSpec spec = held(JointType::kRevolute, {0.5, 0, 0});
  spec.joints[0].stiffness = {30};
  const std::vector<double> omega = FiniteElements(structure_of(spec), 1).frequencies();
  ASSERT_EQ(omega.size(), 1u);
  EXPECT_NEAR(omega[0], std::sqrt(30 / (0.25 + 2 * 0.25)), 1e-12);
}

TEST(Joints, AxisIsZOfTheJoint) {
  model::ModelSpec spec = held(JointType::kRevolute, {0, 0, 0.5}, {3, 4, 0});
  spec.joints[0].stiffness = {30};
  const std::vector<double> omega = FiniteElements(structure_of(spec), 1).frequencies();
  ASSERT_EQ(omega.size(), 1u);
  const double inertia = 0.36 * 0.1 + 0.64 * 0.2 + 2 * 0.25;
  EXPECT_NEAR(omega[0], std::sqrt(30 / inertia), 1e-12);
}

// A screw turns and slides at once: the mass that slides is felt by the coordinate as m (pitch / 2 pi)^2.
TEST(Joints, ScrewSlidesAsItTurns) {
  model::ModelSpec spec = held(JointType::kScrew);
  spec.joints[0].pitch = 0.8;
  spec.joints[0].stiffness = {30};
  const std::vector<double> omega = FiniteElements(structure_of(spec), 1).frequencies();
  ASSERT_EQ(omega.size(), 1u);
  const double step = 0.8 / (2 * std::numbers::pi);
  EXPECT_NEAR(omega[0], std::sqrt(30 / (0.25 + 2 * step * step)), 1e-12);
}

TEST(Joints, ArmatureAddsToTheCoordinate) {
  model::ModelSpec spec = held(JointType::kRevolute);
  spec.joints[0].stiffness = {30};
  spec.joints[0].armature = {0.5};
  EXPECT_NEAR(FiniteElements(structure_of(spec), 1).frequencies()[0], std::sqrt(30 / 0.75), 1e-12);
  spec.bodies.push_back(block("second", {0, 0, 0}));
  spec.joints.push_back(joint_at("drive", JointType::kRevolute, "block", "second", {0, 0, 0}));
  spec.joints[1].armature = {0.5};
  EXPECT_NE(error_of(spec).find("armature"), std::string::npos);
}

// Two blocks welded are one body: masses and moments add up about the common centre.
TEST(Joints, WeldedBodiesAreOneVertex) {
  model::ModelSpec spec = held(JointType::kRevolute);
  spec.bodies.push_back(block("second", {1, 0, 0}));
  spec.joints.push_back(joint_at("weld", JointType::kFixed, "block", "second", {0.3, 0, 0}));
  const Structure structure = structure_of(spec);
  const Vertex& vertex = vertex_named(structure, "block");
  EXPECT_EQ(vertex.bodies, (std::vector{model::BodyId(1), model::BodyId(2)}));
  EXPECT_TRUE(vertex.point.isApprox(Vector3d(0.5, 0, 0)));
  EXPECT_NEAR(vertex.mass(5, 5), 2 * (0.25 + 2 * 0.25), 1e-14);
  EXPECT_EQ(structure.vertices.size(), 2u);
}

TEST(Joints, OnWeldedBodiesMoveNothingAndAreNoted) {
  model::ModelSpec spec = held(JointType::kFixed);
  spec.joints.push_back(joint_at("idle", JointType::kRevolute, "ground", "block", {1, 0, 0}));
  const Structure structure = structure_of(spec);
  EXPECT_TRUE(structure.elements.empty());
  ASSERT_EQ(structure.notes.size(), 1u);
  EXPECT_NE(structure.notes[0].message.find("idle"), std::string::npos);
}

// `active` is written about the body's frame where the point matters.
TEST(Joints, RestrictedBodyTurnsAboutItsFrame) {
  model::ModelSpec spec = held(JointType::kFree);
  spec.active = directions({"y", "rz"});
  spec.bodies[0].com = Vector3d(0.2, 0.1, 0);
  const Structure structure = structure_of(spec);
  EXPECT_TRUE(structure.vertices[0].point.isZero(0));
  EXPECT_NEAR(structure.vertices[0].mass(1, 5), 2 * 0.2, 1e-15);
  spec.active = directions({"x", "y", "rz"});
  EXPECT_TRUE(structure_of(spec).vertices[0].point.isApprox(Vector3d(0.2, 0.1, 0)));
}

TEST(Joints, DrawnOpenOrLoadedAreRefused) {
  model::ModelSpec open = held(JointType::kRevolute);
  open.joints[0].at.reset();
  open.joints[0].in_a.position = {0.1, 0, 0};
  EXPECT_NE(error_of(open).find("open by 0.1 m"), std::string::npos) << error_of(open);
  model::ModelSpec loaded = held(JointType::kRevolute);
  loaded.joints[0].stiffness = {30};
  loaded.joints[0].rest = {0.2};
  EXPECT_NE(error_of(loaded).find("draw it at rest"), std::string::npos) << error_of(loaded);
}

}  // namespace
}  // namespace espalier::modes
