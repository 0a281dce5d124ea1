#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using model::JointType;
using model::ModelSpec;

// A folder with robot.urdf (a - b, a - c - d, joints j1 to j3) and a sidecar of this text.
class UrdfSidecar : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              fmt::format("urdf_sidecar_{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "robot.urdf")
        << R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
      <joint name="j1" type="revolute"><parent link="a"/><child link="b"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
      <joint name="j2" type="continuous"><parent link="a"/><child link="c"/><origin xyz="0 2 0"/></joint>
      <joint name="j3" type="continuous"><parent link="c"/><child link="d"/></joint></robot>)";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<ModelSpec> read_with(const std::string& sidecar) {
    std::ofstream(folder_ / "robot.yaml") << sidecar;
    return read_model(folder_ / "robot.urdf");
  }
  std::string problem_with(const std::string& sidecar) {
    const Result<ModelSpec> spec = read_with(sidecar);
    return spec ? "no error" : to_string(spec.error());
  }

  std::filesystem::path folder_;
};

TEST_F(UrdfSidecar, ClosesLoopsBetweenTheChildrenOfTheNamedJoints) {
  for (const auto& [word, type] : {std::pair("6D", JointType::kFixed), std::pair("3d", JointType::kSpherical)}) {
    const Result<ModelSpec> spec =
        read_with(fmt::format("closed_loop: [[j1, j2]]\ntype: ['{}']\nname_mot: [j2]\n", word));
    ASSERT_TRUE(spec) << to_string(spec.error());
    const model::JointSpec& loop = joint(*spec, "j1-j2");
    EXPECT_EQ(loop.type, type);
    EXPECT_EQ(loop.a, "b");
    EXPECT_EQ(loop.b, "c");
    EXPECT_TRUE(loop.closure);
    EXPECT_TRUE(joint(*spec, "j2").actuated);
    EXPECT_FALSE(joint(*spec, "j1").actuated);
    EXPECT_TRUE(model::compile(*spec));
  }
}

TEST_F(UrdfSidecar, MakesJointsOfTypesThatUrdfDoesNotHave) {
  const Result<ModelSpec> spec = read_with(
      "closed_loop: [[j1, j2]]\nname_mot: [j1]\njoint_name: [j1, j2, j3]\njoint_type: [SPHERICAL, CARDAN, FIXED]\n");
  ASSERT_TRUE(spec) << to_string(spec.error());
  EXPECT_EQ(joint(*spec, "j1").type, JointType::kSpherical);
  EXPECT_TRUE(joint(*spec, "j1").actuated);
  EXPECT_TRUE(joint(*spec, "j1").limits.empty());
  EXPECT_EQ(joint(*spec, "j2").type, JointType::kUniversal);
  EXPECT_LT((joint(*spec, "j2").in_a.position - Eigen::Vector3d(0, 2, 0)).norm(), 1e-15);
  EXPECT_LT(joint(*spec, "j2").in_a.rotation.vec().norm(), 1e-15);
  EXPECT_EQ(joint(*spec, "j3").type, JointType::kFixed);
  EXPECT_TRUE(model::compile(*spec));
}

// A body on UJOINT_ZY turns about z, then about y of the frame that URDF gives the joint.
TEST_F(UrdfSidecar, NamesUniversalJointsByTheirAxes) {
  using Eigen::Vector3d;
  for (const auto& [word, first, second] : {std::tuple("UJOINT_XY", Vector3d(1, 0, 0), Vector3d(0, 1, 0)),
                                            std::tuple("UJOINT_ZY", Vector3d(0, 0, 1), Vector3d(0, 1, 0)),
                                            std::tuple("UJOINT_YZ", Vector3d(0, 1, 0), Vector3d(0, 0, 1)),
                                            std::tuple("UJOINT_ZX", Vector3d(0, 0, 1), Vector3d(1, 0, 0))}) {
    const Result<ModelSpec> spec =
        read_with(fmt::format("closed_loop: [[j1, j3]]\njoint_name: [j2]\njoint_type: [{}]\n", word));
    ASSERT_TRUE(spec) << to_string(spec.error());
    const model::JointSpec& universal = joint(*spec, "j2");
    ASSERT_EQ(universal.type, JointType::kUniversal);
    const math::Pose X_AB =
        universal.in_a * model::joint_pose(universal.type, 0, std::vector{0.3, 0.7}) * universal.in_b.inverse();
    const Eigen::Quaterniond expected(Eigen::AngleAxisd(0.3, first) * Eigen::AngleAxisd(0.7, second));
    EXPECT_LT(X_AB.rotation.angularDistance(expected), 1e-14) << word;
    EXPECT_LT((X_AB.position - Vector3d(0, 2, 0)).norm(), 1e-14) << word;
  }
  EXPECT_MENTIONS(problem_with("closed_loop: [[j1, j3]]\njoint_name: [j2]\njoint_type: [UJOINT_XX]\n"),
                  "not 'UJOINT_XX'");
}

