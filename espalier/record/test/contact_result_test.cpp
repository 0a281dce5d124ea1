#include "espalier/record/contact_result.hpp"

#include <gtest/gtest.h>

#include "espalier/files/text_file.hpp"
#include "espalier/record/contact_run.hpp"
#include "espalier/record/test/run_support.hpp"
#include "tests/support/folder.hpp"

namespace espalier::record {
namespace {

using SceneFiles = TestFolder;

const SceneLayout kLayout = {"scene", {"ground", "ball"}};

// Frame k has k contacts and one or two ranks.
struct SceneFrame {
  explicit SceneFrame(int k) : owner{0, k % 2} {
    for (int n = 0; n < 14; ++n) body_pose.push_back(k + 0.01 * n);
    for (int n = 0; n < 12; ++n) body_velocity.push_back(-k - 0.01 * n);
    for (int c = 0; c < k; ++c) {
      contacts.push_back({1, 0, {1.0 * k, 2.0 * c, 3}, {0, 0, 1}, {0.5, -0.5, 9.81 * c}, -1e-4 * c});
    }
    for (int r = 0; r <= k % 2; ++r) ranks.push_back({0.25, 0.125 * r, 1, k});
    frame.time = 0.1 * k;
    frame.steps = k;
    frame.body_pose = body_pose;
    frame.body_velocity = body_velocity;
    frame.owner = owner;
    frame.contacts = contacts;
    frame.ranks = ranks;
    frame.kinetic = 2;
    frame.potential = 3;
    frame.strain = 0.5;
  }

  std::vector<double> body_pose, body_velocity;
  std::vector<std::int32_t> owner;
  std::vector<model::ContactPoint> contacts;
  std::vector<model::RankLoad> ranks;
  model::Frame frame;
};

SceneRows rows_of(int frames) {
  SceneRows rows;
  for (int k = 0; k < frames; ++k) rows.append(SceneFrame(k).frame);
  return rows;
}

void expect_rows(const std::filesystem::path& path, int frames) {
  const Result<SceneRecording> read = read_scene_result(path);
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->layout, kLayout);
  const SceneRows expected = rows_of(frames);
  EXPECT_EQ(read->rows.time, expected.time);
  EXPECT_EQ(read->rows.body_pose, expected.body_pose);
  EXPECT_EQ(read->rows.body_velocity, expected.body_velocity);
  EXPECT_EQ(read->rows.owner, expected.owner);
  EXPECT_EQ(read->rows.total, expected.total);
  EXPECT_EQ(read->rows.contact_end, expected.contact_end);
  EXPECT_EQ(read->rows.contact_bodies, expected.contact_bodies);
  EXPECT_EQ(read->rows.contact_point, expected.contact_point);
  EXPECT_EQ(read->rows.contact_force, expected.contact_force);
  EXPECT_EQ(read->rows.contact_gap, expected.contact_gap);
  EXPECT_EQ(read->rows.rank_end, expected.rank_end);
  EXPECT_EQ(read->rows.rank_busy, expected.rank_busy);
  EXPECT_EQ(read->rows.rank_contacts, expected.rank_contacts);
}

TEST_F(SceneFiles, ReadBackAsTheyWereWrittenInBlocks) {
  Result<SceneWriter> writer = SceneWriter::create(folder_ / "result.h5", kLayout);
  ASSERT_TRUE(writer) << to_string(writer.error());
  expect_rows(folder_ / "result.h5", 0);
  for (int k = 0; k < 7; ++k) {
    ASSERT_TRUE(writer->append(SceneFrame(k).frame));
    if (k % 3 == 0) {
      ASSERT_TRUE(writer->flush());
    }
  }
  expect_rows(folder_ / "result.h5", 7);
}

TEST_F(SceneFiles, GoOnBehindTheFramesThatAreKept) {
  Result<SceneWriter> writer = SceneWriter::create(folder_ / "result.h5", kLayout);
  ASSERT_TRUE(writer);
  for (int k = 0; k < 6; ++k) ASSERT_TRUE(writer->append(SceneFrame(k).frame));
  ASSERT_TRUE(writer->flush());
  EXPECT_FALSE(SceneWriter::reopen(folder_ / "result.h5", kLayout, 7));
  EXPECT_FALSE(SceneWriter::reopen(folder_ / "result.h5", {"scene", {"ground", "box"}}, 2));
  Result<SceneWriter> again = SceneWriter::reopen(folder_ / "result.h5", kLayout, 4);
  ASSERT_TRUE(again) << to_string(again.error());
  expect_rows(folder_ / "result.h5", 4);
  for (int k = 4; k < 9; ++k) ASSERT_TRUE(again->append(SceneFrame(k).frame));
  ASSERT_TRUE(again->flush());
  expect_rows(folder_ / "result.h5", 9);
}

contact::RunState state() {
  contact::RunState made;
  made.time = 0.1 + 0.2;
  made.steps = 12;
  made.outputs = 3;
  made.bodies.resize(2);
  made.bodies[1].q[11] = 1.0 / 3;
  made.bodies[1].u[0] = -0.0;
  made.reactions.push_back({{1, -1, contact::kJoint + 4, 0xfedcba98u}, {1e-300, -2, 3}});
  return made;
}

TEST_F(SceneFiles, ACheckpointKeepsAllBits) {
  ASSERT_TRUE(write_scene_checkpoint(folder_ / "checkpoint.bin", {77, state()}));
  const Result<SceneCheckpoint> read = read_scene_checkpoint(folder_ / "checkpoint.bin");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->model_hash, 77u);
  EXPECT_EQ(state_hash(read->run), state_hash(state()));
  EXPECT_EQ(read->run.steps, 12);
  EXPECT_EQ(read->run.outputs, 3);
  EXPECT_EQ(read->run.reactions.front().key, state().reactions.front().key);

