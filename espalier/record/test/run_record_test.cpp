#include "espalier/record/run_record.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::record {
namespace {

using RunRecords = TestFolder;

RunRecord common_record() {
  RunRecord record;
  record.command = "espalier simulate m.yaml -t 2";
  record.version = "0.1.0";
  record.model_file = "/models/m.yaml";
  record.read = {.base = formats::Base::kFixed, .spherical = "ball"};
  record.accept = {"mesh"};
  record.model_name = "m";
  record.model_hash = 0xfedcba9876543210;
  record.keyframe = "home";
  record.csv = true;
  record.outcome = model::Outcome::kStopped;
  record.message = "why";
  record.time = 1.0 / 3.0;
  record.frames = 31;
  record.steps = 400;
  record.seconds = 0.25;
  record.state_hash = 77;
  return record;
}

RunRecord mechanism_record() {
  RunRecord record = common_record();
  MechanismPart& part = record.mechanism();
  part.options.run.end_time = 0.1 + 0.2;
  part.options.tolerance = 1e-9;
  part.options.integrator = dynamics::Integrator::kFixed;
  part.options.threads = 3;
  part.seed = 9;
  part.plan = "{\"root\": \"ground\"}";
  part.plan_hash = 5;
  part.integrator = "fixed";
  part.rejected = 6;
  part.energy_error = 1e-7;
  part.energy_start = -2.5;
  return record;
}

RunRecord scene_record() {
  RunRecord record = common_record();
  ScenePart& part = record.engine.emplace<ScenePart>();
  part.options.run.output_step = 0.125;
  part.options.settings.step = 0.1;
  part.options.settings.storage = contact::Storage::kRedundant;
  part.options.settings.weighing = contact::Weighing::kCounted;
  part.options.settings.solve.solver = contact::Solver::kNewton;
  part.unconverged = 4;
  part.most_contacts = 8;
  part.ranks = 2;
  return record;
}

void expect_common(const RunRecord& read, const RunRecord& record) {
  EXPECT_EQ(read.command, record.command);
  EXPECT_EQ(read.version, record.version);
  EXPECT_EQ(read.model_file, record.model_file);
  EXPECT_EQ(read.read, record.read);
  EXPECT_EQ(read.accept, record.accept);
  EXPECT_EQ(read.model_hash, record.model_hash);
  EXPECT_EQ(read.keyframe, record.keyframe);
  EXPECT_EQ(read.csv, record.csv);
  EXPECT_EQ(read.outcome, record.outcome);
  EXPECT_EQ(read.message, record.message);
  EXPECT_EQ(read.time, record.time);
  EXPECT_EQ(read.frames, record.frames);
  EXPECT_EQ(read.steps, record.steps);
  EXPECT_EQ(read.seconds, record.seconds);
  EXPECT_EQ(read.state_hash, record.state_hash);
  EXPECT_EQ(read.options().end_time, record.options().end_time);
  EXPECT_EQ(read.options().output_step, record.options().output_step);
}

TEST_F(RunRecords, OfMechanismsReadBackAsTheyWere) {
  const RunRecord record = mechanism_record();
  ASSERT_TRUE(write_run(folder_, record).has_value());
  const Result<RunRecord> read = read_run(folder_);
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  ASSERT_EQ(read->kind(), RunKind::kMechanism);
  expect_common(*read, record);
  const MechanismPart &part = read->mechanism(), &expected = record.mechanism();
  EXPECT_EQ(part.options.integrator, expected.options.integrator);
  EXPECT_EQ(part.options.tolerance, expected.options.tolerance);
  EXPECT_EQ(part.options.threads, expected.options.threads);
  EXPECT_EQ(part.seed, expected.seed);
  EXPECT_MENTIONS(part.plan, "\"ground\"");
  EXPECT_EQ(part.plan_hash, expected.plan_hash);
  EXPECT_EQ(part.integrator, expected.integrator);
  EXPECT_EQ(part.rejected, expected.rejected);
  EXPECT_EQ(part.energy_error, expected.energy_error);
  EXPECT_EQ(part.energy_start, expected.energy_start);
}

TEST_F(RunRecords, OfScenesReadBackAsTheyWere) {
  const RunRecord record = scene_record();
  ASSERT_TRUE(write_run(folder_, record).has_value());
  const Result<RunRecord> read = read_run(folder_);
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  ASSERT_EQ(read->kind(), RunKind::kScene);
  expect_common(*read, record);
  const ScenePart &part = read->scene(), &expected = record.scene();
  EXPECT_EQ(part.options.settings.step, expected.options.settings.step);
  EXPECT_EQ(part.options.settings.storage, expected.options.settings.storage);
  EXPECT_EQ(part.options.settings.weighing, expected.options.settings.weighing);
  EXPECT_EQ(part.options.settings.solve.solver, expected.options.settings.solve.solver);
  EXPECT_EQ(part.unconverged, expected.unconverged);
  EXPECT_EQ(part.most_contacts, expected.most_contacts);
  EXPECT_EQ(part.ranks, expected.ranks);
}

TEST_F(RunRecords, WithoutAnOutcomeTheRunIsUnderWay) {
  RunRecord record = scene_record();
  record.outcome.reset();
  ASSERT_TRUE(write_run(folder_, record).has_value());
  std::ifstream file(folder_ / "run.json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_MENTIONS(text, "\"outcome\": \"running\"");
  EXPECT_FALSE(read_run(folder_)->outcome);
}

// As version 1 wrote them: all options in one list, all counts in another, `engine` of scenes alone.
constexpr const char* kMechanismBefore = R"({
 "espalier_run": 1, "version": "0.1.0", "command": "espalier simulate m.yaml",
 "model": {"name": "m", "file": "/m.yaml", "hash": "00000000000000ff"},
 "options": {"end_time": 2.5, "output_step": 0.01, "integrator": "fixed", "tolerance": 1e-06, "step": 0.001,
  "loop_tolerance": 1e-11, "max_steps": 100, "threads": 2, "keyframe": "home", "csv": true},
 "seed": 7, "outcome": "stopped", "message": "", "integrator": "fixed", "time": 1.5,
 "counts": {"frames": 3, "steps": 40, "rejected": 1, "evaluations": 160, "loop_distance": 0.0, "loop_angle": 0.0,
  "energy_error": 0.5, "energy_scale": 8.0, "energy_start": null, "seconds": 0.5},
 "state_hash": "0000000000000001", "plan_hash": "0000000000000002", "plan": {"root": "ground"}
})";
constexpr const char* kSceneBefore = R"({
 "espalier_run": 1, "engine": "contact", "version": "0.1.0", "command": "espalier simulate s.yaml",
 "model": {"name": "s", "file": "/s.yaml", "hash": "00000000000000ff"},
 "options": {"end_time": 2.5, "output_step": 0.01, "step": 0.002, "tolerance": 1e-06, "solver": "newton",
  "order": "ranks", "max_sweeps": 99, "implicit": true, "correction": 0.0, "joint_correction": 0.0,
  "storage": "redundant", "bisection": "own", "weighing": "formula", "weight_factor": 0.5, "balance_every": 10,
  "imbalance": 1.1},
 "outcome": "running", "message": "", "time": 0.0, "ranks": 4,
 "counts": {"frames": 3, "steps": 40, "unconverged": 2, "worst_residual": 0.1, "sweeps": 5, "iterations": 6,
  "contacts": 7, "most_contacts": 8, "penetration": 0.01, "seconds": 0.5},
 "state_hash": "0000000000000001"
})";

