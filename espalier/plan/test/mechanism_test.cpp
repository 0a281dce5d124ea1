#include "espalier/plan/network.hpp"

#include <gtest/gtest.h>

#include "espalier/math/rotation.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::plan {
namespace {

using model::compile;
using model::ModelSpec;

Count counted(const Result<ModelSpec>& spec) {
  EXPECT_TRUE(spec) << to_string(spec.error());
  const Result<model::Model> model = compile(*spec);
  EXPECT_TRUE(model) << to_string(model.error());
  return count(*model, make_mechanism(*model));
}

TEST(CountMechanism, PlanarLadderHasOneFreedomSincePlanarLoopsTakeThree) {
  for (const int n : {1, 2, 10}) {
    const Count count = counted(model::generate_ladder(n));
    EXPECT_EQ(count.bodies, 2 * n + 1);
    EXPECT_EQ(count.movable_joints, 3 * n + 1);
    EXPECT_EQ(count.loops, n);
    EXPECT_EQ(count.planar_loops, n);
    EXPECT_EQ(count.freedom, 1);
  }
}

TEST(CountMechanism, SpatialLadderHasOneFreedom) {
  for (const int n : {1, 2, 10}) {
    const Count count = counted(model::generate_ladder(n, model::LadderKind::kSpatial));
    EXPECT_EQ(count.loops, n);
    EXPECT_EQ(count.planar_loops, 0);
    EXPECT_EQ(count.coordinates, 6 * n + 1);
    EXPECT_EQ(count.freedom, 1);
  }
}

TEST(CountMechanism, StrandbeestOfSixPairsHas36LoopsAndBlocksNothing) {
  const Count count = counted(model::generate_strandbeest(6));
  EXPECT_EQ(count.bodies, 73);
  EXPECT_EQ(count.loops, 36);
  EXPECT_EQ(count.planar_loops, 36);
  EXPECT_EQ(count.freedom, 1);
  EXPECT_EQ(count.floating, 0);
  EXPECT_EQ(count.blocked_joints, 0);
}

TEST(CountMechanism, LatticeOfBallsHasOneLoopAMesh) {
  const Count count = counted(model::generate_lattice(4, 5));
  EXPECT_EQ(count.loops, 12);
  EXPECT_EQ(count.freedom, 3 * (2 * 20 - 9 + 1) - 6 * 12);
}

//  ground ==free== a ==fixed== b --revolute-- c, and a revolute joint between a and b that the weld blocks
TEST(CountMechanism, WeldedBodiesAreOneGroupAndBlockTheJointBetweenThem) {
  ModelSpec spec;
  for (const char* name : {"a", "b", "c"}) {
    model::BodySpec body;
    body.name = name;
    body.mass = 1;
    body.inertia = Eigen::Matrix3d::Identity();
    spec.bodies.push_back(body);
  }
  const auto join = [&](const char* name, model::JointType type, const char* a, const char* b) {
    model::JointSpec joint;
    joint.name = name;
    joint.type = type;
    joint.a = a;
    joint.b = b;
    joint.at = math::Pose{};
    spec.joints.push_back(joint);
  };
  join("base", model::JointType::kFree, "ground", "a");
  join("weld", model::JointType::kFixed, "a", "b");
  join("pin", model::JointType::kRevolute, "b", "c");
  join("blocked", model::JointType::kRevolute, "b", "a");
  const Count count = counted(spec);
  EXPECT_EQ(count.bodies, 3);
  EXPECT_EQ(count.groups, 2);
  EXPECT_EQ(count.movable_joints, 3);
  EXPECT_EQ(count.blocked_joints, 1);
  EXPECT_EQ(count.loops, 1);
  EXPECT_EQ(count.coordinates, 6 + 1 + 1);
}

TEST(CountMechanism, ObstaclesStandWithTheGround) {
  Result<ModelSpec> spec = model::generate_chain(1);
  ASSERT_TRUE(spec);
  model::BodySpec wall;
  wall.name = "wall";
  wall.kind = model::BodyKind::kObstacle;
  spec->bodies.push_back(wall);
  const Count count = counted(spec);
  EXPECT_EQ(count.floating, 0);
  EXPECT_EQ(count.freedom, 1);
}

// A four-bar whose last hinge lies across the plane in the ground: as drawn it is open, and its loop is not planar.
TEST(CountMechanism, LoopIsPlanarOnlyIfBothSidesOfEachJointAre) {
  Result<ModelSpec> spec = model::generate_ladder(1);
  ASSERT_TRUE(spec);
  EXPECT_EQ(counted(spec).planar_loops, 1);
  const Result<model::Model> model = compile(*spec);
  ASSERT_TRUE(model);
  for (std::size_t j = 0; j < spec->joints.size(); ++j) {
    Result<ModelSpec> bent = spec;
    model::JointSpec& joint = bent->joints[j];
    joint.in_a = model->joints[j].X_AF;
    joint.in_b = model->joints[j].X_BM;
    joint.in_b.rotation = joint.in_b.rotation * math::rotation_with_z({1, 0, 0});
    joint.at.reset();
    EXPECT_EQ(counted(bent).planar_loops, 0) << joint.name;
  }
}

TEST(IndependentLoops, OfTheLadderAreItsFourBars) {
  const Result<model::Model> model = compile(*model::generate_ladder(4));
  ASSERT_TRUE(model);
  const auto loops = independent_loops(make_mechanism(*model));
  ASSERT_EQ(loops.size(), 4u);
  for (const auto& loop : loops) EXPECT_EQ(loop.size(), 4u);
  EXPECT_EQ(independent_loops(make_mechanism(*model), 2).size(), 2u);
}

}  // namespace
}  // namespace espalier::plan
