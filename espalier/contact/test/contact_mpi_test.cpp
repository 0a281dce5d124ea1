// A run that is cut in two and goes on elsewhere is the run that was not.

#include "espalier/contact/contact.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/test/kept_frame.hpp"
#include "espalier/contact/test/scenes.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::contact {
namespace {

Scene pile() {
  const Result<model::ModelSpec> spec = model::generate_pile(40, model::Grain::kMixed, 3);
  EXPECT_TRUE(spec);
  return compile_scene(*spec);
}

RunStatus run_to(const comm::Comm& comm, const Scene& scene, const RunState& start, int steps,
                 std::vector<KeptFrame>* frames = nullptr) {
  SimulateOptions options;
  options.settings.step = 5e-3;
  options.settings.balance_every = 7;
  options.settings.imbalance = 0;
  options.run.end_time = 5e-3 * steps;
  options.run.output_step = 5e-2;
  const model::Sink sink = [&](const model::Frame& frame) {
    if (frames != nullptr) frames->emplace_back(frame);
    return true;
  };
  return simulate(comm, comm.is_root() ? scene : Scene{}, start, sink, options);
}

void expect_same(const RunState& one, const RunState& other) {
  EXPECT_EQ(one.time, other.time);
  EXPECT_EQ(one.steps, other.steps);
  ASSERT_EQ(one.bodies.size(), other.bodies.size());
  for (std::size_t id = 0; id < one.bodies.size(); ++id) {
    EXPECT_EQ(one.bodies[id].q, other.bodies[id].q) << id;
    EXPECT_EQ(one.bodies[id].u, other.bodies[id].u) << id;
  }
  ASSERT_EQ(one.reactions.size(), other.reactions.size());
  for (std::size_t k = 0; k < one.reactions.size(); ++k) {
    EXPECT_EQ(one.reactions[k].key, other.reactions[k].key);
    EXPECT_EQ(one.reactions[k].R, other.reactions[k].R);
  }
}

// 60 steps alone; 30 alone and 30 on all ranks; 30 on all ranks and 30 alone.
TEST(Restart, GoesOnWithTheSameBitsOnAnotherNumberOfRanks) {
  const comm::Comm world = comm::Comm::world(), alone = comm::Comm::serial();
  const Scene scene = pile();
  std::vector<KeptFrame> frames, other_frames;
  const RunStatus whole = run_to(alone, scene, start_run(scene), 60, &frames);
  ASSERT_GT(whole.contacts, 20);
  ASSERT_EQ(whole.unconverged, 0);

  const RunStatus half = run_to(alone, scene, start_run(scene), 30, &other_frames);
  const RunStatus spread = run_to(world, scene, half.end, 60, &other_frames);
  const RunStatus half_spread = run_to(world, scene, start_run(scene), 30);
  if (!world.is_root()) return;
  expect_same(spread.end, whole.end);
  expect_same(run_to(alone, scene, half_spread.end, 60).end, whole.end);

  ASSERT_EQ(frames.size(), 7u);
  ASSERT_EQ(other_frames.size(), frames.size());
  EXPECT_EQ(spread.end.outputs, 7);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    EXPECT_EQ(frames[k].body_pose, other_frames[k].body_pose);
    EXPECT_EQ(frames[k].body_velocity, other_frames[k].body_velocity);
    EXPECT_EQ(frames[k].kinetic, other_frames[k].kinetic);
    ASSERT_EQ(frames[k].contacts.size(), other_frames[k].contacts.size());
    for (std::size_t c = 0; c < frames[k].contacts.size(); ++c) {
      EXPECT_EQ(frames[k].contacts[c].force, other_frames[k].contacts[c].force);
      EXPECT_EQ(frames[k].contacts[c].point, other_frames[k].contacts[c].point);
    }
  }
}

