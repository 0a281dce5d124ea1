#include "espalier/study/tune.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/test/tune_support.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;
using comm::Comm;

// A folder with a model whose section `tune` asks for two frequencies.
class TuneRun : public TestFolder {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "masses.yaml") << kMasses;
    std::ofstream(folder_ / "study.yaml") << kTwoFrequencies;
  }

  TuneOptions settings(const std::string& output) const {
    TuneOptions settings;
    settings.model = folder_ / "masses.yaml";
    settings.study = folder_ / "study.yaml";
    settings.folder = folder_ / output;
    settings.threads = 1;
    return settings;
  }

  TuneOptions restart(const std::string& output) const {
    TuneOptions settings;
    settings.restart = folder_ / output;
    settings.threads = 2;
    return settings;
  }

  static TuneAnswer run(const TuneOptions& settings) {
    Result<TuneAnswer> answer = tune(Comm::serial(), settings);
    EXPECT_TRUE(answer) << to_string(answer.error());
    return *std::move(answer);
  }
};

TEST_F(TuneRun, WhatIsAskedForComesBeforeTheFile) {
  TuneOptions settings = this->settings("out");
  settings.generations = 3;
  settings.seed = 7;
  const TuneAnswer answer = run(settings);
  EXPECT_EQ(answer.job.record.generations, 3);
  EXPECT_EQ(answer.job.record.population, 12) << "as the file has it";
  EXPECT_EQ(answer.tuned.state.search.generation, 3);
  EXPECT_TRUE(limits_held(answer));
  EXPECT_NE(next_command(answer).find("best.yaml"), std::string::npos);
  EXPECT_NE(to_json(answer).find("\"outcome\": \"done\""), std::string::npos);
}

TEST_F(TuneRun, AStoppedSearchGoesOnFromItsFolderToTheSameBits) {
  const TuneAnswer whole = run(settings("whole"));
  std::atomic<bool> stop = false;
  TuneOptions watched = settings("halves");
  watched.stop = &stop;
  watched.on_generation = [&](const TuneState& state) { stop = state.search.generation >= 4; };
  {
    const TuneAnswer half = run(watched);
    EXPECT_TRUE(half.tuned.stopped);
    EXPECT_NE(next_command(half).find("--restart"), std::string::npos);
  }
  const TuneAnswer rest = run(restart("halves"));
  EXPECT_TRUE(rest.job.restarted);
  expect_same_state(rest.tuned.state, whole.tuned.state);
}

// Two equations for two stiffnesses: from some generation on the best design cannot get better.
TEST_F(TuneRun, PatienceEndsASearchAndMoreOfItContinuesIt) {
  TuneOptions impatient = settings("out");
  impatient.patience = 1;
  impatient.generations = 60;
  const std::string text = [&] {
    const TuneAnswer answer = run(impatient);
    const optimize::SearchState& search = answer.tuned.state.search;
    EXPECT_EQ(answer.tuned.end, optimize::End::kNoGain);
    EXPECT_LT(search.generation, 60);
    EXPECT_EQ(search.generation, search.gain.generation + 1);
    EXPECT_NE(to_json(answer).find("\"end\": \"patience\""), std::string::npos);
    return to_text(answer, {120});
  }();
  EXPECT_NE(text.find("no gain in 1 generation, the patience of the search; the last was in generation"),
            std::string::npos)
      << text;
  TuneOptions patient = restart("out");
  patient.patience = 100;
  const TuneAnswer rest = run(patient);
  EXPECT_EQ(rest.tuned.end, optimize::End::kGenerations);
  TuneOptions once = settings("once");
  once.generations = 60;
  expect_same_state(rest.tuned.state, run(once).tuned.state);
}

TEST_F(TuneRun, WithoutAFolderItAnswersTheSameAndWritesNothing) {
  TuneOptions nowhere = settings("out");
  nowhere.folder.clear();
  int begun = 0;
  nowhere.on_begin = [&](const TuneJob& job) { begun += job.folder.empty() ? 1 : 0; };
  const TuneAnswer answer = run(nowhere);
  EXPECT_EQ(begun, 1);
  EXPECT_TRUE(answer.files.empty());
  EXPECT_FALSE(answer.problem);
  EXPECT_EQ(next_command(answer), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2) << "model and study alone";
  const TuneAnswer kept = run(settings("out"));
  expect_same_state(answer.tuned.state, kept.tuned.state);
  for (const std::string& file : kept.files) EXPECT_TRUE(fs::exists(folder_ / "out" / file)) << file;
  EXPECT_GE(kept.files.size(), 5u);
}

TEST_F(TuneRun, TheFolderIsLockedWhileTheAnswerLives) {
  const TuneAnswer answer = run(settings("out"));
  const Result<TuneAnswer> other = tune(Comm::serial(), restart("out"));
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("is writing in this folder"), std::string::npos) << other.error().message;
}

TEST_F(TuneRun, OptionsThatCannotBeAreNamed) {
  const auto option_of = [](const TuneOptions& settings) {
    const Result<TuneAnswer> answer = tune(Comm::serial(), settings);
    EXPECT_FALSE(answer);
    if (answer) return std::string();
    EXPECT_EQ(answer.error().code, ErrorCode::kOption);
    EXPECT_EQ(full_message(answer.error()).find("--"), std::string::npos) << "doors word options";
    return answer.error().option;
  };
  EXPECT_EQ(option_of({}), "model");
  TuneOptions settings = this->settings("out");
  settings.population = 3;
  EXPECT_EQ(option_of(settings), "population");
  settings = this->settings("out");
  settings.generations = 0;
  EXPECT_EQ(option_of(settings), "generations");
  settings = this->settings("out");
  settings.patience = 0;
  EXPECT_EQ(option_of(settings), "patience");
  settings = this->settings("out");
  settings.threads = 0;
  EXPECT_EQ(option_of(settings), "threads");
  settings = this->settings("out");
  settings.algorithm = "genetik";
  EXPECT_EQ(option_of(settings), "algorithm");
  settings = this->settings("out");
  settings.pareto = true;
  EXPECT_EQ(option_of(settings), "pareto");
  settings = restart("out");
  settings.seed = 3;
  EXPECT_EQ(option_of(settings), "restart");
  EXPECT_FALSE(fs::exists(folder_ / "out")) << "nothing is left behind";
}

}  // namespace
}  // namespace espalier::study
