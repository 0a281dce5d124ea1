#include "espalier/dynamics/evaluation.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"
#include "espalier/dynamics/test/reference_run.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::dynamics {
namespace {

using math::SpatialVector;

// The first frame of a run: at the reference's start.
struct Kept {
  std::vector<double> body_pose, body_velocity, body_acceleration, reaction;
};
Kept first_frame(const ReferenceModel& reference, const System& system) {
  Kept kept;
  const auto copy = [](std::span<const double> from) { return std::vector<double>(from.begin(), from.end()); };
  SimulateOptions options;
  simulate(
      system, reference_start(reference, system),
      [&](const model::Frame& frame) {
        kept = {copy(frame.body_pose), copy(frame.body_velocity), copy(frame.body_acceleration), copy(frame.reaction)};
        return false;
      },
      options);
  return kept;
}

Eigen::Vector3d three(const std::vector<double>& numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

// Wrench about the world's origin of what the joints do to each body, from the frame alone.
std::vector<SpatialVector> joint_wrenches(const System& system, const Kept& kept) {
  std::vector<SpatialVector> on_body(system.model().bodies.size(), SpatialVector::Zero());
  for (std::size_t j = 0; j < system.model().joints.size(); ++j) {
    const model::Joint& joint = system.model().joints[j];
    const std::size_t a = joint.a.index();
    const double* pose = kept.body_pose.data() + 7 * a;
    const Eigen::Quaterniond turned(pose[3], pose[4], pose[5], pose[6]);
    const Eigen::Vector3d point = three(kept.body_pose, 7 * a) + turned * joint.X_AF.position;
    SpatialVector wrench;
    wrench.tail<3>() = three(kept.reaction, 6 * j);
    wrench.head<3>() = three(kept.reaction, 6 * j + 3) + point.cross(wrench.tail<3>());
    on_body[joint.b.index()] += wrench;
    on_body[a] -= wrench;
  }
  return on_body;
}

// Newton's and Euler's laws about the world's origin, from the accelerations of the frame.
SpatialVector momentum_rate(const model::Body& body, std::size_t b, const Kept& kept) {
  const double* pose = kept.body_pose.data() + 7 * b;
  const Eigen::Matrix3d turned = Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).toRotationMatrix();
  const Eigen::Vector3d w = three(kept.body_velocity, 6 * b + 3);
  const Eigen::Vector3d alpha = three(kept.body_acceleration, 6 * b + 3);
  const Eigen::Vector3d arm = turned * body.inertia.com;
  const Eigen::Vector3d com = three(kept.body_pose, 7 * b) + arm;
  const Eigen::Vector3d a_com = three(kept.body_acceleration, 6 * b) + alpha.cross(arm) + w.cross(w.cross(arm));
  const Eigen::Matrix3d inertia = turned * body.inertia.about_com * turned.transpose();
  SpatialVector rate;
  rate.tail<3>() = body.inertia.mass * a_com;
  rate.head<3>() = inertia * alpha + w.cross(inertia * w) + com.cross(rate.tail<3>());
  return rate;
}

// Springs between points as the spec has them, and weights, about the world's origin.
std::vector<SpatialVector> outer_wrenches(const ReferenceModel& reference, const System& system, const Kept& kept) {
  std::vector<SpatialVector> on_body(system.model().bodies.size(), SpatialVector::Zero());
  for (std::size_t b = 1; b < system.model().bodies.size(); ++b) {
    const double* pose = kept.body_pose.data() + 7 * b;
    const model::Body& body = system.model().bodies[b];
    const Eigen::Vector3d com =
        three(kept.body_pose, 7 * b) + Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]) * body.inertia.com;
    const Eigen::Vector3d weight = body.inertia.mass * reference.spec.gravity;
    on_body[b].tail<3>() += weight;
    on_body[b].head<3>() += com.cross(weight);
  }
  for (const model::Force& force : system.model().forces) {
    const model::Spring* spring = std::get_if<model::Spring>(&force.law);
    if (spring == nullptr) continue;
    const auto point_of = [&](model::BodyId id, const Eigen::Vector3d& point) {
      const double* pose = kept.body_pose.data() + 7 * id.index();
      const Eigen::Vector3d arm = Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]) * point;
      const Eigen::Vector3d at = three(kept.body_pose, 7 * id.index()) + arm;
      const Eigen::Vector3d velocity =
          three(kept.body_velocity, 6 * id.index()) + three(kept.body_velocity, 6 * id.index() + 3).cross(arm);
      return std::pair(at, velocity);
    };
    const auto [pa, va] = point_of(spring->a, spring->point_a);
    const auto [pb, vb] = point_of(spring->b, spring->point_b);
    const Eigen::Vector3d along = (pb - pa).normalized();
    const double tension = spring->stiffness * ((pb - pa).norm() - spring->length) +
                           spring->damping * along.dot(vb - va) + spring->tension;
    on_body[spring->a.index()].tail<3>() += tension * along;
    on_body[spring->a.index()].head<3>() += pa.cross(tension * along);
    on_body[spring->b.index()].tail<3>() -= tension * along;
    on_body[spring->b.index()].head<3>() -= pb.cross(tension * along);
  }
  return on_body;
}

System tree_of(const ReferenceModel& reference, std::uint32_t key) {
  const Result<model::Model> model = model::compile(reference.spec);
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  return make_system(*model, mechanism, random_plan(network, key));
}

