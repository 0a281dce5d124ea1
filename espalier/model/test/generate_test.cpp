#include "espalier/model/generate.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::model {
namespace {

Model compiled(const Result<ModelSpec>& spec) {
  EXPECT_TRUE(spec) << to_string(spec.error());
  const Result<Model> model = compile(*spec);
  EXPECT_TRUE(model) << to_string(model.error());
  return *model;
}

double largest_gap(const Model& model) {
  double largest = 0;
  for (const Joint& joint : model.joints) {
    const math::PoseGap gap = drawn_gap(model, joint);
    largest = std::max({largest, gap.distance, gap.angle});
  }
  return largest;
}

// All generated mechanisms hang together, so loops = joints - bodies.
int loops(const Model& model) {
  return static_cast<int>(model.joints.size()) - static_cast<int>(model.bodies.size() - 1);
}

TEST(GenerateLadder, HasTwoBodiesMoreThanTheLadderBeforeItAndOneLoopMore) {
  for (const int n : {1, 2, 5, 40}) {
    for (const LadderKind kind : {LadderKind::kPlanar, LadderKind::kSpatial}) {
      const Model model = compiled(generate_ladder(n, kind));
      EXPECT_EQ(model.bodies.size() - 1, 2 * n + 1);
      EXPECT_EQ(loops(model), n);
      EXPECT_LT(largest_gap(model), 1e-12);
    }
  }
}

TEST(GenerateLadder, PlanarCranksAreParallelAndWeighTheirVolume) {
  const Model model = compiled(generate_ladder(3));
  const Eigen::Vector3d first = model.bodies[1].X_WB.rotation * Eigen::Vector3d::UnitX();
  for (const Body& body : model.bodies) {
    if (!body.name.starts_with("crank")) continue;
    EXPECT_NEAR(body.inertia.mass, 7850 * 0.4 * 0.02 * 0.02, 1e-12);
    EXPECT_LT((body.X_WB.rotation * Eigen::Vector3d::UnitX() - first).norm(), 1e-14);
  }
}

TEST(GenerateLadder, SpatialUsesRevoluteUniversalAndSphericalAndSwingsInDifferentPlanes) {
  const Model model = compiled(generate_ladder(4, LadderKind::kSpatial));
  std::map<JointType, int> number;
  for (const Joint& joint : model.joints) ++number[joint.type];
  EXPECT_EQ(number, (std::map<JointType, int>{
                        {JointType::kRevolute, 5}, {JointType::kUniversal, 4}, {JointType::kSpherical, 4}}));
  // Both axes of the universal joint stand square to the coupler, so that it cannot spin.
  for (const Joint& joint : model.joints) {
    if (joint.type != JointType::kUniversal) continue;
    const Eigen::Vector3d coupler = model.body(joint.b).X_WB.rotation * Eigen::Vector3d::UnitX();
    const math::Pose frame = drawn_frame_a(model, joint);
    EXPECT_NEAR(coupler.dot(frame.rotation * Eigen::Vector3d::UnitX()), 0, 1e-14);
    EXPECT_NEAR(coupler.dot(frame.rotation * Eigen::Vector3d::UnitY()), 0, 1e-14);
  }
}

TEST(GenerateChain, HangsEachBodyOnTheOneBefore) {
  const Model model = compiled(generate_chain(10));
  ASSERT_EQ(model.joints.size(), 10u);
  for (std::size_t j = 0; j < 10; ++j) {
    EXPECT_EQ(model.joints[j].a, BodyId(j));
    EXPECT_EQ(model.joints[j].b, BodyId(j + 1));
  }
  EXPECT_LT(largest_gap(model), 1e-12);
}

TEST(GenerateTree, IsACompleteBinaryTree) {
  const Model model = compiled(generate_tree(5));
  ASSERT_EQ(model.bodies.size() - 1, 31u);
  EXPECT_EQ(loops(model), 0);
  std::vector<int> children(32, 0);
  for (const Joint& joint : model.joints) ++children[joint.a.index()];
  EXPECT_EQ(children[0], 1);
  for (int k = 1; k <= 15; ++k) EXPECT_EQ(children[k], 2);
  for (int k = 16; k <= 31; ++k) EXPECT_EQ(children[k], 0);
  EXPECT_LT(largest_gap(model), 1e-12);
}

TEST(GenerateLattice, HasOneLoopAMesh) {
  const Model model = compiled(generate_lattice(4, 6));
  EXPECT_EQ(model.bodies.size() - 1, 24u);
  EXPECT_EQ(model.joints.size(), 2u * 24 - 4 - 6 + 1);
  EXPECT_EQ(loops(model), 3 * 5);
  EXPECT_LT(largest_gap(model), 1e-12);
}

TEST(GenerateLattice, TakesEveryMovableJoint) {
  for (const JointKind& kind : joint_kinds()) {
    const Result<ModelSpec> spec = generate_lattice(2, 2, kind.type);
    if (kind.type == JointType::kFixed) {
      EXPECT_FALSE(spec);
    } else {
      EXPECT_EQ(compiled(spec).joints[1].type, kind.type);
    }
  }
}

TEST(GenerateRandom, IsConnectedHasNoParallelJointAndDrawsAllMovableTypes) {
  const Model model = compiled(generate_random(60, 90, 7));
  EXPECT_EQ(loops(model), 30);
  std::set<std::pair<int, int>> pairs;
  std::set<JointType> types;
  for (const Joint& joint : model.joints) {
    const int low = std::min(joint.a.value(), joint.b.value());
    const int high = std::max(joint.a.value(), joint.b.value());
    EXPECT_TRUE(pairs.emplace(low, high).second);
    types.insert(joint.type);
  }
  EXPECT_EQ(types.size(), 8u);
  EXPECT_FALSE(types.contains(JointType::kFixed));
  EXPECT_LT(largest_gap(model), 1e-12);
}

TEST(GenerateRandom, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const Result<ModelSpec> a = generate_random(20, 30, 1);
  const Result<ModelSpec> b = generate_random(20, 30, 1);
  const Result<ModelSpec> c = generate_random(20, 30, 2);
  const auto places = [](const ModelSpec& spec) {
    std::vector<double> all;
    for (const BodySpec& body : spec.bodies)
      all.insert(all.end(), body.pose.position.begin(), body.pose.position.end());
    for (const JointSpec& joint : spec.joints) all.push_back(joint.at->rotation.w());
    return all;
  };
  EXPECT_EQ(places(*a), places(*b));
  EXPECT_NE(places(*a), places(*c));
}

TEST(GenerateRandom, FillsTheCompleteGraph) { EXPECT_EQ(compiled(generate_random(7, 28, 3)).joints.size(), 28u); }

TEST(Generators, RefuseArgumentsOutOfRangeAndSayTheRange) {
  EXPECT_EQ(generate_ladder(0).error().message, "loops = 0 must lie between 1 and 499999");
  EXPECT_EQ(generate_chain(-1).error().message, "bodies = -1 must lie between 1 and 1000000");
  EXPECT_EQ(generate_tree(20).error().message, "levels = 20 must lie between 1 and 19");
  EXPECT_EQ(generate_lattice(1000, 1001).error().message, "columns = 1001 must lie between 1 and 1000");
  EXPECT_EQ(generate_random(10, 9, 0).error().message, "joints = 9 must lie between 10 and 55");
  EXPECT_EQ(generate_strandbeest(0).error().message, "pairs = 0 must lie between 1 and 83333");
  EXPECT_EQ(generate_ladder(0).error().code, ErrorCode::kOption);
}

TEST(Generators, MakeLargeModelsInLinearTime) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(compiled(generate_ladder(5'000)).bodies.size(), 10'002u);
  EXPECT_EQ(compiled(generate_random(10'000, 15'000, 1)).joints.size(), 15'000u);
  EXPECT_EQ(compiled(generate_lattice(100, 100)).bodies.size(), 10'001u);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  // 3 s unoptimised; anything quadratic would take many minutes.
  EXPECT_LT(seconds.count(), 60);
}

TEST(Generators, MakeModelsWithoutFindings) {
  for (const Result<ModelSpec>& spec : {generate_ladder(3), generate_chain(4), generate_tree(3), generate_lattice(3, 3),
                                        generate_random(5, 8, 1), generate_strandbeest(2)}) {
    const std::vector<Finding> findings = lint(compiled(spec));
    EXPECT_TRUE(findings.empty()) << spec->name << ": " << findings.front().message;
  }
}

}  // namespace
}  // namespace espalier::model