TEST_F(UrdfSidecar, NamesLinksWhereThereIsNoSuchJoint) {
  const Result<ModelSpec> spec = read_with("closed_loop: [[b, c]]");
  ASSERT_TRUE(spec) << to_string(spec.error());
  EXPECT_EQ(joint(*spec, "b-c").b, "c");
  EXPECT_TRUE(has_note(*spec, "read as 6d"));
}

TEST_F(UrdfSidecar, IsLeftAloneWithoutClosedLoop) {
  const Result<ModelSpec> spec = read_with("espalier: 1\nbodies: []\n");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->joints.size(), 3u);
  EXPECT_TRUE(has_note(*spec, "without `closed_loop`: not read"));
}

TEST_F(UrdfSidecar, NamesItsOwnFileAndLineInMistakes) {
  EXPECT_NE(problem_with("type: [6d]\nclosed_loop: [[j1, j4]]")
                .find("robot.yaml:2: `closed_loop` names an unknown "
                      "joint or link 'j4'; did you mean"),
            std::string::npos);
  EXPECT_NE(problem_with("closed_loop: [[j1, j2]]\ntype: [5d]").find("robot.yaml:2: `type` takes 6d and 3d"),
            std::string::npos);
  EXPECT_NE(problem_with("closed_loop: [[j1, j2]]\ntype: []").find("give each loop one type"), std::string::npos);
  EXPECT_NE(problem_with("closed_loop: [[j1]]").find("is a pair [A, B]"), std::string::npos);
  EXPECT_NE(problem_with("closed_loop: 3").find("must be a list"), std::string::npos);
  EXPECT_NE(problem_with("closed_loop: [[j1, b]]").find("move with the same link 'b'"), std::string::npos);
  EXPECT_NE(problem_with("closed_loop: []\nname_mot: [x]").find("unknown joint"), std::string::npos);
  EXPECT_NE(problem_with("closed_loop: []\njoint_name: [x]\njoint_type: [FIXED]").find("`joint_name` names an unknown"),
            std::string::npos);
  EXPECT_NE(problem_with("closed_loop: []\njoint_name: [j1]\njoint_type: [BALL]").find("takes SPHERICAL, CARDAN"),
            std::string::npos);
  EXPECT_NE(problem_with("closed_loop: []\njoint_name: [j1]\njoint_type: []").find("give each joint one type"),
            std::string::npos);
  EXPECT_NE(problem_with("closed_loop: []\njoint_name: [j1]").find("belong together"), std::string::npos);
  EXPECT_NE(problem_with("closed_loop: [[j1, j2]").find("robot.yaml:"), std::string::npos);
  EXPECT_NE(problem_with(std::string(1'000'000, '[')).find("robot.yaml:"), std::string::npos);
}

struct RealFile {
  const char* path;
  int links, revolute, prismatic, closures, couplings;
};

class UrdfRealFile : public testing::TestWithParam<RealFile> {};

// Counts as the files' authors give them.
TEST_P(UrdfRealFile, HasTheLinksJointsAndLoopsOfItsAuthors) {
  const RealFile& file = GetParam();
  const std::filesystem::path path = std::filesystem::path(source_dir()) / "../shared/data/models" / file.path;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the collection of real models is not beside this checkout";
  const Result<ModelSpec> spec = read_model(path);
  ASSERT_TRUE(spec) << to_string(spec.error());
  EXPECT_EQ(spec->bodies.size(), to_index(file.links));
  int revolute = 0, prismatic = 0, closures = 0;
  for (const model::JointSpec& j : spec->joints) {
    closures += j.closure ? 1 : 0;
    revolute += !j.closure && j.type == JointType::kRevolute ? 1 : 0;
    prismatic += !j.closure && j.type == JointType::kPrismatic ? 1 : 0;
  }
  EXPECT_EQ(revolute, file.revolute);
  EXPECT_EQ(prismatic, file.prismatic);
  EXPECT_EQ(closures, file.closures);
  EXPECT_EQ(spec->couplings.size(), to_index(file.couplings));
  for (const model::CouplingSpec& coupling : spec->couplings) EXPECT_EQ(coupling.joints.size(), 40u);
  const Result<model::Model> compiled = model::compile(*spec);
  EXPECT_TRUE(compiled) << to_string(compiled.error());
}

INSTANTIATE_TEST_SUITE_P(Collection, UrdfRealFile,
                         testing::Values(RealFile{"gepetto/kangaroo_like_2legs/robot.urdf", 131, 66, 12, 24, 0},
                                         RealFile{"gepetto/robot_delta/robot.urdf", 16, 14, 0, 3, 0},
                                         RealFile{"gepetto/5bar_linkage/robot.urdf", 8, 6, 0, 1, 0},
                                         RealFile{"grbda/four_bar.urdf", 4, 3, 0, 1, 0},
                                         RealFile{"grbda/six_bar.urdf", 6, 5, 0, 1, 0},
                                         RealFile{"grbda/planar_leg_linkage.urdf", 5, 4, 0, 1, 0},
                                         RealFile{"grbda/pc_d40_l40.urdf", 81, 80, 0, 0, 1}));

}  // namespace
}  // namespace espalier::formats
