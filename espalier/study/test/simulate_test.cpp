#include "espalier/study/simulate.hpp"

#include <atomic>
#include <cmath>
#include <fstream>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/sweep.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;
using Runs = EngineUse::Runs;

// A point of 1 kg on a rod along -z, turning about x.
const char* const kPendulum = R"(espalier: 1
name: pendulum
gravity: [0, 0, -9.81]
bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: [0.001, 0.001, 0.001]}]
joints: [{name: pin, type: revolute, between: [ground, bob], at: {position: [0, 0, 0], axis: [1, 0, 0]}, velocity: 3}]
keyframes: [{name: high, positions: {pin: 2}}]
)";
// A ball half a metre above a plane.
const char* const kBall = R"(espalier: 1
name: ball
materials: {stone: {density: 2000, friction: 0.5}}
bodies:
  - {name: ground, shapes: [{plane: {}}]}
  - {name: ball, material: stone, pose: {position: [0, 0, 1]}, shapes: [{sphere: {radius: 0.5}}]}
contact: {engine: on, margin: 0.001}
)";

class Runner : public TestFolder {
 protected:
  // The model in a file, as a run that is continued reads it again.
  LoadedModel load_file(const char* text) const {
    const fs::path path = folder_ / "model.yaml";
    std::ofstream(path) << text;
    return *load(path);
  }
  static SimulateAnswer run(const LoadedModel& model, const SimulateOptions& options) {
    const Result<SimulateAnswer> answer = simulate(comm::Comm::serial(), model, options);
    EXPECT_TRUE(answer.has_value()) << to_string(answer.error());
    return answer.value_or(SimulateAnswer());
  }
};

TEST_F(Runner, APendulumKeepsItsEnergyAndNoFileIsWritten) {
  SimulateOptions options;
  options.end_time = 0.5;
  options.tolerance = 1e-9;
  const SimulateAnswer answer = run(*load_text(kPendulum, "pendulum.yaml"), options);
  EXPECT_EQ(answer.outcome, model::Outcome::kDone);
  EXPECT_EQ(answer.time, 0.5);
  EXPECT_EQ(answer.frames, 51);
  EXPECT_TRUE(answer.folder.empty() && answer.files.empty());
  ASSERT_TRUE(answer.mechanism.has_value());
  EXPECT_LT(*relative_energy_error(*answer.mechanism), 1e-7);
  // Half the square of the rate and the height, both known at the start.
  const dynamics::State& end = answer.mechanism->status.end.state;
  EXPECT_NEAR(0.5 * 1.001 * end.v[0] * end.v[0] - 9.81 * std::cos(end.q[0]), 0.5 * 1.001 * 9 - 9.81, 1e-6);
}

TEST_F(Runner, TheKeyframeIsWhereItStarts) {
  SimulateOptions options;
  options.end_time = 0;
  options.keyframe = "high";
  EXPECT_NEAR(run(*load_text(kPendulum, "pendulum.yaml"), options).mechanism->status.end.state.q[0], 2, 1e-12);
  options.keyframe = "hihg";
  const Result<SimulateAnswer> answer = simulate(comm::Comm::serial(), *load_text(kPendulum, "pendulum.yaml"), options);
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().option, "keyframe");
}

TEST_F(Runner, TheContactSectionOfTheModelChoosesTheEngine) {
  SimulateOptions options;
  options.end_time = 0.1;
  const LoadedModel ball = *load_text(kBall, "ball.yaml");
  const SimulateAnswer answer = run(ball, options);
  EXPECT_EQ(answer.engine, Engine::kContact);
  ASSERT_TRUE(answer.scene.has_value());
  // It is in the air for 0.32 s: energy is kept, and nothing touches.
  EXPECT_EQ(answer.scene->most_contacts, 0);
  const contact::RunStatus& status = answer.scene->status;
  EXPECT_NEAR(status.energy_end, status.energy_start, 1e-6 * status.energy_start);
  options.engine = Engine::kRecursive;
  EXPECT_TRUE(run(ball, options).mechanism.has_value());
}

TEST_F(Runner, StoppedAndContinuedItEndsInTheSameBits) {
  for (const char* text : {kPendulum, kBall}) {
    const LoadedModel model = load_file(text);
    std::atomic<bool> stop{false};
    SimulateOptions whole, part, rest;
    whole.end_time = part.end_time = 0.4;
    part.folder = folder_ / model.model.name;
    part.stop = &stop;
    int steps = 0, begun = 0;
    double last = -1;
    part.on_frame = [&](const model::Frame& frame) {
      EXPECT_GT(frame.time, last);
      last = frame.time;
      return true;
    };
    part.on_begin = [&](const SimulateAnswer& answer) { begun += answer.outcome ? 0 : 1; };
    part.on_step = [&](const RunProgress& progress) {
      EXPECT_EQ(progress.end_time, 0.4);
      stop = ++steps >= 3;
    };
    EXPECT_EQ(run(model, part).outcome, model::Outcome::kStopped);
    EXPECT_LE(steps, 4) << "the step in work is the last one";
    EXPECT_EQ(begun, 1);
    EXPECT_GE(last, 0) << "frames are handed out whatever the engine";
    const Result<SimulateAnswer> continued = restart(comm::Comm::serial(), {part.folder, "", {}}, rest);
    ASSERT_TRUE(continued.has_value()) << to_string(continued.error());
    EXPECT_TRUE(continued->continued);
    const SimulateAnswer once = run(model, whole);
    EXPECT_EQ(continued->state_hash, once.state_hash) << model.model.name;
    EXPECT_EQ(continued->frames, once.frames);
    EXPECT_NE(to_json(*continued).find("--restart"), std::string::npos);
    const Result<SimulateAnswer> again = restart(comm::Comm::serial(), {part.folder, "", {}}, rest);
    ASSERT_FALSE(again.has_value()) << "it is done";
    EXPECT_EQ(again.error().option, "end_time");
  }
}

