#include "espalier/study/ensemble.hpp"

#include <cmath>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/test/ensemble_support.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;

class EnsembleRuns : public ::testing::Test {
 protected:
  EnsembleRuns() : folder_(fs::temp_directory_path() / ("espalier_ensemble_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
  }
  ~EnsembleRuns() override { fs::remove_all(folder_); }

  Ensemble run(const Fixture& fixture) {
    const Result<Ensemble> ensemble =
        run_ensemble(comm::Comm::serial(), fixture.model, fixture.sweep, fixture.plan, fixture.options);
    EXPECT_TRUE(ensemble.has_value()) << to_string(ensemble.error());
    return ensemble.value_or(Ensemble());
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

  fs::path folder_;
};

TEST_F(EnsembleRuns, EveryRunStandsInItsLineWithItsNumbers) {
  Fixture fixture(folder_ / "a");
  const Ensemble ensemble = run(fixture);
  EXPECT_TRUE(ensemble.complete);
  EXPECT_EQ(ensemble.computed, 12);
  EXPECT_EQ(ensemble.failed + ensemble.refused, 0);
  const auto all = rows(folder_ / "a");
  ASSERT_EQ(all.size(), 13u);
  EXPECT_EQ(all[0][1], "joints.pin.velocity");
  for (std::int64_t k = 0; k < 12; ++k) {
    const std::vector<std::string>& row = all[static_cast<std::size_t>(k) + 1];
    EXPECT_EQ(row[0], std::to_string(k));
    const std::vector<formats::FieldValue> values = formats::sample(fixture.sweep, k);
    EXPECT_EQ(*parse_number(row[1]), values[0].value);
    EXPECT_EQ(*parse_number(row[2]), values[1].value);
    EXPECT_EQ(row[3], "done");
  }
}

// Kinetic and potential energy at the end against what the start had: each run was computed with its own numbers.
TEST_F(EnsembleRuns, EachRunKeepsTheEnergyItsNumbersGiveIt) {
  Fixture fixture(folder_ / "a");
  fixture.options.simulate.tolerance = 1e-9;
  run(fixture);
  const double inertia = 1.001;
  for (const std::vector<std::string>& row : rows(folder_ / "a")) {
    if (row[0] == "run") continue;
    const double rate = *parse_number(row[1]), gravity = -*parse_number(row[2]);
    const double end = *parse_number(row[10]) + *parse_number(row[11]);
    EXPECT_NEAR(end, 0.5 * inertia * rate * rate - gravity, 1e-6) << row[0];
  }
}

TEST_F(EnsembleRuns, ThreadsDoNotChangeAByte) {
  Fixture one(folder_ / "one"), three(folder_ / "three");
  three.options.threads = 3;
  run(one);
  run(three);
  EXPECT_EQ(table(folder_ / "one"), table(folder_ / "three"));
}

TEST_F(EnsembleRuns, GoesOnWhereItWasStopped) {
  Fixture whole(folder_ / "whole"), part(folder_ / "part");
  run(whole);
  std::atomic<bool> stop{false};
  part.options.stop = &stop;
  part.options.on_run = [&](std::int64_t done) { stop = done >= 5; };
  const Ensemble first = run(part);
  EXPECT_FALSE(first.complete);
  EXPECT_FALSE(fs::exists(folder_ / "part/runs.csv"));
  stop = false;
  part.options.on_run = nullptr;
  // A claim that a killed program has left.
  std::ignore = files::write_text_file(folder_ / "part/blocks/000009.claim", "");
  const Ensemble second = run(part);
  EXPECT_TRUE(second.complete);
  EXPECT_LT(second.computed, 12) << "what was done is not done again";
  EXPECT_EQ(table(folder_ / "part"), table(folder_ / "whole"));
  EXPECT_EQ(run(part).computed, 0);
}

TEST_F(EnsembleRuns, FramesAreKeptWhereAskedFor) {
  Fixture fixture(folder_ / "a"), table_only(folder_ / "b");
  fixture.options.keep_frames = true;
  fixture.options.threads = 2;
  run(fixture);
  run(table_only);
  EXPECT_EQ(table(folder_ / "a"), table(folder_ / "b")) << "frames leave no trace in a run";
  for (int k = 0; k < 12; ++k) {
    const fs::path run_folder = folder_ / "a/runs" / ("0000" + std::string(k < 10 ? "0" : "") + std::to_string(k));
    const Result<record::RunRecord> record = record::read_run(run_folder);
    ASSERT_TRUE(record.has_value()) << to_string(record.error());
    EXPECT_EQ(record->outcome, "done");
    EXPECT_EQ(record::read_result(run_folder / "result.h5")->frames.size(), 51u);
  }
}

TEST_F(EnsembleRuns, NumbersThatMakeNoModelAreRefusedInTheirLine) {
  Fixture fixture(folder_ / "a");
  fixture.sweep.parameters = {*formats::parse_vary("bodies.bob.mass=-1,1")};
  fixture.sweep.samples = 1;
  const Ensemble ensemble = run(fixture);
  EXPECT_EQ(ensemble.refused, 1);
  EXPECT_EQ(rows(folder_ / "a")[1][2], "refused");
  EXPECT_EQ(rows(folder_ / "a")[2][2], "done");
}

TEST_F(EnsembleRuns, AnotherEnsembleIsNotMixedIn) {
  Fixture fixture(folder_ / "a");
  run(fixture);
  fixture.sweep.seed = 2;
  const Result<Ensemble> other =
      run_ensemble(comm::Comm::serial(), fixture.model, fixture.sweep, fixture.plan, fixture.options);
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(other.error().message.find("another"), std::string::npos);
  Fixture lost(folder_ / "b");
  lost.sweep.parameters[0].path = "joints.pn.velocity";
  EXPECT_FALSE(run_ensemble(comm::Comm::serial(), lost.model, lost.sweep, lost.plan, lost.options).has_value());
  EXPECT_FALSE(fs::exists(folder_ / "b"));
}

}  // namespace
}  // namespace espalier::study
