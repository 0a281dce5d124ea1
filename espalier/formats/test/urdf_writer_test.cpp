#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/urdf_round_trip.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

TEST(UrdfWriter, TransmissionsAreWhatRosAsksFor) {
  ModelSpec spec = slider();
  spec.joints[0].actuated = true;
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  for (const char* part : {"<type>transmission_interface/SimpleTransmission</type>",
                           "<hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>",
                           "<mechanicalReduction>1</mechanicalReduction>"}) {
    EXPECT_NE(trip.text.find(part), std::string::npos) << trip.text;
  }
}

TEST(UrdfWriter, TransmissionsComeBackAsTheyWere) {
  using model::MotorInterface;
  for (const MotorInterface interface :
       {MotorInterface::kEffort, MotorInterface::kPosition, MotorInterface::kVelocity}) {
    ModelSpec spec = slider();
    spec.joints[0].actuated = true;
    spec.joints[0].transmission = {"crank & drive", 50, interface};
    const RoundTrip trip = round_trip(spec);
    EXPECT_EQ(trip.differences, "") << trip.text;
    EXPECT_NE(trip.text.find("<mechanicalReduction>50</mechanicalReduction>"), std::string::npos) << trip.text;
  }
}

TEST(UrdfWriter, KeepsShapes) {
  ModelSpec spec;
  spec.name = "shapes";
  spec.bodies = {brick("one", pose({1, 0, 0}, {0, 0.4, 0}))};
  for (const model::ShapeKind kind :
       {model::ShapeKind::kSphere, model::ShapeKind::kBox, model::ShapeKind::kCapsule, model::ShapeKind::kCylinder,
        model::ShapeKind::kEllipsoid, model::ShapeKind::kMesh}) {
    for (const model::ShapeRole role :
         {model::ShapeRole::kBoth, model::ShapeRole::kCollision, model::ShapeRole::kVisual}) {
      model::ShapeSpec shape;
      shape.kind = kind;
      shape.role = role;
      shape.size = kind == model::ShapeKind::kMesh                                          ? Vector3d(0, 0, 0)
                   : kind == model::ShapeKind::kSphere                                      ? Vector3d(0.3, 0, 0)
                   : kind == model::ShapeKind::kBox || kind == model::ShapeKind::kEllipsoid ? Vector3d(0.1, 0.2, 0.3)
                                                                                            : Vector3d(0.1, 0.2, 0);
      if (kind == model::ShapeKind::kMesh) shape.file = "a & b <\"c\">.stl", shape.scale = {1, 2, 3};
      shape.name = fmt::format("{} {}", model::word(kind), model::word(role));
      shape.pose = pose({0.1, 0.2, 0.3}, {0.4, 0.5, 0.6});
      spec.bodies[0].shapes.push_back(shape);
    }
  }
  expect_kept(spec);
}

TEST(UrdfWriter, EscapesNames) {
  ModelSpec spec;
  spec.name = "<a & \"b\">";
  spec.bodies = {brick("l'un & <l'autre>", {}), brick("\"2\"", pose({1, 0, 0}, {0, 0, 0}))};
  spec.joints = {joint_at("a<b>&\"c\"", JointType::kRevolute, spec.bodies[0], spec.bodies[1], {}, {0})};
  expect_kept(spec);
}

TEST(UrdfWriter, HoldsLooseBodiesByJointsToTheWorld) {
  ModelSpec spec;
  spec.name = "loose";
  spec.bodies = {brick("one", pose({5, 6, 7}, {0, 0, 0})), brick("two", pose({1, 2, 3}, {0, 0, 0}))};
  spec.contact.emplace();
  const RoundTrip trip = round_trip(spec);
  EXPECT_NE(trip.differences.find("joint one_floats"), std::string::npos) << trip.differences;
  EXPECT_TRUE(has_note(trip, "no joint holds"));
}

TEST(UrdfWriter, RenamesABodyThatWouldBeTakenForTheWorld) {
  ModelSpec spec;
  spec.name = "world";
  spec.bodies = {brick("world", {})};
  spec.joints = {joint_at("j", JointType::kRevolute, ground(), spec.bodies[0], {}, {0})};
  const RoundTrip trip = round_trip(spec);
  EXPECT_NE(trip.text.find("<link name=\"world_link\">"), std::string::npos) << trip.text;
  EXPECT_TRUE(has_note(trip, "means the ground"));
}

class UrdfRoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(UrdfRoundTrip, ChangesNothingInARealFile) {
  const std::filesystem::path path = std::filesystem::path(source_dir()) / "../shared/data/models" / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the collection of real models is not beside this checkout";
  for (const Base base : {Base::kFloating, Base::kFixed}) {
    const Result<ModelSpec> spec = read_model(path, {.base = base});
    ASSERT_TRUE(spec) << to_string(spec.error());
    EXPECT_EQ(round_trip(*spec).differences, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Collection, UrdfRoundTrip,
                         testing::Values("gepetto/kangaroo_like_2legs/robot.urdf", "gepetto/robot_delta/robot.urdf",
                                         "gepetto/5bar_linkage/robot.urdf", "grbda/four_bar.urdf", "grbda/six_bar.urdf",
                                         "grbda/planar_leg_linkage.urdf", "grbda/pc_d40_l40.urdf"));

double some_number(double size) { return size * (*rc::gen::inRange(-1000, 1001)) / 1000.0; }
Vector3d some_vector(double size) { return {some_number(size), some_number(size), some_number(size)}; }

model::BodySpec some_body(const std::string& name) {
  model::BodySpec body = brick(name, pose(some_vector(10), some_vector(1.7)));
  body.mass = std::abs(some_number(10)) + 0.1;
  body.com = some_vector(1);
  const Eigen::Matrix3d R = math::rotation_exp(some_vector(1.5)).toRotationMatrix();
  body.inertia =
      R * math::box_inertia(*body.mass, some_vector(1).cwiseAbs() + Vector3d::Constant(0.1)).about_com * R.transpose();
  return body;
}

model::JointSpec some_joint(const std::string& name, const model::BodySpec& a, const model::BodySpec& b) {
  const auto& kind = model::joint_kinds()[*rc::gen::inRange<std::size_t>(0, model::joint_kinds().size())];
  std::vector<double> q;
  for (int k = 0; k < kind.freedom; ++k) q.push_back(some_number(3));
  if (kind.position_size != kind.freedom) {
    const Eigen::Quaterniond turn = math::rotation_exp(some_vector(1.5));
    q.resize(to_index(kind.freedom - 3));
    q.insert(q.end(), {turn.w(), turn.x(), turn.y(), turn.z()});
  }
  const double pitch = kind.type == JointType::kScrew ? 0.01 + std::abs(some_number(0.1)) : 0;
  const bool swapped = *rc::gen::arbitrary<bool>();
  const math::Pose X_WF = pose(some_vector(10), some_vector(1.7));
  model::JointSpec joint = joint_at(name, kind.type, swapped ? b : a, swapped ? a : b, X_WF, q, pitch);
  if (kind.position_size == kind.freedom) {
    for (int k = 0; k < kind.freedom; ++k) joint.limits.push_back({-4 + some_number(1), 4 + some_number(1)});
  }
  return joint;
}

RC_GTEST_PROP(UrdfWriter, KeepsRandomMechanisms, ()) {
  ModelSpec spec;
  spec.name = "random";
  const int bodies = *rc::gen::inRange(1, 8);
  const bool floats = *rc::gen::arbitrary<bool>();
  for (int b = 0; b < bodies; ++b) {
    const model::BodySpec body = some_body(fmt::format("b{}", b));
    if (b > 0 || !floats) {
      const int parent = *rc::gen::inRange(floats ? 0 : -1, b);
      spec.joints.push_back(some_joint(fmt::format("j{}", b), parent < 0 ? ground() : spec.bodies[parent], body));
    }
    spec.bodies.push_back(body);
  }
  const int loops = bodies < 2 ? 0 : *rc::gen::inRange(0, 4);
  for (int l = 0; l < loops; ++l) {
    const int a = *rc::gen::inRange(1, bodies);
    const int b = *rc::gen::inRange(0, a);
    spec.joints.push_back(some_joint(fmt::format("l{}", l), spec.bodies[a], spec.bodies[b]));
  }
  const RoundTrip trip = round_trip(spec);
  if (!trip.differences.empty()) RC_FAIL(trip.differences + trip.text);
}

}  // namespace
}  // namespace espalier::formats
