#include "espalier/contact/contact.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/contact/test/kept_frame.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact {
namespace {

using Eigen::Vector3d;

struct Kept {
  std::vector<KeptFrame> frames;
  RunStatus status;
};

Kept run_scene(const Scene& scene, const SimulateOptions& options, const RunState* start = nullptr) {
  Kept kept;
  const model::Sink sink = [&](const model::Frame& frame) {
    kept.frames.emplace_back(frame);
    return true;
  };
  kept.status = simulate(comm::Comm::serial(), scene, start != nullptr ? *start : start_run(scene), sink, options);
  return kept;
}

// A box whose frame is not at its centre of mass falls from 5 m and turns about z.
//
//      +-------+
//    o |   x   |     o frame, x centre, 0.7 m apart
//      +-------+
TEST(Simulate, GivesPosesOfTheModelsFrames) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  model::BodySpec& body = add_body(spec, "box", box_shape({1, 1, 1}), {0, 0, 5});
  body.shapes.front().pose.position = {0.7, 0, 0};
  body.velocity = model::VelocitySpec{{0, 0, 0}, {0, 0, 2}};
  SimulateOptions options;
  options.run.end_time = 0.5;
  options.run.output_step = 0.25;
  const Kept kept = run_scene(compile_scene(spec), options);
  ASSERT_EQ(kept.frames.size(), 3u);
  // The frame's origin starts at rest, so the centre moves with 2 x 0.7 along y.
  const KeptFrame& first = kept.frames.front();
  EXPECT_EQ(first.body_pose.size(), 14u);
  EXPECT_NEAR(first.body_pose[7], 0, 1e-15);
  EXPECT_NEAR(first.body_velocity[7], 0, 1e-15);
  EXPECT_NEAR(first.body_velocity[11], 2, 1e-15);
  const KeptFrame& last = kept.frames.back();
  const Vector3d origin = Vector3d(0.7, 1.4 * 0.5, 5 - 10 * 0.25 / 2) - 0.7 * Vector3d(std::cos(1), std::sin(1), 0);
  EXPECT_LT((Vector3d(&last.body_pose[7]) - origin).norm(), 1e-6);
  EXPECT_NEAR(last.body_pose[10], std::cos(0.5), 1e-6);
  EXPECT_NEAR(last.body_pose[13], std::sin(0.5), 1e-6);
  const Vector3d speed = Vector3d(0, 1.4, -5) - 1.4 * Vector3d(-std::sin(1), std::cos(1), 0);
  EXPECT_LT((Vector3d(&last.body_velocity[6]) - speed).norm(), 1e-5);
  EXPECT_NEAR(last.kinetic + last.potential, first.kinetic + first.potential, 1e-6 * first.potential);
  EXPECT_EQ(kept.status.outcome, model::Outcome::kDone);
  EXPECT_EQ(kept.status.steps, 500);
}

TEST(Simulate, ContactForcesCarryTheWeight) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "box", box_shape({1, 1, 0.5}), {0, 0, 0.25});
  SimulateOptions options;
  options.settings.step = 5e-3;
  options.settings.solve.tolerance = 1e-10;
  options.run.end_time = 0.1;
  const Kept kept = run_scene(compile_scene(spec), options);
  const KeptFrame& last = kept.frames.back();
  ASSERT_EQ(last.contacts.size(), 4u);
  Vector3d force = Vector3d::Zero();
  for (const model::ContactPoint& contact : last.contacts) {
    EXPECT_EQ(contact.master, 1);
    EXPECT_EQ(contact.slave, 0);
    EXPECT_NEAR(contact.normal[2], 1, 1e-12);
    EXPECT_NEAR(contact.point[2], 0, 1e-6);
    force += Vector3d(contact.force.data());
  }
  EXPECT_LT((force - Vector3d(0, 0, 5000)).norm(), 1e-4);
  EXPECT_EQ(kept.status.contacts, 4);
  EXPECT_EQ(kept.status.unconverged, 0);
  EXPECT_EQ(last.owner, (std::vector<std::int32_t>{0, 0}));
}

TEST(Simulate, CountsStepsThatDoNotConverge) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  for (int k = 0; k < 5; ++k) add_body(spec, "box" + std::to_string(k), box_shape({1, 1, 0.5}), {0, 0, 0.25 + 0.5 * k});
  SimulateOptions options;
  options.settings.step = 5e-3;
  options.settings.solve.solver = Solver::kGaussSeidel;
  options.settings.solve.max_sweeps = 1;
  options.settings.solve.tolerance = 1e-14;
  options.run.end_time = 0.05;
  const RunStatus status = run_scene(compile_scene(spec), options).status;
  EXPECT_EQ(status.outcome, model::Outcome::kDone);
  EXPECT_EQ(status.steps, 10);
  EXPECT_GT(status.unconverged, 5);
  EXPECT_GT(status.worst_residual, 1e-14);
}

TEST(Simulate, StopsWhereItIsTold) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "ball", sphere_shape(0.5), {0, 0, 2});
  const Scene scene = compile_scene(spec);
  std::atomic<bool> stop = false;
  SimulateOptions options;
  options.run.stop = &stop;
  options.on_step = [&](const Progress& progress) { stop = progress.steps == 7; };
  const RunStatus status = run_scene(scene, options).status;
  EXPECT_EQ(status.outcome, model::Outcome::kStopped);
  // The flag is looked at before the step is shown.
  EXPECT_EQ(status.end.steps, 8);
  EXPECT_EQ(status.end.outputs, 1);
}

TEST(Simulate, AMotionThatIsNotFiniteEndsTheRun) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "ball", sphere_shape(0.5), {0, 0, 2});
  const Scene scene = compile_scene(spec);
  RunState start = start_run(scene);
  start.bodies[1].u[0] = 1e308;
  start.bodies[1].u[1] = 1e308;
  SimulateOptions options;
  options.settings.step = 10;
  options.run.end_time = 100;
  const RunStatus status = run_scene(scene, options, &start).status;
  EXPECT_EQ(status.outcome, model::Outcome::kFailed);
  EXPECT_NE(status.message.find("not finite"), std::string::npos) << status.message;
}

// Velocities that are numbers, and whose squares are none.
TEST(Simulate, EnergiesThatAreNotFiniteEndTheRun) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "ball", sphere_shape(0.5), {0, 0, 2}).velocity = model::VelocitySpec{{1e160, 0, 0}, Vector3d::Zero()};
  SimulateOptions options;
  options.run.end_time = 0.01;
  const RunStatus status = run_scene(compile_scene(spec), options).status;
  EXPECT_EQ(status.outcome, model::Outcome::kFailed);
  EXPECT_NE(status.message.find("not finite"), std::string::npos) << status.message;
}

TEST(FindOverlap, NamesTheDeepestPair) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "a", sphere_shape(0.5), {0, 0, 0.5});
  EXPECT_FALSE(find_overlap(compile_scene(spec)));
  add_body(spec, "b", sphere_shape(0.5), {0, 0.95, 0.5});
  add_body(spec, "c", sphere_shape(0.5), {0, 0.95, 1.4});
  const std::optional<Overlap> found = find_overlap(compile_scene(spec));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pairs, 2);
  EXPECT_EQ(found->a, 2);
  EXPECT_EQ(found->b, 3);
  EXPECT_NEAR(found->depth, 0.1, 1e-12);
}

}  // namespace
}  // namespace espalier::contact