  Result<std::string> text = files::read_text_file(folder_ / "checkpoint.bin");
  (*text)[text->size() / 2] ^= 1;
  ASSERT_TRUE(files::write_text_file(folder_ / "checkpoint.bin", *text));
  EXPECT_FALSE(read_scene_checkpoint(folder_ / "checkpoint.bin"));
}

// A checkpoint without the rows before it could never go on.
TEST_F(SceneFiles, RowsThatCouldNotBeWrittenStayForTheNextTry) {
  const std::filesystem::path result = folder_ / "run" / "result.h5", away = folder_ / "away.h5";
  Result<SceneFolder> folder = SceneFolder::create(folder_ / "run", SceneRecord(), kLayout, state());
  ASSERT_TRUE(folder) << to_string(folder.error());
  ASSERT_TRUE(folder->append(SceneFrame(0).frame));
  ASSERT_TRUE(folder->save(state()));
  for (int k = 1; k < 3; ++k) ASSERT_TRUE(folder->append(SceneFrame(k).frame));
  std::filesystem::rename(result, away);
  EXPECT_FALSE(folder->save(state()));
  std::filesystem::rename(away, result);
  EXPECT_TRUE(folder->save(state()));
  expect_rows(result, 3);
}

TEST_F(SceneFiles, AFolderHoldsWhatWasAskedAndHowItWent) {
  SceneRecord record;
  record.model_name = "scene";
  record.model_hash = 5;
  record.options.settings.step = 0.1;
  record.options.settings.storage = contact::Storage::kRedundant;
  record.options.settings.solve.solver = contact::Solver::kNewton;
  Result<SceneFolder> folder = SceneFolder::create(folder_ / "run", record, kLayout, state());
  ASSERT_TRUE(folder) << to_string(folder.error());
  EXPECT_TRUE(is_scene_folder(folder_ / "run"));
  EXPECT_FALSE(is_scene_folder(folder_));
  EXPECT_FALSE(SceneFolder::create(folder_ / "run", record, kLayout, state()));
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(folder->append(SceneFrame(k).frame));
  record.outcome = "done";
  record.unconverged = 4;
  ASSERT_TRUE(folder->finish(state(), record));
  expect_rows(folder_ / "run" / "result.h5", 3);
  const Result<SceneRecord> read = read_scene_run(folder_ / "run");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->outcome, "done");
  EXPECT_EQ(read->unconverged, 4);
  EXPECT_EQ(read->model_hash, 5u);
  EXPECT_EQ(read->options.settings.step, 0.1);
  EXPECT_EQ(read->options.settings.storage, contact::Storage::kRedundant);
  EXPECT_EQ(read->options.settings.solve.solver, contact::Solver::kNewton);
}

}  // namespace
}  // namespace espalier::record
