#include "espalier/record/detail/hdf5_guard.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::record {
namespace {

namespace fs = std::filesystem;

class Hdf5Guard : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string read() const {
    std::ifstream stream(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& bytes) const {
    fs::remove(file_);
    std::ofstream(file_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  static ResultLayout layout() {
    ResultLayout layout;
    layout.model = "four bar";
    layout.bodies = {"ground", "crank"};
    layout.joints = {"A"};
    layout.joint_types = {"revolute"};
    layout.q = layout.joint_position = {{"A", "rad"}};
    layout.v = layout.joint_velocity = {{"A", "rad/s"}};
    return layout;
  }

  // A file with five frames in it.
  void make_result() const {
    Result<ResultWriter> writer = ResultWriter::create(file_, layout(), 100);
    ASSERT_TRUE(writer);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(writer->append(frame(k)));
    ASSERT_TRUE(writer->flush());
  }

  model::Frame frame(int k) const {
    static const std::vector<double> one(1, 0.5), pose(14, 1), motion(12, 2), force(6, 3);
    static const std::vector<std::uint8_t> unique(6, 1);
    model::Frame frame;
    frame.time = 0.1 * k;
    frame.q = frame.v = frame.joint_position = frame.joint_velocity = one;
    frame.body_pose = pose;
    frame.body_velocity = frame.body_acceleration = motion;
    frame.reaction = force;
    frame.reaction_unique = unique;
    return frame;
  }

  fs::path folder_ = fs::temp_directory_path() / ("espalier_hdf5_guard_" + std::to_string(::getpid()));
  fs::path file_ = folder_ / "result.h5";
};

TEST_F(Hdf5Guard, BringsErrorsAndBreakdownsBack) {
  write("x");
  EXPECT_TRUE(detail::try_apart(file_, [] { return Result<void>(); }));
  const Result<void> said =
      detail::try_apart(file_, []() -> Result<void> { return make_error(ErrorCode::kValue, {}, "a reason"); });
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().code, ErrorCode::kValue);
  EXPECT_EQ(said.error().message, "a reason");
  EXPECT_EQ(said.error().where.file, file_.string());
  const Result<void> crashed = detail::try_apart(file_, []() -> Result<void> {
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
    return {};
  });
  ASSERT_FALSE(crashed);
  EXPECT_NE(crashed.error().message.find("breaks down"), std::string::npos);
  const Result<void> thrown = detail::try_apart(file_, []() -> Result<void> { throw std::bad_alloc(); });
  EXPECT_FALSE(thrown);
}

TEST_F(Hdf5Guard, OpensNoLinksAndPipes) {
  const auto fine = [] { return Result<void>(); };
  EXPECT_FALSE(detail::try_apart(file_, fine));
  write("x");
  fs::create_symlink(file_, folder_ / "link");
  EXPECT_FALSE(detail::try_apart(folder_ / "link", fine));
}

// Of 1250 such files 53 made HDF5 crash, and some made it take gigabytes or never end.
TEST_F(Hdf5Guard, DamagedResultsAreReadOrRefused) {
  make_result();
  const std::string good = read();
  int refused = 0;
  for (std::uint32_t k = 0; k < 250; ++k) {
    Random random(7, k, 0);
    std::string bytes = good;
    const int changes = 1 + static_cast<int>(random.uniform(0, 8));
    for (int c = 0; c < changes; ++c) {
      const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<double>(bytes.size())));
      bytes[at] = static_cast<char>(random.uniform(0, 256));
    }
    if (k % 10 == 0) bytes.resize(static_cast<std::size_t>(random.uniform(0, static_cast<double>(bytes.size()))));
    write(bytes);
    const Result<ResultWriter> writer = ResultWriter::reopen(file_, layout(), 3);
    if (!writer) {
      ++refused;
      EXPECT_EQ(writer.error().where.file, file_.string());
      EXPECT_FALSE(writer.error().message.empty());
    }
    write(bytes);
    (void)read_result(file_);
  }
  EXPECT_GT(refused, 20);
  write(good);
  EXPECT_TRUE(ResultWriter::reopen(file_, layout(), 3));
}

}  // namespace
}  // namespace espalier::record
