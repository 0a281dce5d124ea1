#include "espalier/record/run_folder.hpp"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/test/run_support.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::record {
namespace {

class RunFiles : public TestFolder {};

RunRecord some_record() {
  RunRecord record;
  record.options().end_time = 0.1 + 0.2;
  record.csv = true;
  return record;
}

TEST_F(RunFiles, AFolderHoldsOneRun) {
  const ResultLayout layout = small_layout();
  ASSERT_TRUE(RunFolder::create(folder_ / "run", some_record(), layout, dynamics::RunState()).has_value());
  const Result<RunFolder> second = RunFolder::create(folder_ / "run", some_record(), layout, dynamics::RunState());
  ASSERT_FALSE(second.has_value());
  EXPECT_MENTIONS(second.error().hint, "`restart`");
}

TEST_F(RunFiles, AFolderThatCannotBeMadeIsSaid) {
  std::ofstream(folder_ / "file") << "text";
  const Result<RunFolder> run =
      RunFolder::create(folder_ / "file" / "run", some_record(), small_layout(), dynamics::RunState());
  ASSERT_FALSE(run.has_value());
  EXPECT_MENTIONS(run.error().message, "Not a directory");
}

// Stopped after 40 of 90 frames, with ten more on disk than the checkpoint knows of, and continued.
TEST_F(RunFiles, AContinuedRunWritesWhatAWholeOneWrites) {
  const ResultLayout layout = small_layout();
  const Rows rows = random_rows(layout, 90), others = random_rows(layout, 90, 1);
  const RunRecord record = some_record();
  const auto append = [&](RunFolder& run, const Rows& from, std::size_t first, std::size_t end) {
    for (std::size_t row = first; row < end; ++row) {
      ASSERT_TRUE(run.append(frame_at(from, layout, row)).has_value());
    }
  };
  dynamics::RunState state = mechanism_state();
  Result<RunFolder> whole = RunFolder::create(folder_ / "whole", record, layout, dynamics::RunState());
  ASSERT_TRUE(whole.has_value());
  append(*whole, rows, 0, 90);
  ASSERT_TRUE(whole->finish(state, record).has_value());
  {
    Result<RunFolder> part = RunFolder::create(folder_ / "part", record, layout, dynamics::RunState());
    ASSERT_TRUE(part.has_value());
    append(*part, rows, 0, 40);
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
  append(*again, rows, 40, 90);
  ASSERT_TRUE(again->finish(state, record).has_value());
  EXPECT_EQ(read_result(folder_ / "part/result.h5")->rows, read_result(folder_ / "whole/result.h5")->rows);
  EXPECT_EQ(*files::read_text_file(folder_ / "part/result.csv"), *files::read_text_file(folder_ / "whole/result.csv"));
  EXPECT_EQ(again->files(), (std::vector<std::string>{"run.json", "result.h5", "result.csv", "checkpoint.bin"}));
}

TEST_F(RunFiles, NumbersOfACsvReadBackAsTheSameBits) {
  ResultLayout layout = small_layout();
  layout.joint_position = columns("j", 2);
  const Rows rows = random_rows(layout, 5);
  Result<RunFolder> run = RunFolder::create(folder_ / "run", some_record(), layout, dynamics::RunState());
  ASSERT_TRUE(run.has_value());
  for (std::size_t row = 0; row < 5; ++row) ASSERT_TRUE(run->append(frame_at(rows, layout, row)).has_value());
  ASSERT_TRUE(run->finish(mechanism_state(), some_record()).has_value());
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
              (std::vector<double>{rows.at("time")[row], rows.at("joint_position")[2 * row],
                                   rows.at("joint_position")[2 * row + 1], rows.at("energy/kinetic")[row],
                                   rows.at("energy/potential")[row], rows.at("energy/exchanged")[row],
                                   rows.at("energy/total")[row], rows.at("loop/distance")[row],
                                   rows.at("loop/angle")[row]}));
  }
}

RunRecord scene_record() {
  RunRecord record;
  record.engine = ScenePart();
  record.csv = true;
  return record;
}

// A checkpoint without the rows before it could never go on.
TEST_F(RunFiles, RowsThatCouldNotBeWrittenStayForTheNextTry) {
  const std::filesystem::path result = folder_ / "run" / "result.h5", away = folder_ / "away.h5";
  Result<RunFolder> run = RunFolder::create(folder_ / "run", scene_record(), ball_layout(), scene_state());
  ASSERT_TRUE(run.has_value()) << to_string(run.error());
  ASSERT_TRUE(run->append(SceneFrame(0).frame).has_value());
  ASSERT_TRUE(run->save(scene_state()).has_value());
  for (int k = 1; k < 3; ++k) ASSERT_TRUE(run->append(SceneFrame(k).frame).has_value());
  std::filesystem::rename(result, away);
  EXPECT_FALSE(run->save(scene_state()).has_value());
  std::filesystem::rename(away, result);
  EXPECT_TRUE(run->save(scene_state()).has_value());
  EXPECT_EQ(read_result(result)->frames(), 3u);
}

TEST_F(RunFiles, ASceneHasTheSameFilesAsAMechanism) {
  Result<RunFolder> run = RunFolder::create(folder_ / "run", scene_record(), ball_layout(), scene_state());
  ASSERT_TRUE(run.has_value()) << to_string(run.error());
  EXPECT_FALSE(RunFolder::create(folder_ / "run", scene_record(), ball_layout(), scene_state()).has_value());
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(run->append(SceneFrame(k).frame).has_value());
  RunRecord record = scene_record();
  record.outcome = model::Outcome::kDone;
  ASSERT_TRUE(run->finish(scene_state(), record).has_value());
  EXPECT_EQ(run->files(), (std::vector<std::string>{"run.json", "result.h5", "result.csv", "checkpoint.bin"}));
  EXPECT_EQ(read_run(folder_ / "run")->outcome, model::Outcome::kDone);
  EXPECT_EQ(kind_of(read_checkpoint(checkpoint_of(folder_ / "run"))->run), RunKind::kScene);
  std::ifstream csv(folder_ / "run/result.csv");
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "time,ball.x,ball.y,ball.z,ball.qw,ball.qx,ball.qy,ball.qz,kinetic,potential,strain,total");
  std::getline(csv, line);
  EXPECT_EQ(line, "0,0.07,0.08,0.09,0.1,0.11,0.12,0.13,2,3,0.5,5.5");
}

}  // namespace
}  // namespace espalier::record
