#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/test/native_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace native_test;
using Eigen::Vector3d;
using model::ModelSpec;

TEST(NativeReader, ReadsTheWholeSchema) {
  const ModelSpec spec = read(R"yaml(
espalier: 1
name: everything
gravity: [0, -9.81, 0]
active: [x, y, rz]
materials: {steel: {density: 7850, E: 2.1e11, G: 8.1e10, friction: 0.5, restitution: 0.1}}
bodies:
  - {name: ground, shapes: [{plane: {}, material: steel}]}
  - {name: arm, mass: 5.3, com: [0, 0, 0.5], inertia: [0.02, 0.02, 0.01, 0.001, 0, 0], pose: {position: [-0.05, 0, 1], rpy: [0, 0, 1]},
     velocity: {linear: [1, 2, 3], angular: [4, 5, 6]}, active: [x]}
  - {name: ball, material: steel, shapes: [{sphere: {radius: 0.1}, at: {position: [0, 0, 1]}, role: collision, name: s}]}
  - {name: boom, kind: beam, from: [0, 0, 0], to: [4, 0, 0], section: {b: [0.04, 0.02], h: 0.04, shear_factors: [0.8, 0.9]}, material: steel,
     theory: timoshenko, y_axis: [0, 1, 0], damping: {viscous: 40, kelvin_voigt: 0.001}, foundation: 3, segments: 50}
joints:
  - {name: pin, type: revolute, between: [ground, arm], at: {position: [0, 0, 0], axis: [0, 1, 0]}, velocity: 6.283, limits: [-1, 1],
     friction: 0.1, damping: 0.2, stiffness: 3, rest: 0.5, armature: 0.01, effort_limit: 10, velocity_limit: 20, actuated: true, reaction: wanted}
  - {name: mount, type: free, between: [arm, ball], in: {arm: {position: [1, 2, 3]}, ball: {}}, stiffness: [1, 2, 3, 4, 5, 6]}
  - {name: foot, type: fixed, between: [ground, boom], at: {position: [0, 0, 0]}, closure: true}
  - {name: nut, type: screw, between: [ground, ball], at: {axis: [1, 0, 0]}, pitch: 0.002}
couplings:
  - {name: gear, joints: [pin, nut], ratio: [1, -2], offset: 0.5}
  - {joints: [pin, nut], polynomial: [0, 1, 2]}
forces:
  - {name: s1, spring: {between: [arm, ball], at: [[0, 0, 0], [1, 0, 0]], stiffness: 8e5, damping: 4e4, length: 0.5, tension: 2, limits: [0.2, 0.9]}}
  - {bushing: {between: [arm, ball], in: {arm: {position: [1, 0, 0]}}, stiffness: [1, 1, 1, 2, 2, 2]}}
  - {torque: {joint: pin, value: "0.5*sin(2*pi*t)"}}
  - {force: {body: ball, value: [0, 1, "t"], frame: body, point: [0, 0, 1]}}
  - {motion: {joint: nut, velocity: "10*t"}}
contact: {engine: on, margin: 1e-3, friction: 0.4, pairs: {exclude: [[arm, ball]]}}
keyframes:
  - {name: home, positions: {pin: 0.3, mount: [0, 0, 1, 1, 0, 0, 0]}}
)yaml");
  EXPECT_EQ(spec.name, "everything");
  EXPECT_EQ(spec.gravity, Vector3d(0, -9.81, 0));
  ASSERT_TRUE(spec.active.has_value());
  EXPECT_EQ(*spec.active, (model::ActiveDirections{true, true, false, false, false, true}));
  ASSERT_EQ(spec.bodies.size(), 4u);
  EXPECT_EQ(spec.bodies[0].shapes[0].kind, model::ShapeKind::kPlane);
  EXPECT_EQ(*spec.bodies[1].mass, 5.3);
  EXPECT_EQ((*spec.bodies[1].inertia)(0, 1), 0.001);
  EXPECT_NEAR(spec.bodies[1].pose.rotation.w(), std::cos(0.5), 1e-15);
  EXPECT_EQ(spec.bodies[1].velocity->angular, Vector3d(4, 5, 6));
  EXPECT_EQ(spec.bodies[2].shapes[0].role, model::ShapeRole::kCollision);
  const model::BeamSpec& beam = *spec.bodies[3].beam;
  EXPECT_EQ(beam.section.b, (std::array{0.04, 0.02}));
  EXPECT_EQ(beam.section.h, (std::array{0.04, 0.04}));
  EXPECT_EQ(beam.theory, model::BeamTheory::kTimoshenko);
  EXPECT_EQ(beam.kelvin_voigt, 0.001);
  EXPECT_EQ(beam.segments, 50);
  ASSERT_EQ(spec.joints.size(), 4u);
  EXPECT_TRUE((spec.joints[0].at->rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitY(), 1e-15));
  EXPECT_EQ(spec.joints[0].rest, std::vector{0.5});
  EXPECT_TRUE(spec.joints[0].actuated && spec.joints[0].reaction_wanted);
  EXPECT_EQ(spec.joints[1].in_a.position, Vector3d(1, 2, 3));
  EXPECT_TRUE(spec.joints[2].closure);
  EXPECT_EQ(spec.joints[3].pitch, 0.002);
  EXPECT_EQ(spec.couplings[1].polynomial, (std::vector<double>{0, 1, 2}));
  ASSERT_EQ(spec.forces.size(), 5u);
  EXPECT_EQ(std::get<model::SpringSpec>(spec.forces[0].law).tension, 2);
  EXPECT_EQ(std::get<model::SpringSpec>(spec.forces[0].law).limits, (std::array{0.2, 0.9}));
  EXPECT_EQ(std::get<model::LoadSpec>(spec.forces[3].law).value[2].text, "t");
  EXPECT_TRUE(std::get<model::MotionSpec>(spec.forces[4].law).is_velocity);
  EXPECT_EQ(spec.contact->exclude.size(), 1u);
  EXPECT_EQ(spec.keyframes[0].positions[1].second.size(), 7u);
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model.has_value()) << to_string(model.error());
}

