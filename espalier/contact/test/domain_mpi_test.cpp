// The same trajectory, bit for bit, however the scene is shared out.

#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/body_data.hpp"
#include "espalier/contact/detail/gather.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact::detail {
namespace {

// The root alone has the scene.
std::vector<BodyState> run(const comm::Comm& comm, const Scene& scene, Settings settings, int steps) {
  settings.step = 5e-3;
  settings.balance_every = 4;
  settings.imbalance = 0;
  Domain domain = make_domain(comm, comm.is_root() ? scene : Scene{}, settings);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = step(comm, domain);
    EXPECT_TRUE(report.solved.converged);
  }
  return gather_state(comm, domain, 0).bodies;
}

void expect_same(const std::vector<BodyState>& together, const std::vector<BodyState>& alone) {
  ASSERT_EQ(together.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(together[i].q, alone[i].q) << "body " << i;
    EXPECT_EQ(together[i].u, alone[i].u) << "body " << i;
  }
}

TEST(Domain, GivesTheSameBitsOnAnyNumberOfRanks) {
  const comm::Comm world = comm::Comm::world();
  const Scene scene = compile_scene(pile(48));
  const std::vector<BodyState> alone = run(comm::Comm::serial(), scene, {}, 60);
  for (const auto& [storage, bisection] :
       {std::pair(Storage::kEfficient, Bisection::kOwn), std::pair(Storage::kRedundant, Bisection::kOwn),
        std::pair(Storage::kEfficient, Bisection::kZoltan)}) {
    Settings settings;
    settings.storage = storage;
    settings.bisection = bisection;
    const std::vector<BodyState> together = run(world, scene, settings, 60);
    if (world.is_root()) expect_same(together, alone);
  }
}

// Between walls of 1 cm, 4 m apart: the balls, which do not touch each other, cross an eighth of the space in a step.
TEST(Domain, KeepsFastBodiesBetweenThinWallsOnAnyNumberOfRanks) {
  const comm::Comm world = comm::Comm::world();
  model::ModelSpec spec = ground_spec(0, 0.9);
  spec.gravity = Eigen::Vector3d::Zero();
  spec.bodies.front().shapes.clear();
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-2.0, 2.0}) {
      model::ShapeSpec plate = box_shape(Eigen::Vector3d::Constant(8) - 7.99 * Eigen::Vector3d::Unit(axis));
      plate.pose.position = side * Eigen::Vector3d::Unit(axis);
      spec.bodies.front().shapes.push_back(plate);
    }
  }
  Random random(9);
  for (int k = 0; k < 16; ++k) {
    const Eigen::Vector3d place(-1.2 + 0.8 * (k % 4), -0.8 + 0.8 * (k / 4 % 2), -0.5 + 0.8 * (k / 8));
    const Eigen::Vector3d way(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
    add_body(spec, "ball" + std::to_string(k), sphere_shape(0.05 + 0.05 * random.uniform()), place).velocity =
        model::VelocitySpec{200 * way, Eigen::Vector3d::Zero()};
    for (int l = 0; l < k; ++l) {
      spec.contact->exclude.emplace_back("ball" + std::to_string(l), "ball" + std::to_string(k));
    }
  }
  const Scene scene = compile_scene(spec);
  const std::vector<BodyState> together = run(world, scene, {}, 80);
  if (!world.is_root()) return;
  expect_same(together, run(comm::Comm::serial(), scene, {}, 80));
  for (std::size_t k = 1; k < together.size(); ++k) {
    EXPECT_LT(position(together[k].q).cwiseAbs().maxCoeff(), 2) << k;
  }
}

// Balls on the corners of a lattice, many of which share each coordinate: Zoltan's cells of them overlap.
TEST(Domain, CutsALatticeOfBallsByZoltanToo) {
  const comm::Comm world = comm::Comm::world();
  model::ModelSpec spec = ground_spec(0.4, 0);
  for (int k = 0; k < 20; ++k) {
    add_body(spec, "ball" + std::to_string(k), sphere_shape(0.1),
             {0.3 * (k % 3), 0.3 * (k / 3 % 3), 0.2 + 0.3 * (k / 9)});
  }
  const Scene scene = compile_scene(spec);
  Settings settings;
  settings.bisection = Bisection::kZoltan;
  const std::vector<BodyState> together = run(world, scene, settings, 40);
  if (world.is_root()) expect_same(together, run(comm::Comm::serial(), scene, {}, 40));
}

