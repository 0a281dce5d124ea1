#include "espalier/record/result_file.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "espalier/base/index.hpp"
#include "espalier/record/detail/hdf5.hpp"
#include "espalier/record/test/run_support.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::record {
namespace {

class ResultFile : public TestFolder {
 protected:
  std::filesystem::path path() const { return folder_ / "result.h5"; }

  ResultWriter create(const ResultLayout& layout, std::int64_t expected = 100) {
    Result<ResultWriter> writer = ResultWriter::create(path(), layout, expected);
    EXPECT_TRUE(writer.has_value()) << to_string(writer.error());
    return *std::move(writer);
  }
  Recording read() {
    Result<Recording> recording = read_result(path());
    EXPECT_TRUE(recording.has_value()) << to_string(recording.error());
    return recording ? *std::move(recording) : Recording();
  }
};

void append(ResultWriter& writer, const Rows& rows, const ResultLayout& layout, std::size_t first,
            std::size_t end) {
  for (std::size_t row = first; row < end; ++row) {
    const Result<void> written = writer.append(frame_at(rows, layout, row));
    ASSERT_TRUE(written.has_value()) << to_string(written.error());
  }
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void expect_same_bits(const Rows& a, const Rows& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [path, values] : a) EXPECT_TRUE(same_bits(values, b.at(path))) << path;
}

TEST_F(ResultFile, GivesBackNamesAndEveryBit) {
  const ResultLayout layout = small_layout();
  const Rows rows = random_rows(layout, 250);
  ResultWriter writer = create(layout);
  append(writer, rows, layout, 0, 250);
  ASSERT_TRUE(writer.flush().has_value());
  const Recording recording = read();
  EXPECT_EQ(recording.layout, layout);
  expect_same_bits(recording.rows, rows);
}

TEST_F(ResultFile, BlocksOfAnySizeGiveTheSameFile) {
  const ResultLayout layout = small_layout();
  const Rows rows = random_rows(layout, 100);
  ResultWriter writer = create(layout, 7);
  for (std::size_t first = 0, size = 1; first < 100; first += size++) {
    append(writer, rows, layout, first, std::min<std::size_t>(first + size, 100));
    ASSERT_TRUE(writer.flush().has_value());
  }
  EXPECT_EQ(writer.frames_in_file(), 100);
  expect_same_bits(read().rows, rows);
}

TEST_F(ResultFile, LargeBlocksAreWrittenWithoutBeingAsked) {
  ResultLayout layout = small_layout();
  layout.q = columns("q", 100000);
  const Rows rows = random_rows(layout, 12);
  ResultWriter writer = create(layout);
  append(writer, rows, layout, 0, 12);
  EXPECT_EQ(writer.frames_in_file(), 12 - 12 % 6) << "six rows of 0.8 MB are a block";
  ASSERT_TRUE(writer.flush().has_value());
  expect_same_bits(read().rows, rows);
}

TEST_F(ResultFile, AMechanismThatCannotMoveHasNoColumns) {
  ResultLayout layout;
  layout.bodies = {"ground"};
  const Rows rows = random_rows(layout, 3);
  ResultWriter writer = create(layout);
  append(writer, rows, layout, 0, 3);
  ASSERT_TRUE(writer.flush().has_value());
  const Recording recording = read();
  EXPECT_EQ(recording.layout, layout);
  expect_same_bits(recording.rows, rows);
}

// What is not unique in one frame is marked for all, in whatever block and part of the run it came.
TEST_F(ResultFile, KeepsMarksOfReactions) {
  const ResultLayout layout = small_layout();
  const Rows rows = random_rows(layout, 3);
  std::vector<std::uint8_t> marks(12, 1);
  const auto put = [&](ResultWriter& writer, std::size_t row, std::size_t clear) {
    model::Frame frame = frame_at(rows, layout, row);
    std::vector<std::uint8_t> now(12, 1);
    now[clear] = marks[clear] = 0;
    frame.reaction_unique = now;
    ASSERT_TRUE(writer.append(frame).has_value());
    ASSERT_TRUE(writer.flush().has_value());
    EXPECT_EQ(read().reaction_unique, marks);
  };
  {
    ResultWriter writer = create(layout);
    EXPECT_TRUE(read().reaction_unique.empty());
    put(writer, 0, 2);
    put(writer, 1, 7);
  }
  Result<ResultWriter> again = ResultWriter::reopen(path(), layout, 2);
  ASSERT_TRUE(again.has_value());
  put(*again, 2, 11);
  expect_same_bits(read().rows, rows);
}

// A folder of a program that did not know all quantities goes on with those it has.
TEST_F(ResultFile, OfAnOlderProgramGoesOnWithoutWhatItDidNotKnow) {
  const ResultLayout now = small_layout();
  ResultLayout before = now;
  before.forces.clear();
  for (auto list : {&ResultLayout::joint_acceleration, &ResultLayout::joint_effort, &ResultLayout::force}) {
    (before.*list).clear();
  }
  const Rows rows = random_rows(before, 5);
  {
    ResultWriter writer = create(before);
    append(writer, rows, before, 0, 3);
    ASSERT_TRUE(writer.flush().has_value());
  }
  Result<ResultWriter> again = ResultWriter::reopen(path(), now, 3);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  // The engine hands out all it knows.
  const Rows all = random_rows(now, 5);
  for (std::size_t row = 3; row < 5; ++row) {
    model::Frame frame = frame_at(rows, before, row);
    frame.force = frame_at(all, now, row).force;
    ASSERT_TRUE(again->append(frame).has_value());
  }
  ASSERT_TRUE(again->flush().has_value());
  EXPECT_EQ(read().layout, before);
  expect_same_bits(read().rows, rows);
  // Of another mechanism it is all the same.
  ResultLayout other = now;
  other.joints[0] = "C";
  EXPECT_FALSE(ResultWriter::reopen(path(), other, 3).has_value());
}

TEST_F(ResultFile, OfASceneOfAnOlderProgramGoesOnToo) {
  ResultWriter writer = create(ball_layout());
  ASSERT_TRUE(writer.append(SceneFrame(0).frame).has_value());
  ASSERT_TRUE(writer.flush().has_value());
  {
    const detail::Hdf5Lock lock;
    Result<detail::OpenFile> file = detail::open_file(path(), detail::Use::kWrite);
    ASSERT_TRUE(file.has_value());
    ASSERT_GE(H5Ldelete(file->get(), "/body_acceleration", H5P_DEFAULT), 0);
    ASSERT_GE(H5Ldelete(file->get(), "/units", H5P_DEFAULT), 0);
    ASSERT_TRUE(detail::commit(*file).has_value());
  }
  ResultLayout now = ball_layout();
  now.joints = {"hinge"};
  now.joint_types = {"revolute"};
  now.joint_velocity = {{"hinge", "rad/s"}};
  Result<ResultWriter> again = ResultWriter::reopen(path(), now, 1);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  ASSERT_TRUE(again->append(SceneFrame(1).frame).has_value());
  ASSERT_TRUE(again->flush().has_value());
  const Recording recording = read();
  EXPECT_EQ(recording.frames(), 2u);
  EXPECT_FALSE(recording.rows.contains("body_acceleration"));
  EXPECT_EQ(recording.rows.at("body_velocity").size(), 24u);
}

TEST_F(ResultFile, IsReadableBeforeTheFirstRow) {
  create(small_layout());
  EXPECT_EQ(read().frames(), 0u);
}

// A program that is killed keeps all blocks it has written.
TEST_F(ResultFile, KeepsItsBlocksWhenTheProgramIsKilled) {
  const ResultLayout layout = small_layout();
  const Rows rows = random_rows(layout, 60);
  const pid_t child = ::fork();
  if (child == 0) {
    Result<ResultWriter> writer = ResultWriter::create(path(), layout, 60);
    for (std::size_t row = 0; writer && row < 60; ++row) {
      (void)writer->append(frame_at(rows, layout, row));
      if (row == 49) (void)writer->flush();
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const Recording recording = read();
  ASSERT_EQ(recording.frames(), 50u);
  EXPECT_EQ(recording.rows.at("time").back(), 49);
}

// Readers of HDF5 lock what they have open.
TEST_F(ResultFile, IsWrittenWhileOthersRead) {
  const ResultLayout layout = small_layout();
  ResultWriter writer = create(layout);
  const int reader = ::open(path().c_str(), O_RDONLY);
  ASSERT_EQ(::flock(reader, LOCK_SH), 0);
  append(writer, random_rows(layout, 3), layout, 0, 3);
  const Result<void> flushed = writer.flush();
  EXPECT_TRUE(flushed.has_value()) << to_string(flushed.error());
  EXPECT_EQ(read().frames(), 3u);
  ::close(reader);
}

TEST_F(ResultFile, GoesOnBehindTheRowsOfACheckpoint) {
  const ResultLayout layout = small_layout();
  const Rows rows = random_rows(layout, 80), others = random_rows(layout, 80, 1);
  ResultWriter writer = create(layout);
  append(writer, rows, layout, 0, 30);
  append(writer, others, layout, 30, 55);
  ASSERT_TRUE(writer.flush().has_value());
  Result<ResultWriter> again = ResultWriter::reopen(path(), layout, 30);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  append(*again, rows, layout, 30, 80);
  ASSERT_TRUE(again->flush().has_value());
  expect_same_bits(read().rows, rows);
}

TEST_F(ResultFile, DoesNotGoOnForAnotherMechanismOrBehindItsEnd) {
  const ResultLayout layout = small_layout();
  ResultWriter writer = create(layout);
  append(writer, random_rows(layout, 3), layout, 0, 3);
  ASSERT_TRUE(writer.flush().has_value());
  EXPECT_MENTIONS(ResultWriter::reopen(path(), layout, 4).error().message, "holds 3 rows");
  ResultLayout other = layout;
  other.joints[0] = "Z";
  EXPECT_MENTIONS(ResultWriter::reopen(path(), other, 3).error().message, "another mechanism");
  EXPECT_EQ(read().frames(), 3u) << "a refusal changes nothing";
}

TEST_F(ResultFile, SaysWhatIsWrongWithAFile) {
  EXPECT_MENTIONS(read_result(folder_ / "none.h5").error().message, "no such file");
  std::ofstream(path()) << "no HDF5";
  EXPECT_MENTIONS(read_result(path()).error().message, "not an HDF5 file");
  std::filesystem::remove(path());
  create(small_layout());
  std::filesystem::resize_file(path(), 1000);
  EXPECT_MENTIONS(read_result(path()).error().message, "not an HDF5 file");
}

TEST_F(ResultFile, SaysWhyItCannotBeWritten) {
  const Result<ResultWriter> writer = ResultWriter::create(folder_ / "none" / "x.h5", small_layout(), 1);
  ASSERT_FALSE(writer.has_value());
  EXPECT_MENTIONS(writer.error().message, "cannot be written: No such file or directory");
  ResultWriter there = create(small_layout());
  append(there, random_rows(small_layout(), 1), small_layout(), 0, 1);
  std::filesystem::remove(path());
  const Result<void> flushed = there.flush();
  ASSERT_FALSE(flushed.has_value());
  EXPECT_EQ(flushed.error().where.file, path().string());
  EXPECT_MENTIONS(flushed.error().message, "no such file");
}

// Frame k has k contacts and one or two ranks.
void expect_frames_of_a_scene(const Recording& recording, int count) {
  EXPECT_EQ(recording.layout, ball_layout());
  ASSERT_EQ(recording.frames(), to_index(count));
  Rows expected;
  double contacts = 0, ranks = 0;
  for (int k = 0; k < count; ++k) {
    const SceneFrame made(k);
    const auto add = [&](const char* path, const auto& numbers) {
      expected[path].insert(expected[path].end(), numbers.begin(), numbers.end());
    };
    add("body_pose", made.body_pose);
    add("body_velocity", made.body_velocity);
    add("owner", made.owner);
    for (const model::ContactPoint& contact : made.contacts) {
      add("contact/bodies", std::array<int, 2>{contact.master, contact.slave});
      add("contact/point", contact.point);
      add("contact/force", contact.force);
      add("contact/gap", std::array<double, 1>{contact.gap});
    }
    for (const model::RankLoad& rank : made.ranks) {
      add("rank/busy", std::array<double, 1>{rank.busy});
      add("rank/contacts", std::array<double, 1>{static_cast<double>(rank.contacts)});
    }
    expected["contact/end"].push_back(contacts += k);
    expected["rank/end"].push_back(ranks += 1 + k % 2);
    expected["energy/total"].push_back(5.5);
  }
  for (const auto& [path, numbers] : expected) EXPECT_EQ(recording.rows.at(path), numbers) << path;
}

TEST_F(ResultFile, OfASceneReadsBackAsItWasWrittenInBlocks) {
  ResultWriter writer = create(ball_layout());
  expect_frames_of_a_scene(read(), 0);
  for (int k = 0; k < 7; ++k) {
    ASSERT_TRUE(writer.append(SceneFrame(k).frame).has_value());
    if (k % 3 == 0) {
      ASSERT_TRUE(writer.flush().has_value());
    }
  }
  expect_frames_of_a_scene(read(), 7);
}

TEST_F(ResultFile, OfASceneGoesOnBehindTheFramesThatAreKept) {
  ResultWriter writer = create(ball_layout());
  for (int k = 0; k < 6; ++k) ASSERT_TRUE(writer.append(SceneFrame(k).frame).has_value());
  ASSERT_TRUE(writer.flush().has_value());
  EXPECT_FALSE(ResultWriter::reopen(path(), ball_layout(), 7).has_value());
  ResultLayout other = ball_layout();
  other.bodies[1] = "box";
  EXPECT_FALSE(ResultWriter::reopen(path(), other, 2).has_value());
  Result<ResultWriter> again = ResultWriter::reopen(path(), ball_layout(), 4);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  expect_frames_of_a_scene(read(), 4);
  for (int k = 4; k < 9; ++k) ASSERT_TRUE(again->append(SceneFrame(k).frame).has_value());
  ASSERT_TRUE(again->flush().has_value());
  expect_frames_of_a_scene(read(), 9);
}

// Neither goes on in a file of the other.
TEST_F(ResultFile, TellsItsKind) {
  create(ball_layout());
  EXPECT_EQ(read().layout.kind, RunKind::kScene);
  EXPECT_FALSE(ResultWriter::reopen(path(), small_layout(), 0).has_value());
  create(small_layout());
  EXPECT_EQ(read().layout.kind, RunKind::kMechanism);
  EXPECT_FALSE(ResultWriter::reopen(path(), ball_layout(), 0).has_value());
}

}  // namespace
}  // namespace espalier::record
