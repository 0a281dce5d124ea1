#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/urdf_round_trip.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using Eigen::Vector3d;
using model::JointType;
using model::Model;
using model::ModelSpec;

// How the body that is held by b's side is displaced in the world when the joint goes from `from` to `to`.
math::Pose displacement(const Model& model, const model::Joint& joint, const std::vector<double>& from,
                        const std::vector<double>& to, bool moves_a) {
  const auto X_AB = [&](const std::vector<double>& q) {
    return joint.X_AF * model::joint_pose(joint.type, joint.pitch, q) * joint.X_BM.inverse();
  };
  const math::Pose& held = model.body(moves_a ? joint.b : joint.a).X_WB;
  const math::Pose before = moves_a ? X_AB(from).inverse() : X_AB(from);
  const math::Pose after = moves_a ? X_AB(to).inverse() : X_AB(to);
  return held * after * before.inverse() * held.inverse();
}

// The plain file's joint moves its child as the model's joint does, coordinate for coordinate: q in the model is
// q - zero in the file, for a universal joint that had to be turned around with its two angles swapped.
TEST(UrdfFrames, MeansTheSameMotionToOtherReaders) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    for (const bool reversed : {false, true}) {
      if (kind.position_size != kind.freedom || kind.freedom == 0) continue;
      if (reversed && kind.type == JointType::kPlanar) continue;
      SCOPED_TRACE(fmt::format("{} {}", kind.name, reversed ? "reversed" : "forward"));
      ModelSpec spec;
      spec.bodies = {brick("one", pose({1, 2, 3}, {0.1, 0.2, 0.3})), brick("two", pose({-1, 0, 2}, {0.5, -1, 0.7}))};
      const std::vector<double> zero = some_position(kind.type);
      spec.joints = {joint_at("base", JointType::kFixed, ground(), spec.bodies[0], pose({0, 1, 0}, {1, 0, 0}), {}),
                     joint_at("j", kind.type, spec.bodies[reversed ? 1 : 0], spec.bodies[reversed ? 0 : 1],
                              pose({0, 1, 1}, {-0.4, 0.8, 1.5}), zero, kind.type == JointType::kScrew ? 0.05 : 0)};
      const Result<Model> before = model::compile(spec);
      const Result<ModelSpec> read = read_model_text(plain_text(write_model(spec, Format::kUrdf)->text), "plain.urdf");
      ASSERT_TRUE(before && read);
      const Result<Model> after = model::compile(*read);
      ASSERT_TRUE(after);
      std::vector<double> q, q_file;
      for (int k = 0; k < kind.freedom; ++k) {
        q.push_back(1.1 + 0.2 * k);
        q_file.push_back(q.back() - zero[to_index(k)]);
      }
      if (reversed && kind.type == JointType::kUniversal) std::swap(q_file[0], q_file[1]);
      const math::Pose wanted = displacement(*before, before->joints[1], zero, q, reversed);
      const math::Pose found =
          displacement(*after, after->joints[1], std::vector<double>(q.size(), 0.0), q_file, false);
      EXPECT_LT(math::gap_between(wanted, found).angle, 1e-13);
      EXPECT_LT(math::gap_between(wanted, found).distance, 1e-13);
    }
  }
}

// An open loop stays as open as it was drawn: the joint that does not close becomes the <loop>.
TEST(UrdfFrames, KeepsALoopOpenThatIsDrawnOpen) {
  ModelSpec spec;
  spec.name = "open";
  spec.bodies = {brick("one", {}), brick("two", pose({1, 0, 0}, {0, 0, 0.5}))};
  spec.joints = {joint_at("j1", JointType::kRevolute, ground(), spec.bodies[0], {}, {0}),
                 joint_at("j2", JointType::kRevolute, spec.bodies[0], spec.bodies[1], pose({1, 0, 0}, {0, 0, 0}), {0}),
                 joint_at("j3", JointType::kRevolute, spec.bodies[1], ground(), pose({2, 0, 0}, {0, 0, 0}), {0})};
  spec.joints[1].in_a.position.x() += 0.01;
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  EXPECT_NE(trip.text.find("<loop name=\"j2\""), std::string::npos);
}

TEST(UrdfFrames, MakesTheDrawnPoseTheFilesZero) {
  ModelSpec spec;
  spec.name = "shift";
  spec.bodies = {brick("arm", pose({0, 0, 1}, {0, 0, 0}))};
  spec.joints = {joint_at("j", JointType::kRevolute, ground(), spec.bodies[0], pose({0, 0, 1}, {0, 0, 0}), {0.25})};
  spec.joints[0].limits = {{-0.5, 0.75}};
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
  EXPECT_NE(trip.text.find("lower=\"-0.75\" upper=\"0.5\""), std::string::npos) << trip.text;
  EXPECT_TRUE(has_note(trip, "not at zero in the drawn pose"));
  // A reader that knows nothing of ours finds the body where it was drawn.
  const Result<ModelSpec> read = read_model_text(plain_text(trip.text), "plain.urdf");
  ASSERT_TRUE(read) << to_string(read.error());
  const Result<Model> compiled = model::compile(*read);
  ASSERT_TRUE(compiled);
  EXPECT_NEAR(compiled->joints[0].position[0], 0, 1e-15);
  const model::Body& arm = compiled->bodies[1];
  EXPECT_LT((arm.X_WB * arm.inertia.com - Vector3d(0.1, -0.2, 1.3)).norm(), 1e-15);
}

// A floating piece comes back where it was drawn, though URDF's root stands at the origin.
TEST(UrdfFrames, KeepsTheDrawnPoseOfAFloatingRoot) {
  ModelSpec spec;
  spec.name = "float";
  spec.bodies = {brick("one", pose({5, 6, 7}, {0.1, 0.2, 0.3})), brick("two", pose({5, 6, 8}, {0, 0, 0}))};
  spec.joints = {
      joint_at("j", JointType::kRevolute, spec.bodies[0], spec.bodies[1], pose({5, 6, 7.5}, {0, 1, 0}), {0})};
  expect_kept(spec);
}

}  // namespace
}  // namespace espalier::formats