// A heap at rest, with so few sweeps that every step goes on by turns: alone, on all ranks with either storage, and
// handed over in the middle.
TEST(Restart, GoesOnWithTheSameBitsWhereSweepsAndNewtonTakeTurns) {
  const comm::Comm world = comm::Comm::world(), alone = comm::Comm::serial();
  const Scene scene = pile();
  const RunState heap = run_to(alone, scene, start_run(scene), 90).end;
  const auto run = [&](const comm::Comm& comm, const RunState& start, int steps, Storage storage) {
    SimulateOptions options;
    options.settings.step = 5e-3;
    options.settings.balance_every = 2;
    options.settings.imbalance = 0;
    options.settings.storage = storage;
    options.settings.solve.max_sweeps = 3;
    options.run.end_time = 5e-3 * steps;
    return simulate(comm, comm.is_root() ? scene : Scene{}, start, {}, options);
  };
  const RunStatus whole = run(alone, heap, 96, Storage::kEfficient);
  EXPECT_GT(whole.iterations, 0);
  EXPECT_EQ(whole.unconverged, 0);
  const RunStatus spread = run(world, heap, 96, Storage::kEfficient);
  const RunStatus redundant = run(world, heap, 96, Storage::kRedundant);
  const RunStatus half = run(world, heap, 93, Storage::kEfficient);
  if (!world.is_root()) return;
  EXPECT_EQ(spread.sweeps, whole.sweeps);
  EXPECT_EQ(spread.iterations, whole.iterations);
  expect_same(spread.end, whole.end);
  expect_same(redundant.end, whole.end);
  expect_same(run(alone, half.end, 96, Storage::kEfficient).end, whole.end);
}

double largest_difference(const RunState& one, const RunState& other) {
  double largest = 0;
  for (std::size_t id = 0; id < one.bodies.size(); ++id) {
    for (std::size_t k = 0; k < 12; ++k) {
      largest = std::max(largest, std::abs(one.bodies[id].u[k] - other.bodies[id].u[k]));
    }
  }
  return largest;
}

// One step from the same state, with rows in the order of keys and in that of ranks. Without friction the velocities
// that obey all laws are unique; with friction there may be several, and an order may end at another. Velocities are up
// to 1 m/s.
TEST(Order, OfRanksGivesTheSameStepWithinTheTolerance) {
  const comm::Comm world = comm::Comm::world();
  Scene scene = pile();
  for (auto& shapes : scene.shapes) {
    BodyShapes smooth = *shapes;
    for (SceneShape& shape : smooth) shape.friction = 0;
    shapes = std::make_shared<const BodyShapes>(smooth);
  }
  SimulateOptions options;
  options.settings.step = 5e-3;
  options.settings.solve.tolerance = 1e-8;
  const auto run = [&](const RunState& start, int steps) {
    options.run.end_time = 5e-3 * steps;
    const RunStatus status = simulate(world, world.is_root() ? scene : Scene{}, start, {}, options);
    EXPECT_EQ(status.unconverged, 0);
    return status;
  };
  RunState start = start_run(scene);
  for (int steps = 50; steps <= 80; steps += 10) {
    options.settings.order = Order::kKeys;
    start = run(start, steps).end;
    const RunStatus keys = run(start, steps + 1);
    options.settings.order = Order::kRanks;
    const RunStatus ranks = run(start, steps + 1);
    if (!world.is_root()) continue;
    EXPECT_GT(keys.contacts, 20);
    EXPECT_LE(largest_difference(keys.end, ranks.end), 1e-6);
    EXPECT_GT(largest_difference(keys.end, ranks.end), 0);
  }
}

TEST(Simulate, SaysWhoHasWhichBody) {
  const comm::Comm world = comm::Comm::world();
  const Scene scene = pile();
  std::vector<KeptFrame> frames;
  const RunStatus status = run_to(world, scene, start_run(scene), 10, &frames);
  if (!world.is_root()) return;
  const KeptFrame& last = frames.back();
  std::vector<std::int64_t> owned(to_index(world.size()), 0);
  // The first is the ground.
  for (std::size_t b = 1; b < last.owner.size(); ++b) ++owned[to_index(last.owner[b])];
  ASSERT_EQ(last.ranks.size(), owned.size());
  for (std::size_t r = 0; r < owned.size(); ++r) {
    EXPECT_EQ(last.ranks[r].bodies, owned[r]);
    EXPECT_GT(owned[r], 0);
    EXPECT_GT(last.ranks[r].busy, 0);
  }
  EXPECT_EQ(status.ranks.size(), owned.size());
}

// Only rank 1 is told; all stop.
TEST(Simulate, OneRankStopsAll) {
  const comm::Comm world = comm::Comm::world();
  const Scene scene = pile();
  const std::atomic<bool> stop = world.rank() == world.size() - 1;
  SimulateOptions options;
  options.run.stop = &stop;
  const RunStatus status = simulate(world, scene, start_run(scene), {}, options);
  EXPECT_EQ(status.outcome, model::Outcome::kStopped);
  EXPECT_EQ(status.steps, 1);
}

}  // namespace
}  // namespace espalier::contact