TEST_F(RunRecords, OfTheVersionBeforeAreRead) {
  std::ofstream(folder_ / "run.json") << kMechanismBefore;
  Result<RunRecord> read = read_run(folder_);
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  ASSERT_EQ(read->kind(), RunKind::kMechanism);
  EXPECT_EQ(read->options().end_time, 2.5);
  EXPECT_EQ(read->keyframe, "home");
  EXPECT_TRUE(read->csv);
  EXPECT_EQ(read->outcome, model::Outcome::kStopped);
  EXPECT_EQ(read->steps, 40);
  EXPECT_EQ(read->mechanism().options.integrator, dynamics::Integrator::kFixed);
  EXPECT_EQ(read->mechanism().seed, 7u);
  EXPECT_EQ(read->mechanism().evaluations, 160);
  EXPECT_EQ(read->mechanism().plan_hash, 2u);
  EXPECT_MENTIONS(read->mechanism().plan, "ground");

  std::ofstream(folder_ / "run.json") << kSceneBefore;
  read = read_run(folder_);
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  ASSERT_EQ(read->kind(), RunKind::kScene);
  EXPECT_EQ(read->options().output_step, 0.01);
  EXPECT_FALSE(read->csv);
  EXPECT_FALSE(read->outcome);
  EXPECT_EQ(read->frames, 3);
  EXPECT_EQ(read->scene().options.settings.order, contact::Order::kRanks);
  EXPECT_EQ(read->scene().unconverged, 2);
  EXPECT_EQ(read->scene().ranks, 4);
}

TEST_F(RunRecords, BrokenOnesAreRefused) {
  EXPECT_MENTIONS(read_run(folder_).error().message, "no run.json");
  for (const char* text :
       {"", "{", "[]", "{}", "{\"espalier_run\": 1}", "{\"espalier_run\": 2}", "{\"espalier_run\": 1, \"options\": 3}",
        "{\"espalier_run\": 1, \"version\": 3, \"command\": []}"}) {
    std::ofstream(folder_ / "run.json") << text;
    EXPECT_FALSE(read_run(folder_).has_value()) << text;
  }
  std::ofstream(folder_ / "run.json") << "{\"espalier_run\": 3}";
  EXPECT_MENTIONS(read_run(folder_).error().message, "another folder");
  std::string unknown = kSceneBefore;
  unknown.replace(unknown.find("newton"), 6, "euler");
  std::ofstream(folder_ / "run.json") << unknown;
  EXPECT_MENTIONS(read_run(folder_).error().message, "solver is one of auto, gauss_seidel, newton");
}

TEST(RunHashes, TellModelsApartNotTheirFiles) {
  const std::string text =
      "espalier: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints: [{name: p, type: revolute, between: [ground, a], at: {position: [0, 0, 0]}}]\n";
  const auto hash = [](const std::string& model) { return *model_hash(*formats::read_model_text(model, "m.yaml")); };
  EXPECT_EQ(hash(text), hash("# a comment\n" + text));
  std::string heavier = text;
  heavier.replace(heavier.find("mass: 1"), 7, "mass: 2");
  EXPECT_NE(hash(text), hash(heavier));
}

}  // namespace
}  // namespace espalier::record