// A drive on a joint that cannot move: what the engine would pass over.
TEST_F(Runner, LawsThatWouldNotActAreRefusedInEveryRun) {
  const char* const blocked = R"(espalier: 1
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]
joints:
  - {name: weld, type: fixed, between: [ground, a], at: {}}
  - {name: stuck, type: revolute, between: [ground, a], at: {}}
  - {name: free, type: revolute, between: [a, b], at: {}}
forces: [{motion: {joint: stuck, position: t}}]
)";
  const LoadedModel model = *load_text(blocked, "blocked.yaml");
  const Result<SimulateAnswer> single = simulate(comm::Comm::serial(), model, {});
  ASSERT_FALSE(single.has_value());
  EXPECT_EQ(single.error().where.line, 7);
  SweepOptions options;
  options.run.folder = folder_ / "sweep";
  formats::Sweep masses;
  masses.parameters = {*formats::parse_vary("bodies.b.mass=1,2")};
  const formats::ModelVariants variants = *formats::ModelVariants::read_text(blocked, "blocked.yaml");
  const Result<SweepAnswer> many = sweep(comm::Comm::serial(), model, variants, masses, options);
  ASSERT_FALSE(many.has_value());
  EXPECT_EQ(many.error().where.line, 7);
  EXPECT_FALSE(fs::exists(options.run.folder));
}

using Set = std::function<void(SimulateOptions&)>;

// Each engine names the option that it cannot take, and no other.
TEST(CheckEngineOptions, WhatAnEngineCannotDoIsRefusedByName) {
  const std::pair<const char*, Set> of_mechanisms[] = {
      {"integrator", [](SimulateOptions& o) { o.integrator = dynamics::Integrator::kRunge; }},
      {"threads", [](SimulateOptions& o) { o.threads = 2; }},
      {"loop_tolerance", [](SimulateOptions& o) { o.loop_tolerance = 1e-9; }},
      {"keyframe", [](SimulateOptions& o) { o.keyframe = "up"; }},
      {"plan", [](SimulateOptions& o) { o.tree.file = "plan.json"; }},
      {"beta", [](SimulateOptions& o) { o.tree.beta = 1; }},
      {"root", [](SimulateOptions& o) { o.tree.root = "free"; }},
  };
  const std::pair<const char*, Set> of_scenes[] = {
      {"storage", [](SimulateOptions& o) { o.contact.storage = contact::Storage::kRedundant; }},
      {"weights", [](SimulateOptions& o) { o.contact.weight_factor = 0.5; }},
      {"solver", [](SimulateOptions& o) { o.contact.solver = contact::Solver::kNewton; }},
      {"order", [](SimulateOptions& o) { o.contact.order = contact::Order::kRanks; }},
  };
  const auto check = [](const auto& table, Engine takes, Engine refuses) {
    for (const auto& [name, set] : table) {
      SimulateOptions options;
      set(options);
      EXPECT_TRUE(check_engine_options(options, {takes, Runs::kOne, 1}).has_value()) << name;
      const Result<void> refused = check_engine_options(options, {refuses, Runs::kOne, 1});
      ASSERT_FALSE(refused.has_value()) << name;
      EXPECT_EQ(refused.error().option, name);
      EXPECT_FALSE(refused.error().hint.empty()) << name;
    }
  };
  check(of_mechanisms, Engine::kRecursive, Engine::kContact);
  check(of_scenes, Engine::kContact, Engine::kRecursive);
}

TEST(CheckEngineOptions, ARunThatContinuesKeepsItsNumbers) {
  SimulateOptions options;
  options.end_time = 2;
  options.checkpoint_every = 5;
  for (const Engine engine : {Engine::kRecursive, Engine::kContact}) {
    EXPECT_TRUE(check_engine_options(options, {engine, Runs::kContinued, 1}).has_value());
    SimulateOptions other = options;
    other.tolerance = 1e-3;
    EXPECT_EQ(check_engine_options(other, {engine, Runs::kContinued, 1}).error().option, "tolerance");
  }
}

TEST(CheckEngineOptions, RanksAreForScenesAndSweeps) {
  EXPECT_TRUE(check_engine_options({}, {Engine::kContact, Runs::kOne, 4}).has_value());
  EXPECT_TRUE(check_engine_options({}, {Engine::kRecursive, Runs::kMany, 4}).has_value());
  EXPECT_EQ(check_engine_options({}, {Engine::kRecursive, Runs::kOne, 4}).error().option, "ranks");
  EXPECT_EQ(check_engine_options({}, {Engine::kContact, Runs::kMany, 4}).error().option, "engine");
}

}  // namespace
}  // namespace espalier::study
