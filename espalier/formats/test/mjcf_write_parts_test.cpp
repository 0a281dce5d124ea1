#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_round_trip.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

TEST(MjcfWriteParts, ShapesKeepSizesRolesAndFriction) {
  Draw draw(9);
  ModelSpec spec = pair_of_bodies(draw);
  spec.joints.push_back(make_joint(spec, "i", JointType::kFixed, -1, 0, draw));
  spec.joints.push_back(make_joint(spec, "j", JointType::kFixed, 0, 1, draw));
  model::MaterialSpec rubber;
  rubber.name = "rubber";
  rubber.friction = 0.9;
  spec.materials.push_back(rubber);
  using enum model::ShapeKind;
  for (const model::ShapeKind kind : {kSphere, kBox, kCapsule, kCylinder, kEllipsoid, kHull, kMesh}) {
    model::ShapeSpec shape;
    shape.kind = kind;
    shape.size = kind == kSphere                         ? Vector3d(0.1, 0, 0)
                 : kind == kCapsule || kind == kCylinder ? Vector3d(0.1, 0.3, 0)
                 : kind == kHull || kind == kMesh        ? Vector3d::Zero()
                                                         : Vector3d(0.1, 0.2, 0.3);
    if (kind == kHull) shape.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (kind == kMesh) shape.file = "part.stl";
    if (kind == kMesh) shape.scale = {1, -1, 1};
    if (kind == kBox) shape.material = "rubber";
    shape.role = static_cast<model::ShapeRole>(static_cast<int>(kind) % 3);
    shape.pose = draw.pose();
    spec.bodies[1].shapes.push_back(shape);
  }
  EXPECT_EQ(round_trip(spec).differences, "");
}

TEST(MjcfWriteParts, CouplingsAndKeyframesComeBack) {
  Draw draw(5);
  ModelSpec spec = pair_of_bodies(draw);
  spec.joints.push_back(make_joint(spec, "i", JointType::kRevolute, -1, 0, draw));
  spec.joints.push_back(make_joint(spec, "j", JointType::kPrismatic, 1, 0, draw));
  model::CouplingSpec linear;
  linear.name = "gear";
  linear.joints = {"i", "j"};
  linear.ratio = {2, -3};
  linear.offset = 0.25;
  model::CouplingSpec curved;
  curved.name = "cam";
  curved.joints = {"j", "i"};
  curved.polynomial = {0.1, 0.2, 0.3, 0.4, 0.5};
  model::CouplingSpec still;
  still.name = "still";
  still.joints = {"j"};
  still.ratio = {2};
  still.offset = 1;
  spec.couplings = {linear, curved, still};
  spec.keyframes.push_back({"home", {{"j", {0.3}}, {"i", {-0.2}}}, {}});
  EXPECT_EQ(round_trip(spec).differences, "");
}

TEST(MjcfWriteParts, DustOfTurnedFramesIsNotWritten) {
  Draw draw(2);
  ModelSpec spec = pair_of_bodies(draw);
  spec.bodies.resize(1);
  spec.bodies[0].pose = {};
  JointSpec joint;
  joint.name = "j";
  joint.type = JointType::kRevolute;
  joint.a = "ground";
  joint.b = "p";
  joint.at = math::Pose{{1e-17, 2, 0}, math::rotation_exp(Vector3d(0, std::acos(-1.0) / 2, 0))};
  spec.joints.push_back(joint);
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "");
  EXPECT_NE(trip.text.find("pos=\"0 2 0\" axis=\"1 0 0\"/>"), std::string::npos) << trip.text;
}

}  // namespace
}  // namespace espalier::formats
