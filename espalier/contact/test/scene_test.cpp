#include "espalier/contact/scene.hpp"

#include <gtest/gtest.h>

#include "espalier/contact/test/refusal.hpp"
#include "tests/support/expect.hpp"

namespace espalier::contact {
namespace {

using Eigen::Vector3d;

TEST(Pairs, TheMoreSlipperyAndTheMoreElasticSurfaceDecide) {
  EXPECT_EQ(pair_friction(0.3, 0.5), 0.3);
  EXPECT_EQ(pair_restitution(0.3, 0.5), 0.5);
}

// The centre of mass lies half a metre from the origin: v + w x r = (1, 0, 0) + (0, 0, 2) x (0, 0.5, 0) = 0.
TEST(MakeScene, MovesABodyAboutItsCentreOfMass) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  model::BodySpec& body = add_body(spec, "a", sphere_shape(0.1), {1, 2, 3});
  body.mass = 2;
  body.inertia = Vector3d(1, 1, 0.5).asDiagonal();
  body.com = Vector3d(0, 0.5, 0);
  body.velocity = model::VelocitySpec{{1, 0, 0}, {0, 0, 2}};
  const Scene scene = compile_scene(spec);
  const Body& made = scene.bodies[1];
  EXPECT_EQ(made.constants.mass, 2);
  EXPECT_LT((position(made.state.q) - Vector3d(1, 2.5, 3)).norm(), 1e-15);
  EXPECT_LT(Vector3d(made.state.u.data()).norm(), 1e-15);
  EXPECT_LT((Vector3d(made.state.u.data() + 3) - Vector3d(0, 0, 2)).norm(), 1e-15);
  EXPECT_EQ(made.constants.origin, (std::array<double, 3>{0, -0.5, 0}));
  EXPECT_LT((scene.shapes[1]->front().pose.position - Vector3d(0, -0.5, 0)).norm(), 1e-15);
}

TEST(MakeScene, KeepsEqualShapesOnce) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "a", sphere_shape(0.1), {0, 0, 1});
  add_body(spec, "b", sphere_shape(0.1), {0, 0, 2});
  add_body(spec, "larger", sphere_shape(0.2), {0, 0, 3});
  // What stands has lists of its own, which ranks keep.
  add_body(spec, "post", sphere_shape(0.1), {5, 0, 0}).kind = model::BodyKind::kObstacle;
  const Scene scene = compile_scene(spec);
  EXPECT_EQ(scene.shapes.size(), 4u);
  EXPECT_EQ(scene.bodies[1].constants.shapes, scene.bodies[2].constants.shapes);
  EXPECT_NE(scene.bodies[1].constants.shapes, scene.bodies[3].constants.shapes);
  EXPECT_NE(scene.bodies[1].constants.shapes, scene.bodies[4].constants.shapes);
}

TEST(MakeScene, TakesFrictionFromTheMaterialBeforeTheSection) {
  model::ModelSpec spec = ground_spec(0.6, 0.2);
  spec.materials[0].friction = 0.3;
  add_body(spec, "a", sphere_shape(0.1), {0, 0, 1});
  const Scene scene = compile_scene(spec);
  const SceneShape& ground = scene.shapes[0]->front();
  const SceneShape& ball = scene.shapes[1]->front();
  EXPECT_EQ(ground.friction, 0.6);
  EXPECT_EQ(ball.friction, 0.3);
  EXPECT_EQ(ball.restitution, 0.2);
}

// A cube of 1 m and 1000 kg: E 10 MPa, G 4 MPa. lambda = G (E - 2 G) / (3 G - E), Euler's tensor m / 12.
TEST(MakeScene, SoftBodiesHaveTheirModuliAndEulersTensor) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "a", box_shape({1, 1, 1}), {0, 0, 1}).kind = model::BodyKind::kPseudoRigid;
  const Scene scene = compile_scene(spec);
  const BodyConstants& constants = scene.bodies[1].constants;
  EXPECT_DOUBLE_EQ(constants.lame_mu, 4e6);
  EXPECT_DOUBLE_EQ(constants.lame_lambda, 4e6);
  EXPECT_NEAR(constants.volume, 1, 1e-12);
  EXPECT_NEAR(constants.inertia[0], 1000.0 / 12, 1e-9);
  EXPECT_NEAR(constants.inertia[1], 0, 1e-9);
  // Drawn as it is: F = 1.
  EXPECT_EQ(scene.bodies[1].state.q[3], 1);
  spec.materials[0].shear = 3e6;
  EXPECT_MENTIONS(refusal(spec), "no Poisson's number between -0.5 and 0.5");
}

TEST(MakeScene, ExcludesAPairOnceWhoeverNamesIt) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "a", sphere_shape(0.1), {0, 0, 1});
  add_body(spec, "b", sphere_shape(0.1), {0, 0, 2});
  spec.contact->exclude = {{"b", "a"}};
  add_joint(spec, model::JointType::kSpherical, "b", "a", at_point({0, 0, 1.5}));
  EXPECT_EQ(compile_scene(spec).excluded, (std::vector<std::pair<std::int32_t, std::int32_t>>{{1, 2}}));
}

TEST(MakeScene, PlanesStand) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "a", sphere_shape(0.1), {0, 0, 1}).shapes.push_back(spec.bodies.front().shapes.front());
  EXPECT_MENTIONS(refusal(spec), "planes and meshes belong to the ground or to an obstacle");
}

// Planes touch cylinders as they are drawn: there is nothing to say before something else is there to touch.
TEST(MakeScene, SaysThatCylindersArePrismsForAllButPlanes) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  model::ShapeSpec drum;
  drum.kind = model::ShapeKind::kCylinder;
  drum.size = {0.3, 0.2, 0};
  add_body(spec, "wheel", drum, {0, 0, 0.3});
  EXPECT_TRUE(compile_scene(spec).notes.empty());
  add_body(spec, "box", box_shape({1, 1, 1}), {3, 0, 0.5});
  const Scene scene = compile_scene(spec);
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_NE(scene.notes[0].find("prisms of 24 sides"), std::string::npos) << scene.notes[0];
}

}  // namespace
}  // namespace espalier::contact
