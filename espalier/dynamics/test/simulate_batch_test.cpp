#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"
#include "espalier/dynamics/test/reference_run.hpp"

namespace espalier::dynamics {
namespace {

using Numbers = std::vector<double>;

// Every number of every frame.
model::Sink recorder(Numbers& numbers) {
  return [&numbers](const model::Frame& frame) {
    numbers.insert(numbers.end(), {frame.time, frame.kinetic, frame.potential, frame.exchanged});
    for (const auto list : {frame.joint_position, frame.joint_velocity, frame.body_pose, frame.body_velocity,
                            frame.body_acceleration, frame.reaction})
      numbers.insert(numbers.end(), list.begin(), list.end());
    return true;
  };
}

void expect_same(const RunStatus& batch, const RunStatus& single) {
  EXPECT_EQ(batch.outcome, single.outcome);
  EXPECT_EQ(batch.message, single.message);
  EXPECT_EQ(batch.end.state.time, single.end.state.time);
  EXPECT_EQ(batch.end.state.q, single.end.state.q);
  EXPECT_EQ(batch.end.state.v, single.end.state.v);
  EXPECT_EQ(batch.end.integrator, single.end.integrator);
  EXPECT_EQ(batch.end.step, single.end.step);
  EXPECT_EQ(batch.end.exchanged, single.end.exchanged);
  EXPECT_EQ(batch.end.outputs, single.end.outputs);
  EXPECT_EQ(batch.end.memory, single.end.memory);
  EXPECT_EQ(batch.steps, single.steps);
  EXPECT_EQ(batch.rejected, single.rejected);
  EXPECT_EQ(batch.evaluations, single.evaluations);
  EXPECT_EQ(batch.stiff_since, single.stiff_since);
  EXPECT_EQ(batch.loop_distance, single.loop_distance);
  EXPECT_EQ(batch.loop_angle, single.loop_angle);
  EXPECT_EQ(batch.energy_error, single.energy_error);
  EXPECT_EQ(batch.energy_scale, single.energy_scale);
}

// All runs at once against each alone. Returns how each ended.
std::vector<RunStatus> expect_same_runs(const System& system, const std::vector<RunState>& starts,
                                        const SimulateOptions& options) {
  std::vector<Numbers> frames(starts.size());
  std::vector<model::Sink> sinks;
  for (Numbers& numbers : frames) sinks.push_back(recorder(numbers));
  std::vector<RunStatus> runs = simulate_batch(system, starts, sinks, options);
  EXPECT_EQ(runs.size(), starts.size());
  for (std::size_t k = 0; k < starts.size(); ++k) {
    SCOPED_TRACE("run " + std::to_string(k));
    Numbers alone;
    expect_same(runs[k], simulate(system, starts[k], recorder(alone), options));
    EXPECT_EQ(frames[k], alone);
  }
  return runs;
}

// The same positions; velocities from none to twice the model's own, and a little more, as far as loops let them.
std::vector<RunState> make_starts(const RunState& start, std::size_t count) {
  std::vector<RunState> starts(count, start);
  Random random(21);
  for (std::size_t k = 0; k < count; ++k) {
    const double factor = 2 * static_cast<double>(k) / static_cast<double>(count);
    for (double& number : starts[k].state.v) number = factor * number + random.uniform(-0.1, 0.1);
  }
  return starts;
}

SimulateOptions short_run(Integrator integrator) {
  SimulateOptions options;
  options.run.end_time = 0.01;
  options.run.output_step = 0.003;
  options.step = 0.004;
  options.integrator = integrator;
  return options;
}

// Trees, quaternions, loops, rows left out, a callback.
TEST(SimulateBatch, GivesTheBitsOfSingleRuns) {
  for (const ReferenceModel& reference : reference_models()) {
    SCOPED_TRACE(reference.name);
    const System system = reference_system(reference);
    // Long rows of loops are slow in a debug build and show nothing that short ones do not.
    if (system.rows() > 20 && !system->callback) continue;
    const std::vector<RunState> starts = make_starts(reference_start(reference, system), 4);
    for (const Integrator integrator : {Integrator::kRunge, Integrator::kFixed}) {
      for (const RunStatus& run : expect_same_runs(system, starts, short_run(integrator))) {
        // Fixed steps may be too long for stiff forces.
        EXPECT_TRUE(run.outcome == model::Outcome::kDone || integrator == Integrator::kFixed) << run.message;
      }
    }
  }
}

// The governor's forces are stiff: sooner or later every run leaves its lane for implicit steps.
TEST(SimulateBatch, LetsRunsBecomeImplicit) {
  for (const ReferenceModel& reference : reference_models()) {
    if (reference.name != "a05_stiff_flyball_governor") continue;
    const System system = reference_system(reference);
    SimulateOptions options = short_run(Integrator::kAuto);
    options.run.end_time = 0.3;
    options.run.output_step = 0.1;
    int stiff = 0;
    for (const RunStatus& run : expect_same_runs(system, make_starts(reference_start(reference, system), 3), options))
      stiff += run.stiff_since ? 1 : 0;
    EXPECT_GT(stiff, 0);
  }
}

// Nine runs for eight lanes: one comes later, where another has ended.
//   ground --o-- arm     a force that is no number beyond 1 rad; slow runs do not come there
TEST(SimulateBatch, LetsOneRunFail) {
  model::ModelSpec spec;
  spec.name = "arm";
  spec.bodies.push_back(make_body("arm", 1, {0.5, 0, 0}, {0.1, 0.1, 0.1}));
  spec.joints.push_back(make_joint("pin", model::JointType::kRevolute, "ground", "arm"));
  System system = planned_system(spec);
  system.set_callback([](double, LinkArrays& links) {
    const double turned = links.pose[1].rotation.z();
    if (turned > std::sin(0.5)) links.force[1][2] += std::numeric_limits<double>::quiet_NaN();
  });
  std::vector<RunState> starts(9, start_run(system, drawn_state(system)));
  for (std::size_t k = 0; k < starts.size(); ++k) starts[k].state.v[0] = 0.3 * static_cast<double>(k);
  SimulateOptions options = short_run(Integrator::kRunge);
  options.run.end_time = 0.5;
  int failed = 0;
  for (const RunStatus& run : expect_same_runs(system, starts, options))
    failed += run.outcome == model::Outcome::kFailed ? 1 : 0;
  EXPECT_GT(failed, 0);
  EXPECT_LT(failed, 9);
}

TEST(SimulateBatch, LetsOneRunStop) {
  const ReferenceModel& reference = reference_models().front();
  const System system = reference_system(reference);
  const std::vector<RunState> starts = make_starts(reference_start(reference, system), 3);
  const SimulateOptions options = short_run(Integrator::kRunge);
  const model::Sink all = [](const model::Frame&) { return true; };
  const model::Sink early = [](const model::Frame& frame) { return frame.time < 0.005; };
  const std::vector<model::Sink> sinks = {all, early, all};
  const std::vector<RunStatus> runs = simulate_batch(system, starts, sinks, options);
  EXPECT_EQ(runs[1].outcome, model::Outcome::kStopped);
  for (std::size_t k = 0; k < 3; ++k) expect_same(runs[k], simulate(system, starts[k], sinks[k], options));
}

// Continued runs have chosen their rows already; one that chose others marches alone.
TEST(SimulateBatch, GoesOnFromWhereRunsEnded) {
  for (const ReferenceModel& reference : reference_models()) {
    if (reference.name != "a02_n_four_bar_N2") continue;
    const System system = reference_system(reference);
    const std::vector<RunState> starts = make_starts(reference_start(reference, system), 5);
    SimulateOptions options = short_run(Integrator::kRunge);
    std::vector<RunState> later;
    for (const RunStatus& run : expect_same_runs(system, starts, options)) later.push_back(run.end);
    const auto rows = later[2].memory.end() - system.rows();
    const auto dropped = std::find(rows, later[2].memory.end(), 1.0);
    ASSERT_NE(dropped, later[2].memory.end());
    // An equation too many is softened, not an error.
    *dropped = 0;
    options.run.end_time = 0.02;
    expect_same_runs(system, later, options);
  }
}

}  // namespace
}  // namespace espalier::dynamics
