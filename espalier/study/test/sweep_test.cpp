#include "espalier/study/sweep.hpp"

#include <cmath>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/test/sweep_support.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;

class SweepRuns : public TestFolder {
 protected:
  SweepAnswer run(const Fixture& fixture) {
    const Result<SweepAnswer> answer = fixture.compute();
    EXPECT_TRUE(answer.has_value()) << to_string(answer.error());
    return answer.value_or(SweepAnswer());
  }
  static std::string table(const fs::path& folder) { return *files::read_text_file(folder / "runs.csv"); }
  static std::vector<std::vector<std::string>> rows(const fs::path& folder) {
    std::vector<std::vector<std::string>> all;
    std::istringstream text(table(folder));
    for (std::string line; std::getline(text, line);) {
      std::vector<std::string>& row = all.emplace_back();
      std::istringstream words(line);
      for (std::string word; std::getline(words, word, ',');) row.push_back(word);
    }
    return all;
  }
};

TEST_F(SweepRuns, EveryRunStandsInItsLineWithItsNumbers) {
  Fixture fixture(folder_ / "a");
  const SweepAnswer answer = run(fixture);
  EXPECT_TRUE(answer.complete);
  EXPECT_EQ(answer.computed, 12);
  EXPECT_EQ(answer.failed + answer.refused, 0);
  const auto all = rows(folder_ / "a");
  ASSERT_EQ(all.size(), 13u);
  EXPECT_EQ(all[0][1], "joints.pin.velocity");
  for (std::int64_t k = 0; k < 12; ++k) {
    const std::vector<std::string>& row = all[to_index(k) + 1];
    EXPECT_EQ(row[0], std::to_string(k));
    const std::vector<formats::FieldValue> values = formats::sample(fixture.sweep, k);
    EXPECT_EQ(*parse_number(row[1]), values[0].value);
    EXPECT_EQ(*parse_number(row[2]), values[1].value);
    EXPECT_EQ(row[3], "done");
  }
}

// Kinetic and potential energy at the end against what the start had: each run was computed with its own numbers.
TEST_F(SweepRuns, EachRunKeepsTheEnergyItsNumbersGiveIt) {
  Fixture fixture(folder_ / "a");
  fixture.options.run.tolerance = 1e-9;
  run(fixture);
  const double inertia = 1.001;
  for (const std::vector<std::string>& row : rows(folder_ / "a")) {
    if (row[0] == "run") continue;
    const double rate = *parse_number(row[1]), gravity = -*parse_number(row[2]);
    const double end = *parse_number(row[10]) + *parse_number(row[11]);
    EXPECT_NEAR(end, 0.5 * inertia * rate * rate - gravity, 1e-6) << row[0];
  }
}

TEST_F(SweepRuns, AFileGivesTheSameTableAsWhatWasReadOfIt) {
  Fixture fixture(folder_ / "read");
  run(fixture);
  const fs::path file = folder_ / "pendulum.yaml";
  ASSERT_TRUE(files::write_text_file(file, kPendulum));
  fixture.options.run.folder = folder_ / "file";
  const Result<SweepAnswer> answer = sweep_file(comm::Comm::serial(), file, fixture.sweep, fixture.options);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(table(folder_ / "file"), table(folder_ / "read"));
  const Result<SweepAnswer> none = sweep_file(comm::Comm::serial(), folder_ / "none.yaml", fixture.sweep, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kFile);
}

TEST_F(SweepRuns, ThreadsDoNotChangeAByte) {
  Fixture one(folder_ / "one"), three(folder_ / "three");
  three.options.run.threads = 3;
  run(one);
  run(three);
  EXPECT_EQ(table(folder_ / "one"), table(folder_ / "three"));
}

TEST_F(SweepRuns, GoesOnWhereItWasStopped) {
  Fixture whole(folder_ / "whole"), part(folder_ / "part");
  run(whole);
  std::atomic<bool> stop{false};
  part.options.run.stop = &stop;
  part.options.on_run = [&](std::int64_t done) { stop = done >= 5; };
  const SweepAnswer first = run(part);
  EXPECT_FALSE(first.complete);
  EXPECT_FALSE(fs::exists(folder_ / "part/runs.csv"));
  stop = false;
  part.options.on_run = nullptr;
  // A claim that a killed program has left.
  std::ignore = files::write_text_file(folder_ / "part/blocks/000009.claim", "");
  const SweepAnswer second = run(part);
  EXPECT_TRUE(second.complete);
  EXPECT_LT(second.computed, 12) << "what was done is not done again";
  EXPECT_EQ(table(folder_ / "part"), table(folder_ / "whole"));
  EXPECT_EQ(run(part).computed, 0);
}

TEST_F(SweepRuns, FramesAreKeptWhereAskedFor) {
  Fixture fixture(folder_ / "a"), table_only(folder_ / "b");
  fixture.options.keep_frames = true;
  fixture.options.run.threads = 2;
  run(fixture);
  run(table_only);
  EXPECT_EQ(table(folder_ / "a"), table(folder_ / "b")) << "frames leave no trace in a run";
  for (int k = 0; k < 12; ++k) {
    const fs::path run_folder = folder_ / "a/runs" / ("0000" + std::string(k < 10 ? "0" : "") + std::to_string(k));
    const Result<record::RunRecord> record = record::read_run(run_folder);
    ASSERT_TRUE(record.has_value()) << to_string(record.error());
    EXPECT_EQ(record->outcome, model::Outcome::kDone);
    EXPECT_EQ(record::read_result(run_folder / "result.h5")->frames(), 51u);
  }
}

TEST_F(SweepRuns, NumbersThatMakeNoModelAreRefusedInTheirLine) {
  Fixture fixture(folder_ / "a");
  fixture.sweep.parameters = {*formats::parse_vary("bodies.bob.mass=-1,1")};
  fixture.sweep.samples = 1;
  const SweepAnswer answer = run(fixture);
  EXPECT_EQ(answer.refused, 1);
  EXPECT_EQ(rows(folder_ / "a")[1][2], "refused");
  EXPECT_EQ(rows(folder_ / "a")[2][2], "done");
}

TEST_F(SweepRuns, AnotherSweepIsNotMixedIn) {
  Fixture fixture(folder_ / "a");
  run(fixture);
  fixture.sweep.seed = 2;
  const Result<SweepAnswer> other = fixture.compute();
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(other.error().message.find("another"), std::string::npos);
  Fixture lost(folder_ / "b");
  lost.sweep.parameters[0].path = "joints.pn.velocity";
  EXPECT_FALSE(lost.compute().has_value());
  EXPECT_FALSE(fs::exists(folder_ / "b"));
}

}  // namespace
}  // namespace espalier::study