TEST(Reactions, FulfilNewtonAndEulerOnEveryBodyAndTree) {
  for (const std::filesystem::path& file : reference_files()) {
    SCOPED_TRACE(file.stem().string());
    const ReferenceModel reference = read_reference(file);
    if (!reference.bushings.empty()) continue;
    for (std::uint32_t key = 0; key < 4; ++key) {
      const System system = tree_of(reference, key);
      const Kept kept = first_frame(reference, system);
      ASSERT_FALSE(kept.reaction.empty());
      const std::vector<SpatialVector> joints = joint_wrenches(system, kept);
      const std::vector<SpatialVector> outer = outer_wrenches(reference, system, kept);
      double scale = 1e-9;
      for (const SpatialVector& wrench : joints) scale = std::max(scale, wrench.cwiseAbs().maxCoeff());
      for (std::size_t b = 1; b < system.model().bodies.size(); ++b) {
        const SpatialVector rate = momentum_rate(system.model().bodies[b], b, kept);
        EXPECT_LT((rate - joints[b] - outer[b]).cwiseAbs().maxCoeff(), 1e-8 * scale)
            << "tree " << key << ", body " << system.model().bodies[b].name;
      }
    }
  }
}

// Where no equation repeats another, what a joint transmits is no matter of the tree.
TEST(Reactions, AreTheSameOnEveryTreeWhereTheyAreUnique) {
  int compared = 0;
  for (const char* name : {"spatial_slider_crank_iftomm", "rccc_spatial_four_bar", "stewart_6ups",
                           "two_pucks_planar_joints", "spatial_chain_spherical_5"}) {
    SCOPED_TRACE(name);
    const ReferenceModel reference = read_reference(source_dir() + "/espalier/dynamics/test/data/" + name + ".json");
    std::vector<double> expected;
    for (std::uint32_t key = 0; key < 6; ++key) {
      const System system = tree_of(reference, key);
      Workspace work(system);
      const RunState start = reference_start(reference, system);
      evaluate(system, 0, start.state.q, start.state.v, work);
      if (std::count(work.dropped().begin(), work.dropped().end(), true) > 0) continue;
      const std::vector<double> found = first_frame(reference, system).reaction;
      if (expected.empty()) expected = found;
      double scale = 0, worst = 0;
      for (std::size_t k = 0; k < found.size(); ++k) {
        scale = std::max(scale, std::abs(found[k]));
        worst = std::max(worst, std::abs(found[k] - expected[k]));
      }
      EXPECT_LT(worst, 1e-9 * scale) << "tree " << key;
      ++compared;
    }
  }
  EXPECT_GT(compared, 15);
}

// A mast welded to the ground in two pieces, the upper one pulled sideways, an arm welded to a moving crank: every weld
// carries what lies beyond it.
//
//   ground ==foot== mast ==splice== top <- 30 N      ground --hinge-- crank ==weld== arm
TEST(Reactions, WeldsCarryWhatLiesBeyondThem) {
  model::ModelSpec spec;
  spec.gravity = {0, 0, -10};
  spec.bodies = {make_body("mast", 3, {0, 0, 1}, {1, 1, 1}), make_body("top", 2, {0, 0, 3}, {1, 1, 1}),
                 make_body("crank", 1, {0.5, 0, 0}, {0.1, 0.1, 0.1}), make_body("arm", 4, {2, 0, 0}, {0.2, 0.2, 0.2})};
  const math::Pose at_two{{0, 0, 2}, Eigen::Quaterniond::Identity()};
  const math::Pose at_one{{1, 0, 0}, Eigen::Quaterniond::Identity()};
  const math::Pose about_y{Eigen::Vector3d::Zero(),
                           Eigen::Quaterniond(Eigen::AngleAxisd(-1.5707963267948966, Eigen::Vector3d::UnitX()))};
  spec.joints = {make_joint("splice", model::JointType::kFixed, "top", "mast", at_two),
                 make_joint("foot", model::JointType::kFixed, "ground", "mast"),
                 make_joint("hinge", model::JointType::kRevolute, "ground", "crank", about_y),
                 make_joint("weld", model::JointType::kFixed, "crank", "arm", at_one)};
  model::LoadSpec load;
  load.body = "top";
  load.at = Eigen::Vector3d(0, 0, 4);
  load.value = {model::constant_expression(30), model::constant_expression(0), model::constant_expression(0)};
  spec.forces = {{"wind", load, {}}};
  const System system = planned_system(spec);
  std::vector<double> reaction, acceleration;
  simulate(system, start_run(system, drawn_state(system)),
           [&](const model::Frame& frame) {
             reaction.assign(frame.reaction.begin(), frame.reaction.end());
             acceleration.assign(frame.body_acceleration.begin(), frame.body_acceleration.end());
             return false;
           },
           {});
  const auto expect = [&](std::size_t joint, const std::vector<double>& wanted) {
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(reaction[6 * joint + k], wanted[k], 1e-9) << joint << " " << k;
  };
  // The top presses on the mast with its weight and hands on the wind, 2 m above the splice.
  expect(0, {30, 0, -20, 0, 60, 0});
  expect(1, {-30, 0, 50, 0, -120, 0});
  // A compound pendulum that starts from rest: arm 9/5 m, m = 5 kg, I = 0.1 + 0.25 + 0.2 + 16.
  const double alpha = 10 * (1 * 0.5 + 4 * 2) / (0.1 + 0.25 + 0.2 + 16);
  EXPECT_NEAR(acceleration[6 * 3 + 4], alpha, 1e-9);
  const double lift = 4 * (10 - 2 * alpha);
  expect(3, {0, 0, lift, 0, 0.2 * alpha - lift * 1, 0});
}

}  // namespace
}  // namespace espalier::dynamics
