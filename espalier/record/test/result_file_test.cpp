#include "espalier/record/result_file.hpp"

#include <csignal>
#include <cstring>
#include <fstream>
#include <set>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "espalier/formats/formats.hpp"
#include "espalier/record/test/run_support.hpp"
#include "espalier/plan/mechanism.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/source_dir.hpp"

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

void append(ResultWriter& writer, const Frames& frames, const ResultLayout& layout, std::size_t first,
            std::size_t end) {
  for (std::size_t row = first; row < end; ++row) {
    const Result<void> written = writer.append(frame_at(frames, layout, row));
    ASSERT_TRUE(written.has_value()) << to_string(written.error());
  }
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void expect_same_bits(const Frames& a, const Frames& b) {
  for (const auto member :
       {&Frames::time, &Frames::q, &Frames::v, &Frames::joint_position, &Frames::joint_velocity, &Frames::body_pose,
        &Frames::body_velocity, &Frames::body_acceleration, &Frames::reaction, &Frames::kinetic, &Frames::potential,
        &Frames::exchanged, &Frames::total, &Frames::loop_distance, &Frames::loop_angle}) {
    EXPECT_TRUE(same_bits(a.*member, b.*member));
  }
}

TEST_F(ResultFile, GivesBackNamesAndEveryBit) {
  const ResultLayout layout = small_layout();
  const Frames frames = random_frames(layout, 250);
  ResultWriter writer = create(layout);
  append(writer, frames, layout, 0, 250);
  ASSERT_TRUE(writer.flush().has_value());
  const Recording recording = read();
  EXPECT_EQ(recording.layout, layout);
  expect_same_bits(recording.frames, frames);
}

TEST_F(ResultFile, BlocksOfAnySizeGiveTheSameFile) {
  const ResultLayout layout = small_layout();
  const Frames frames = random_frames(layout, 100);
  ResultWriter writer = create(layout, 7);
  for (std::size_t first = 0, size = 1; first < 100; first += size++) {
    append(writer, frames, layout, first, std::min<std::size_t>(first + size, 100));
    ASSERT_TRUE(writer.flush().has_value());
  }
  EXPECT_EQ(writer.rows_in_file(), 100);
  expect_same_bits(read().frames, frames);
}

TEST_F(ResultFile, LargeBlocksAreWrittenWithoutBeingAsked) {
  ResultLayout layout = small_layout();
  layout.q = columns("q", 100000);
  const Frames frames = random_frames(layout, 12);
  ResultWriter writer = create(layout);
  append(writer, frames, layout, 0, 12);
  EXPECT_EQ(writer.rows_in_file(), 12 - 12 % 6) << "six rows of 0.8 MB are a block";
  ASSERT_TRUE(writer.flush().has_value());
  expect_same_bits(read().frames, frames);
}

TEST_F(ResultFile, AMechanismThatCannotMoveHasNoColumns) {
  ResultLayout layout;
  layout.bodies = {"ground"};
  const Frames frames = random_frames(layout, 3);
  ResultWriter writer = create(layout);
  append(writer, frames, layout, 0, 3);
  ASSERT_TRUE(writer.flush().has_value());
  const Recording recording = read();
  EXPECT_EQ(recording.layout, layout);
  expect_same_bits(recording.frames, frames);
}

// What is not unique in one frame is marked for all, in whatever block and part of the run it came.
TEST_F(ResultFile, KeepsMarksOfReactions) {
  const ResultLayout layout = small_layout();
  const Frames frames = random_frames(layout, 3);
  std::vector<std::uint8_t> marks(12, 1);
  const auto put = [&](ResultWriter& writer, std::size_t row, std::size_t clear) {
    model::Frame frame = frame_at(frames, layout, row);
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
  expect_same_bits(read().frames, frames);
}

TEST_F(ResultFile, IsReadableBeforeTheFirstRow) {
  create(small_layout());
  EXPECT_EQ(read().frames.size(), 0u);
}

// A program that is killed keeps all blocks it has written.
TEST_F(ResultFile, KeepsItsBlocksWhenTheProgramIsKilled) {
  const ResultLayout layout = small_layout();
  const Frames frames = random_frames(layout, 60);
  const pid_t child = ::fork();
  if (child == 0) {
    Result<ResultWriter> writer = ResultWriter::create(path(), layout, 60);
    for (std::size_t row = 0; writer && row < 60; ++row) {
      (void)writer->append(frame_at(frames, layout, row));
      if (row == 49) (void)writer->flush();
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const Recording recording = read();
  ASSERT_EQ(recording.frames.size(), 50u);
  EXPECT_EQ(recording.frames.time.back(), 49);
}

// Readers of HDF5 lock what they have open.
TEST_F(ResultFile, IsWrittenWhileOthersRead) {
  const ResultLayout layout = small_layout();
  ResultWriter writer = create(layout);
  const int reader = ::open(path().c_str(), O_RDONLY);
  ASSERT_EQ(::flock(reader, LOCK_SH), 0);
  append(writer, random_frames(layout, 3), layout, 0, 3);
  const Result<void> flushed = writer.flush();
  EXPECT_TRUE(flushed.has_value()) << to_string(flushed.error());
  EXPECT_EQ(read().frames.size(), 3u);
  ::close(reader);
}

TEST_F(ResultFile, GoesOnBehindTheRowsOfACheckpoint) {
  const ResultLayout layout = small_layout();
  const Frames frames = random_frames(layout, 80), others = random_frames(layout, 80, 1);
  ResultWriter writer = create(layout);
  append(writer, frames, layout, 0, 30);
  append(writer, others, layout, 30, 55);
  ASSERT_TRUE(writer.flush().has_value());
  Result<ResultWriter> again = ResultWriter::reopen(path(), layout, 30);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  append(*again, frames, layout, 30, 80);
  ASSERT_TRUE(again->flush().has_value());
  expect_same_bits(read().frames, frames);
}

TEST_F(ResultFile, DoesNotGoOnForAnotherMechanismOrBehindItsEnd) {
  const ResultLayout layout = small_layout();
  ResultWriter writer = create(layout);
  append(writer, random_frames(layout, 3), layout, 0, 3);
  ASSERT_TRUE(writer.flush().has_value());
  EXPECT_MENTIONS(ResultWriter::reopen(path(), layout, 4).error().message, "holds 3 rows");
  ResultLayout other = layout;
  other.joints[0] = "Z";
  EXPECT_MENTIONS(ResultWriter::reopen(path(), other, 3).error().message, "another mechanism");
  EXPECT_EQ(read().frames.size(), 3u) << "a refusal changes nothing";
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
  append(there, random_frames(small_layout(), 1), small_layout(), 0, 1);
  std::filesystem::remove(path());
  const Result<void> flushed = there.flush();
  ASSERT_FALSE(flushed.has_value());
  EXPECT_EQ(flushed.error().where.file, path().string());
  EXPECT_MENTIONS(flushed.error().message, "no such file");
}

TEST(ResultLayout, NamesEveryNumberOfAMechanism) {
  for (const char* name : {"four_bar", "stewart", "delta", "double_wishbone", "boxes"}) {
    const auto spec = formats::read_model(source_dir() + "/models/" + name + ".yaml");
    ASSERT_TRUE(spec.has_value()) << to_string(spec.error());
    const auto model = model::compile(*spec);
    ASSERT_TRUE(model.has_value()) << to_string(model.error());
    const auto plan = plan::make_plan(*model);
    ASSERT_TRUE(plan.has_value());
    const dynamics::System system = dynamics::make_system(*model, plan::make_mechanism(*model), *plan);
    const ResultLayout layout = make_layout(system);
    EXPECT_EQ(static_cast<int>(layout.q.size()), system.position_size) << name;
    EXPECT_EQ(static_cast<int>(layout.v.size()), system.velocity_size) << name;
    std::set<std::string> names;
    for (const Column& column : layout.joint_position) names.insert(column.name);
    EXPECT_EQ(names.size(), layout.joint_position.size()) << name;
    // The names stand in the order of the numbers.
    for (const dynamics::Link& link : system.links) {
      if (!link.joint.valid() || link.freedom == 0) continue;
      const std::string& joint = model->joint(link.joint).name;
      EXPECT_EQ(layout.q[static_cast<std::size_t>(link.position)].name.substr(0, joint.size()), joint);
      EXPECT_EQ(layout.v[static_cast<std::size_t>(link.velocity)].name.substr(0, joint.size()), joint);
    }
  }
}

}  // namespace
}  // namespace espalier::record
