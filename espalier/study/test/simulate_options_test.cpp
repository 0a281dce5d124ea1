#include "espalier/study/detail/simulate_options.hpp"

#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

std::string refused(const std::function<void(SimulateOptions&)>& change) {
  SimulateOptions options;
  change(options);
  const Result<void> checked = detail::check_numbers(options);
  return checked ? "" : checked.error().option;
}

TEST(CheckNumbers, NamesTheOptionThatCannotBe) {
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_EQ(refused([](auto& o) { o.end_time = -1; }), "end_time");
  EXPECT_EQ(refused([](auto& o) { o.output_step = 0; }), "output_step");
  EXPECT_EQ(refused([](auto& o) { o.tolerance = std::numeric_limits<double>::infinity(); }), "tolerance");
  EXPECT_EQ(refused([](auto& o) { o.step = std::numeric_limits<double>::quiet_NaN(); }), "step");
  EXPECT_EQ(refused([](auto& o) { o.loop_tolerance = -1e-9; }), "loop_tolerance");
  EXPECT_EQ(refused([](auto& o) { o.checkpoint_every = -1; }), "checkpoint_every");
}

TEST(CheckNumbers, TakesAnEndOfZeroAndNoCheckpointOnTheWay) {
  EXPECT_EQ(refused([](auto& o) { o.end_time = 0; }), "");
  EXPECT_EQ(refused([](auto& o) { o.checkpoint_every = 0; }), "");
}

TEST(CheckpointInterval, IsAMinuteWhereNoneIsGiven) {
  SimulateOptions options;
  EXPECT_EQ(detail::checkpoint_interval(options), 60);
  options.checkpoint_every = 5;
  EXPECT_EQ(detail::checkpoint_interval(options), 5);
}

TEST(CheckEnd, TellsARunThatIsDoneFromAnEndThatLiesBehind) {
  const Restart from{"run-1", "", {}};
  SimulateOptions options;
  EXPECT_TRUE(detail::check_end(from, options, false, 2));
  const Result<void> done = detail::check_end(from, options, true, 2);
  ASSERT_FALSE(done);
  EXPECT_MENTIONS(done.error().message, "the run in run-1 is done (it reached 2 s)");
  options.end_time = 1.5;
  const Result<void> behind = detail::check_end(from, options, true, 2);
  ASSERT_FALSE(behind);
  EXPECT_MENTIONS(behind.error().message, "`end_time` is 1.5, but the run has reached 2 s");
}

TEST(BeginRecord, KeepsWhatARestartNeeds) {
  LoadedModel model;
  model.file = "models/../arm.urdf";
  model.options.read.base = formats::Base::kFixed;
  model.model.name = "arm";
  SimulateOptions options;
  options.csv = true;
  record::RunRecord record;
  detail::begin_record(options, model, 17, record);
  EXPECT_EQ(record.model_file, (std::filesystem::current_path() / "arm.urdf").string());
  EXPECT_EQ(record.read.base, formats::Base::kFixed);
  EXPECT_EQ(record.model_name, "arm");
  EXPECT_EQ(record.model_hash, 17u);
  EXPECT_TRUE(record.csv);
}

TEST(TakeRecord, GivesTheAnswerWhatRunJsonHas) {
  record::RunRecord record;
  record.model_name = "arm";
  record.model_file = "/arm.yaml";
  record.time = 2;
  record.frames = 3;
  record.steps = 4;
  record.seconds = 5;
  record.state_hash = 6;
  record.options().end_time = 7;
  SimulateAnswer answer;
  detail::take_record(record, answer);
  EXPECT_EQ(answer.model, "arm");
  EXPECT_EQ(answer.file, "/arm.yaml");
  EXPECT_EQ(answer.time, 2);
  EXPECT_EQ(answer.frames, 3);
  EXPECT_EQ(answer.steps, 4);
  EXPECT_EQ(answer.seconds, 5);
  EXPECT_EQ(answer.state_hash, 6u);
  EXPECT_EQ(answer.end_time, 7);
}

TEST(FailForFiles, MarksTheRecordOnlyWhereThereIsAProblem) {
  record::RunRecord record;
  record.outcome = model::Outcome::kDone;
  detail::fail_for_files(std::nullopt, record);
  EXPECT_EQ(record.outcome, model::Outcome::kDone);
  detail::fail_for_files(Error{ErrorCode::kFile, "disk full", {"result.h5", 0, 0}}, record);
  EXPECT_EQ(record.outcome, model::Outcome::kFailed);
  EXPECT_EQ(record.message, "result.h5: disk full");
}

TEST(Sentence, BeginsLargeAndEndsWithAStop) { EXPECT_EQ(detail::sentence("the loops close"), "The loops close."); }

}  // namespace
}  // namespace espalier::study
