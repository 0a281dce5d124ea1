#include "espalier/record/run_folder.hpp"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/checkpoint.hpp"
#include "espalier/record/test/run_support.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/expect.hpp"

namespace espalier::record {
namespace {

class RunFiles : public TestFolder {};

dynamics::RunState some_state() {
  dynamics::RunState run;
  run.state = {0.1 + 0.2, {-0.0, 1.0 / 3.0, 5e-324}, {NAN, INFINITY}};
  run.integrator = dynamics::Integrator::kImplicit;
  run.step = 1e-300;
  run.exchanged = -1e22;
  run.outputs = 31;
  run.memory = {1, 2, 3, 4};
  return run;
}

RunRecord some_record() {
  RunRecord record;
  record.command = "espalier simulate m.yaml -t 2";
  record.version = "0.1.0";
  record.model_file = "/models/m.yaml";
  record.read = {.base = formats::Base::kFixed, .spherical = "ball"};
  record.model_name = "m";
  record.model_hash = 0xfedcba9876543210;
  record.keyframe = "home";
  record.plan = "{\"root\": \"ground\"}";
  record.plan_hash = 5;
  record.options.run.end_time = 0.1 + 0.2;
  record.options.tolerance = 1e-9;
  record.options.integrator = dynamics::Integrator::kFixed;
  record.csv = true;
  record.outcome = "stopped";
  record.message = "why";
  record.integrator = "fixed";
  record.time = 1.0 / 3.0;
  record.frames = 31;
  record.steps = 400;
  record.energy_error = 1e-7;
  record.state_hash = 77;
  return record;
}

TEST_F(RunFiles, ACheckpointGivesBackEveryBit) {
  const Checkpoint checkpoint{1, ~std::uint64_t{0}, some_state()};
  ASSERT_TRUE(write_checkpoint(folder_ / "c.bin", checkpoint).has_value());
  const Result<Checkpoint> read = read_checkpoint(folder_ / "c.bin");
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_EQ(read->model_hash, checkpoint.model_hash);
  EXPECT_EQ(read->plan_hash, checkpoint.plan_hash);
  EXPECT_EQ(state_hash(read->run.state), state_hash(checkpoint.run.state));
  EXPECT_TRUE(std::signbit(read->run.state.q[0]));
  EXPECT_EQ(read->run.integrator, checkpoint.run.integrator);
  EXPECT_EQ(read->run.step, checkpoint.run.step);
  EXPECT_EQ(read->run.exchanged, checkpoint.run.exchanged);
  EXPECT_EQ(read->run.outputs, checkpoint.run.outputs);
  EXPECT_EQ(read->run.memory, checkpoint.run.memory);
}

// Every byte counts: whichever is changed or cut off, the file is refused.
TEST_F(RunFiles, ADamagedCheckpointIsRefused) {
  ASSERT_TRUE(write_checkpoint(folder_ / "c.bin", {1, 2, some_state()}).has_value());
  const std::string whole = *files::read_text_file(folder_ / "c.bin");
  for (std::size_t k = 0; k < whole.size(); ++k) {
    std::string bad = whole;
    bad[k] = static_cast<char>(bad[k] ^ 1);
    ASSERT_TRUE(files::write_text_file(folder_ / "bad.bin", bad).has_value());
    EXPECT_FALSE(read_checkpoint(folder_ / "bad.bin").has_value()) << k;
    ASSERT_TRUE(files::write_text_file(folder_ / "bad.bin", whole.substr(0, k)).has_value());
    EXPECT_FALSE(read_checkpoint(folder_ / "bad.bin").has_value()) << k;
  }
}

TEST_F(RunFiles, ARecordReadsBackAsItWas) {
  const RunRecord record = some_record();
  ASSERT_TRUE(write_run(folder_, record).has_value());
  const Result<RunRecord> read = read_run(folder_);
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_EQ(read->command, record.command);
  EXPECT_EQ(read->read, record.read);
  EXPECT_EQ(read->model_file, record.model_file);
  EXPECT_EQ(read->model_hash, record.model_hash);
  EXPECT_EQ(read->keyframe, record.keyframe);
  EXPECT_EQ(read->plan_hash, record.plan_hash);
  EXPECT_MENTIONS(read->plan, "\"ground\"");
  EXPECT_EQ(read->options.run.end_time, record.options.run.end_time);
  EXPECT_EQ(read->options.integrator, record.options.integrator);
  EXPECT_EQ(read->options.tolerance, record.options.tolerance);
  EXPECT_EQ(read->csv, record.csv);
  EXPECT_EQ(read->outcome, record.outcome);
  EXPECT_EQ(read->time, record.time);
  EXPECT_EQ(read->steps, record.steps);
  EXPECT_EQ(read->energy_error, record.energy_error);
  EXPECT_EQ(read->state_hash, record.state_hash);
}

TEST_F(RunFiles, ABrokenRecordIsRefused) {
  EXPECT_MENTIONS(read_run(folder_).error().message, "no run.json");
  for (const char* text : {"", "{", "[]", "{}", "{\"espalier_run\": 2}", "{\"espalier_run\": 1}",
                           "{\"espalier_run\": 1, \"version\": 3, \"command\": []}"}) {
    std::ofstream(folder_ / "run.json") << text;
    EXPECT_FALSE(read_run(folder_).has_value()) << text;
  }
}

TEST_F(RunFiles, AFolderHoldsOneRun) {
  const ResultLayout layout = small_layout();
  ASSERT_TRUE(RunFolder::create(folder_ / "run", some_record(), layout, {}).has_value());
  const Result<RunFolder> second = RunFolder::create(folder_ / "run", some_record(), layout, {});
  ASSERT_FALSE(second.has_value());
  EXPECT_MENTIONS(second.error().message, "--restart");
}

TEST_F(RunFiles, AFolderThatCannotBeMadeIsSaid) {
  std::ofstream(folder_ / "file") << "text";
  const Result<RunFolder> run = RunFolder::create(folder_ / "file" / "run", some_record(), small_layout(), {});
  ASSERT_FALSE(run.has_value());
  EXPECT_MENTIONS(run.error().message, "Not a directory");
}

// Stopped after 40 of 90 frames, with ten more on disk than the checkpoint knows of, and continued.
TEST_F(RunFiles, AContinuedRunWritesWhatAWholeOneWrites) {
  const ResultLayout layout = small_layout();
  const Frames frames = random_frames(layout, 90), others = random_frames(layout, 90, 1);
  const RunRecord record = some_record();
  const auto append = [&](RunFolder& run, const Frames& from, std::size_t first, std::size_t end) {
    for (std::size_t row = first; row < end; ++row) {
      ASSERT_TRUE(run.append(frame_at(from, layout, row)).has_value());
    }
  };
  dynamics::RunState state = some_state();
  Result<RunFolder> whole = RunFolder::create(folder_ / "whole", record, layout, {});
  ASSERT_TRUE(whole.has_value());
  append(*whole, frames, 0, 90);
  ASSERT_TRUE(whole->finish(state, record).has_value());
  {
    Result<RunFolder> part = RunFolder::create(folder_ / "part", record, layout, {});
    ASSERT_TRUE(part.has_value());
    append(*part, frames, 0, 40);
    state.outputs = 40;
    ASSERT_TRUE(part->finish(state, record).has_value());
    const std::string checkpoint = *files::read_text_file(folder_ / "part/checkpoint.bin");
    append(*part, others, 40, 50);
    ASSERT_TRUE(part->finish(state, record).has_value());
    ASSERT_TRUE(files::write_text_file(folder_ / "part/checkpoint.bin", checkpoint).has_value());
  }
  Result<RunFolder> again =
      RunFolder::reopen(folder_ / "part", record, layout, read_checkpoint(folder_ / "part/checkpoint.bin")->run);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  append(*again, frames, 40, 90);
  ASSERT_TRUE(again->finish(state, record).has_value());
  EXPECT_EQ(read_result(folder_ / "part/result.h5")->frames, read_result(folder_ / "whole/result.h5")->frames);
  EXPECT_EQ(*files::read_text_file(folder_ / "part/result.csv"), *files::read_text_file(folder_ / "whole/result.csv"));
  EXPECT_EQ(again->files(), (std::vector<std::string>{"run.json", "result.h5", "result.csv", "checkpoint.bin"}));
}

TEST_F(RunFiles, NumbersOfACsvReadBackAsTheSameBits) {
  ResultLayout layout = small_layout();
  layout.joint_position = columns("j", 2);
  const Frames frames = random_frames(layout, 5);
  Result<RunFolder> run = RunFolder::create(folder_ / "run", some_record(), layout, {});
  ASSERT_TRUE(run.has_value());
  for (std::size_t row = 0; row < 5; ++row) ASSERT_TRUE(run->append(frame_at(frames, layout, row)).has_value());
  ASSERT_TRUE(run->finish(some_state(), some_record()).has_value());
  std::ifstream csv(folder_ / "run/result.csv");
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "time,j0,j1,kinetic,potential,exchanged,total,loop_distance,loop_angle");
  for (std::size_t row = 0; row < 5; ++row) {
    std::getline(csv, line);
    std::vector<double> numbers;
    for (std::size_t at = 0; at <= line.size();
         at = line.find(',', at) == std::string::npos ? line.size() + 1 : line.find(',', at) + 1) {
      numbers.push_back(parse_number(line.substr(at, line.find(',', at) - at)).value_or(NAN));
    }
    EXPECT_EQ(numbers,
              (std::vector<double>{frames.time[row], frames.joint_position[2 * row], frames.joint_position[2 * row + 1],
                                   frames.kinetic[row], frames.potential[row], frames.exchanged[row], frames.total[row],
                                   frames.loop_distance[row], frames.loop_angle[row]}));
  }
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
