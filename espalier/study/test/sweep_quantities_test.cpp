// Chosen quantities in runs.csv: least, largest and end value of each run, and charts.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/test/sweep_support.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;

class SweepQuantities : public TestFolder {
 protected:
  SweepAnswer run(const Fixture& fixture) {
    const Result<SweepAnswer> answer = fixture.compute();
    EXPECT_TRUE(answer.has_value()) << to_string(answer.error());
    return answer.value_or(SweepAnswer());
  }
  static std::vector<std::vector<std::string>> rows(const fs::path& folder) {
    std::vector<std::vector<std::string>> all;
    std::istringstream text(*files::read_text_file(folder / "runs.csv"));
    for (std::string line; std::getline(text, line);) {
      std::vector<std::string>& row = all.emplace_back();
      std::istringstream words(line);
      for (std::string word; std::getline(words, word, ',');) row.push_back(word);
    }
    return all;
  }
};

// Against all frames of run folders.
TEST_F(SweepQuantities, AreTheExtremesOfTheFramesAndTheEnd) {
  Fixture kept(folder_ / "kept"), bare(folder_ / "bare");
  for (Fixture* fixture : {&kept, &bare}) fixture->options.run.quantities = "pin.acceleration,bob.position.z";
  kept.options.keep_frames = true;
  const SweepAnswer answer = run(kept);
  EXPECT_EQ(answer.files, (std::vector<std::string>{"runs.csv", "runs.svg", "runs.html"}));
  run(bare);
  const auto table = rows(folder_ / "kept");
  // That frames are kept changes no number of the table.
  EXPECT_EQ(table, rows(folder_ / "bare"));
  const std::size_t first = table[0].size() - 6;
  EXPECT_EQ(table[0][first], "least pin.acceleration [rad/s^2]");
  EXPECT_EQ(table[0][first + 4], "largest bob.position.z [m]");
  EXPECT_EQ(table[0][first + 5], "end bob.position.z [m]");
  for (std::size_t k = 0; k < 12; ++k) {
    const fs::path folder = folder_ / "kept/runs" / ("00000" + std::to_string(k)).substr(k < 10 ? 0 : 1);
    const Result<record::Recording> recording = record::read_result(folder / "result.h5");
    ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
    const std::vector<double>& a = recording->rows.at("joint_acceleration");
    EXPECT_EQ(a.size(), 51u);
    EXPECT_EQ(*parse_number(table[k + 1][first]), *std::min_element(a.begin(), a.end()));
    EXPECT_EQ(*parse_number(table[k + 1][first + 1]), *std::max_element(a.begin(), a.end()));
    EXPECT_EQ(*parse_number(table[k + 1][first + 2]), a.back());
    EXPECT_TRUE(fs::exists(folder / "result.csv"));
  }
}

// The columns that there are without them stay as they are: frames leave no trace in a trajectory.
TEST_F(SweepQuantities, StandBehindTheOtherColumns) {
  Fixture plain(folder_ / "plain"), more(folder_ / "more");
  more.options.run.quantities = "energy.kinetic";
  EXPECT_EQ(run(plain).files, std::vector<std::string>{"runs.csv"});
  EXPECT_FALSE(fs::exists(folder_ / "plain/runs.svg"));
  run(more);
  auto with = rows(folder_ / "more");
  for (std::vector<std::string>& row : with) row.resize(row.size() - 3);
  EXPECT_EQ(with, rows(folder_ / "plain"));
}

TEST_F(SweepQuantities, AreTheSameForAnyNumberOfThreads) {
  Fixture one(folder_ / "one"), three(folder_ / "three");
  for (Fixture* fixture : {&one, &three}) fixture->options.run.quantities = "*";
  three.options.run.threads = 3;
  run(one);
  run(three);
  for (const char* name : {"runs.csv", "runs.svg", "runs.html"}) {
    EXPECT_EQ(*files::read_text_file(folder_ / "one" / name), *files::read_text_file(folder_ / "three" / name)) << name;
  }
}

TEST_F(SweepQuantities, OfRunsThatWereRefusedAreEmpty) {
  Fixture fixture(folder_ / "a");
  fixture.sweep.parameters = {*formats::parse_vary("bodies.bob.mass=1,-1")};
  fixture.sweep.samples = 1;
  fixture.options.run.quantities = "pin.velocity";
  EXPECT_EQ(run(fixture).refused, 1);
  const std::string table = *files::read_text_file(folder_ / "a/runs.csv");
  EXPECT_TRUE(table.ends_with(",,,\n")) << table;
}

TEST_F(SweepQuantities, ThatAreNotThereOrMissingAreRefused) {
  Fixture fixture(folder_ / "a");
  fixture.options.run.quantities = "pin.speed";
  EXPECT_MENTIONS(fixture.compute().error().message, "no quantity is called 'pin.speed'");
  fixture.options.run.quantities.clear();
  fixture.options.run.csv = true;
  EXPECT_MENTIONS(fixture.compute().error().message, "`csv` of many runs names quantities");
  EXPECT_FALSE(fs::exists(folder_ / "a"));
  fixture.options.keep_frames = true;
  run(fixture);
  EXPECT_TRUE(fs::exists(folder_ / "a/runs/000003/result.csv"));
}

TEST_F(SweepQuantities, AnotherChoiceIsAnotherSweep) {
  Fixture fixture(folder_ / "a");
  fixture.options.run.quantities = "pin.velocity";
  run(fixture);
  EXPECT_EQ(run(fixture).computed, 0);
  fixture.options.run.quantities = "pin.position";
  EXPECT_MENTIONS(fixture.compute().error().message, "holds another sweep");
}

}  // namespace
}  // namespace espalier::study