// Who writes the section asks for contact, with or without a word in it.
TEST(NativeReader, AContactSectionLeftEmptyIsContactWithAllDefaults) {
  for (const char* text :
       {"espalier: 1\ncontact:\n", "espalier: 1\ncontact: {}\n", R"({"espalier": 1, "contact": null})"}) {
    const ModelSpec spec = read(text);
    ASSERT_TRUE(spec.contact) << text;
    EXPECT_TRUE(spec.contact->on);
    EXPECT_FALSE(spec.contact->friction);
  }
  EXPECT_FALSE(read("espalier: 1\ncontact: {engine: off}\n").contact->on);
  EXPECT_FALSE(read("espalier: 1\n").contact);
}

TEST(NativeReader, JsonIsYaml) {
  const ModelSpec spec =
      read(R"({"espalier": 1, "bodies": [{"name": "a", "kind": "point", "mass": 1.5e-3}], "joints": []})");
  EXPECT_EQ(*spec.bodies[0].mass, 1.5e-3);
}

TEST(NativeReader, ErrorsNameTheLineAndTheWayOut) {
  EXPECT_EQ(error_of("espalier: 1\nbodies:\n  - {name: a, mas: 1}\n"),
            "test.yaml:3: body 'a' has no field 'mas'; did you mean 'mass'?");
  EXPECT_EQ(error_of("espalier: 1\nbodies:\n  - {name: a, mass: .nan}\n"),
            "test.yaml:3: body 'a': `mass` is '.nan'; it must be a finite number");
  EXPECT_EQ(error_of("espalier: 1\nname: a\nname: b\n"),
            "test.yaml:3: the key 'name' stands twice in one map; keep one");
}

TEST(NativeReader, AliasesAreExpandedButNotWithoutEnd) {
  const ModelSpec spec = read(
      "espalier: 1\nbodies:\n  - &p {name: a, kind: point, mass: 1}\njoints:\n  - {name: j, type: free, between: "
      "[ground, a], at: &w {position: [1, 2, 3]}}\n  - {name: k, type: free, between: [ground, a], at: *w}\n");
  EXPECT_EQ(spec.joints[1].at->position, Vector3d(1, 2, 3));
  std::string laughs = "espalier: 1\nname: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 12; ++k) {
    laughs += fmt::format("k{}: &a{} [", k, k);
    for (int i = 0; i < 10; ++i) laughs += fmt::format("*a{}{}", k - 1, i < 9 ? ", " : "]\n");
  }
  EXPECT_NE(error_of(laughs).find("more than 100 MiB"), std::string::npos) << error_of(laughs);
}

}  // namespace
}  // namespace espalier::formats