// A bowl of triangles as the ground, hulls and capsules of many sizes, some held by the ground, some that never touch.
model::ModelSpec bowl(const std::string& mesh) {
  model::ModelSpec spec = ground_spec(0.4, 0.1);
  model::ShapeSpec& ground = spec.bodies.front().shapes.front();
  ground.kind = model::ShapeKind::kMesh;
  ground.file = mesh;
  ground.pose = {};
  Random random(5);
  for (int k = 0; k < 30; ++k) {
    model::ShapeSpec shape;
    const double size = 0.15 + 0.1 * random.uniform();
    shape.kind = k % 2 == 0 ? model::ShapeKind::kHull : model::ShapeKind::kCapsule;
    if (k % 2 == 0) {
      shape.points = {{-size, -size, -size}, {size, -size, -size}, {0, size, -size}, {0, 0, size}};
    } else {
      shape.size = {size / 2, size, 0};
    }
    const Eigen::Vector3d place(0.5 * (k % 5) - 1, 0.5 * (k / 5 % 3) - 0.5, 1 + 0.5 * (k / 15));
    add_body(spec, "body" + std::to_string(k), shape, place + 0.02 * Eigen::Vector3d::Constant(random.uniform()));
  }
  add_joint(spec, model::JointType::kRevolute, model::kGround, "body2", at_point({0, -0.5, 2}));
  spec.contact->exclude = {{"body0", "body15"}};
  return spec;
}

TEST(Domain, SendsShapesAndJointsWithTheBodies) {
  const comm::Comm world = comm::Comm::world();
  const std::string mesh = testing::TempDir() + "espalier_bowl" + std::to_string(world.rank()) + ".obj";
  std::ofstream(mesh) << "v -3 -3 1.5\nv 3 -3 1.5\nv 3 3 1.5\nv -3 3 1.5\nv 0 0 0\n"
                         "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  const Scene scene = compile_scene(bowl(mesh));
  std::remove(mesh.c_str());
  EXPECT_EQ(scene.shapes.size(), 31u);
  const std::vector<BodyState> alone = run(comm::Comm::serial(), scene, {}, 60);
  const std::vector<BodyState> together = run(world, scene, {}, 60);
  if (world.is_root()) expect_same(together, alone);
}

// After a partition a rank has the shapes and joints of its own bodies and no more.
TEST(Domain, NoRankKeepsDataOfBodiesItDoesNotHold) {
  const comm::Comm world = comm::Comm::world();
  model::ModelSpec spec = ground_spec(0.4, 0);
  for (int k = 0; k < 60; ++k) {
    add_body(spec, "body" + std::to_string(k), sphere_shape(0.1 + 1e-4 * k), {0.4 * k, 0, 0.2});
    if (k == 0) continue;
    add_joint(spec, model::JointType::kSpherical, "body" + std::to_string(k - 1), "body" + std::to_string(k),
              at_point({0.4 * k - 0.2, 0, 0.2}));
  }
  Domain domain = make_domain(world, world.is_root() ? compile_scene(spec) : Scene{}, {});
  step(world, domain);
  std::size_t moving = 0;
  for (const LocalBody& local : domain.bodies) {
    EXPECT_EQ(local.shapes, find_shapes(domain.body_data, local.body.constants.shapes));
    if (local.body.constants.kind == Kind::kRigid) ++moving;
  }
  EXPECT_EQ(domain.body_data.shapes.size(), moving + 1);
  EXPECT_LE(domain.body_data.links.size(), moving + 1);
  if (world.size() > 1) {
    EXPECT_LT(moving, 60u);
  }
}

}  // namespace
}  // namespace espalier::contact::detail
