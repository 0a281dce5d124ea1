// Joints, springs, drives and loads give the same bits however the scene is shared out.

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/contact/test/kept_frame.hpp"
#include "espalier/contact/test/trial.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::contact {
namespace {

using Eigen::Vector3d;
using model::JointType;

template <class Law>
void add_force(model::ModelSpec& spec, const Law& law) {
  model::ForceSpec force;
  force.law = law;
  spec.forces.push_back(force);
}

model::SpringSpec spring(const std::string& a, const std::string& b, double stiffness, double length) {
  model::SpringSpec law;
  law.a = a;
  law.b = b;
  law.stiffness = stiffness;
  law.damping = 5;
  law.length = length;
  return law;
}

// Twelve boxes over the ground, some metres across: a slider that moves far along its rail on the ground, one on a
// body that moves itself, long springs, a driven hinge, a screw, a bushing, loads; the others fall.
model::ModelSpec fair() {
  model::ModelSpec spec = ground_spec(0.4, 0.1);
  spec.contact->margin = 1e-3;
  const auto name = [](int k) { return "b" + std::to_string(k); };
  for (int k = 0; k < 12; ++k) {
    model::BodySpec& body = add_body(spec, name(k), box_shape({0.5, 0.4, 0.3}),
                                     {1.0 * (k % 4), 0.8 * (k / 4), 0.4 + 0.5 * (k % 2) + 0.3 * (k / 4)});
    body.velocity = model::VelocitySpec{{0.2 * (k % 3), 0.1 * k, 0}, {0, 0.1 * k, 0.3}};
  }
  const auto at = [&](int k, const Vector3d& axis) {
    return math::Pose{spec.bodies[to_index(k) + 1].pose.position, math::rotation_with_z(axis)};
  };
  model::JointSpec& rail = add_joint(spec, JointType::kPrismatic, model::kGround, name(0), at(0, {1, 0, 0}));
  rail.limits = {{-1, 6}};
  rail.friction = {50};
  spec.bodies[1].velocity = model::VelocitySpec{{5, 0, 0}, Vector3d::Zero()};
  model::JointSpec& slide = add_joint(spec, JointType::kCylindrical, name(1), name(2), at(1, {1, 0.2, 0.1}));
  slide.stiffness = {200, 5};
  slide.damping = {3, 1};
  add_joint(spec, JointType::kRevolute, model::kGround, name(3), at(3, {0, 0, 1})).armature = {2};
  add_joint(spec, JointType::kScrew, name(4), name(5), at(4, {1, 0, 0})).pitch = 0.3;
  add_joint(spec, JointType::kUniversal, name(6), name(7), at(6, {0, 1, 0})).limits = {{-0.5, 0.5}, {-0.5, 0.5}};
  add_joint(spec, JointType::kSpherical, name(8), name(9), at(9, {0, 0, 1})).stiffness = {10, 20, 30};
  add_force(spec, model::MotionSpec{"joint2", false, formula("3*sin(4*t)")});
  // One on its own coordinate, one on a body far from the joints it names.
  model::LoadSpec servo;
  servo.joint = "joint0";
  servo.value = {formula("40*(2 - q(joint0)) - 9*v(joint0) + v(joint4, 2)")};
  add_force(spec, servo);
  model::LoadSpec follower;
  follower.body = name(11);
  follower.value = {formula("20*q(joint0)"), formula("3*q(joint1, 2) - v(joint2)"), formula("0")};
  add_force(spec, follower);
  add_force(spec, spring(name(0), name(10), 800, 1));
  add_force(spec, spring(model::kGround, name(11), 500, 2));
  add_force(spec, spring(name(3), name(8), 300, 1.5));
  model::SpringSpec rope = spring(name(2), name(11), 0, 0);
  rope.limits = {0, 1.6};
  add_force(spec, rope);
  model::BushingSpec bushing;
  bushing.a = name(10);
  bushing.b = name(11);
  bushing.stiffness = {100, 200, 300, 10, 20, 30};
  bushing.damping = {1, 1, 1, 1, 1, 1};
  add_force(spec, bushing);
  model::LoadSpec load;
  load.body = name(9);
  load.at = Vector3d(0.2, 0, 0);
  load.value = {formula("20*cos(t)"), formula("0"), formula("100*t")};
  add_force(spec, load);
  return spec;
}

RunStatus run(const comm::Comm& comm, const RunState& start, const Settings& settings, int steps,
              std::vector<KeptFrame>* frames = nullptr) {
  SimulateOptions options;
  options.settings = settings;
  options.settings.step = 5e-3;
  options.settings.solve.max_sweeps = 2000;
  options.settings.balance_every = 5;
  options.run.end_time = 5e-3 * steps;
  const Scene scene = compile_scene(fair());
  return simulate(
      comm, scene, start,
      [&](const model::Frame& frame) {
        if (frames != nullptr) frames->emplace_back(frame);
        return true;
      },
      options);
}

void expect_same_frames(const std::vector<KeptFrame>& all, const std::vector<KeptFrame>& last) {
  ASSERT_LE(last.size(), all.size());
  for (std::size_t k = 0; k < last.size(); ++k) {
    const KeptFrame& a = all[all.size() - last.size() + k];
    const KeptFrame& b = last[k];
    EXPECT_EQ(a.body_acceleration, b.body_acceleration);
    EXPECT_EQ(a.joint_position, b.joint_position);
    EXPECT_EQ(a.joint_velocity, b.joint_velocity);
    EXPECT_EQ(a.joint_acceleration, b.joint_acceleration);
    EXPECT_EQ(a.joint_drive, b.joint_drive);
    EXPECT_EQ(a.joint_passive, b.joint_passive);
    EXPECT_EQ(a.force, b.force);
  }
}

TEST(Joints, GiveTheSameBitsOnAnyNumberOfRanks) {
  const comm::Comm world = comm::Comm::world(), alone = comm::Comm::serial();
  const RunState start = start_run(compile_scene(fair()));
  std::vector<KeptFrame> frames;
  const RunStatus whole = run(alone, start, {}, 80, &frames);
  ASSERT_EQ(whole.unconverged, 0) << whole.worst_residual;
  // The slider crossed the others.
  ASSERT_GT(whole.end.bodies[1].q[0], 0.8);
  const RunStatus half = run(alone, start, {}, 33);
  for (const Storage storage : {Storage::kEfficient, Storage::kRedundant}) {
    Settings settings;
    settings.storage = storage;
    for (const RunState& from : {start, half.end}) {
      std::vector<KeptFrame> of_ranks;
      const RunStatus together = run(world, from, settings, 80, &of_ranks);
      if (!world.is_root()) continue;
      EXPECT_EQ(of_ranks.size(), from.steps == 0 ? frames.size() : frames.size() - 17);
      expect_same_frames(frames, of_ranks);
      ASSERT_EQ(together.end.bodies.size(), whole.end.bodies.size());
      for (std::size_t id = 0; id < whole.end.bodies.size(); ++id) {
        EXPECT_EQ(together.end.bodies[id].q, whole.end.bodies[id].q) << id;
        EXPECT_EQ(together.end.bodies[id].u, whole.end.bodies[id].u) << id;
      }
      EXPECT_EQ(together.end.reactions.size(), whole.end.reactions.size());
    }
  }
}

}  // namespace
}  // namespace espalier::contact
